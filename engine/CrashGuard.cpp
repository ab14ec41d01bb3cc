//===- CrashGuard.cpp - Goes on after a crash -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/CrashGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/PrettyStackTrace.h"

bool formwork::engine::survivesCall(llvm::function_ref<void()> function) {
  // Entries of the stack trace are objects on the stack.
  const void *trace = llvm::SavePrettyStackState();
  llvm::CrashRecoveryContext::Enable();
  bool returns = llvm::CrashRecoveryContext().RunSafely(function);
  llvm::CrashRecoveryContext::Disable();
  if (!returns)
    llvm::RestorePrettyStackState(trace);
  return returns;
}
