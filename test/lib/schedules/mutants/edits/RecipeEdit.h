//===- RecipeEdit.h - Steps of a recipe -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of the mutations that add a recipe of a few steps: where it
// may stand, and its ingredients. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_RECIPEEDIT_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_RECIPEEDIT_H

#include "test/lib/schedules/mutants/edits/TilingEdit.h"

namespace formwork::testing {

/// The type of parameters in the text of a schedule.
inline constexpr llvm::StringLiteral paramType = "!transform.param<i64>";

/// Steps on ops, in which `@` stands for the type of handles; what comes of
/// them has another name or none.
inline constexpr llvm::StringRef opSteps[] = {
    "%x, %y = transform.structured.tile_using_for %h tile_sizes [2] : (@) -> "
    "(@, @)",
    "%x = transform.structured.generalize %h : (@) -> @",
    "transform.structured.vectorize %h : @",
    "transform.annotate %h \"mutant.op\" : @",
    "transform.annotate %h \"mutant.op\" : @"};
/// Steps on loops.
inline constexpr llvm::StringRef loopSteps[] = {
    "transform.loop.unroll %h {factor = 2} : @",
    "transform.loop.promote_if_one_iteration %h : @",
    "%x = transform.loop.coalesce %h : (@) -> @",
    "transform.apply_licm to %h : @",
    "transform.annotate %h \"mutant.loop\" : @"};

/// A spot where a recipe for an op that `fits` may be added, with a handle of
/// any type: mostly before all the others, in the share `atStart`, or behind
/// them, where the op is matched anew.
std::optional<Spot> pickRecipeSpot(
    mlir::transform::NamedSequenceOp entry, Random &random,
    llvm::function_ref<bool(llvm::StringRef kind)> fits = isStructuredKind,
    double atStart = 0.8);

/// The match that `handle` goes back to by the first operands, or null.
mlir::transform::MatchOp getOrigin(mlir::Value handle);

/// A spot where a recipe may be added for what a match of the schedule finds:
/// mostly right behind that, and else as `pickRecipeSpot` has it.
std::optional<Spot> pickSpotOfMatch(
    mlir::transform::NamedSequenceOp entry, Random &random,
    llvm::function_ref<bool(llvm::StringRef kind)> fits = isStructuredKind);

/// How many loops an op has that `handle` holds, as far as its kind or a tiling
/// of the like tell; as many as a matmul has where they do not.
unsigned guessRank(mlir::Value handle);
/// Whether an op of this kind most likely reads what another one makes, and
/// sums up.
bool isContractionKind(llvm::StringRef kind);

/// `text` with the types of handles and of parameters for `&` and `$`.
std::string withTypes(llvm::StringRef text);
/// Inserts `text`, in which `@` stands for the type of handles.
mlir::Operation *insertSteps(mlir::Operation *place,
                             llvm::ArrayRef<mlir::Value> handles,
                             llvm::StringRef text);
/// Inserts a match of `what` in `scope`, and a handle to it.
mlir::Value insertMatch(mlir::Operation *place, mlir::Value scope,
                        llvm::StringRef what);
/// Inserts one of `steps` on `handle`.
mlir::Operation *insertOneOf(mlir::Operation *place, mlir::Value handle,
                             Random &random,
                             llvm::ArrayRef<llvm::StringRef> steps);
/// Inserts a clean-up of the functions around `handle`.
mlir::Operation *insertCleanUp(mlir::Operation *place, mlir::Value handle,
                               Random &random);
/// Inserts a handle to what makes an operand of `consumer`, or to all that
/// fills a tensor around it.
mlir::Value insertProducers(mlir::Operation *place, mlir::Value consumer,
                            Random &random);
/// Tiles to `numLoops` loops, or one that has them all.
mlir::Operation *insertLoops(mlir::Operation *place, mlir::Value handle,
                             llvm::StringRef name, const llvm::Twine &sizes,
                             unsigned numLoops = 1);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_RECIPEEDIT_H
