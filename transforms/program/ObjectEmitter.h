//===- ObjectEmitter.h - A program as an object or executable ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a program as one relocatable object, and links it with the launcher in
// runtime/ to an executable that needs the C library and, when it runs, a CUDA
// driver. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_OBJECTEMITTER_H
#define FORMWORK_TRANSFORMS_PROGRAM_OBJECTEMITTER_H

#include "transforms/program/Program.h"

namespace formwork::transforms {

struct EmitOptions {
  /// The target of the kernels, for the reader: "sm_90".
  std::string target;
  /// The defaults of a run; see RunOptions.
  uint64_t seed = 0;
  double tolerance = -1;
};

/// Writes to `path` a position-independent object for this machine's
/// architecture: the host code with the kernels' images, the reference, and the
/// table of runtime/FormworkProgram.h, its only symbol. It needs the functions
/// of MLIR's GPU runtime and the C library's. Nothing is written on failure.
/// Errors: fw-object-failed, fw-output-unwritable.
llvm::LogicalResult emitObject(const Program &program,
                               const EmitOptions &options,
                               llvm::StringRef path);

/// The first C compiler on PATH of cc, clang-22, clang and gcc, which links.
/// Error, at `loc`: fw-linker-missing.
mlir::FailureOr<std::string> findLinker(mlir::Location loc);

/// Writes to `path` the executable that `linker` makes of the object and the
/// launcher. Nothing is written on failure. Errors: those of `emitObject`,
/// fw-link-failed. Cost: one process.
llvm::LogicalResult emitExecutable(const Program &program,
                                   const EmitOptions &options,
                                   llvm::StringRef linker,
                                   llvm::StringRef path);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_OBJECTEMITTER_H
