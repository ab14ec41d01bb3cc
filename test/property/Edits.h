//===- Edits.h - Random changes of payload ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small changes as a transform, or an author, makes them. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_PROPERTY_EDITS_H
#define FORMWORK_TEST_PROPERTY_EDITS_H

#include "mlir/IR/Operation.h"

#include <random>
#include <string>

namespace formwork::test {

/// Changes one thing strictly below `root`: an attribute, a constant, an
/// operand, the order of two ops, an op more or an op less. `root` verifies
/// afterwards. Returns what was done, for messages; empty when nothing fits.
std::string applyRandomEdit(mlir::Operation *root, std::mt19937_64 &random);

} // namespace formwork::test

#endif // FORMWORK_TEST_PROPERTY_EDITS_H
