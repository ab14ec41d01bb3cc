//===- Program.h - A compiled schedule as a program -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The façade of this folder: host code and reference of one compiled schedule,
// made once, then run in this process or written as an object or executable.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_PROGRAM_H
#define FORMWORK_TRANSFORMS_PROGRAM_PROGRAM_H

#include "transforms/gpu/LaunchDescription.h"
#include "transforms/program/Compare.h"
#include "transforms/program/EntryPoint.h"
#include "transforms/program/HostLowering.h"
#include "transforms/program/Jit.h"

#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>
#include <vector>

namespace formwork::transforms {

/// Both halves of a program, in LLVM's dialect.
struct Program {
  EntryPoint entry;
  mlir::OwningOpRef<mlir::ModuleOp> host;
  mlir::OwningOpRef<mlir::ModuleOp> reference;
  /// Computes the shapes of the results, if some are only known when the
  /// program runs: see `lowerShapes`.
  mlir::OwningOpRef<mlir::ModuleOp> shapes;
  /// The assumptions of the kernels; launches check them.
  std::vector<KernelAssumptions> kernels;
  /// Floating-point operations of one run, where `payload` tells: twice the
  /// iteration space of its contractions, if beside them it only fills.
  std::optional<double> flops;
};

/// Makes the program of `payload`, untouched by its schedule, and `lowered`,
/// its outcome: kernels in gpu.modules, with an image each in `images`, and the
/// functions that launch them. With an empty `entry`, the only public function
/// of the payload is meant. Neither module is changed. With `takesOpenSizes`,
/// the types of the entry may leave sizes open, which each run knows. Errors:
/// those of `inferEntryPoint`, `lowerHost` and `lowerReference`.
mlir::FailureOr<Program> buildProgram(mlir::ModuleOp payload,
                                      mlir::ModuleOp lowered,
                                      llvm::StringRef entry,
                                      const KernelImages &images,
                                      bool takesOpenSizes = false);

struct RunOptions {
  uint64_t seed = 0;
  /// Negative: the element types' own.
  double tolerance = -1;
  /// `.npy` files: `name=path` for the parameter of that name, else for the
  /// inputs in order. Other inputs are generated from the seed.
  std::vector<std::string> inputs;
  /// The sizes that the entry leaves open, of the arguments without a file.
  std::optional<int64_t> openSize;
  /// `.npy` files that results are compared with instead of the reference's:
  /// for results in order.
  std::vector<std::string> expected;
  /// The runtime that the host code calls (`mgpu…`).
  SymbolProvider device;
  /// Told of each buffer that the function is passed, before the run.
  std::function<void(llvm::StringRef name, llvm::MutableArrayRef<char> bytes)>
      onBuffer;
  /// Given the elements of each result, in the order of RunReport::results,
  /// before they are compared.
  std::function<void(llvm::ArrayRef<char> bytes)> onResult;
  /// With a value: whether the byte at an address in one of the buffers was
  /// written. Elements of results that were not are not compared.
  std::function<bool(const char *)> isWritten;
  /// Called behind the run, in front of that of the reference, on which nothing
  /// looks.
  std::function<void()> onRun;
};

struct RunReport {
  /// An assertion of the host code or of the reference that does not hold,
  /// fw-assertion-failed: there are no results then.
  std::optional<engine::Finding> fault;
  std::vector<ResultComparison> results;
  double runSeconds = 0;
  double referenceSeconds = 0;

  bool passed() const;
  /// One line a result; see ResultComparison::print.
  void print(llvm::raw_ostream &os) const;
};

/// Runs `program` once in this process on the runtime in `options`, then its
/// reference, and compares. A mismatch is no failure: see the report. Errors:
/// those of `Jit::create` and `readNpy`, fw-input-mismatch,
/// fw-entry-dynamic-shape, fw-entry-too-large, fw-run-out-of-memory.
mlir::FailureOr<RunReport> runInProcess(const Program &program,
                                        const RunOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_PROGRAM_H
