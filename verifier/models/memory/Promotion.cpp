//===- Promotion.cpp - Models of promote ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps that copy operands to another memory. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/models/Models.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/spaces/OperandBytes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Whether an op of `kind` verifies that the shapes of its operands are the
/// same, and takes a dynamic size for another than a static one.
static bool comparesShapes(OperationName kind) {
  return llvm::is_contained(
      {"linalg.map", "linalg.reduce", "linalg.transpose", "linalg.broadcast"},
      kind.getStringRef());
}

/// Whether the copies of promoted operands are made in workgroup memory.
static bool promotesToWorkgroup(transform::PromoteOp promote) {
  if (isWorkgroupSpace(promote.getMemorySpaceAttr()))
    return true;
  std::optional<ArrayAttr> mapping = promote.getMapping();
  return mapping && llvm::any_of(*mapping, [](Attribute attr) {
           auto space = dyn_cast<gpu::GPUMemorySpaceMappingAttr>(attr);
           return space &&
                  space.getAddressSpace() == gpu::AddressSpace::Workgroup;
         });
}

/// The operands of an op of `space` that `promote` names, or else all.
static SmallVector<int64_t> getPromoted(transform::PromoteOp promote,
                                        const IterationSpace &space) {
  SmallVector<int64_t> operands;
  for (Attribute attr : promote.getOperandsToPromote())
    operands.push_back(cast<IntegerAttr>(attr).getInt());
  if (operands.empty())
    operands = llvm::to_vector(llvm::seq<int64_t>(0, space.maps.size()));
  return operands;
}

/// Whether one of `operands` of `target` is a view. Reports a target on buffers
/// none of whose operands is.
static bool checkViews(const Step &step, NodeId target,
                       ArrayRef<int64_t> operands) {
  const Node &node = step.payload[target];
  // Nothing has changed what defines the operands.
  bool isGiven = node.op && step.payload.isAsGiven();
  bool hasView = llvm::any_of(operands, [&](int64_t operand) {
    return isGiven && operand >= 0 &&
           operand < static_cast<int64_t>(node.op->getNumOperands()) &&
           node.op->getOperand(operand).getDefiningOp<memref::SubViewOp>();
  });
  if (node.space->onTensors)
    return hasView;
  if (isGiven && !hasView)
    step.report("fw-not-a-view",
                "requires a promoted operand that is a memref.subview but '" +
                    node.kind->getStringRef() + "' has none",
                node.isSurelyThere(),
                /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(), "failed to apply")
        .note(NoteKind::FixIt, step.op->getLoc(),
              "tile the op before it is promoted");
  return hasView || llvm::any_of(operands, [&](int64_t operand) {
           return getMadeProducer(step.payload, target, operand,
                                  step.op->getContext())
               .has_value();
         });
}

static void promoteOperands(const Step &step, transform::PromoteOp promote,
                            NodeId target) {
  const Node &node = step.payload[target];
  if (!node.space)
    return step.unprove("promotes operands of unknown size");
  if (node.space->onTensors && node.exact)
    step.report("fw-not-bufferized",
                "requires an op on buffers but '" + node.kind->getStringRef() +
                    "' is on tensors",
                node.present == Certainty::Yes);
  SmallVector<int64_t> operands = getPromoted(promote, *node.space);
  bool haveViews = checkViews(step, target, operands);
  auto getBytes = [&](int64_t operand) {
    return getTileBytes(step.terms, *node.space, operand);
  };
  bool areSized = llvm::all_of(operands, [&](int64_t operand) {
    return operand >= 0 && bool(getBytes(operand));
  });
  // A promoted operand is dynamic in its type.
  bool mayBeDynamic = node.kind && !comparesShapes(*node.kind);
  bool isModelled =
      areSized && haveViews && mayBeDynamic && !promote.getMapping();
  const LoneRun *run = isModelled ? nullptr : runAlone(step, 0, target);
  if (!isModelled && !(run && !run->failure))
    step.unprove("promotes operands that may not be views of a known size, "
                 "or that must be static");
  if (!promotesToWorkgroup(promote))
    return;
  for (int64_t operand : operands)
    countWorkgroupBytes(step, target, getBytes(operand),
                        "operand #" + Twine(operand) + " of '" +
                            node.kind->getStringRef() + "'");
}

static void propagatePromote(const Step &step) {
  if (auto promote = dyn_cast<transform::PromoteOp>(step.op))
    for (NodeId target : NodeList(step.lookup(promote.getTarget()).nodes))
      promoteOperands(step, promote, target);
  applyClauses(step);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether the values that `node` defines, and with `andArguments` those that
/// it gives its regions, are tensors of known rank; none where some may be.
static std::optional<bool> definesTensors(const Node &node, bool andArguments) {
  SmallVector<Type> types;
  if (node.op) {
    llvm::append_range(types, node.op->getResultTypes());
    if (andArguments)
      for (Region &region : node.op->getRegions())
        for (Block &block : region)
          llvm::append_range(types, block.getArgumentTypes());
    if (llvm::all_of(types, llvm::IsaPred<RankedTensorType>))
      return types.empty() ? std::nullopt : std::optional(true);
    return llvm::any_of(types, llvm::IsaPred<RankedTensorType>)
               ? std::nullopt
               : std::optional(false);
  }
  bool isStructured = node.space && node.space->onTensors && node.kind &&
                      KindPattern("$structured").matches(*node.kind);
  bool isSlice = isKind<tensor::ExtractSliceOp>(node);
  return (isStructured || isSlice) && !andArguments ? std::optional(true)
                                                    : std::nullopt;
}

/// Readers of values of `defining` below `scope` read other values from now on:
/// some of them, or all.
static void replaceRead(PayloadModel &payload, NodeId defining, NodeId scope,
                        bool andArguments) {
  Operation *maker = payload[defining].op;
  bool readsAll = maker && maker->getNumResults() == 1 && !andArguments;
  auto isRead = [&](Value value) {
    Operation *owner = value.getDefiningOp();
    if (!owner && andArguments)
      owner = value.getParentBlock()->getParentOp();
    return !maker || owner == maker;
  };
  for (auto [id, place] : payload.getBelow(scope)) {
    const Node &node = payload[id];
    if (node.op && llvm::any_of(node.op->getOperands(), isRead))
      payload.forget(id);
    // Nor is an scf.forall given what was there.
    if (payload[id].loop && payload[id].replaces != PayloadModel::universe)
      payload.edit(id).replaces = PayloadModel::universe;
    bool reads = llvm::is_contained(payload[id].producers, defining);
    if (!reads)
      continue;
    if (readsAll)
      llvm::replace(payload.edit(id).producers, defining,
                    PayloadModel::universe);
    else
      payload.makeVague(id);
  }
}

static void propagatePromoteTensor(const Step &step) {
  HandleState source = step.lookup(step.op->getOperand(0));
  NodeList promoted;
  for (NodeId id : source.nodes) {
    const Node &node = step.payload[id];
    std::optional<bool> areTensors =
        definesTensors(node, source.mayHoldArguments);
    if (!areTensors)
      step.unprove("promotes values that may not be tensors");
    else if (!*areTensors)
      step.reportOf(step.op->getOperand(0), "fw-step-fails",
                    "fails here: non-tensor type", node.isSurelyThere());
    // The replacement of a value stands after it, in the same region, and all
    // readers use it from now on.
    NodeId holder =
        step.payload.getAncestor(id, /*proper=*/false, {"$isolated"})
            .value_or(step.root);
    replaceRead(step.payload, id, holder, source.mayHoldArguments);
    promoted.push_back(step.payload.addSomewhere(
        holder, UpKind::AtOrInside, std::nullopt, node.count, step.op));
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, promoted, source.ordered);
}

void formwork::verifier::registerPromotionModels(ModelRegistry &models) {
  models.add(
      "promote", propagatePromote,
      decides{"fw-not-a-view", "fw-not-bufferized", "fw-workgroup-memory"},
      leavesOpen{"promotes operands that may not be views of a known size, or "
                 "that must be static"});
  models.add("promote-tensor", propagatePromoteTensor,
             decides{"fw-step-fails"});
}
