//===- TilingEdit.h - Tilings of a schedule ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of the mutations of tilings. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_TILINGEDIT_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_TILINGEDIT_H

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

namespace formwork::testing {

using Numbers = llvm::SmallVector<int64_t>;

/// How many loops a tiling by `sizes` makes.
unsigned countLoops(llvm::ArrayRef<int64_t> sizes);
/// Whether all sizes are numbers, and make loops.
bool isPlain(mlir::transform::TileUsingForOp tile);
bool isPlainFusion(mlir::transform::FuseOp fuse);
/// The tilings of the schedule by plain sizes.
Ops getTilings(mlir::transform::NamedSequenceOp entry, bool withForall);
/// Those, with either sort of loop, of which all handles are to any ops.
Ops getUntypedTilings(mlir::transform::NamedSequenceOp entry);
/// The sizes of a tiling to loops of either sort.
Numbers getSizes(mlir::Operation *tiling);
/// Sets the sizes of a tiling that has plain ones; `parameters` stand for those
/// that are dynamic.
void setSizes(mlir::Operation *tiling, llvm::ArrayRef<int64_t> sizes,
              mlir::ValueRange parameters = {});
/// The dimensions that plain `sizes` tile.
llvm::SmallVector<unsigned> getTiledDimensions(llvm::ArrayRef<int64_t> sizes);

/// The text behind the sizes of a tiling: its mapping, if it has one.
std::string getMappingText(mlir::Operation *tiling);

/// Inserts a tiling of `handle` before `place`. `sizes` is a list in which
/// `%h1` may stand for `parameter`; `types` are those of the results.
mlir::Operation *insertTiling(mlir::Operation *place, mlir::Value handle,
                              llvm::StringRef name, const llvm::Twine &sizes,
                              mlir::TypeRange types, llvm::StringRef flags = "",
                              mlir::Value parameter = mlir::Value());

/// Inserts before `fuse`, which is plain, the tiling by its sizes that fuses
/// nothing.
mlir::Operation *insertPlainTiling(mlir::transform::FuseOp fuse);

/// The number of an operand of what `consumer` holds that something else most
/// likely makes: mostly what initializes the result, or an input.
unsigned guessProduced(mlir::Value consumer, Random &random);
/// Inserts before `place` a handle to what makes that operand of `consumer`.
mlir::Operation *insertProducer(mlir::Operation *place, mlir::Value consumer,
                                unsigned operand);
/// Inserts before `place` the fusion of `producer` into `loop`; its results are
/// the fused op and the new loop.
mlir::Operation *insertFusion(mlir::Operation *place, mlir::Value producer,
                              mlir::Value loop);

/// Lets what reads `old` read `step` instead, result for result, from the
/// result `first` of `step` on. False, with nothing changed, when `step` is
/// null.
bool replaceStep(mlir::Operation *old, mlir::Operation *step,
                 unsigned first = 0);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_EDITS_TILINGEDIT_H
