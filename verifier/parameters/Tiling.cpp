//===- Tiling.cpp - Constraints that follow from tiling ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derived constraints of ParameterModel.h, and what is known of the payload
// for them.
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/Collector.h"
#include "verifier/parameters/KnobDomain.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using solver::IntTerm;

const TrackedHandle *Collector::lookupHandle(Value value) const {
  auto it = handles.find(value);
  return it == handles.end() ? nullptr : &it->second;
}

void Collector::dropHandlesTo(Operation *payloadOp) {
  SmallVector<Value> dropped;
  for (auto &[value, handle] : handles)
    if (handle.payloadOp == payloadOp)
      dropped.push_back(value);
  for (Value value : dropped)
    handles.erase(value);
}

void Collector::visitMatch(Operation &op) {
  auto match = cast<transform::MatchOp>(op);
  const TrackedHandle *target = lookupHandle(match.getTarget());
  bool byNameOnly = match.getOps() && !match.getInterface() &&
                    !match.getOpAttrs() && !match.getFilterResultType() &&
                    !match.getFilterOperandTypes();
  if (touched || !target || !byNameOnly)
    return;
  ArrayAttr names = *match.getOps();
  SmallVector<Operation *> hits;
  target->payloadOp->walk([&](Operation *candidate) {
    for (Attribute name : names)
      if (candidate->getName().getStringRef() ==
          cast<StringAttr>(name).getValue()) {
        hits.push_back(candidate);
        break;
      }
  });
  if (hits.size() != 1)
    return;
  TrackedHandle handle;
  handle.payloadOp = hits.front();
  if (auto structured = dyn_cast<linalg::LinalgOp>(hits.front()))
    for (int64_t extent : structured.getStaticLoopRanges())
      handle.extents.push_back(
          ShapedType::isDynamic(extent)
              ? std::nullopt
              : std::optional<IntTerm>(context.constant(extent)));
  handles[match.getResult()] = std::move(handle);
}

Parameter Collector::getSize(OpFoldResult size) {
  if (auto attribute = dyn_cast<Attribute>(size)) {
    std::optional<int64_t> value = toInteger(attribute);
    return value ? Parameter::single(context.constant(*value))
                 : Parameter::opaque("is no integer");
  }
  return getParameter(cast<Value>(size));
}

void Collector::requireSomeDimension(Operation &op, ArrayRef<Parameter> sizes) {
  if (suppressor || sizes.empty() || !isa<transform::TileUsingForallOp>(op))
    return;
  SmallVector<solver::BoolTerm> nonzero;
  for (const Parameter &size : sizes) {
    std::optional<IntTerm> term = size.getSingleTerm();
    if (!term)
      return;
    nonzero.push_back(context.notEqual(*term, context.constant(0)));
  }
  require("tile.some-dimension", context.anyOf(nonzero), &op,
          "some tile size of the forall is not 0");
}

void Collector::visitTiling(Operation &op, Value target,
                            ArrayRef<OpFoldResult> sizes, Value tiled,
                            std::optional<unsigned> mapped) {
  touched = true;
  std::optional<TrackedHandle> from;
  if (const TrackedHandle *handle = lookupHandle(target)) {
    from = *handle;
    dropHandlesTo(from->payloadOp);
  }
  bool derive = !suppressor;
  SmallVector<Parameter> parameters =
      llvm::map_to_vector(sizes, [&](OpFoldResult s) { return getSize(s); });
  unsigned numNonzero = llvm::count_if(parameters, [](const Parameter &size) {
    std::optional<IntTerm> term = size.getSingleTerm();
    return !term || !term->isConstant() || term->getConstant() != 0;
  });
  IntTerm zero = context.constant(0);
  for (auto [dimension, size] : llvm::enumerate(parameters)) {
    if (!derive || !size.elements)
      continue;
    for (const ParameterElement &element : *size.elements) {
      if (!element.term || element.term->isConstant())
        continue;
      std::string name = toInfix(*element.term);
      require(
          "tile.nonnegative", context.lessEqual(zero, *element.term), &op,
          llvm::formatv("the tile size {0} of dimension {1} is not negative",
                        name, dimension)
              .str());
      if (mapped == numNonzero)
        require("tile.mapped", context.notEqual(*element.term, zero), &op,
                llvm::formatv("the tile size {0} of dimension {1} is not 0, "
                              "because the loop is mapped",
                              name, dimension)
                    .str());
    }
  }
  requireSomeDimension(op, parameters);
  if (!from || from->isRoot || sizes.empty() ||
      sizes.size() > from->extents.size())
    return;

  for (auto [dimension, size] : llvm::enumerate(parameters)) {
    std::optional<IntTerm> &extent = from->extents[dimension];
    std::optional<IntTerm> term = size.getSingleTerm();
    if (!term) {
      extent = std::nullopt;
      continue;
    }
    if (!extent) {
      // Of a dimension of unknown size, the tile is at most the tile size.
      if (term->isConstant() && term->getConstant() > 0)
        extent = term;
      continue;
    }
    if (derive && !term->isConstant())
      require("tile.within-extent", context.lessEqual(*term, *extent), &op,
              llvm::formatv("the tile size {0} is at most {1}, the size of "
                            "dimension {2} of '{3}'",
                            toInfix(*term), toInfix(*extent), dimension,
                            from->payloadOp->getName().getStringRef())
                  .str());
    if (!term->isConstant() || term->getConstant() != 0)
      from->tiles.push_back(
          {&op, static_cast<unsigned>(dimension), *term, *extent});
    extent = context.select(context.equal(*term, zero), *extent, *term);
  }
  handles[tiled] = std::move(*from);
}

void Collector::visitVectorize(Operation &op, Value target) {
  const TrackedHandle *handle = lookupHandle(target);
  if (!handle || suppressor)
    return;
  for (unsigned dimension = 0; dimension < handle->extents.size();
       ++dimension) {
    // A tile is static when it divides what is static, or is a single element;
    // a size of 0 leaves the dimension as it was.
    solver::BoolTerm isStatic = context.truth(true);
    Operation *last = nullptr;
    SmallVector<std::string> sizes;
    std::string whole;
    for (const TrackedHandle::Tile &tile : handle->tiles) {
      if (tile.dimension != dimension)
        continue;
      isStatic = context.choose(
          context.equal(tile.size, context.constant(0)), isStatic,
          context.logicalOr(
              context.equal(tile.size, context.constant(1)),
              context.logicalAnd(isStatic,
                                 context.divides(tile.size, tile.extent))));
      if (!last)
        whole = toInfix(tile.extent);
      last = tile.op;
      sizes.push_back(toInfix(tile.size));
    }
    if (last)
      require("tile.divides", isStatic, last,
              llvm::formatv("the tile size {0} divides {1}, the size of "
                            "dimension {2}, because '{3}' requires static "
                            "shapes",
                            llvm::join(sizes, ", then "), whole, dimension,
                            op.getName().getStringRef())
                  .str());
  }
}

/// Whether the rewriting of `op` leaves the iteration space of every structured
/// op as it is.
static bool keepsIterationSpaces(Operation &op) {
  if (isa<transform::ApplyCommonSubexpressionEliminationOp,
          transform::ApplyLoopInvariantCodeMotionOp,
          transform::FuseIntoContainingOp>(op))
    return true;
  auto apply = dyn_cast<transform::ApplyPatternsOp>(op);
  if (!apply)
    return false;
  return llvm::all_of(apply.getPatterns().getOps(), [](Operation &patterns) {
    StringRef name = patterns.getName().getStringRef();
    return name == "transform.apply_patterns.canonicalization" ||
           name == "transform.apply_patterns.linalg.tiling_canonicalization" ||
           name == "transform.apply_patterns.scf.for_loop_canonicalization";
  });
}

void Collector::visitEffects(Operation &op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  bool writes = !effects;
  if (effects) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    writes = llvm::any_of(instances, [](const auto &instance) {
      return isa<MemoryEffects::Write>(instance.getEffect()) &&
             isa<transform::PayloadIRResource>(instance.getResource());
    });
  }
  if (!writes)
    return;
  touched = true;
  if (!keepsIterationSpaces(op)) {
    handles.clear();
    return;
  }
  for (Value operand : op.getOperands())
    if (auto interface = dyn_cast<transform::TransformOpInterface>(op);
        interface && transform::isHandleConsumed(operand, interface))
      if (const TrackedHandle *handle = lookupHandle(operand))
        dropHandlesTo(handle->payloadOp);
}
