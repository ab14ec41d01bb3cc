//===- Memory.cpp - Models of steps that allocate ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps that move operands to another memory: how many bytes of workgroup
// memory a block needs, and of which step. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/spaces/Extents.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether `space` is the memory that the threads of a block share.
static bool isWorkgroup(Attribute space) {
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt() == 3;
  return false;
}

/// The value of `expr`, a sum of products with positive numbers, in the last
/// iteration of all loops; none for any other expression.
static std::optional<solver::IntTerm> getLast(solver::TermContext &terms,
                                              const IterationSpace &space,
                                              AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    std::optional<solver::IntTerm> size =
        toTerm(terms, space.loops[dim.getPosition()].size);
    if (!size)
      return std::nullopt;
    return terms.sub(*size, terms.constant(1));
  }
  auto number = dyn_cast<AffineConstantExpr>(expr);
  if (number && number.getValue() >= 0)
    return terms.constant(number.getValue());
  auto both = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!both || !llvm::is_contained({AffineExprKind::Add, AffineExprKind::Mul},
                                   both.getKind()))
    return std::nullopt;
  std::optional<solver::IntTerm> left = getLast(terms, space, both.getLHS()),
                                 right = getLast(terms, space, both.getRHS());
  if (!left || !right)
    return std::nullopt;
  return both.getKind() == AffineExprKind::Add ? terms.add(*left, *right)
                                               : terms.mul(*left, *right);
}

/// The bytes of the tile of operand `operand`; unknown when a size is dynamic,
/// and those of a full tile where a size is symbolic.
static Size getTileBytes(solver::TermContext &terms,
                         const IterationSpace &space, unsigned operand) {
  if (operand >= space.maps.size() || operand >= space.elementTypes.size() ||
      !space.elementTypes[operand].isIntOrFloat())
    return std::nullopt;
  solver::IntTerm bytes = terms.constant(
      llvm::divideCeil(space.elementTypes[operand].getIntOrFloatBitWidth(), 8));
  for (AffineExpr expr : space.maps[operand].getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      std::optional<solver::IntTerm> size =
          toTerm(terms, space.loops[dim.getPosition()].size);
      if (!size)
        return std::nullopt;
      bytes = terms.mul(bytes, *size);
      continue;
    }
    std::optional<solver::IntTerm> last = getLast(terms, space, expr);
    if (!last)
      return std::nullopt;
    bytes = terms.mul(bytes, terms.add(*last, terms.constant(1)));
  }
  return Size::of(bytes);
}

/// Whether an op of `kind` verifies that the shapes of its operands are the
/// same, and takes a dynamic size for another than a static one.
static bool comparesShapes(OperationName kind) {
  return llvm::is_contained(
      {"linalg.map", "linalg.reduce", "linalg.transpose", "linalg.broadcast"},
      kind.getStringRef());
}

static void propagatePromote(const Step &step) {
  auto promote = dyn_cast<transform::PromoteOp>(step.op);
  if (promote) {
    bool toWorkgroup = isWorkgroup(promote.getMemorySpaceAttr());
    if (std::optional<ArrayAttr> mapping = promote.getMapping())
      toWorkgroup |= llvm::any_of(*mapping, [](Attribute attr) {
        auto space = dyn_cast<gpu::GPUMemorySpaceMappingAttr>(attr);
        return space && space.getAddressSpace() == gpu::AddressSpace::Workgroup;
      });
    for (NodeId target : NodeList(step.lookup(promote.getTarget()).nodes)) {
      const Node &node = step.payload[target];
      if (!node.space) {
        step.unprove("promotes operands of unknown size");
        continue;
      }
      if (node.space->onTensors && node.exact)
        step.report("fw-not-bufferized",
                    "requires an op on buffers but '" +
                        node.kind->getStringRef() + "' is on tensors",
                    node.present == Certainty::Yes);
      SmallVector<int64_t> operands;
      for (Attribute attr : promote.getOperandsToPromote())
        operands.push_back(cast<IntegerAttr>(attr).getInt());
      if (operands.empty())
        operands =
            llvm::to_vector(llvm::seq<int64_t>(0, node.space->maps.size()));
      // Nothing has changed what defines the operands.
      bool isGiven = node.op && step.payload.isAsGiven();
      bool hasView = llvm::any_of(operands, [&](int64_t operand) {
        return isGiven && operand >= 0 &&
               operand < static_cast<int64_t>(node.op->getNumOperands()) &&
               node.op->getOperand(operand).getDefiningOp<memref::SubViewOp>();
      });
      if (isGiven && !node.space->onTensors && !hasView)
        step.report(
                "fw-not-a-view",
                "requires a promoted operand that is a memref.subview but '" +
                    node.kind->getStringRef() + "' has none",
                node.isSurelyThere(),
                /*silenceable=*/false)
            .note(NoteKind::Evidence, step.op->getLoc(), "failed to apply")
            .note(NoteKind::FixIt, step.op->getLoc(),
                  "tile the op before it is promoted");
      bool isViewed = !node.space->onTensors &&
                      llvm::any_of(operands, [&](int64_t operand) {
                        return getMadeProducer(step.payload, target, operand,
                                               step.op->getContext())
                            .has_value();
                      });
      bool isSized = llvm::all_of(operands, [&](int64_t operand) {
        return operand >= 0 &&
               bool(getTileBytes(step.terms, *node.space, operand));
      });
      // A promoted operand is dynamic in its type.
      bool mayBeDynamic = node.kind && !comparesShapes(*node.kind);
      bool isModelled = isSized && (isViewed || hasView) && mayBeDynamic &&
                        !promote.getMapping();
      const LoneRun *run = isModelled ? nullptr : runAlone(step, 0, target);
      if (!isModelled && !(run && !run->failure))
        step.unprove("promotes operands that may not be views of a known size, "
                     "or that must be static");
      for (int64_t operand : operands)
        if (toWorkgroup)
          countWorkgroupBytes(step, target,
                              getTileBytes(step.terms, *node.space, operand),
                              "operand #" + Twine(operand) + " of '" +
                                  node.kind->getStringRef() + "'");
    }
  }
  applyClauses(step);
}

/// Whether structured ops only read `op`, one of the payload as it was given.
static bool isOnlyRead(Operation *op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return reader && reader.isDpsInput(&use);
  });
}

/// Whether other ops in the block of `node` read its result, and none writes
/// there or hands it on: what a loop around them yields is made of theirs then.
static bool isReadBeside(const PayloadModel &payload, NodeId node) {
  // The readers of an op that a step made are those that it was made for.
  if (!payload[node].fresh &&
      !(payload[node].body && isOnlyRead(payload[node].body)))
    return false;
  bool isRead = false;
  for (NodeId id : payload.getReaders()) {
    const Node &reader = payload[id];
    if (!llvm::is_contained(reader.producers, node))
      continue;
    bool isSure = reader.exact && reader.present == Certainty::Yes &&
                  reader.space && reader.ups.size() == 1 &&
                  payload[node].ups.size() == 1 &&
                  reader.ups.front().node == payload[node].ups.front().node;
    if (!isSure ||
        llvm::is_contained(
            ArrayRef(reader.producers).take_back(reader.space->numInits), node))
      return false;
    isRead = true;
  }
  return isRead;
}

static void propagateAllocation(const Step &step) {
  auto allocate = cast<transform::BufferizeToAllocationOp>(step.op);
  bool keepsTarget = allocate.getBufferizeDestinationOnly();
  bool isShared = isWorkgroup(allocate.getMemorySpaceAttr());
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(allocate.getTarget());
  NodeList buffers, made;
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  // The destination of a structured op is allocated, and at most copied.
  bool onlyCopies =
      keepsTarget && llvm::all_of(source.nodes, [&](NodeId target) {
        return payload[target].kind &&
               KindPattern("$structured").matches(*payload[target].kind);
      });
  if (onlyCopies)
    llvm::erase_if(introduces, [&](StringRef kind) {
      return kind.starts_with("linalg.") && kind != allocate.getMemcpyOp();
    });
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    bool isStructured =
        old.kind && KindPattern("$structured").matches(*old.kind);
    // The buffer of a dynamic tensor would be dynamic, too.
    if (isShared && old.space)
      for (const Extent &loop : old.space->loops)
        if (loop.size.isSymbolic() && loop.condition)
          constrainStatic(step, loop,
                          "'" + step.op->getName().getStringRef() +
                              "' allocates workgroup memory of a static size",
                          old.isSurelyThere());
    // One destination becomes one buffer; of anything else, it depends.
    if (!isStructured || !old.space || old.space->numInits != 1 ||
        !old.space->onTensors || !keepsTarget)
      step.unprove(
          "allocates for an op that may not be bufferizable by itself");
    // One buffer for each tensor that it writes, or that it makes.
    bool isPad = isKind<tensor::PadOp>(old);
    unsigned numBuffers =
        (isStructured || isPad) && old.space ? old.space->numInits : 1;
    WorkgroupBuffer *shared = nullptr;
    for (unsigned i = 0; i < numBuffers && isShared; ++i) {
      Size bytes;
      if ((isStructured || isPad) && old.space)
        bytes = getTileBytes(step.terms, *old.space,
                             old.space->maps.size() - numBuffers + i);
      shared = &countWorkgroupBytes(
          step, target, bytes,
          old.kind ? "the result of '" + old.kind->getStringRef() + "'"
                   : Twine("the result of an op"));
    }

    if (!isReadBeside(payload, target))
      payload.walkEveryWay(target, [&](NodeId above) {
        if (above == PayloadModel::universe)
          return true;
        payload.edit(above).mayYieldOthers = true;
        payload.edit(above).mayMoveMemory |=
            allocate.getMemorySpaceAttr() != nullptr;
        return true;
      });
    Node buffer =
        makeBeside(old, step.op,
                   OperationName(allocate.getAllocOp(), step.op->getContext()));
    // An op that still computes a tensor is needed if its result is; an op that
    // writes to a buffer stays.
    buffer.live = !keepsTarget || buffer.live;
    buffers.push_back(payload.add(Node(buffer)));
    // If there are several buffers, it is not known which one the node stands
    // for.
    if (shared && numBuffers == 1)
      shared->node = buffers.back();
    // Besides, there are casts and copies, as many as it takes.
    buffer.kind = std::nullopt;
    buffer.exact = false;
    buffer.count = {0, Count::unbounded};
    // A copy may read what the destination was.
    if (old.space && old.producers.size() >= old.space->numInits)
      buffer.producers.append(old.producers.end() - old.space->numInits,
                              old.producers.end());
    // Their kinds are those that the contract lists, and no others.
    buffer.fresh = false;
    made.push_back(payload.add(std::move(buffer)));
    payload.edit(made.back()).fresh = true;
    payload.edit(made.back()).isRecorded = true;
    payload.changeTags();
    payload.edit(target).op = nullptr;
    // The destination is the buffer from now on, not what produced it.
    if (old.space && old.producers.size() >= old.space->numInits)
      for (NodeId &producer : MutableArrayRef(payload.edit(target).producers)
                                  .take_back(old.space->numInits))
        producer = PayloadModel::universe;
    if (keepsTarget)
      continue;
    // Its replacement on buffers may be of the same kind, with the same body.
    payload.inheritContents(target, made.back());
    payload.edit(target).present = Certainty::No;
    introduces.push_back(getPattern(old));
  }
  applyWriteOf(step, introduces);
  step.setResult(0, buffers, source.ordered);
  llvm::append_range(made, buffers);
  step.setResult(1, made, /*ordered=*/false);
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

void formwork::verifier::registerMemoryModels(ModelRegistry &models) {
  models.add(
      "promote", propagatePromote,
      decides{"fw-not-a-view", "fw-not-bufferized", "fw-workgroup-memory"},
      leavesOpen{"promotes operands that may not be views of a known size, or "
                 "that must be static"});
  models.add(
      "bufferize-to-allocation", propagateAllocation,
      decides{"fw-workgroup-memory"},
      leavesOpen{"allocates for an op that may not be bufferizable by itself"});
  models.add("promote-tensor", propagatePromoteTensor,
             decides{"fw-step-fails"});
}
