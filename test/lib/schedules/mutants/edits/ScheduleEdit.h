//===- ScheduleEdit.h - Steps, handles and simple edits ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of mutations: the steps of a schedule, the handles that a
// place sees, ops to insert. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_SCHEDULEEDIT_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_SCHEDULEEDIT_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace formwork::testing {

using Ops = llvm::SmallVector<mlir::Operation *>;
using Values = llvm::SmallVector<mlir::Value>;
using Uses = llvm::SmallVector<mlir::OpOperand *>;

/// The type of handles in the text of a schedule.
inline constexpr llvm::StringLiteral anyOp = "!transform.any_op";

/// Whether `value` is a handle to ops.
bool isOpHandle(mlir::Value value);
/// Where the steps of the schedule read or consume handles to ops.
Uses getHandleUses(mlir::transform::NamedSequenceOp entry);
/// Those at which the kind of the payload can be guessed.
Uses getGuessedUses(mlir::transform::NamedSequenceOp entry);
/// Those at which it is guessed to be a kind that no match is made in.
Uses getUsesOfMatched(mlir::transform::NamedSequenceOp entry);
/// The steps that only clean up.
Ops getCleanUps(mlir::transform::NamedSequenceOp entry);
/// `8, 16`.
std::string listNumbers(llvm::ArrayRef<int64_t> numbers);
/// Whether `op` consumes the handle `value`.
bool consumes(mlir::Operation *op, mlir::Value value);

/// The steps of the schedule, those in regions of control flow included.
Ops getSteps(mlir::transform::NamedSequenceOp entry);
/// Those that stand in the schedule itself.
Ops getOuterSteps(mlir::transform::NamedSequenceOp entry);
/// One of `steps`, or null when there is none.
mlir::Operation *pickStep(llvm::ArrayRef<mlir::Operation *> steps,
                          Random &random);
/// The op handles that are defined before `op` in its block and around it.
Values getVisibleHandles(mlir::Operation *op);
/// One of the steps of the schedule that are an `OpTy` which `fits`, or null.
template <typename OpTy>
OpTy pickStep(
    mlir::transform::NamedSequenceOp entry, Random &random,
    llvm::function_ref<bool(OpTy)> fits = [](OpTy) { return true; }) {
  llvm::SmallVector<OpTy> found;
  for (mlir::Operation *op : getSteps(entry))
    if (auto step = llvm::dyn_cast<OpTy>(op))
      if (fits(step))
        found.push_back(step);
  return found.empty() ? OpTy() : found[random.below(found.size())];
}

/// A step, a handle that is visible before it, and the type of that as text.
struct Spot {
  mlir::Operation *place = nullptr;
  mlir::Value handle;
  std::string type;
};

/// The type of `handle` as text.
std::string getTypeText(mlir::Value handle);

/// One of `texts`.
llvm::StringRef pickText(Random &random, llvm::ArrayRef<llvm::StringRef> texts);
/// `text` with `with` for each `sign` in it.
std::string fillIn(llvm::StringRef text, char sign, llvm::StringRef with);
/// `number` of `choices` as text, with commas.
std::string pickNumbers(Random &random, unsigned number,
                        llvm::ArrayRef<int64_t> choices);

/// Any spot; none where the step that is picked sees no handle.
std::optional<Spot> pickSpot(mlir::transform::NamedSequenceOp entry,
                             Random &random);

/// Whether an op of this name works on structured data, is a loop, or holds
/// what others are matched in.
bool isStructuredKind(llvm::StringRef kind);
bool isLoopKind(llvm::StringRef kind);
bool isScopeKind(llvm::StringRef kind);

/// A step, and one of the handles before it that most likely hold a kind which
/// `fits`; see `pickVisible`.
std::optional<Spot>
pickSpotOf(mlir::transform::NamedSequenceOp entry, Random &random,
           llvm::function_ref<bool(llvm::StringRef kind)> fits);
/// A use of a handle that a match may make, and a handle to what the match may
/// be made in.
struct ScopedUse {
  mlir::OpOperand *use = nullptr;
  mlir::Value scope;
};

/// Any of those; none where the step that is picked sees no scope.
std::optional<ScopedUse> pickScopedUse(mlir::transform::NamedSequenceOp entry,
                                       Random &random);
/// The handle to the payload's module that is alive before `place`, which
/// stands in the schedule itself: the argument, or what the last step made of
/// it that consumed it. Null when there is none.
mlir::Value getRootBefore(mlir::Operation *place);
/// The one that is alive at the end of the schedule.
mlir::Value getRootAtEnd(mlir::transform::NamedSequenceOp entry);
/// A spot like that of `pickSpotOf`, mostly where an author appends a step: at
/// the end, where the kind may be matched again, or behind all that reads the
/// handle.
std::optional<Spot>
pickSpotToAppend(mlir::transform::NamedSequenceOp entry, Random &random,
                 llvm::function_ref<bool(llvm::StringRef kind)> fits);

/// A place in the block of `op`, at or behind the op behind it.
mlir::Operation *pickPlaceBehind(mlir::Operation *op, Random &random);

/// One of the handles that are visible before `op` and most likely hold a kind
/// that `fits`; mostly one that no step before consumes. Null when there is
/// none.
mlir::Value pickVisible(mlir::Operation *op, Random &random,
                        llvm::function_ref<bool(llvm::StringRef kind)> fits);

/// Replaces the uses of `handle` behind `step`, in its block and in regions
/// there, by `value` of the same type. Whether there was one.
bool rebindBehind(mlir::Operation *step, mlir::Value handle, mlir::Value value);

/// Does so with a result of `step`, if the types let it.
bool rebindToResult(mlir::Operation *step, mlir::Value handle,
                    unsigned number = 0);

/// Does so in a `share` of the cases. False only when `step` is null, as
/// `insertText` returns it.
bool goOnWith(mlir::Operation *step, mlir::Value handle, double share,
              Random &random, unsigned number = 0);

/// The name of the kind that `handle` most likely holds, from the op that
/// defines it; empty when that does not say.
llvm::StringRef guessKind(mlir::Value handle);
/// The matches of structured ops in the body of `entry` whose handles are
/// untyped.
llvm::SmallVector<mlir::transform::MatchOp>
getStructuredMatches(mlir::transform::NamedSequenceOp entry);

/// Inserts before `place` a handle to functions: those in `handle` when that
/// holds modules, those around it otherwise; itself when it holds functions.
mlir::Value insertFunctions(mlir::Operation *place, mlir::Value handle);
/// Inserts before `place` an op that reads `handle` and changes nothing.
void insertUse(mlir::Operation *place, mlir::Value handle);
/// Inserts before `place` an op that consumes `handle`; which one fits the kind
/// that it most likely holds.
mlir::Operation *insertConsumer(mlir::Operation *place, mlir::Value handle,
                                Random &random);

/// Inserts before `place` a step that turns what `root` holds into buffers,
/// mostly all of it; says of the argument of `entry` that it is consumed, if it
/// is that.
mlir::Operation *insertBufferization(mlir::transform::NamedSequenceOp entry,
                                     mlir::Operation *place, mlir::Value root,
                                     Random &random);

/// The handle of `getRootAtEnd`; in a `share` of the cases, the result of a
/// bufferization of it that is inserted at the end. Null where the handle is
/// not of the type of any ops.
mlir::Value bufferizeAtEnd(mlir::transform::NamedSequenceOp entry, double share,
                           Random &random);

/// Parses `text`, named sequences, before `entry`. Whether it parsed.
bool insertSequences(mlir::transform::NamedSequenceOp entry,
                     const llvm::Twine &text);

/// Parses `text`, the body of a sequence in which `%h` is the first of
/// `handles` and `%h1`, `%h2`, ... are the others, before `place`. The last op
/// that it makes; null, with nothing inserted, where the text does not parse.
mlir::Operation *insertText(mlir::Operation *place,
                            llvm::ArrayRef<mlir::Value> handles,
                            const llvm::Twine &text);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_SCHEDULEEDIT_H
