//===- KernelVectors.cpp - Constraints of steps on a kernel -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/memory/WorkgroupLimits.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

/// `ldmatrix` and `cp.async` take 16 bytes at a time.
static constexpr int64_t unitBytes = 16;
static constexpr int64_t warpSize = 32;

namespace {
/// A product of two matrices: its loops, by number.
struct ProductLoops {
  unsigned row, column, depth;
};
} // namespace

//===----------------------------------------------------------------------===//
// Vectors of a kernel
//===----------------------------------------------------------------------===//

/// How often the nearest scf.for around `node` runs its body; once without such
/// a loop, none if it is not known.
static std::optional<IntTerm> getIterations(const Step &step, NodeId node) {
  const PayloadModel &payload = step.payload;
  std::optional<NodeId> loop = payload.getAncestor(
      node, /*proper=*/true, {scf::ForOp::getOperationName()});
  if (!loop)
    return step.terms.constant(1);
  std::shared_ptr<const LoopFacts> facts = payload[*loop].loop;
  if (!facts || facts->trips.size() != 1)
    return std::nullopt;
  return step.analysis.getTerm(facts->trips.front().size);
}

void formwork::verifier::noteVectors(const Step &step, NodeId id,
                                     ArrayRef<Size> sizes) {
  const Node &node = step.payload[id];
  auto op = dyn_cast_or_null<linalg::LinalgOp>(node.body);
  bool isKnown = op && node.space && !isa<linalg::FillOp>(op) &&
                 (sizes.empty() || sizes.size() == node.space->loops.size()) &&
                 llvm::all_of(node.space->maps, [](AffineMap map) {
                   return map.isProjectedPermutation();
                 });
  if (!isKnown)
    return;
  auto space = std::make_shared<IterationSpace>(*node.space);
  // A size of 0 is that of the loop.
  for (auto [loop, size] : llvm::zip(space->loops, sizes))
    if (!size || *size != 0)
      loop = Extent{size, {}};
  if (llvm::any_of(space->loops,
                   [](const Extent &loop) { return loop.size.isUnknown(); }))
    return;
  KernelVectors &vectors = step.state.vectors;
  if (!linalg::isaContractionOpInterface(op)) {
    vectors.others.push_back(std::move(space));
    return;
  }
  vectors.products.push_back(std::move(space));
  vectors.iterations = getIterations(step, id);
}

static const IterationSpace *getOnly(const KernelVectors::Spaces &spaces) {
  return spaces.size() == 1 ? spaces.front().get() : nullptr;
}

/// Whether open knobs keep the step from being tried.
static bool isOpen(const Step &step) { return step.analysis.hasKnobs; }

static IntTerm getSize(const Step &step, const IterationSpace &space,
                       unsigned loop) {
  return *step.analysis.getTerm(space.loops[loop].size);
}

/// The loops of `space` that are not of one step, by the operands that have
/// them; none where these are not those of a product of two matrices.
static std::optional<ProductLoops> findLoops(const IterationSpace &space) {
  if (space.maps.size() != 3)
    return std::nullopt;
  SmallVector<unsigned> rows, columns, depths;
  for (auto [loop, extent] : llvm::enumerate(space.loops)) {
    if (extent.size && *extent.size == 1)
      continue;
    bool ofA = space.maps[0].isFunctionOfDim(loop),
         ofB = space.maps[1].isFunctionOfDim(loop),
         ofResult = space.maps[2].isFunctionOfDim(loop);
    if (ofA && !ofB && ofResult)
      rows.push_back(loop);
    else if (!ofA && ofB && ofResult)
      columns.push_back(loop);
    else if (ofA && ofB && !ofResult)
      depths.push_back(loop);
    else
      return std::nullopt;
  }
  if (rows.size() != 1 || columns.size() != 1 || depths.size() != 1)
    return std::nullopt;
  return ProductLoops{rows.front(), columns.front(), depths.front()};
}

static void constrainProduct(const Step &step, StringRef id, BoolTerm holds,
                             const Twine &text) {
  step.require(step.op, id, holds, text, ConstraintKind::Required,
               /*definite=*/false);
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

void formwork::verifier::requireTensorTile(const Step &step,
                                           ArrayRef<Size> warps,
                                           bool roundsToTf32) {
  if (!isOpen(step) || warps.size() != 2 || warps[0].isUnknown() ||
      warps[1].isUnknown())
    return;
  solver::TermContext &terms = step.terms;
  IntTerm rowWarps = *step.analysis.getTerm(warps[0]),
          columnWarps = *step.analysis.getTerm(warps[1]);
  IntTerm threads =
      terms.product({terms.constant(warpSize), rowWarps, columnWarps});
  step.state.vectors.tensorThreads = threads;
  const IterationSpace *space = getOnly(step.state.vectors.products);
  std::optional<ProductLoops> loops = space ? findLoops(*space) : std::nullopt;
  if (!loops)
    return;
  auto requireMultiple = [&](unsigned loop, IntTerm unit, StringRef what) {
    IntTerm size = getSize(step, *space, loop);
    constrainProduct(
        step, "tensor.tile", terms.divides(unit, size),
        "the " + what + " of the tile, " + solver::toInfix(size) +
            ", are a multiple of " + solver::toInfix(unit) +
            ", which instructions for tensor cores take at a time");
  };
  requireMultiple(loops->row, terms.mul(terms.constant(16), rowWarps), "rows");
  requireMultiple(loops->column, terms.mul(terms.constant(8), columnWarps),
                  "columns");
  requireMultiple(loops->depth, terms.constant(roundsToTf32 ? 4 : 8),
                  "steps of the sum");
  for (IntTerm row : step.state.vectors.matrixRows)
    constrainProduct(step, "tensor.rows",
                     terms.divides(terms.constant(unitBytes), row),
                     "the rows of an operand in workgroup memory, of " +
                         solver::toInfix(row) + " bytes, have a multiple of " +
                         Twine(unitBytes));
}

void formwork::verifier::requireTensorThreads(const Step &step,
                                              IntTerm threads) {
  std::optional<IntTerm> wanted = step.state.vectors.tensorThreads;
  if (isOpen(step) && wanted)
    constrainProduct(step, "tensor.threads", step.terms.equal(threads, *wanted),
                     "the number of threads, " + solver::toInfix(threads) +
                         ", is " + solver::toInfix(*wanted) +
                         ", that of the warps of the tensor cores");
}

//===----------------------------------------------------------------------===//
// Workgroup memory
//===----------------------------------------------------------------------===//

/// Requires that buffers of `staged` bytes fit if there are `times` of each,
/// unless `fits` holds anyway.
static void requireBytes(const Step &step, IntTerm staged, IntTerm times,
                         BoolTerm fits) {
  int64_t limit = getStagedLimit(step.analysis);
  solver::TermContext &terms = step.terms;
  IntTerm bytes = terms.mul(staged, times);
  constrainProduct(
      step, "workgroup.bytes",
      terms.anyOf({fits, terms.lessEqual(bytes, terms.constant(limit))}),
      "the buffers in workgroup memory, " + solver::toInfix(bytes) +
          " bytes, have at most " + Twine(limit) + " bytes");
}

void formwork::verifier::requireStaged(const Step &step, int64_t operand,
                                       bool isWrite,
                                       const StagedLayout &layout) {
  KernelVectors &vectors = step.state.vectors;
  if (!isOpen(step) || layout.padding.isUnknown() || layout.swizzle.isUnknown())
    return;
  const IterationSpace *space = getOnly(vectors.products);
  if (isWrite && !vectors.others.empty())
    space = getOnly(vectors.others);
  if (!space || operand < 0 || operand >= int64_t(space->maps.size()))
    return;
  size_t index = isWrite ? space->maps.size() - 1 : operand;
  AffineMap map = space->maps[index];
  Type element = space->elementTypes[index];
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      map.getNumResults() == 0)
    return;
  solver::TermContext &terms = step.terms;
  SmallVector<unsigned> dims(map.getNumResults());
  std::iota(dims.begin(), dims.end(), 0);
  if (layout.order.size() == dims.size())
    llvm::copy(layout.order, dims.begin());
  SmallVector<IntTerm> shape;
  for (unsigned dim : dims)
    shape.push_back(getSize(step, *space, map.getDimPosition(dim)));
  IntTerm padding = *step.analysis.getTerm(layout.padding);
  shape.back() = terms.add(shape.back(), padding);
  unsigned bits = element.getIntOrFloatBitWidth();
  IntTerm row = terms.mul(shape.back(), terms.constant(bits / 8));
  if (!layout.swizzle || *layout.swizzle != 0) {
    BoolTerm canSwizzle = terms.allOf(
        {terms.equal(padding, terms.constant(0)), terms.powerOfTwo(row),
         terms.lessEqual(terms.constant(2 * unitBytes), row)});
    IntTerm choice = *step.analysis.getTerm(layout.swizzle);
    constrainProduct(
        step, "stage.swizzle",
        terms.anyOf({terms.notEqual(choice, terms.constant(1)), canSwizzle}),
        "rows of operand " + Twine(operand) + ", of " + solver::toInfix(row) +
            " bytes, have a power of two of at least " + Twine(2 * unitBytes) +
            ", and no padding, so that they can be swizzled");
  }
  // Only matrices that an instruction loads have rows of whole units.
  std::optional<ProductLoops> loops =
      isWrite ? std::nullopt : findLoops(*space);
  if (loops && index < 2 &&
      (bits == 16 || map.getDimPosition(dims.back()) == loops->depth))
    vectors.matrixRows.push_back(row);
  shape.back() = row;
  IntTerm bytes = terms.product(shape);
  // What is written has one buffer, however deep a pipeline is, and may have
  // the bytes that the operands had.
  if (!isWrite) {
    bytes = terms.add(vectors.stagedBytes.value_or(terms.constant(0)), bytes);
    vectors.stagedBytes = bytes;
  }
  requireBytes(step, bytes, terms.constant(1), terms.truth(false));
}

void formwork::verifier::requireStagedDepth(const Step &step, const Size &depth,
                                            bool isStated) {
  std::optional<IntTerm> iterations = step.state.vectors.iterations,
                         staged = step.state.vectors.stagedBytes;
  if (!isOpen(step) || depth.isUnknown())
    return;
  solver::TermContext &terms = step.terms;
  IntTerm number = *step.analysis.getTerm(depth);
  // A loop of one iteration is gone before the step.
  BoolTerm isGone = iterations ? terms.lessEqual(*iterations, terms.constant(1))
                               : terms.truth(false);
  if (!isStated && depth.isSymbolic())
    constrainProduct(
        step, "copies.depth",
        terms.anyOf({isGone, terms.lessEqual(terms.constant(2), number)}),
        "copies of a loop, " + solver::toInfix(number) +
            " deep, are at least 2 deep");
  if (iterations && staged)
    requireBytes(step, *staged, number, isGone);
}
