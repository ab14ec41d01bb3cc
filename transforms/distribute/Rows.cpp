//===- Rows.cpp - Rows of global memory that start anywhere ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides how threads share rows that start anywhere: from the start of a
// sector on, and maybe 16 bytes at a time. Layer: transforms. It changes no
// code.
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Layout.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::transforms::distribute;

/// The bits that a device moves between its memory and a multiprocessor at a
/// time.
constexpr int64_t kSectorBits = 256;

static int64_t getElementBits(VectorTransferOpInterface transfer) {
  return getBitsInMemory(
      cast<ShapedType>(transfer.getShapedType()).getElementType());
}

/// The axis of the row of global memory that `transfer` accesses, if nothing is
/// known of where that starts: no other dimension has more than one element.
static std::optional<AxisId> getUnalignedRow(VectorTransferOpInterface transfer,
                                             const Axes &axes) {
  auto buffer = dyn_cast<MemRefType>(transfer.getShapedType());
  if (!buffer || !buffer.getLayout().isIdentity() ||
      gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(buffer) ||
      getAlignedWidth(transfer) != 1)
    return std::nullopt;
  std::optional<AxisId> axis = getFastestAxis(transfer, axes);
  auto [strides, offset] = buffer.getStridesAndOffset();
  if (!axis || llvm::is_contained(strides, ShapedType::kDynamic))
    return std::nullopt;
  VectorType type = transfer.getVectorType();
  return type.getNumElements() == axes.getSize(*axis) ? axis : std::nullopt;
}

/// Whether `op` reads or makes a vector that has `axis`.
static bool isOn(const Axes &axes, AxisId axis, Operation *op) {
  bool is = false;
  axes.forEach(op, [&](const AxisList &own) {
    is |= llvm::is_contained(own, std::optional(axis));
  });
  return is;
}

/// Whether the place that `transfer` accesses is known in front of all that
/// `isOnAxis` accepts.
static bool isKnownBefore(gpu::LaunchOp launch,
                          VectorTransferOpInterface transfer,
                          function_ref<bool(Operation *)> isOnAxis) {
  Block &body = launch.getBody().front();
  Operation *first = nullptr;
  for (Operation &op : body)
    if (op.walk([&](Operation *inner) {
            return isOnAxis(inner) ? WalkResult::interrupt()
                                   : WalkResult::advance();
          }).wasInterrupted()) {
      first = &op;
      break;
    }
  return first && llvm::all_of(transfer.getIndices(), [&](Value index) {
           Operation *made = index.getDefiningOp();
           if (!launch.getBody().isAncestor(index.getParentRegion()))
             return true;
           return made ? made->getBlock() == &body &&
                             made->isBeforeInBlock(first)
                       : index.getParentBlock() == &body;
         });
}

/// Threads that are neighbours access neighbours in memory, from the start of a
/// sector on.
void Layout::alignRows(gpu::LaunchOp launch, const Axes &axes) {
  launch.getBody().walk([&](VectorTransferOpInterface transfer) {
    std::optional<AxisId> axis = getUnalignedRow(transfer, axes);
    // A read without a user may be erased.
    bool isUnread = isa<vector::TransferReadOp>(transfer.getOperation()) &&
                    transfer->use_empty();
    if (!axis || isUnread)
      return;
    AxisLayout &own = layouts[*axis];
    auto isOnAxis = [&, axis = *axis](Operation *op) {
      return isOn(axes, axis, op);
    };
    if (own.start || own.width != 1 || own.stride != 1 || own.isOfFragments ||
        own.threads < kWarpSize || !isKnownBefore(launch, transfer, isOnAxis))
      return;
    own.start = transfer.getOperation();
    own.unit = kSectorBits /
               getBitsInMemory(
                   cast<MemRefType>(transfer.getShapedType()).getElementType());
  });
}

Value formwork::transforms::distribute::getWholeBuffer(Value memory) {
  while (auto view = memory.getDefiningOp<memref::SubViewOp>())
    memory = view.getSource();
  return memory;
}

namespace {
/// The distance, in elements, from the start of a buffer.
struct Place {
  AffineMap map;
  SmallVector<Value> operands;
};
} // namespace

/// The place of the first element of `transfer` in the buffer of which it
/// accesses a view.
static std::optional<Place> findStart(VectorTransferOpInterface transfer) {
  MLIRContext *context = transfer.getContext();
  SmallVector<Value> operands;
  AffineExpr place = getAffineConstantExpr(0, context);
  auto add = [&](OpFoldResult index, int64_t stride) {
    if (std::optional<int64_t> constant = getConstantIntValue(index)) {
      place = place + *constant * stride;
      return;
    }
    place = place + getAffineDimExpr(operands.size(), context) * stride;
    operands.push_back(cast<Value>(index));
  };
  Value memory = transfer.getBase();
  SmallVector<OpFoldResult> indices =
      getAsOpFoldResult(OperandRange(transfer.getIndices()));
  for (;;) {
    auto type = dyn_cast<MemRefType>(memory.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!type || failed(type.getStridesAndOffset(strides, offset)) ||
        llvm::is_contained(strides, ShapedType::kDynamic))
      return std::nullopt;
    for (auto [index, stride] : llvm::zip_equal(indices, strides))
      add(index, stride);
    auto view = memory.getDefiningOp<memref::SubViewOp>();
    if (!view) {
      if (!type.getLayout().isIdentity())
        return std::nullopt;
      break;
    }
    indices = view.getMixedOffsets();
    memory = view.getSource();
  }
  Place result{AffineMap::get(operands.size(), 0, place), operands};
  affine::fullyComposeAffineMapAndOperands(&result.map, &result.operands);
  affine::canonicalizeMapAndOperands(&result.map, &result.operands);
  result.map = simplifyAffineMap(result.map);
  return result;
}

bool formwork::transforms::distribute::startAlike(VectorTransferOpInterface a,
                                                  VectorTransferOpInterface b) {
  std::optional<Place> ofA = findStart(a), ofB = findStart(b);
  return ofA && ofB && getElementBits(a) == getElementBits(b) &&
         ofA->map == ofB->map && ofA->operands == ofB->operands;
}

/// Whether `transfer` accesses the whole last dimension of a buffer of global
/// memory, of `size` elements, as one row of its vector.
static bool isWholeRow(VectorTransferOpInterface transfer, int64_t size) {
  auto buffer = dyn_cast<MemRefType>(transfer.getShapedType());
  return buffer && buffer.getRank() != 0 && buffer.getShape().back() == size &&
         buffer.getLayout().isIdentity() && buffer.hasStaticShape() &&
         !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(buffer) &&
         getConstantIntValue(transfer.getIndices().back()) == 0;
}

namespace {
/// The ways to share an axis that its accesses allow.
struct RowAccesses {
  /// Whether all of them are rows of which each starts like the first one, or
  /// at a multiple of 16 bytes.
  bool areRows = true;
  /// Whether some of them start at a multiple of 16 bytes.
  bool areShifted = false;
};
} // namespace

/// Studies all operations with vectors on `axis`, which starts where `start`
/// does.
static RowAccesses studyAccesses(gpu::LaunchOp launch, const Axes &axes,
                                 AxisId axis, VectorTransferOpInterface start,
                                 int64_t width) {
  RowAccesses result;
  launch.getBody().walk([&](Operation *op) {
    if (!isOn(axes, axis, op))
      return;
    auto transfer = dyn_cast<VectorTransferOpInterface>(op);
    if (!transfer) {
      result.areRows &= !isa<vector::GatherOp, vector::MaskOp,
                             vector::CreateMaskOp, vector::ConstantMaskOp>(op);
      return;
    }
    auto read = dyn_cast<vector::TransferReadOp>(op);
    VectorType type = transfer.getVectorType();
    AffineMap map = transfer.getPermutationMap();
    if (transfer.getMask() || transfer.hasOutOfBoundsDim() ||
        isa<vector::MaskOp>(op->getParentOp()) || map.getNumResults() == 0 ||
        map.getResults().back() !=
            getAffineDimExpr(map.getNumDims() - 1, map.getContext()) ||
        axes.get(transfer.getVector()).back() != axis ||
        type.getNumElements() != axes.getSize(axis) ||
        getElementBits(transfer) != getElementBits(start)) {
      result.areRows = false;
      return;
    }
    if (startAlike(transfer, start))
      return;
    // Lanes exchange 32 bits at a time.
    result.areShifted = true;
    result.areRows &= read && getElementBits(transfer) == 32 &&
                      type.getElementType().isIntOrFloat() &&
                      isWholeRow(transfer, axes.getSize(axis)) &&
                      getAlignedWidth(transfer) % width == 0;
  });
  return result;
}

/// Threads access 16 bytes at a time, from the last multiple of 16 bytes in
/// front of the row on; from that of a sector, if nothing else is read that
/// starts elsewhere. What starts where another axis does is shared in the same
/// way, or it would be read twice.
void Layout::widenRows(gpu::LaunchOp launch, const Axes &axes,
                       const Decision &decision) {
  std::vector<SmallVector<AxisId>> alike;
  for (AxisId axis = 0; axis != axes.size(); ++axis) {
    Operation *start = layouts[axis].start;
    if (!start)
      continue;
    auto same = llvm::find_if(alike, [&](ArrayRef<AxisId> others) {
      return startAlike(
          cast<VectorTransferOpInterface>(start),
          cast<VectorTransferOpInterface>(layouts[others.front()].start));
    });
    if (same == alike.end())
      alike.push_back({axis});
    else
      same->push_back(axis);
  }
  bool isAnyShifted = false;
  for (ArrayRef<AxisId> group : alike) {
    auto start = cast<VectorTransferOpInterface>(layouts[group.front()].start);
    int64_t bits = getElementBits(start), width = 128 / bits;
    width = std::min(width, decision.width.value_or(width));
    bool areShifted = false;
    bool areRows = width > 1 && llvm::isPowerOf2_64(width);
    for (AxisId axis : group) {
      const AxisLayout &own = layouts[axis];
      RowAccesses accesses = studyAccesses(launch, axes, axis, start, width);
      areShifted |= accesses.areShifted;
      // With too few elements, threads would be left without any.
      areRows &= accesses.areRows && own.threads % kWarpSize == 0 &&
                 own.size >= width * own.threads;
    }
    if (!areRows || (areShifted && isAnyShifted))
      continue;
    isAnyShifted |= areShifted;
    for (AxisId axis : group) {
      layouts[axis].width = width;
      if (areShifted)
        layouts[axis].unit = width;
    }
  }
}
