//===- Process.h - Running another program ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program to its end and returns what it printed. Layer: transforms; it
// knows nothing of what it runs.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_PROCESS_H
#define FORMWORK_TRANSFORMS_GPU_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace formwork::transforms {

struct ProcessResult {
  int exitCode;
  /// Standard output and standard error, together.
  std::string output;
};

/// Runs `program` (a full path) with `arguments` (without its own name) and an
/// empty standard input. An error means that it could not be run, was killed,
/// or that its output could not be read back.
llvm::Expected<ProcessResult>
runProcess(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_PROCESS_H
