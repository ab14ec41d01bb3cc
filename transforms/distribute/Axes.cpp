//===- Axes.cpp - Dimensions of vectors that go together ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Axes.h"

#include "engine/AnyBelow.h"
#include "transforms/distribute/Temporaries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork::transforms::distribute;

std::optional<ArrayRef<int64_t>>
formwork::transforms::distribute::getVectorShape(Value value) {
  if (auto type = dyn_cast<VectorType>(value.getType()))
    return type.getShape();
  return std::nullopt;
}

Value formwork::transforms::distribute::getMask(Operation *op) {
  if (auto mask = dyn_cast<vector::MaskOp>(op->getParentOp()))
    return mask.getMask();
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return transfer.getMask();
  return {};
}

FailureOr<SmallVector<std::optional<unsigned>>>
formwork::transforms::distribute::matchUnitCast(VectorType source,
                                                VectorType result) {
  SmallVector<unsigned> kept;
  for (auto [dim, size] : llvm::enumerate(result.getShape()))
    if (size != 1)
      kept.push_back(dim);
  SmallVector<std::optional<unsigned>> dims;
  size_t next = 0;
  for (int64_t size : source.getShape()) {
    if (size == 1) {
      dims.push_back(std::nullopt);
      continue;
    }
    if (next == kept.size() || result.getDimSize(kept[next]) != size)
      return failure();
    dims.push_back(kept[next++]);
  }
  if (next != kept.size())
    return failure();
  return dims;
}

/// Replaces a value that loops carry unchanged by the value from outside of
/// these loops.
static Value lookThroughLoops(Value value) {
  for (;;) {
    scf::ForOp loop;
    unsigned number = 0;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument == loop.getInductionVar())
        return value;
      number = argument.getArgNumber() - loop.getNumInductionVars();
    } else {
      loop = value.getDefiningOp<scf::ForOp>();
      if (!loop)
        return value;
      number = cast<OpResult>(value).getResultNumber();
    }
    if (loop.getYieldedValues()[number] != loop.getRegionIterArg(number))
      return value;
    value = loop.getInitArgs()[number];
  }
}

/// Whether `a` and `b` are computed in the same way from the same values.
static bool isSameValue(Value a, Value b) {
  a = lookThroughLoops(a);
  b = lookThroughLoops(b);
  if (a == b)
    return true;
  auto resultOfA = dyn_cast<OpResult>(a), resultOfB = dyn_cast<OpResult>(b);
  if (!resultOfA || !resultOfB ||
      resultOfA.getResultNumber() != resultOfB.getResultNumber())
    return false;
  return OperationEquivalence::isEquivalentTo(
             resultOfA.getOwner(), resultOfB.getOwner(),
             [](Value of, Value to) { return success(isSameValue(of, to)); },
             /*markEquivalent=*/nullptr,
             OperationEquivalence::IgnoreLocations) &&
         resultOfA.getOwner()->getNumRegions() == 0 &&
         isMemoryEffectFree(resultOfA.getOwner());
}

/// The buffer of which `buffer` is a view with all elements in the same order.
static Value skipWholeViews(Value buffer) {
  for (;;) {
    if (auto cast = buffer.getDefiningOp<memref::CastOp>()) {
      buffer = cast.getSource();
      continue;
    }
    auto view = buffer.getDefiningOp<memref::SubViewOp>();
    auto type = view ? view.getSourceType() : MemRefType();
    bool isWhole = view && view.getDroppedDims().none() &&
                   type.hasStaticShape() &&
                   view.getType().getShape() == type.getShape() &&
                   llvm::all_of(view.getMixedOffsets(), isZeroInteger) &&
                   llvm::all_of(view.getMixedStrides(), isOneInteger);
    if (!isWhole)
      return buffer;
    buffer = view.getSource();
  }
}

bool formwork::transforms::distribute::isCopyToItself(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  return copy && isSameValue(skipWholeViews(copy.getSource()),
                             skipWholeViews(copy.getTarget()));
}

bool formwork::transforms::distribute::isUnusedPart(Operation *op) {
  return isa<vector::ExtractOp, vector::ExtractStridedSliceOp>(op) &&
         op->use_empty();
}

std::optional<Count>
formwork::transforms::distribute::matchCount(Operation *op) {
  if (isa<vector::StepOp>(op))
    return Count{0, 1};
  DenseIntElementsAttr elements;
  if (!matchPattern(op, m_Constant(&elements)) || elements.isSplat())
    return std::nullopt;
  auto type = dyn_cast<VectorType>(elements.getType());
  if (!type || type.getRank() != 1 ||
      (!type.getElementType().isIndex() && type.getElementTypeBitWidth() > 64))
    return std::nullopt;
  auto values = llvm::to_vector(
      llvm::map_range(elements.getValues<APInt>(),
                      [](const APInt &value) { return value.getSExtValue(); }));
  Count count{values[0], 0};
  if (llvm::SubOverflow(values[1], values[0], count.step))
    return std::nullopt;
  for (size_t i = 1; i != values.size(); ++i) {
    int64_t difference;
    if (llvm::SubOverflow(values[i], values[i - 1], difference) ||
        difference != count.step)
      return std::nullopt;
  }
  return count;
}

unsigned Axes::getPoint(Value vector, unsigned dim) {
  auto [it, isNew] = points.try_emplace(vector, numPoints);
  if (isNew) {
    vectors.push_back(vector);
    numPoints += cast<VectorType>(vector.getType()).getRank();
    classes.grow(numPoints);
  }
  return it->second + dim;
}

void Axes::join(Value a, unsigned dimOfA, Value b, unsigned dimOfB) {
  unsigned pointOfA = getPoint(a, dimOfA), pointOfB = getPoint(b, dimOfB);
  if ((*getVectorShape(a))[dimOfA] != 1 && (*getVectorShape(b))[dimOfB] != 1)
    classes.join(pointOfA, pointOfB);
}

void Axes::join(Value a, Value b) {
  if (!isVector(a))
    return;
  for (unsigned dim = 0, end = getVectorShape(a)->size(); dim != end; ++dim)
    join(a, dim, b, dim);
}

/// How upstream makes vectors of `op`, if it only does so when asked in a
/// certain way.
static StringRef getWayToVectors(Operation *op) {
  if (isa<linalg::ConvolutionOpInterface>(op))
    return "; tile one dimension of its images and of its filter to one, and "
           "decompose it to a convolution of rows";
  if (isa<linalg::GenericOp>(op) &&
      formwork::engine::holdsAny<memref::LoadOp>(op))
    return "; vectorize it with transform.formwork.vectorize_tiles, a row at a "
           "time, or with vectorize_nd_extract";
  if (auto map = dyn_cast<linalg::MapOp>(op); map && map.getInputs().empty())
    return "; bufferization makes this of a 'tensor.pad': vectorize the pad "
           "before, with vectorize_padding, on tiles of known sizes";
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && structured.hasDynamicShape())
    return "; a size of it is only known when it runs: tile it, and vectorize "
           "it with transform.formwork.vectorize_tiles, which takes sizes";
  return "";
}

static Refusal refuseScalars(Operation *op) {
  return refuse(op, "requires operations on vectors but has '" +
                        op->getName().getStringRef() +
                        "', which was not vectorized" + getWayToVectors(op));
}

/// Puts the operands, arguments and results of loops and branches on the same
/// axes.
std::optional<Refusal> Axes::visitRegionBranch(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument, result, yielded] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                         loop.getResults(), loop.getYieldedValues())) {
      join(init, argument);
      join(argument, result);
      join(result, yielded);
    }
    return std::nullopt;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : branch->getRegions())
      if (!region.empty())
        for (auto [result, yielded] :
             llvm::zip_equal(branch.getResults(),
                             region.front().getTerminator()->getOperands()))
          join(result, yielded);
    return std::nullopt;
  }
  if (isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()))
    return refuseScalars(op);
  return refuse(op, "requires loops and branches that threads can share but "
                    "has '" +
                        op->getName().getStringRef() + "'");
}

std::optional<Refusal> Axes::visitMask(vector::MaskOp mask) {
  Operation *masked = mask.getMaskableOp();
  if (!masked || mask.getPassthru() ||
      !isa<vector::TransferReadOp, vector::TransferWriteOp,
           vector::MultiDimReductionOp>(masked))
    return refuse(mask, "requires masks of reads, writes and reductions only, "
                        "without values for what is masked off");
  for (auto [result, value] :
       llvm::zip_equal(mask->getResults(), masked->getResults()))
    join(result, value);
  return std::nullopt;
}

std::optional<Refusal> Axes::visitTransfer(VectorTransferOpInterface transfer) {
  if (!isa<MemRefType>(transfer.getShapedType()))
    return refuse(transfer, "requires buffers but has a tensor");
  Value mask = getMask(transfer);
  if (!mask)
    return std::nullopt;
  if (!transfer.getPermutationMap().isMinorIdentity())
    return refuse(transfer, "requires a masked access along the innermost "
                            "dimensions but has one that is permuted");
  join(transfer.getVector(), mask);
  return std::nullopt;
}

void Axes::visitReduction(vector::MultiDimReductionOp reduce) {
  unsigned next = 0;
  for (auto [dim, reduced] : llvm::enumerate(reduce.getReductionMask()))
    if (!reduced)
      join(reduce.getSource(), dim, reduce.getDest(), next++);
  join(reduce.getAcc(), reduce.getDest());
  if (Value mask = getMask(reduce))
    join(reduce.getSource(), mask);
}

void Axes::visitContraction(vector::ContractionOp contract) {
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  SmallVector<std::pair<Value, unsigned>> first(maps.front().getNumDims());
  for (auto [operand, map] : llvm::zip_equal(contract->getOperands(), maps)) {
    if (!isVector(operand))
      continue;
    for (unsigned dim = 0; dim != map.getNumResults(); ++dim) {
      auto &[value, place] = first[map.getDimPosition(dim)];
      if (value)
        join(value, place, operand, dim);
      else
        std::tie(value, place) = std::pair(operand, dim);
    }
  }
  if (isVector(contract.getResult()))
    join(contract.getAcc(), contract.getResult());
}

void Axes::visitBroadcast(vector::BroadcastOp broadcast) {
  auto source = dyn_cast<VectorType>(broadcast.getSourceType());
  if (!source)
    return;
  unsigned added = broadcast.getResultVectorType().getRank() - source.getRank();
  for (unsigned dim = 0; dim != source.getRank(); ++dim)
    join(broadcast.getSource(), dim, broadcast.getResult(), dim + added);
}

std::optional<Refusal> Axes::visitShapeCast(vector::ShapeCastOp cast) {
  auto dims =
      matchUnitCast(cast.getSourceVectorType(), cast.getResultVectorType());
  if (failed(dims))
    return refuse(cast, "requires a cast that adds or drops dimensions of one "
                        "element but has one that mixes dimensions");
  for (auto [dim, to] : llvm::enumerate(*dims))
    if (to)
      join(cast.getSource(), dim, cast.getResult(), *to);
  return std::nullopt;
}

std::optional<Refusal> Axes::visitExtract(vector::ExtractOp extract) {
  VectorType source = extract.getSourceVectorType();
  unsigned taken = extract.getNumIndices();
  if (llvm::any_of(source.getShape().take_front(taken),
                   [](int64_t size) { return size != 1; }))
    return refuse(extract, "requires elements that each thread has but takes "
                           "one that only some thread may have");
  if (isVector(extract.getResult()))
    for (unsigned dim = taken; dim != source.getRank(); ++dim)
      join(extract.getSource(), dim, extract.getResult(), dim - taken);
  return std::nullopt;
}

std::optional<Refusal> Axes::visitGather(vector::GatherOp gather) {
  if (!isa<MemRefType>(gather.getBaseType()))
    return refuse(gather, "requires buffers but has a tensor");
  for (Value operand : gather->getOperands())
    if (isVector(operand))
      join(operand, gather.getResult());
  return std::nullopt;
}

/// Any other operation that takes or makes vectors works element by element.
std::optional<Refusal> Axes::visitElementwise(Operation *op) {
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)) && constant.isSplat())
    return std::nullopt;
  if (isa<ub::PoisonOp>(op) || matchCount(op))
    return std::nullopt;
  if (constant)
    return refuse(op, "requires constant vectors of one value, or that count, "
                      "but has another one");
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return refuse(op, "requires operations on vectors that threads can share "
                      "but has '" +
                          op->getName().getStringRef() + "'");
  for (Value operand : op->getOperands())
    join(operand, op->getResult(0));
  return std::nullopt;
}

std::optional<Refusal> Axes::visitAllocation(memref::AllocOp alloc) {
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType()))
    return std::nullopt;
  std::optional<Temporary> temporary = matchTemporary(alloc);
  if (!temporary)
    return refuse(alloc,
                  "requires vectors, or workgroup memory, but has "
                  "'memref.alloc', a buffer for a tensor of the block; "
                  "vectorize what writes and reads the tensor, a pad with "
                  "vectorize_padding");
  for (vector::TransferReadOp read : temporary->reads)
    join(temporary->write.getVector(), read.getResult());
  return std::nullopt;
}

/// An operation without vectors is done by each thread, if it can be.
std::optional<Refusal> Axes::visitScalar(Operation *op) {
  if (isa<gpu::ThreadIdOp>(op))
    return Refusal{op->getLoc(), "fw-threads-taken",
                   "requires a kernel that uses no threads yet but has an "
                   "operation that asks for the thread"};
  if (isMemoryEffectFree(op) || isa<memref::LoadOp, memref::StoreOp>(op) ||
      isCopyToItself(op))
    return std::nullopt;
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto alloc = copy.getSource().getDefiningOp<memref::AllocOp>();
    if (alloc && alloc->getParentOfType<gpu::LaunchOp>() &&
        matchTemporary(alloc))
      return std::nullopt;
  }
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return visitAllocation(alloc);
  return refuse(op, "requires operations that one thread can do for its block "
                    "but has '" +
                        op->getName().getStringRef() + "'");
}

std::optional<Refusal> Axes::visit(Operation *op) {
  if (isUnusedPart(op))
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (isVector(operand))
      getPoint(operand, 0);
  for (Value result : op->getResults())
    if (auto type = dyn_cast<VectorType>(result.getType())) {
      if (type.isScalable())
        return refuse(op, "requires vectors of a fixed size but has a scalable "
                          "one");
      getPoint(result, 0);
    }

  using Result = std::optional<Refusal>;
  auto isTaken = [](auto) -> Result { return std::nullopt; };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<scf::YieldOp, vector::YieldOp, gpu::TerminatorOp, gpu::BarrierOp,
            vector::CreateMaskOp, vector::ConstantMaskOp>(isTaken)
      .Case([&](vector::MaskOp mask) { return visitMask(mask); })
      .Case([&](VectorTransferOpInterface transfer) {
        return visitTransfer(transfer);
      })
      .Case([&](vector::MultiDimReductionOp reduce) {
        visitReduction(reduce);
        return Result();
      })
      .Case([&](vector::ContractionOp contract) {
        visitContraction(contract);
        return Result();
      })
      .Case([&](vector::BroadcastOp broadcast) {
        visitBroadcast(broadcast);
        return Result();
      })
      .Case([&](vector::TransposeOp transpose) {
        for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
          join(transpose.getVector(), from, transpose.getResult(), dim);
        return Result();
      })
      .Case([&](vector::ShapeCastOp cast) { return visitShapeCast(cast); })
      .Case([&](vector::ExtractOp extract) { return visitExtract(extract); })
      .Case([&](vector::GatherOp gather) { return visitGather(gather); })
      .Default([&](Operation *) {
        if (op->getNumRegions() != 0)
          return visitRegionBranch(op);
        bool hasVector = llvm::any_of(op->getOperands(), isVector) ||
                         llvm::any_of(op->getResults(), isVector);
        return hasVector ? visitElementwise(op) : visitScalar(op);
      });
}

std::optional<Refusal> Axes::number(gpu::LaunchOp launch) {
  llvm::DenseMap<unsigned, AxisId> axisOfClass;
  axisOfPoint.assign(numPoints, std::nullopt);
  for (Value vector : vectors)
    for (auto [dim, size] : llvm::enumerate(*getVectorShape(vector))) {
      if (size == 1)
        continue;
      unsigned point = points.lookup(vector) + dim;
      auto [it, isNew] =
          axisOfClass.try_emplace(classes.findLeader(point), sizes.size());
      if (isNew)
        sizes.push_back(size);
      axisOfPoint[point] = it->second;
    }
  llvm::IntEqClasses joined(sizes.size());
  auto joinGroup = [&](ArrayRef<std::optional<AxisId>> axes) {
    std::optional<AxisId> first;
    for (std::optional<AxisId> axis : axes) {
      if (axis && first)
        joined.join(*axis, *first);
      if (axis)
        first = axis;
    }
  };
  for (Value vector : vectors) {
    AxisList axes = get(vector);
    joinGroup(axes);
    for (size_t i = 0; i != axes.size(); ++i)
      if (axes[i] && llvm::is_contained(ArrayRef(axes).take_front(i), axes[i]))
        return Refusal{vector.getLoc(), "fw-cannot-distribute",
                       "requires vectors of which each dimension can be shared "
                       "by itself but has one of which two dimensions would be "
                       "shared in the same way"};
  }
  launch.walk(
      [&](vector::ContractionOp contract) { joinGroup(get(contract)); });
  joined.compress();
  for (AxisId axis = 0; axis != sizes.size(); ++axis)
    groups.push_back(joined[axis]);
  return std::nullopt;
}

std::optional<Refusal> Axes::infer(gpu::LaunchOp launch) {
  std::optional<Refusal> refusal;
  // An operation that upstream did not vectorize is why there are buffers.
  launch.getBody().walk([&](linalg::LinalgOp op) {
    if (!op.hasDynamicShape())
      return WalkResult::advance();
    refusal = refuseScalars(op);
    return WalkResult::interrupt();
  });
  if (refusal)
    return refusal;
  launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    refusal = visit(op);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal ? refusal : number(launch);
}

void Axes::forEach(Operation *op,
                   function_ref<void(const AxisList &)> visit) const {
  for (Value result : op->getResults())
    if (isVector(result))
      visit(get(result));
  for (Value operand : op->getOperands())
    if (isVector(operand))
      visit(get(operand));
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    visit(get(contract));
}

AxisList Axes::get(Value vector) const {
  AxisList axes;
  unsigned first = points.lookup(vector);
  for (unsigned dim = 0, end = getVectorShape(vector)->size(); dim != end;
       ++dim)
    axes.push_back(axisOfPoint[first + dim]);
  return axes;
}

AxisList Axes::get(vector::ContractionOp contract) const {
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  AxisList axes(maps.front().getNumDims());
  for (auto [operand, map] : llvm::zip_equal(contract->getOperands(), maps)) {
    if (!isVector(operand))
      continue;
    AxisList own = get(operand);
    for (unsigned dim = 0; dim != map.getNumResults(); ++dim)
      axes[map.getDimPosition(dim)] = own[dim];
  }
  return axes;
}
