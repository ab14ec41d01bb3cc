//===- Packing.cpp - Models of ops that pack operands -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured op gives way to one on packed operands: which of them are
// packed, and what packs and unpacks them from then on. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Packing.h"
#include "engine/AnyBelow.h"
#include "normalforms/CopiedOp.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/spaces/Transposing.h"
#include "verifier/step/Step.h"
#include "verifier/trials/LoneRun.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Whether an op that steps have changed can be packed: each operand is read
/// along loops alone.
static bool isPackable(const Node &node) {
  return node.space->onTensors && node.kind &&
         KindPattern("$structured").matches(*node.kind) &&
         llvm::all_of(node.space->maps, [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

/// Puts in the place of `target` the op with `space` to which it is packed by
/// `sizes`, one for each loop, and what packs its operands and unpacks its
/// results; returns the former.
static NodeId addPacked(const Step &step, NodeId target,
                        ArrayRef<int64_t> sizes,
                        std::shared_ptr<const IterationSpace> space) {
  PayloadModel &payload = step.payload;
  const Node old = payload[target];
  doubtYields(payload, target);
  unsigned numOperands = old.space->maps.size();
  unsigned numInputs = numOperands - old.space->numInits;
  SmallVector<NodeId, 3> read = old.producers;
  read.resize(numOperands, PayloadModel::unknownProducer);
  Node fresh = makePlain<linalg::GenericOp>(old, step.op);
  fresh.space = std::move(space);
  fresh.producers = read;
  NodeId packed = payload.add(std::move(fresh));
  payload.inheritContents(target, packed);
  // Readers of a packed result read the unpacked one.
  NodeId last = packed;
  for (auto [operand, map] : llvm::enumerate(old.space->maps)) {
    unsigned numTiles = countTiles(map, sizes);
    if (numTiles == 0)
      continue;
    auto facts = std::make_shared<const PackFacts>(
        PackFacts{static_cast<unsigned>(operand),
                  operand < numInputs ? 0 : unsigned(operand) - numInputs,
                  map.getNumResults(), numTiles});
    Node pack = makePlain<linalg::PackOp>(old, step.op);
    pack.pack = facts;
    pack.reader.edit().only = packed;
    pack.producers = {read[operand]};
    NodeId made = payload.add(std::move(pack));
    payload.edit(packed).producers[operand] = made;
    if (operand < numInputs)
      continue;
    // Into the tensor that was there before.
    Node unpack = makePlain<linalg::UnPackOp>(old, step.op);
    unpack.pack = facts;
    unpack.producers = {packed, read[operand]};
    last = payload.add(std::move(unpack));
  }
  replaceOp(step, target,
            old.space->numInits == 1 ? last : PayloadModel::unknownProducer);
  return packed;
}

static bool usesSymbols(Operation *op) {
  return engine::holdsAny<SymbolUserOpInterface>(op);
}

static void propagatePack(const Step &step) {
  auto pack = cast<transform::PackOp>(step.op);
  HandleState source = step.lookup(pack.getTarget());
  SmallVector<int64_t> sizes;
  bool areKnown = true;
  for (OpFoldResult entry : pack.getMixedPackedSizes()) {
    auto value = dyn_cast<Value>(entry);
    Size size = value ? step.getParam(value) : Size(getConstantIntValue(entry));
    areKnown &= size && *size >= 0 &&
                (!value || (step.lookup(value).kind == HandleState::Params &&
                            step.lookup(value).params.size() == 1));
    sizes.push_back(areKnown ? *size : 0);
  }
  SmallVector<OpFoldResult> attributes =
      getAsIndexOpFoldResult(step.op->getContext(), sizes);
  NodeList results;
  for (NodeId target : source.nodes) {
    const Node &node = step.payload[target];
    bool present = node.isSurelyThere();
    auto given = dyn_cast_or_null<linalg::LinalgOp>(node.op);
    auto refuse = [&](const Twine &what, bool silenceable) {
      step.reportOf(pack.getTarget(), "fw-step-fails", "fails here: " + what,
                    present, silenceable);
    };
    // The packed op.
    const LoneRun *run = nullptr;
    bool isKnown = false;
    if (node.space && node.space->loops.size() != sizes.size()) {
      refuse("requires number of packed sizes match the number of loops (" +
                 Twine(sizes.size()) + " vs " +
                 Twine(node.space->loops.size()) + ")",
             /*silenceable=*/true);
    } else if (!areKnown || !node.space || !canPack(*node.space)) {
      step.unprove("packs an op, or by sizes, that are not known well enough");
    } else if (!given || !given.hasPureTensorSemantics() ||
               !step.payload.isUntouched(target)) {
      isKnown = isPackable(node);
      if (!isKnown)
        step.unprove("packs an op that may not be packable");
    } else if (usesSymbols(given)) {
      // By itself, it would not be valid.
      step.unprove("packs an op that refers to a symbol");
    } else if (!CopiedOp(given).allows([&](Operation *copy) {
                 IRRewriter rewriter(copy);
                 auto structured = cast<linalg::LinalgOp>(copy);
                 return succeeded(
                     linalg::pack(rewriter, structured, attributes));
               })) {
      refuse("data tiling failed", /*silenceable=*/false);
    } else {
      isKnown = true;
      run = runAlone(step, /*index=*/0, target);
    }
    if (!isKnown || !node.exact || !node.count.isExactly(1) ||
        source.nodes.size() != 1)
      continue;
    bool isMade = run && !run->failure;
    results.push_back(addPacked(
        step, target, sizes, isMade ? run->results[0].front().space : nullptr));
  }
  if (results.empty())
    return applyClauses(step);
  // The nodes stand for what is packed, and for what packs and unpacks it.
  applyWriteOf(
      step, {"tensor.empty", "tensor.dim", "arith.constant", "affine.apply"});
  step.setResult(0, results, source.ordered);
}

//===----------------------------------------------------------------------===//
// Transposing what is packed
//===----------------------------------------------------------------------===//

/// Whether `node`, made by a step for an operand or a result of a structured
/// op, packs or unpacks it still.
static bool isStillPacking(const PayloadModel &payload, NodeId id) {
  const Node &node = payload[id];
  return node.pack && node.exact && node.present == Certainty::Yes &&
         node.count.isExactly(1) && !payload.mayHaveMerged(node.createdAt) &&
         !payload.mayHaveReplacedByCopies(node.createdAt);
}

/// Whether `node` may be what a step packed, and is still there.
static bool mayBePacked(const Node &node) {
  return node.exact && node.present == Certainty::Yes &&
         node.count.isExactly(1) && isKind<linalg::GenericOp>(node);
}

NodeId verifier::getPackOf(const PayloadModel &payload, NodeId reader,
                           unsigned number) {
  const Node &node = payload[reader];
  if (!mayBePacked(node) || number >= node.producers.size())
    return PayloadModel::universe;
  NodeId id = node.producers[number];
  const Node &pack = payload[id];
  bool isPack = isKind<linalg::PackOp>(pack) && isStillPacking(payload, id) &&
                pack.reader->only == reader && pack.pack->operand == number;
  return isPack ? id : PayloadModel::universe;
}

NodeId verifier::getUnpackOf(const PayloadModel &payload, NodeId packed,
                             unsigned number) {
  if (!mayBePacked(payload[packed]))
    return PayloadModel::universe;
  for (NodeId id : payload.getReaders()) {
    const Node &node = payload[id];
    if (isKind<linalg::UnPackOp>(node) && isStillPacking(payload, id) &&
        node.producers.front() == packed && node.pack->result == number)
      return id;
  }
  return PayloadModel::universe;
}

/// The ops that the results of `structured.pack_transpose` replace.
struct PackedOperand {
  NodeId pack = PayloadModel::universe;
  NodeId packed = PayloadModel::universe;
  NodeId unpack = PayloadModel::universe; ///< none for an input
};

/// The ops that the step transposes, given one of them; none if they are not
/// known.
static std::optional<PackedOperand> findPacked(const PayloadModel &payload,
                                               const HandleState &targets,
                                               const HandleState &ops) {
  if (targets.nodes.size() != 1 || ops.nodes.size() != 1)
    return std::nullopt;
  NodeId target = targets.nodes.front();
  PackedOperand found;
  found.packed = ops.nodes.front();
  if (!isStillPacking(payload, target))
    return std::nullopt;
  const PackFacts &facts = *payload[target].pack;
  found.pack = getPackOf(payload, found.packed, facts.operand);
  if (found.pack == target) {
    // The op that unpacks the result then reads a tensor of another shape.
    bool isUnpacked = llvm::any_of(payload.getReaders(), [&](NodeId id) {
      return isKind<linalg::UnPackOp>(payload[id]) && payload[id].pack &&
             payload[id].pack->operand == facts.operand &&
             payload[id].producers.front() == found.packed;
    });
    return isUnpacked ? std::nullopt : std::optional(found);
  }
  found.unpack = getUnpackOf(payload, found.packed, facts.result);
  if (found.pack == PayloadModel::universe || found.unpack != target)
    return std::nullopt;
  return found;
}

static void propagatePackTranspose(const Step &step) {
  auto packing = cast<transform::PackTransposeOp>(step.op);
  PayloadModel &payload = step.payload;
  HandleState targets = step.lookup(packing.getTargetPackOrUnPackOp());
  ArrayRef<int64_t> outer = packing.getOuterPerm(),
                    inner = packing.getInnerPerm();
  if (targets.count(payload).hi == 0)
    return applyClauses(step);
  std::optional<PackedOperand> found =
      findPacked(payload, targets, step.lookup(packing.getTargetLinalgOp()));
  if (!found) {
    step.unprove("transposes a pack that may not belong to the op");
    return applyClauses(step);
  }
  std::shared_ptr<const PackFacts> facts = payload[found->pack].pack;
  auto refuse = [&](StringRef name, ArrayRef<int64_t> order, unsigned size) {
    if (order.empty() || order.size() == size)
      return false;
    step.reportOf(packing.getTargetPackOrUnPackOp(), "fw-step-fails",
                  "fails here: invalid " + name + ", which has " +
                      Twine(order.size()) + " dimensions where '" +
                      payload[targets.nodes.front()].kind->getStringRef() +
                      "' has " + Twine(size),
                  /*definite=*/true);
    return true;
  };
  if (refuse("outer_perm", outer, facts->rank) ||
      refuse("inner_perm", inner, facts->numTiles))
    return applyClauses(step);

  auto renew = [&](NodeId id) {
    const Node &old = payload[id];
    Node fresh = makeBeside(old, step.op);
    fresh.space = old.space;
    fresh.pack = old.pack;
    fresh.producers = old.producers;
    fresh.tags = DictionaryAttr::get(step.op->getContext());
    NodeId made = payload.add(std::move(fresh));
    payload.inheritContents(id, made);
    replaceOp(step, id, made);
    return made;
  };
  NodeId packed = renew(found->packed);
  if (std::shared_ptr<const IterationSpace> old = payload[packed].space)
    payload.edit(packed).space = transposePacked(*old, *facts, outer, inner);
  NodeId pack = renew(found->pack);
  for (NodeId producer : NodeList(ArrayRef(payload[packed].producers)))
    if (payload[producer].reader->only == found->packed)
      payload.edit(producer).reader.edit().only = packed;
  payload.edit(pack).reader.edit().only = packed;
  NodeList unpacks;
  if (found->unpack != PayloadModel::universe)
    unpacks.push_back(renew(found->unpack));
  applyWriteOf(
      step, {"tensor.empty", "tensor.dim", "arith.constant", "affine.apply"});
  step.setResult(0, packed);
  step.setResult(1, pack);
  step.setResult(2, unpacks);
}

static void propagatePackGreedily(const Step &step) {
  applyClauses(step);
  // MLIR erases an op that it cannot pack, and hands it back.
  if (step.isOpen())
    step.mayDangle(0);
}

void formwork::verifier::registerPackingModels(ModelRegistry &models) {
  models.add("pack", propagatePack, decides{"fw-step-fails"});
  models.add("pack-greedily", propagatePackGreedily);
  models.add("pack-transpose", propagatePackTranspose, decides{"fw-step-fails"},
             leavesOpen{"transposes a pack that may not belong to the op"});
}
