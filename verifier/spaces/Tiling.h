//===- Tiling.h - Iteration spaces under tiling -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration space behind a tiling: pure functions of spaces and sizes,
// without handles. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_TILING_H
#define FORMWORK_VERIFIER_SPACES_TILING_H

#include "verifier/payload/Facts.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier {

/// A size as a step gives it: what `value` holds, or a number where that is
/// null.
struct GivenSize {
  int64_t number = 0;
  mlir::Value value;
};

/// Ops with more loops are rare.
constexpr unsigned usualLoops = 8;
using GivenSizes = llvm::SmallVector<GivenSize, usualLoops>;
using Sizes = llvm::SmallVector<Size, usualLoops>;

/// `numbers`, of which those that are dynamic stand for `values`, in order.
GivenSizes getGivenSizes(llvm::ArrayRef<int64_t> numbers,
                         mlir::ValueRange values);

/// The sizes that a tiling op is given, loop by loop, as far as they are known.
struct TileSpec {
  using Dims = llvm::SmallVector<unsigned, usualLoops>;
  Sizes sizes;
  /// The dimensions whose loops are split, in order; most are not. One whose
  /// size may be 0 is, perhaps.
  Dims tiled;
  /// Those of them whose size may be 0.
  llvm::SmallVector<unsigned, 0> mayBeZero;
  bool isNumThreads = false;

  unsigned numLoops() const { return tiled.size(); }
  /// The loops that are there whatever the knobs are.
  unsigned numSureLoops() const { return numLoops() - mayBeZero.size(); }
  bool mayLeaveOut(unsigned dim) const {
    return llvm::is_contained(mayBeZero, dim);
  }
  /// Whether a size is neither a number nor a term.
  bool isOpen() const {
    return llvm::any_of(sizes,
                        [](const Size &size) { return size.isUnknown(); });
  }
  /// Leaves the sizes out that are for no dimension of `numDims`.
  void truncate(unsigned numDims);
};

TileSpec readSpec(llvm::ArrayRef<Size> sizes, bool isNumThreads,
                  llvm::function_ref<bool(const Size &)> mayBeZero);

Sizes readSizes(llvm::ArrayRef<GivenSize> given,
                llvm::function_ref<Size(mlir::Value)> getParam);

/// How one loop is split.
struct LoopSplit {
  mlir::Operation *op;
  unsigned dim;
  Size given;
  /// Whether `given` is a number of tiles, not the size of one.
  bool isCount = false;
  /// Whether `given` may be 0, which leaves the loop as it is.
  bool mayBeZero = false;
};

/// The trip count of the loop over tiles, and the loop of one tile.
struct SplitLoop {
  Extent trips;
  Extent tile;
};

/// The trip count and the tile of `loop`, split as `split` says. A tile of size
/// t of a loop of e is static when t is 1, or t divides e and e is static; a
/// tile of one of c counts is static when c divides e. Its size is that of a
/// full tile, also where t is more than e: then it divides nothing. Examples:
/// 64 by 16 is 4 tiles of 16; 50 by 16 is 4 tiles of a size that is dynamic; 64
/// by
/// @t is 64 ceildiv @t tiles of @t, static where @t divides 64.
SplitLoop splitLoop(solver::TermContext &terms, const Extent &loop,
                    const LoopSplit &split);

/// The space of one tile, and the trip counts of the loops that `spec` makes.
/// Null, with trip counts of which nothing is known, for a target of which the
/// loops are not known.
std::shared_ptr<IterationSpace> tileSpace(mlir::Operation *op,
                                          const IterationSpace *whole,
                                          const TileSpec &spec,
                                          solver::TermContext &terms,
                                          llvm::SmallVectorImpl<Extent> &trips);

/// Whether no folding tells if the last step of a loop over `whole`, by `tile`,
/// is a whole one.
bool endsOpen(const Extent &whole, const Size &tile);

/// The tiled loops of `spec`, counted among themselves, in the order that
/// `interchange` gives to all `numDims` dimensions; those behind its length
/// follow. None when it names others, of which MLIR 22 makes a crash.
std::optional<llvm::SmallVector<unsigned>>
orderLoops(llvm::ArrayRef<int64_t> interchange, const TileSpec &spec,
           unsigned numDims);

/// The sizes nearest to `tile`, below and above, that divide `size`, as text:
/// `40 or 80`.
std::string getDividingSizes(int64_t size, int64_t tile);

/// The nearer of the two, the smaller one if both are as near.
int64_t getNearestDividingSize(int64_t size, int64_t tile);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_TILING_H
