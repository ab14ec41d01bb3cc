//===- Padding.cpp - Models of padding and copies ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padding of operands, which is how a schedule stages them in another memory:
// how many tensor.pad there are, of which shape, and which become copies.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Padding.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/ConstantBound.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/PadSizes.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/step/Step.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// The request of a `structured.pad`, as far as it is written in the op.
static PadSpec readSpec(const Step &step, transform::PadOp pad) {
  PadSpec spec;
  for (Attribute attr : pad.getPaddingDimensions())
    spec.dims.push_back(cast<IntegerAttr>(attr).getInt());
  for (Attribute attr : pad.getNofoldFlags())
    spec.nofold.push_back(cast<IntegerAttr>(attr).getInt() != 0);
  for (OpFoldResult entry : pad.getMixedPadToMultipleOf())
    spec.multiples.push_back(isa<Attribute>(entry)
                                 ? Size(getConstantIntValue(entry))
                                 : step.getParam(cast<Value>(entry)));
  if (spec.multiples.empty())
    spec.multiples.assign(spec.dims.size(), 1);
  return spec;
}

/// The size that dimension `dim` of `operand` has in the payload as it was
/// given, if it is static.
static Size getGivenSize(const Node &node, unsigned operand, unsigned dim) {
  if (!node.op)
    return {};
  auto type = cast<ShapedType>(node.op->getOperand(operand).getType());
  return type.isDynamicDim(dim) ? Size() : Size(type.getDimSize(dim));
}

/// The constant up to which upstream pads a dimension of `node` that is not
/// static: dimension `dim` of `operand`, loop `loop`.
static std::optional<int64_t> getBound(const PayloadModel &payload,
                                       const Node &node, unsigned operand,
                                       unsigned dim, const Extent &loop) {
  // The op and everything that its sizes are computed from are as they were
  // given.
  if (node.op) {
    Operation *around =
        node.op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
    if (!around || !payload.isUntouched(payload.lookup(around)))
      return std::nullopt;
    return findConstantBound(around, presburger::BoundType::UB,
                             {node.op->getOperand(operand), dim},
                             /*closedUB=*/true);
  }
  // A tile, of which the last one is smaller.
  const DynamicReason &reason = loop.reason;
  bool isTile = loop.size.isUnknown() && reason.definite && reason.tiledBy &&
                reason.tiledBy == node.origin && reason.tile > 0 &&
                reason.size > 0 && !reason.hasIdleThreads;
  return isTile ? std::optional(std::min(reason.tile, reason.size))
                : std::nullopt;
}

/// The padded shape of operand `operand` of `node`; none when the indexing map
/// is not that of a permutation of loops.
static std::optional<PaddedOperand> padOperand(const Step &step,
                                               const Node &node,
                                               unsigned operand,
                                               const PadSpec &spec) {
  if (operand >= node.space->maps.size())
    return std::nullopt;
  // The size of this operand may be open.
  auto getExtent = [&](unsigned dim, const Extent &loop) {
    return loop.isMixed ? Extent{getGivenSize(node, operand, dim), {}} : loop;
  };
  auto findBound = [&](unsigned dim, const Extent &loop) {
    return getBound(step.payload, node, operand, dim, loop);
  };
  auto isSurely = [&](solver::BoolTerm term) {
    return step.parameters.isSurely(term);
  };
  return verifier::padOperand(step.terms, *node.space, operand, spec,
                              {getExtent, findBound, isSurely});
}

/// Says that what follows holds only where nothing is added to `sizes`.
static void requireUnpadded(const Step &step, ArrayRef<Extent> sizes,
                            const Twine &why) {
  for (const Extent &size : sizes)
    if (size.size.isSymbolic() && size.condition)
      constrainStatic(step, size, why, /*definite=*/false);
}

/// Whether `value` is one of `type`, written out or as a text.
static bool isPaddingValue(Attribute value, Type type) {
  if (isa<ub::PoisonAttr>(value))
    return true;
  ScopedDiagnosticHandler quiet(type.getContext(), [](Diagnostic &) {});
  if (auto text = dyn_cast<StringAttr>(value))
    value = parseAttribute(text.getValue(), type.getContext(), type);
  auto typed = dyn_cast_or_null<TypedAttr>(value);
  return typed && typed.getType() == type;
}

namespace {
/// Adds what a `structured.pad` makes of one target after another.
class PadModel {
public:
  PadModel(const Step &step, transform::PadOp pad);

  void padTarget(NodeId target);
  void setResults(bool ordered) const;

private:
  /// The padded shapes of the operands of `old`; empty where they are not
  /// known.
  SmallVector<PaddedOperand, 3> padOperands(const Node &old) const;
  /// Says what may be wrong with the padding values of `old`.
  void checkValues(const Node &old, ArrayRef<PaddedOperand> operands);
  /// The padded op, whose operands are padded before it.
  Node makePadded(const Node &old, ArrayRef<PaddedOperand> operands);
  /// The pad of operand `index` of `old`.
  NodeId addPad(const Node &old, unsigned index, const PaddedOperand &operand,
                NodeId producer);
  /// The ops that write the results back; `isModelled`: as many as `old` has
  /// inits.
  NodeId addCopies(const Node &old, bool isModelled);

  const Step &step;
  PayloadModel &payload;
  transform::PadOp pad;
  PadSpec spec;
  OperationName padName;
  /// A pad of an earlier step, of the same tensor, may be used again.
  bool mayReuse;
  NodeList padded, pads, copies;
};
} // namespace

PadModel::PadModel(const Step &step, transform::PadOp pad)
    : step(step), payload(step.payload), pad(pad), spec(readSpec(step, pad)),
      padName(tensor::PadOp::getOperationName(), pad.getContext()) {
  auto mayHold = [&](const KindSet &kinds) { return kinds.contains(padName); };
  mayReuse =
      payload.mayHide(step.root, mayHold) || payload.has(step.root, padName);
}

SmallVector<PaddedOperand, 3> PadModel::padOperands(const Node &old) const {
  SmallVector<PaddedOperand, 3> operands;
  unsigned numOperands = old.space ? old.space->maps.size() : 0;
  for (unsigned i = 0; i < numOperands && operands.size() == i; ++i)
    if (std::optional<PaddedOperand> operand = padOperand(step, old, i, spec))
      operands.push_back(std::move(*operand));
  if (operands.size() != numOperands)
    operands.clear();
  return operands;
}

void PadModel::checkValues(const Node &old, ArrayRef<PaddedOperand> operands) {
  ArrayAttr values = pad.getPaddingValues();
  for (auto [i, map] : llvm::enumerate(old.space->maps))
    if (spec.keeps(i) && map.getNumResults() == 0)
      step.unprove("keeps a pad of a scalar, on which MLIR crashes");
  // Asked of each operand, whether it is padded or not.
  for (auto [value, type] : llvm::zip(values, old.space->elementTypes))
    if (!isPaddingValue(value, type))
      step.unprove("may have a padding value of another type");
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (operand.isPadded == Certainty::No)
      continue;
    if (!values.empty() && i >= values.size())
      step.unprove("may lack a padding value");
    for (const Extent &size : operand.shape)
      if (size.size.isUnknown())
        step.unprove("pads a dimension whose bound is not known");
  }
}

NodeId PadModel::addPad(const Node &old, unsigned index,
                        const PaddedOperand &operand, NodeId producer) {
  Node made = makeBeside(old, step.op, padName);
  made.isCopy = operand.isCopy && spec.keeps(index);
  made.space = getElementwiseSpace(
      step.op->getContext(), made.isCopy ? operand.unpadded : operand.shape,
      old.space->elementTypes[index], 0);
  made.producers.push_back(producer);
  if (mayReuse || operand.isPadded == Certainty::Maybe) {
    made.exact = false;
    made.count.lo = 0;
  }
  return payload.add(std::move(made));
}

Node PadModel::makePadded(const Node &old, ArrayRef<PaddedOperand> operands) {
  Node fresh = makeBeside(old, step.op);
  fresh.body = old.body;
  fresh.bodySince = old.bodySince;
  fresh.producers = old.producers;
  fresh.producers.resize(operands.size(), PayloadModel::universe);
  auto space = std::make_shared<IterationSpace>(*old.space);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (operand.isPadded == Certainty::No) {
      requireUnpadded(step, operand.padded,
                      "otherwise, operand " + Twine(i) + " is padded");
      // One that is padded already counts as well.
      if (mayReuse)
        pads.push_back(payload.addSomewhere(step.root, UpKind::AtOrInside,
                                            padName, {0, old.count.hi},
                                            step.op));
      continue;
    }
    for (auto [expr, size] :
         llvm::zip(space->maps[i].getResults(), operand.shape))
      space->loops[cast<AffineDimExpr>(expr).getPosition()] = size;
    pads.push_back(addPad(old, i, operand, fresh.producers[i]));
    fresh.producers[i] = pads.back();
  }
  fresh.space = std::move(space);
  return fresh;
}

NodeId PadModel::addCopies(const Node &old, bool isModelled) {
  Node copy = makeBeside(old, step.op,
                         OperationName(pad.getCopyBackOp(), pad.getContext()));
  bool single = isModelled && old.space->numInits == 1;
  copy.exact = single && old.exact;
  if (!single)
    copy.count = {std::min<int64_t>(1, old.count.lo), Count::unbounded};
  return payload.add(std::move(copy));
}

void PadModel::padTarget(NodeId target) {
  const Node old = payload[target];
  SmallVector<PaddedOperand, 3> operands = padOperands(old);
  bool isModelled = !pad.getUsePrescribedTensorShapes() && old.space &&
                    old.exact && operands.size() == old.space->maps.size();
  if (!isModelled)
    step.unprove("pads an op whose shape is not known");
  else if (!old.space->onTensors)
    step.report("fw-bufferized",
                "requires an op on tensors but '" + old.kind->getStringRef() +
                    "' is on buffers",
                old.isSurelyThere())
        .note(NoteKind::Evidence, step.op->getLoc(), "failed to pad op");
  if (isModelled) {
    checkValues(old, operands);
    padded.push_back(payload.add(makePadded(old, operands)));
  } else {
    Node some = makeBeside(old, step.op, padName);
    some.exact = false;
    some.count = Count();
    pads.push_back(payload.add(std::move(some)));
    padded.push_back(payload.add(makeBeside(old, step.op)));
  }
  payload.inheritContents(target, padded.back());
  // Readers of the old result read a slice of the new one.
  NodeId result = padded.back();
  if (pad.getCopyBackOp() != transform::PadOp::kCopyOpNone) {
    result = addCopies(old, isModelled);
    copies.push_back(result);
  }
  replaceOp(step, target, result);
}

void PadModel::setResults(bool ordered) const {
  step.setResult(0, padded, ordered);
  step.setResult(1, pads, ordered);
  step.setResult(2, copies, ordered);
}

static void propagatePad(const Step &step) {
  auto pad = cast<transform::PadOp>(step.op);
  HandleState source = step.lookup(pad.getTarget());
  checkParamTypes(step, pad.getPadToMultipleOf(),
                  source.count(step.payload).lo > 0);
  PadModel model(step, pad);
  // Upstream makes no use of transpose_paddings.
  if (pad.getUsePrescribedTensorShapes())
    step.unprove("pads in a way that the check does not follow");
  for (NodeId target : source.nodes)
    model.padTarget(target);
  // There are no other copies than those that write back.
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  StringRef copyName = linalg::CopyOp::getOperationName();
  if (pad.getCopyBackOp() != copyName)
    llvm::erase(introduces, copyName);
  applyWriteOf(step, introduces);
  model.setResults(source.ordered);
}

/// Whether `pad` has a nofold attribute and adds nothing.
static bool isPlainCopy(Operation *op) {
  auto pad = dyn_cast<tensor::PadOp>(op);
  auto isZero = [](OpFoldResult width) { return isZeroInteger(width); };
  return pad && pad.getNofold() && llvm::all_of(pad.getMixedLowPad(), isZero) &&
         llvm::all_of(pad.getMixedHighPad(), isZero);
}

static void propagateDestinationStyle(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  NodeList results;
  bool areCopies = true;
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    bool isPad = isKind<tensor::PadOp>(old);
    bool isKnown =
        old.kind && llvm::is_contained({"tensor.from_elements",
                                        "tensor.generate", "tensor.pad"},
                                       old.kind->getStringRef());
    if (!isKnown)
      step.unprove("may be given an op on which MLIR crashes");
    else if (isPad && mayFoldSizes(step, target))
      step.unprove(foldedPadSize);
    std::optional<OperationName> kind;
    bool isCopy = isPad && (old.isCopy || (old.op && isPlainCopy(old.op)));
    areCopies &= isCopy && old.exact && (old.op || old.space);
    if (isCopy)
      kind = OperationName(linalg::CopyOp::getOperationName(),
                           step.op->getContext());
    else if (isPad && (old.op || old.space))
      kind = OperationName(tensor::InsertSliceOp::getOperationName(),
                           step.op->getContext());
    Node fresh = makeBeside(old, step.op);
    fresh.kind = kind;
    fresh.exact &= kind.has_value();
    if (isCopy && old.space) {
      requireUnpadded(step, old.space->loops,
                      "only a pad that adds nothing becomes a copy");
      fresh.space = getElementwiseSpace(step.op->getContext(), old.space->loops,
                                        old.space->elementTypes.front(), 1);
    }
    fresh.producers = old.producers;
    fresh.producers.resize(2, PayloadModel::universe);
    results.push_back(payload.add(std::move(fresh)));
    payload.inheritContents(target, results.back());
    replaceOp(step, target, results.back());
  }
  // A pad that becomes a copy becomes nothing else that computes.
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  if (areCopies)
    llvm::erase_if(introduces,
                   [](StringRef kind) { return kind.starts_with("linalg."); });
  applyWriteOf(step, introduces);
  step.setResult(0, results, source.ordered);
}

void formwork::verifier::registerPaddingModels(ModelRegistry &models) {
  models
      .add("pad", propagatePad, decides{"fw-any-param", "fw-bufferized"},
           leavesOpen{"keeps a pad of a scalar, on which MLIR crashes",
                      "pads in a way that the check does not follow"})
      .derivesConstraints = true;
  models.add("destination-style", propagateDestinationStyle, {},
             leavesOpen{foldedPadSize});
}
