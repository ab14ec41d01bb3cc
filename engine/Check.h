//===- Check.h - Checks against programming errors --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FW_CHECK states a condition that must hold whatever the input is. The
// packaged LLVM has its asserts compiled out and `NDEBUG` must stay defined, so
// Formwork has its own check. FW_CHECK is not for user errors: those get a
// diagnostic.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CHECK_H
#define FORMWORK_ENGINE_CHECK_H

#include "llvm/ADT/StringRef.h"

namespace formwork {
/// Prints the failed condition with its place and aborts.
[[noreturn]] void reportCheckFailure(llvm::StringRef condition,
                                     llvm::StringRef message,
                                     llvm::StringRef file, unsigned line);
} // namespace formwork

#ifdef FORMWORK_ENABLE_ASSERTIONS
#define FW_CHECK(condition, message)                                           \
  ((condition) ? (void)0                                                       \
               : ::formwork::reportCheckFailure(#condition, message, __FILE__, \
                                                __LINE__))
#else
#define FW_CHECK(condition, message) ((void)sizeof(condition))
#endif

#endif // FORMWORK_ENGINE_CHECK_H
