//===- TiledNodes.h - Nodes that tiling makes -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds to the payload model what a tiling step makes of an op. Layer: verifier;
// for the models of such steps.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_TILEDNODES_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_TILEDNODES_H

#include "verifier/spaces/Fusion.h"
#include "verifier/spaces/Operands.h"
#include "verifier/spaces/Tiling.h"
#include "verifier/state/PayloadModel.h"

#include "mlir/IR/OpDefinition.h"

namespace formwork::verifier {

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

/// Whether two ops are known to be in one block or in blocks of one op.
bool areSiblings(const Node &a, const Node &b);

/// A node of an `OpTy` that `op` makes where `old` stands, and that has no
/// discardable attributes.
template <typename OpTy> Node makePlain(const Node &old, mlir::Operation *op) {
  mlir::MLIRContext *context = op->getContext();
  Node made = makeBeside(
      old, op, mlir::OperationName(OpTy::getOperationName(), context));
  made.tags = mlir::DictionaryAttr::get(context);
  return made;
}

/// A node like `target` below `parent`, with another space, made by `op`.
NodeId addTiled(PayloadModel &payload, NodeId target, NodeId parent,
                std::shared_ptr<const IterationSpace> space,
                mlir::Operation *op);

/// The kind of the op `LoopOp`, a loop that uses values from around it.
template <typename LoopOp> NodeKind getLoopKind(mlir::MLIRContext *context) {
  return mlir::OperationName(LoopOp::getOperationName(), context);
}

/// A loop of the given kind where `target` stands, or below `parent`.
NodeId addLoop(PayloadModel &payload, NodeId target,
               std::optional<NodeId> parent, const NodeKind &kind,
               std::shared_ptr<const LoopFacts> facts, mlir::Operation *op);

/// The facts of the scf.for that takes `trips` steps over `whole`, by `tile`.
std::shared_ptr<LoopFacts> getForFacts(const Extent &whole, const Size &tile,
                                       const Extent &trips, bool hasResults);

/// Records which operands `tile`, made of `target`, reads through slices.
void recordSlices(PayloadModel &payload, NodeId target, NodeId tile,
                  const TileSpec &spec);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_TILEDNODES_H
