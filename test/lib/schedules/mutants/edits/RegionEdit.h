//===- RegionEdit.h - Steps that move into regions --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of the mutations that wrap steps of a schedule in control
// flow. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_REGIONEDIT_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_REGIONEDIT_H

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

namespace formwork::testing {

/// The attribute of ops that propagate or suppress failures.
mlir::NamedAttribute getFailureMode(mlir::MLIRContext *context, bool suppress);

/// The sequence that `include` runs; null where there is none.
mlir::transform::NamedSequenceOp getCallee(mlir::transform::IncludeOp include);
/// An include of a sequence that has a body, or null.
mlir::transform::IncludeOp pickInclude(mlir::transform::NamedSequenceOp entry,
                                       Random &random);

/// Inserts before `place` an include of the sequence `target`.
mlir::Operation *insertInclude(mlir::Operation *place, llvm::StringRef target,
                               mlir::ValueRange operands,
                               mlir::TypeRange results, bool suppress);

/// A run of up to `most` steps in one block.
Ops pickRun(mlir::transform::NamedSequenceOp entry, Random &random,
            unsigned most);

/// Steps, and as many copies of them.
struct CopiedRun {
  Ops steps, copies;
};
/// Copies a run of steps, behind it or at the end of its block; the copies read
/// another handle than the first of them did. None where there is no other.
CopiedRun copyForOther(mlir::transform::NamedSequenceOp entry, Random &random);

/// The results of `steps` that something else uses.
Values getResultsUsedElsewhere(llvm::ArrayRef<mlir::Operation *> steps);
/// The values that `steps`, and the ops in their regions, read and do not make.
Values getReadFromOutside(llvm::ArrayRef<mlir::Operation *> steps);

/// Moves `steps` into the block of a region that it makes for `state`, with an
/// argument for each of `bound`, which the steps then read instead. The results
/// that are used elsewhere become those of the new op, which is not made yet.
Values moveIntoRegion(llvm::ArrayRef<mlir::Operation *> steps,
                      mlir::ValueRange bound, mlir::OperationState &state);

/// Moves `steps` into a loop over `over`, of which the entries stand for it;
/// what else reads the steps reads the results of the loop.
mlir::transform::ForeachOp
moveIntoForeach(llvm::ArrayRef<mlir::Operation *> steps, mlir::Value over);

/// Moves `steps` into a sequence where they stand, with an argument for each of
/// `bound`. The sequence gets `handed`, of the same types, for its arguments.
mlir::transform::SequenceOp
moveIntoInnerSequence(llvm::ArrayRef<mlir::Operation *> steps,
                      mlir::ValueRange bound, mlir::ValueRange handed,
                      bool suppress);

/// Moves `steps` into a sequence in front of `entry`, of the given name, and
/// includes it where they stood; what else reads them reads what that yields.
mlir::transform::IncludeOp
moveIntoSequence(mlir::transform::NamedSequenceOp entry,
                 llvm::ArrayRef<mlir::Operation *> steps, llvm::StringRef name,
                 bool suppress);

/// Swaps what `yield` hands out as results `first` and `first` + 1, if both are
/// of one type.
void swapYielded(mlir::Operation *yield, unsigned first = 0);

/// Lets all but `body` read the results of `wrapper` instead of `used`.
void readResults(Values used, mlir::Operation *wrapper, mlir::Block &body);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_REGIONEDIT_H
