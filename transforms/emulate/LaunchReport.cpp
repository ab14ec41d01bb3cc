//===- LaunchReport.cpp - What an emulated launch did wrong ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/LaunchReport.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

namespace formwork::transforms::emulate {

std::string Place::str() const {
  if (line == 0)
    return "function '" + function + "'";
  return llvm::formatv("{0}:{1}:{2}", file, line, column);
}

llvm::StringRef getName(AccessKind kind) {
  static constexpr llvm::StringLiteral names[] = {
      "read", "write", "atomic access", "asynchronous write"};
  return names[unsigned(kind)];
}

} // namespace formwork::transforms::emulate
