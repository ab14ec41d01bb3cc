//===- OrderEdit.h - Order of steps -----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of the mutations that put the steps of a schedule in another
// order. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_ORDEREDIT_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_ORDEREDIT_H

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

namespace formwork::testing {

/// Whether a step only finds something.
bool isLookup(mlir::Operation *step);

/// The ops of the block of `op` that `op`, or what stands in it, reads.
llvm::SmallSetVector<mlir::Operation *, 4> getNeeded(mlir::Operation *op);

/// Orders the steps by `ranks`, as far as what they read lets them; those of
/// one rank stay in order. Whether any moved.
bool reorder(mlir::transform::NamedSequenceOp entry,
             const llvm::DenseMap<mlir::Operation *, unsigned> &ranks);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_ORDEREDIT_H
