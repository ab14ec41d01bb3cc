//===- CrashGuard.h - Goes on after a crash ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function of MLIR that may crash on what a user wrote, and that changes
// nothing but what can be dropped. A step or a lowering runs in a child process
// instead (engine/Child.h). Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CRASHGUARD_H
#define FORMWORK_ENGINE_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::engine {

/// Calls `function` on this thread, and tells whether it returns. If it
/// crashes, its frames are left without destructors: `function` must not
/// install diagnostic handlers or hold locks, and the caller must leak all
/// objects that it was changing. An overflow of the stack still ends the
/// process. Not for concurrent use: the handlers of signals are the process's.
bool survivesCall(llvm::function_ref<void()> function);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CRASHGUARD_H
