//===- PayloadFacts.cpp - Properties of one payload op ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/PayloadFacts.h"

#include "engine/AnyBelow.h"
#include "normalforms/CopiedOp.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Shapes and semantics
//===----------------------------------------------------------------------===//

static std::optional<bool> isOnTensors(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && dps.hasPureTensorSemantics();
}

static std::optional<bool> isOnBuffers(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && dps.hasPureBufferSemantics();
}

static std::optional<bool> isStatic(Operation *op) {
  auto hasStaticShape = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), hasStaticShape) &&
         llvm::all_of(op->getResultTypes(), hasStaticShape);
}

static std::optional<bool> hasOneRank(Operation *op) {
  SmallVector<int64_t> ranks;
  for (Type type : op->getOperandTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped)
      ranks.push_back(shaped.hasRank() ? shaped.getRank() : 0);
  }
  return llvm::all_equal(ranks);
}

static std::optional<bool> hasOneElementType(Operation *op) {
  Type first;
  for (Type type : op->getOperandTypes()) {
    Type element = getElementTypeOrSelf(type);
    if (first && element != first)
      return false;
    first = element;
  }
  return true;
}

static std::optional<bool> hasConstantBounds(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && getConstantIntValue(loop.getLowerBound()) &&
         getConstantIntValue(loop.getUpperBound()) &&
         getConstantIntValue(loop.getStep());
}

static std::optional<bool> hasNoOperands(Operation *op) {
  return op->getNumOperands() == 0;
}

/// Always true: nobody asks this of ops that a step has changed.
static std::optional<bool> isGiven(Operation *) { return true; }

static std::optional<bool> isIsolatedOrFlat(Operation *op) {
  return op->getNumRegions() == 0 ||
         op->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

static std::optional<bool> isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalg::isElementwise(linalgOp);
}

/// Whether no map of the op permutes or drops loops. Folding loops into one
/// requires that.
static std::optional<bool> hasLoopsInOrder(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  if (linalgOp.getNumLoops() < 2)
    return true;
  ReassociationIndices all =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, linalgOp.getNumLoops()));
  return linalg::areDimSequencesPreserved(linalgOp.getIndexingMapsArray(), all);
}

/// Upstream assumes that an op with at least three loops and two inputs is a
/// product, and that its dimensions include m, n and k.
static std::optional<bool> isGreedilyPackable(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || structured.getNumLoops() < 3 ||
      structured.getNumDpsInputs() != 2 || structured.getNumDpsInits() != 1)
    return true;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(structured);
  return failed(dims) ||
         !(dims->m.empty() || dims->n.empty() || dims->k.empty());
}

static std::optional<bool> hasOneLoop(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumLoops() <= 1;
}

bool formwork::normalforms::hasElementsOfWidth(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isIntOrFloat();
  });
}

/// Whether a linalg.generic has a named op. Uses upstream's own test, which
/// crashes for element types without a bit width, such as index.
static std::optional<bool> isSpecializable(Operation *op) {
  if (!isa<linalg::GenericOp>(op))
    return false;
  if (!hasElementsOfWidth(op))
    return std::nullopt;
  return CopiedOp(op).allows([](Operation *copy) {
    IRRewriter rewriter(copy);
    auto generic = cast<linalg::GenericOp>(copy);
    return succeeded(linalg::specializeGenericOp(rewriter, generic));
  });
}

/// Whether the buffers of an op can be viewed as one-dimensional.
static std::optional<bool> isCollapsible(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || memref.getRank() < 2)
      return true;
    ReassociationIndices all =
        llvm::to_vector<2>(llvm::seq<int64_t>(0, memref.getRank()));
    return memref::CollapseShapeOp::isGuaranteedCollapsible(memref, all);
  });
}

/// Whether the maps of a structured op are the default maps of its kind.
static std::optional<bool> hasDefaultMaps(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  if (auto matmul = dyn_cast<linalg::MatmulOp>(op))
    return !matmul.hasUserDefinedMaps();
  if (auto matmul = dyn_cast<linalg::BatchMatmulOp>(op))
    return !matmul.hasUserDefinedMaps();
  return true;
}

/// A rewrite that makes constants of floats takes the type for them from here.
static std::optional<bool> hasOnlyFloats(Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  return llvm::all_of(op->getOperandTypes(), isFloat) &&
         llvm::all_of(op->getResultTypes(), isFloat);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Whether each bufferization.to_tensor has `restrict`, as the bufferization
/// analysis requires.
static std::optional<bool> hasRestrictedTensors(Operation *op) {
  return !formwork::engine::anyBelow(
      op, [](bufferization::ToTensorOp inner) { return !inner.getRestrict(); });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Unrolling an affine.for with a remainder requires one lower and one upper
/// bound.
static std::optional<bool> hasSingleBounds(Operation *op) {
  auto loop = dyn_cast<affine::AffineForOp>(op);
  return !loop || (loop.getLowerBoundMap().getNumResults() == 1 &&
                   loop.getUpperBoundMap().getNumResults() == 1);
}

/// Affine loops accept values at the top of a function, including its
/// arguments, as dimensions. They do not accept a size that is computed in a
/// loop.
static std::optional<bool> hasAffineBounds(Operation *op) {
  return !formwork::engine::anyBelow(op, [](linalg::LinalgOp inner) {
    bool isAtTop = inner->getParentOp()->hasTrait<OpTrait::AffineScope>();
    return inner.hasDynamicShape() && !isAtTop;
  });
}

/// Outlining moves an op with one region into a function. It does not check for
/// ops that can only stand in their place.
static std::optional<bool> isOutlinable(Operation *op) {
  if (op->getNumRegions() != 1)
    return false;
  bool canStandAnywhere =
      isa<LoopLikeOpInterface, linalg::LinalgOp, scf::ExecuteRegionOp>(op);
  return canStandAnywhere ? std::optional(true) : std::nullopt;
}

static std::optional<bool> hasSymbolTable(Operation *op) {
  return op->hasTrait<OpTrait::SymbolTable>();
}

static std::optional<bool> hasElseBlock(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && branch.getElseRegion().hasOneBlock();
}

//===----------------------------------------------------------------------===//
// The registry
//===----------------------------------------------------------------------===//

ArrayRef<PayloadFact> formwork::normalforms::getPayloadFacts() {
  static const PayloadFact facts[] = {
      {"affine-bounds", "holds no structured op of dynamic shape in a loop",
       true, false, hasAffineBounds},
      {"collapsible", "has buffers that are contiguous", false, true,
       isCollapsible},
      {"constant-bounds", "is an scf.for with constant bounds and step", false,
       true, hasConstantBounds},
      {"default-maps", "has the maps that its kind stands for", false, false,
       hasDefaultMaps, /*isOfBody=*/true},
      {"else-block", "is an scf.if with an else branch of one block", true,
       false, hasElseBlock},
      {"elementwise",
       "computes each element of its results from one of each input", true,
       false, isElementwise, /*isOfBody=*/true},
      {"floats", "has operands and results of floats alone", false, false,
       hasOnlyFloats, /*isOfBody=*/true},
      {"given", "is as the payload was given", false, false, isGiven},
      {"greedily-packable",
       "is no op of two inputs and three loops that lacks one of the "
       "dimensions "
       "of a product",
       false, false, isGreedilyPackable, /*isOfBody=*/true},
      {"isolated-or-flat", "is isolated from above or has no regions", false,
       false, isIsolatedOrFlat},
      {"loops-in-order", "goes through each operand in the order of its loops",
       false, false, hasLoopsInOrder, /*isOfBody=*/true},
      {"no-operands", "has no operands", false, false, hasNoOperands},
      {"on-buffers", "is in destination-passing style, on buffers alone", false,
       false, isOnBuffers, /*isOfBody=*/false, /*isOfValues=*/true},
      {"on-tensors", "is in destination-passing style, on tensors alone", false,
       false, isOnTensors, /*isOfBody=*/false, /*isOfValues=*/true},
      {"one-element-type", "has operands of one element type", false, false,
       hasOneElementType},
      {"one-loop", "is a structured op of at most one loop", false, false,
       hasOneLoop, /*isOfBody=*/true},
      {"one-rank", "has tensors or buffers of one rank as operands", false,
       false, hasOneRank},
      {"outlinable", "has one region and can stand anywhere", false, false,
       isOutlinable},
      {"restricted-tensors",
       "holds no bufferization.to_tensor without `restrict`", true, false,
       hasRestrictedTensors},
      {"single-bounds", "is no affine.for with several bounds", false, false,
       hasSingleBounds},
      {"specializable", "is a linalg.generic for which there is a named op",
       true, false, isSpecializable, /*isOfBody=*/true},
      {"static-shape", "has operands and results of static shape", false, false,
       isStatic},
      {"symbol-table", "defines a symbol table", false, false, hasSymbolTable},
  };
  return facts;
}

const PayloadFact *formwork::normalforms::lookupPayloadFact(StringRef name) {
  for (const PayloadFact &fact : getPayloadFacts())
    if (fact.name == name)
      return &fact;
  return nullptr;
}
