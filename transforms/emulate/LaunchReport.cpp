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
  return llvm::formatv("{0}:{1}:{2}", file, line, column).str();
}

llvm::StringRef getName(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic access";
  case AccessKind::AsyncWrite:
    return "asynchronous write";
  }
  llvm_unreachable("every kind of access has a name");
}

} // namespace formwork::transforms::emulate
