//===- TiledNodes.h - Nodes that tiling makes -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds to the payload model what a tiling step makes of an op, and computes
// what the sizes that it is given make of the iteration space. Layer: verifier;
// for the models of such steps.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_TILEDNODES_H
#define FORMWORK_VERIFIER_MODELS_TILEDNODES_H

#include "verifier/state/PayloadModel.h"

#include "mlir/IR/OpDefinition.h"

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

/// The operands, as bits, that each loop of a structured op indexes, and those
/// that any does; of at most 64.
struct IndexedOperands {
  llvm::SmallVector<mlir::AffineMap, 3> maps;
  llvm::SmallVector<uint64_t, 8> byLoop;
  uint64_t byAny = 0;
};

/// Those of `space`. `last` remembers them for the next one with the same maps,
/// as tiles of one op have.
const IndexedOperands &readIndexed(const IterationSpace &space,
                                   IndexedOperands &last);

/// The space of one tile, and the trip counts of the loops that `spec` makes.
/// Null, with trip counts of which nothing is known, for a target of which the
/// loops are not known.
std::shared_ptr<IterationSpace>
tileSpace(mlir::Operation *op, const Node &target, const TileSpec &spec,
          solver::TermContext &terms, llvm::SmallVectorImpl<Extent> &trips);

/// Whether no folding tells if the last step of a loop over `whole`, by `tile`,
/// is a whole one.
bool endsOpen(const Extent &whole, const Size &tile);

/// The tiled loops of `spec`, counted among themselves, in the order that
/// `interchange` gives to all `numDims` dimensions; those behind its length
/// follow. None when it names others, of which MLIR 22 makes a crash.
std::optional<llvm::SmallVector<unsigned>>
orderLoops(llvm::ArrayRef<int64_t> interchange, const TileSpec &spec,
           unsigned numDims);

/// The kind of op that tiling made for operand `number` of what it made: a
/// bound or step of a loop is a constant, and what is indexed by a loop a
/// slice. None when there may be no such op.
std::optional<mlir::OperationName> getMadeProducer(const PayloadModel &payload,
                                                   NodeId id, int64_t number,
                                                   mlir::MLIRContext *context);

/// The linalg.pack that makes operand `number` of `reader`, which a step
/// packed, for it alone; `universe` where it is not known that there is one.
NodeId getPackOf(const PayloadModel &payload, NodeId reader, unsigned number);
/// As above, the linalg.unpack that reads result `number` of `packed`.
NodeId getUnpackOf(const PayloadModel &payload, NodeId packed, unsigned number);

/// The space of the part of `producer` that `consumer` reads as operand
/// `operand`, or null when the maps are not simple enough to tell.
std::shared_ptr<IterationSpace> fuseSpace(const IterationSpace &producer,
                                          const IterationSpace &consumer,
                                          unsigned operand);

/// Whether two ops are known to be in one block or in blocks of one op.
bool areSiblings(const Node &a, const Node &b);

/// A node like `target` below `parent`, with another space, made by `op`.
NodeId addTiled(PayloadModel &payload, NodeId target, NodeId parent,
                std::shared_ptr<const IterationSpace> space,
                mlir::Operation *op);

/// The kind of the op `LoopOp`, a loop that uses values from around it.
template <typename LoopOp> NodeKind getLoopKind(mlir::MLIRContext *context) {
  return {mlir::OperationName(LoopOp::getOperationName(), context),
          /*isIsolated=*/false};
}

/// A loop of the given kind where `target` stands, or below `parent`.
NodeId addLoop(PayloadModel &payload, NodeId target,
               std::optional<NodeId> parent, const NodeKind &kind,
               std::shared_ptr<const LoopFacts> facts, mlir::Operation *op);

/// The sizes nearest to `tile`, below and above, that divide `size`, as text:
/// `40 or 80`.
std::string getDividingSizes(int64_t size, int64_t tile);

/// The nearer of the two, the smaller one if both are as near.
int64_t getNearestDividingSize(int64_t size, int64_t tile);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_TILEDNODES_H
