//===- Child.h - Work in a process of its own -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR has ways to crash on what the verifier refuses, and to run without end:
// what may do so runs in a child, whose end is an answer. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_CHILD_CHILD_H
#define FORMWORK_TEST_LIB_CHILD_CHILD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace formwork::testing {

/// How a child ended, and what it wrote before.
struct ChildEnd {
  std::string text;
  /// The signal that ended it; 0 if it ended by itself.
  int signal = 0;
  /// It ended by itself, and its work returned true.
  bool succeeded = false;
};

/// Runs `work` in a copy of this process, with a stream to write to. Limits on
/// time and memory, and what becomes of its own output, are for `work` to set.
/// Does not return where there is no pipe or no process.
ChildEnd runInChild(llvm::function_ref<bool(llvm::raw_ostream &)> work);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_CHILD_CHILD_H
