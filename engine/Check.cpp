//===- Check.cpp - Checks against programming errors ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Check.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

void formwork::reportCheckFailure(llvm::StringRef condition,
                                  llvm::StringRef message, llvm::StringRef file,
                                  unsigned line) {
  llvm::report_fatal_error(
      llvm::Twine(llvm::formatv("{0}:{1}: check failed: {2}: {3}", file, line,
                                condition, message)
                      .str()));
}
