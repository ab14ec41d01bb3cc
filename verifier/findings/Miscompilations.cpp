//===- Miscompilations.cpp - Steps that change what is computed -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/findings/Miscompilations.h"

#include "normalforms/CopiedOp.h"
#include "normalforms/PayloadFacts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Named ops for generic ones
//===----------------------------------------------------------------------===//

/// The operand of `op` that `value`, in its body, is an element of; null for
/// what is computed there.
static Value getOperand(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBlock()
             ? op->getOperand(argument.getArgNumber())
             : Value();
}

/// Where the body of `was` computes `before` by another op than that by which
/// the body of `is` computes `after`; null where it does not, or where both are
/// not comparable. Both ops have the same operands, maybe in another order.
static Operation *findDifference(linalg::LinalgOp was, Value before,
                                 linalg::LinalgOp is, Value after) {
  Operation *one = before.getDefiningOp(), *other = after.getDefiningOp();
  bool isIn = one && one->getBlock() == was.getBlock(),
       isOtherIn = other && other->getBlock() == is.getBlock();
  if (!isIn || one->hasTrait<OpTrait::ConstantLike>())
    return nullptr;
  if (!isOtherIn)
    return getOperand(is, after) ? one : nullptr;
  if (one->getName() != other->getName() ||
      one->getResultTypes() != other->getResultTypes() ||
      one->getNumOperands() != other->getNumOperands())
    return one;
  auto compare = [&](bool isSwapped) -> Operation * {
    unsigned number = one->getNumOperands();
    for (unsigned i = 0; i != number; ++i) {
      Value mine = one->getOperand(i);
      Value its = other->getOperand(isSwapped ? number - 1 - i : i);
      Value element = getOperand(was, mine), itsElement = getOperand(is, its);
      if (element && itsElement && element != itsElement)
        return one;
      // A value is there where the other body computes one.
      if (element && !itsElement && its.getDefiningOp() &&
          its.getDefiningOp()->getBlock() == is.getBlock())
        return its.getDefiningOp();
      if (Operation *found = findDifference(was, mine, is, its))
        return found;
    }
    return nullptr;
  };
  Operation *found = compare(/*isSwapped=*/false);
  bool commutes =
      one->hasTrait<OpTrait::IsCommutative>() && one->getNumOperands() == 2;
  if (found && commutes && !compare(/*isSwapped=*/true))
    return nullptr;
  return found;
}

/// An op in the body of `generic` that the op which it is specialized to does
/// not compute, or computes otherwise; none if there is none.
static std::optional<std::string> findLostBySpecializing(Operation *generic) {
  formwork::normalforms::CopiedOp copied(generic);
  std::optional<std::string> lost;
  (void)copied.allows([&](Operation *copy) {
    auto was = dyn_cast<linalg::GenericOp>(copy);
    if (!was || was.getNumDpsInits() != 1)
      return false;
    IRRewriter rewriter(copy);
    // The copy goes where it is specialized.
    rewriter.setInsertionPointAfter(copy);
    auto kept = cast<linalg::GenericOp>(rewriter.clone(*copy));
    rewriter.setInsertionPoint(copy);
    FailureOr<linalg::LinalgOp> named =
        linalg::specializeGenericOp(rewriter, was);
    if (failed(named))
      return false;
    rewriter.setInsertionPoint(*named);
    FailureOr<linalg::GenericOp> made =
        linalg::generalizeNamedOp(rewriter, *named);
    if (failed(made))
      return false;
    Operation *found =
        findDifference(kept, kept.getBlock()->getTerminator()->getOperand(0),
                       *made, made->getBlock()->getTerminator()->getOperand(0));
    if (found)
      lost = found->getName().getStringRef().str();
    return true;
  });
  return lost;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static bool readsIndices(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasIndexSemantics();
}

//===----------------------------------------------------------------------===//
// Vectors smaller than what they copy
//===----------------------------------------------------------------------===//

/// Whether a vector of `sizes` lacks elements of what `op` inserts. Upstream
/// takes one dimension after the other, and does not ask whether it has a size.
static bool lacksElements(tensor::InsertSliceOp op, ArrayRef<int64_t> sizes) {
  ArrayRef<int64_t> shape = op.getSourceType().getShape();
  return !sizes.empty() &&
         (sizes.size() < shape.size() ||
          llvm::any_of(llvm::zip(shape, sizes), [](auto pair) {
            auto [size, length] = pair;
            return !ShapedType::isDynamic(size) &&
                   !ShapedType::isDynamic(length) && length < size;
          }));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// How `op` makes something else of the payload op `node`; none if it does not,
/// as far as is known.
static std::optional<std::string> findMiscompilation(const Step &step,
                                                     const Node &node) {
  if (auto vectorize = dyn_cast<transform::VectorizeOp>(step.op)) {
    auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(node.op);
    if (insert && lacksElements(insert, vectorize.getStaticVectorSizes()))
      return "the vector is smaller than the slice";
    return std::nullopt;
  }
  if (!step.payload.isLikeBody(node))
    return std::nullopt;
  if (isa<transform::SplitReductionOp>(step.op)) {
    if (readsIndices(node.body))
      return "'linalg.index' in its body keeps its number, but the loops do "
             "not";
    return std::nullopt;
  }
  // MLIR crashes where it makes a named op of other elements.
  if (!formwork::normalforms::hasElementsOfWidth(node.body))
    return std::nullopt;
  if (std::optional<std::string> lost = findLostBySpecializing(node.body))
    return "the named op does not compute '" + *lost + "' of its body";
  return std::nullopt;
}

void formwork::verifier::warnOfMiscompilation(const Step &step) {
  if (!isa<transform::SplitReductionOp, transform::SpecializeOp,
           transform::VectorizeOp>(step.op))
    return;
  const HandleState &handle = step.lookup(step.op->getOperand(0));
  if (handle.kind != HandleState::Ops)
    return;
  for (NodeId id : handle.nodes) {
    const Node &node = step.payload[id];
    std::optional<std::string> why = findMiscompilation(step, node);
    if (!why)
      continue;
    Operation *op = node.op ? node.op : node.body;
    step.warn("fw-step-miscompiles", "changes what '" +
                                         node.kind->getStringRef() +
                                         "' computes: " + *why)
        .note(NoteKind::Evidence, op->getLoc(), "the op");
    return;
  }
}
