//===- KernelVectors.cpp - Constraints of steps on a kernel -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/gpu/DynamicMemory.h"
#include "verifier/models/memory/WorkgroupLimits.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

#include <numeric>

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

/// `ldmatrix` and `cp.async` take 16 bytes at a time.
static constexpr int64_t unitBytes = 16;
static constexpr int64_t warpSize = 32;
static constexpr StringLiteral kContract = "vector.contract";

namespace {
/// A product of two matrices: its loops, by number.
struct ProductLoops {
  unsigned row, column, depth;
};
} // namespace

//===----------------------------------------------------------------------===//
// Vectors of a kernel
//===----------------------------------------------------------------------===//

/// The product of `space` that `node` computes.
static KernelProduct makeProduct(const Step &step, NodeId node,
                                 std::shared_ptr<const IterationSpace> space) {
  const PayloadModel &payload = step.payload;
  KernelProduct product;
  product.space = std::move(space);
  std::optional<NodeId> loop = payload.getAncestor(
      node, /*proper=*/true, {scf::ForOp::getOperationName()});
  if (!loop) {
    product.iterations = step.terms.constant(1);
    return product;
  }
  product.loop = *loop;
  std::shared_ptr<const LoopFacts> facts = payload[*loop].loop;
  if (facts && facts->trips.size() == 1)
    product.iterations = step.analysis.getTerm(facts->trips.front().size);
  return product;
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
  // Scores that the loop over a softmax computes itself are only left behind.
  if (vectors.online && vectors.online->areTogether &&
      vectors.online->scores == id)
    return;
  auto isReturned = [](Operation *user) {
    return user->hasTrait<OpTrait::ReturnLike>();
  };
  if (!op->use_empty() && llvm::all_of(op->getUsers(), isReturned))
    vectors.returned.push_back(space);
  if (!linalg::isaContractionOpInterface(op)) {
    vectors.others.push_back(std::move(space));
    return;
  }
  vectors.products.push_back(makeProduct(step, id, std::move(space)));
  vectors.areInOrder = false;
}

static const IterationSpace *getOnly(const KernelVectors::Spaces &spaces) {
  return spaces.size() == 1 ? spaces.front().get() : nullptr;
}

/// Whether `value` holds all ops of `kind` in the target of a match.
static bool holdsAll(Value value, StringRef kind) {
  auto match = value.getDefiningOp<transform::MatchOp>();
  if (!match || match.getInterface() || match.getOpAttrs() ||
      match.getFilterResultType() || match.getFilterOperandTypes())
    return false;
  std::optional<ArrayAttr> ops = match.getOps();
  return ops && ops->size() == 1 &&
         cast<StringAttr>((*ops)[0]).getValue() == kind;
}

bool formwork::verifier::isMatched(Value handle, StringRef kind) {
  if (auto split = handle.getDefiningOp<transform::SplitHandleOp>())
    handle = split.getHandle();
  return holdsAll(handle, kind);
}

/// The products that the step is given: the kernel's only one, or those of one
/// loop. None where it is not known which of them these are.
static ArrayRef<KernelProduct> getGivenProducts(const Step &step) {
  const KernelVectors &vectors = step.state.vectors;
  ArrayRef<KernelProduct> products = vectors.products;
  if (products.size() < 2)
    return products;
  NodeId loop = products.front().loop;
  if (loop == topNode ||
      llvm::any_of(products, [&](const KernelProduct &product) {
        return product.loop != loop;
      }))
    return {};
  Value given = step.op->getOperand(0);
  if (holdsAll(given, kContract))
    return products;
  auto split = given.getDefiningOp<transform::SplitHandleOp>();
  if (!split || !vectors.areInOrder ||
      !holdsAll(split.getHandle(), kContract) || split.getOverflowResult() ||
      split->getNumResults() != products.size())
    return {};
  return products.slice(cast<OpResult>(given).getResultNumber(), 1);
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
  ArrayRef<KernelProduct> products = getGivenProducts(step);
  for (const KernelProduct &product : products) {
    const IterationSpace &space = *product.space;
    std::optional<ProductLoops> loops = findLoops(space);
    if (!loops)
      return;
    auto requireMultiple = [&](unsigned loop, IntTerm unit, StringRef what) {
      IntTerm size = getSize(step, space, loop);
      constrainProduct(
          step, "tensor.tile", terms.divides(unit, size),
          "the " + what + " of the tile, " + solver::toInfix(size) +
              ", are a multiple of " + solver::toInfix(unit) +
              ", which instructions for tensor cores take at a time");
    };
    requireMultiple(loops->row, terms.mul(terms.constant(16), rowWarps),
                    "rows");
    requireMultiple(loops->column, terms.mul(terms.constant(8), columnWarps),
                    "columns");
    requireMultiple(loops->depth, terms.constant(roundsToTf32 ? 4 : 8),
                    "steps of the sum");
  }
  if (products.empty())
    return;
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

/// Requires that buffers of `bytes` in all fit, unless `fits` holds anyway.
static void requireBytes(const Step &step, IntTerm bytes, BoolTerm fits) {
  int64_t limit = getStagedLimit(step.analysis);
  solver::TermContext &terms = step.terms;
  constrainProduct(
      step, "workgroup.bytes",
      terms.anyOf({fits, terms.lessEqual(bytes, terms.constant(limit))}),
      "the buffers in workgroup memory, " + solver::toInfix(bytes) +
          " bytes, have at most " + Twine(limit) + " bytes");
}

/// Requires that what is staged so far fits.
static void requireAllStaged(const Step &step) {
  const KernelVectors &vectors = step.state.vectors;
  solver::TermContext &terms = step.terms;
  IntTerm none = terms.constant(0);
  requireBytes(step,
               terms.add(vectors.stagedOnce.value_or(none),
                         vectors.stagedBytes.value_or(none)),
               terms.truth(false));
}

namespace {
/// An operand of a product, or what a kernel writes, that goes through
/// workgroup memory.
struct StagedOperand {
  unsigned bits;
  /// The dimensions of the space, outermost in memory first.
  SmallVector<unsigned> dims;
  /// As many elements, with what is left empty.
  SmallVector<IntTerm> shape;
  /// The bytes of a row.
  IntTerm row;

  IntTerm getBytes(solver::TermContext &terms) const {
    SmallVector<IntTerm> sizes(ArrayRef(shape).drop_back());
    sizes.push_back(row);
    return terms.product(sizes);
  }
};
} // namespace

static std::optional<StagedOperand> getStaged(const Step &step,
                                              const IterationSpace &space,
                                              int64_t index,
                                              const StagedLayout &layout) {
  if (index < 0 || index >= int64_t(space.maps.size()))
    return std::nullopt;
  AffineMap map = space.maps[index];
  Type element = space.elementTypes[index];
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0 ||
      map.getNumResults() == 0)
    return std::nullopt;
  solver::TermContext &terms = step.terms;
  SmallVector<unsigned> dims(map.getNumResults());
  std::iota(dims.begin(), dims.end(), 0);
  if (layout.order.size() == dims.size())
    llvm::copy(layout.order, dims.begin());
  SmallVector<IntTerm> shape;
  for (unsigned &dim : dims) {
    dim = map.getDimPosition(dim);
    shape.push_back(getSize(step, space, dim));
  }
  shape.back() =
      terms.add(shape.back(), *step.analysis.getTerm(layout.padding));
  unsigned bits = element.getIntOrFloatBitWidth();
  IntTerm row = terms.mul(shape.back(), terms.constant(bits / 8));
  return StagedOperand{bits, std::move(dims), std::move(shape), row};
}

/// Constraint `stage.swizzle` of the rows of `staged`, which is `what`.
static void requireSwizzle(const Step &step, const StagedOperand &staged,
                           const StagedLayout &layout, const Twine &what) {
  if (layout.swizzle && *layout.swizzle == 0)
    return;
  solver::TermContext &terms = step.terms;
  IntTerm padding = *step.analysis.getTerm(layout.padding),
          choice = *step.analysis.getTerm(layout.swizzle);
  BoolTerm canSwizzle = terms.allOf(
      {terms.equal(padding, terms.constant(0)), terms.powerOfTwo(staged.row),
       terms.lessEqual(terms.constant(2 * unitBytes), staged.row)});
  constrainProduct(
      step, "stage.swizzle",
      terms.anyOf({terms.notEqual(choice, terms.constant(1)), canSwizzle}),
      "rows of " + what + ", of " + solver::toInfix(staged.row) +
          " bytes, have a power of two of at least " + Twine(2 * unitBytes) +
          ", and no padding, so that they can be swizzled");
}

/// The space of what the kernel writes; null where it is not known.
static const IterationSpace *getWritten(const KernelVectors &vectors) {
  if (const IterationSpace *returned = getOnly(vectors.returned))
    return returned;
  if (!vectors.others.empty())
    return getOnly(vectors.others);
  return vectors.products.size() == 1 ? vectors.products.front().space.get()
                                      : nullptr;
}

void formwork::verifier::requireStagedWrite(const Step &step,
                                            const StagedLayout &layout) {
  if (!isOpen(step) || !layout.isKnown())
    return;
  const IterationSpace *space = getWritten(step.state.vectors);
  std::optional<StagedOperand> staged;
  if (space)
    staged = getStaged(step, *space, space->maps.size() - 1, layout);
  if (!staged)
    return;
  requireSwizzle(step, *staged, layout, "what is written");
  // The written tile has one buffer, however deep a pipeline is.
  solver::TermContext &terms = step.terms;
  IntTerm bytes = staged->getBytes(terms);
  // It may have the bytes that the operands had.
  if (step.analysis.schedule.anyReached(reusesWorkgroupMemory))
    return requireBytes(step, bytes, terms.truth(false));
  KernelVectors &vectors = step.state.vectors;
  vectors.stagedOnce =
      terms.add(vectors.stagedOnce.value_or(terms.constant(0)), bytes);
  requireAllStaged(step);
}

void formwork::verifier::requireStaged(const Step &step, int64_t operand,
                                       const StagedLayout &layout) {
  KernelVectors &vectors = step.state.vectors;
  if (!isOpen(step) || !layout.isKnown())
    return;
  solver::TermContext &terms = step.terms;
  // An operand that products share goes through one buffer: of several, the
  // largest is what there is for sure.
  std::optional<IntTerm> bytes;
  bool isRepeated = false;
  for (const KernelProduct &product : getGivenProducts(step)) {
    std::optional<StagedOperand> staged =
        getStaged(step, *product.space, operand, layout);
    if (!staged)
      return;
    requireSwizzle(step, *staged, layout, "operand " + Twine(operand));
    // Only matrices that an instruction loads have rows of whole units.
    std::optional<ProductLoops> loops = findLoops(*product.space);
    if (loops && operand < 2 &&
        (staged->bits == 16 || staged->dims.back() == loops->depth))
      vectors.matrixRows.push_back(staged->row);
    IntTerm own = staged->getBytes(terms);
    bytes = bytes ? terms.max(*bytes, own) : own;
    isRepeated |= !product.steppedDim ||
                  llvm::is_contained(staged->dims, *product.steppedDim);
  }
  if (!bytes)
    return;
  std::optional<IntTerm> &sum =
      isRepeated ? vectors.stagedBytes : vectors.stagedOnce;
  sum = sum ? terms.add(*sum, *bytes) : *bytes;
  requireAllStaged(step);
}

void formwork::verifier::requireStagedDepth(const Step &step, const Size &depth,
                                            bool isStated) {
  const KernelVectors &vectors = step.state.vectors;
  if (!isOpen(step) || depth.isUnknown())
    return;
  std::optional<IntTerm> iterations;
  if (!vectors.products.empty())
    iterations = vectors.products.back().iterations;
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
  if (iterations && vectors.stagedBytes)
    requireBytes(step,
                 terms.add(vectors.stagedOnce.value_or(terms.constant(0)),
                           terms.mul(*vectors.stagedBytes, number)),
                 isGone);
}
