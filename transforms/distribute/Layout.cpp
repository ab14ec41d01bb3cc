//===- Layout.cpp - Which thread has which elements -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Layout.h"

#include "transforms/distribute/Alignment.h"
#include "transforms/distribute/TensorCores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace formwork::transforms::distribute;

int64_t formwork::transforms::distribute::getBitsInMemory(Type element) {
  return element.isIndex()
             ? 64
             : std::max<int64_t>(
                   8, llvm::PowerOf2Ceil(element.getIntOrFloatBitWidth()));
}

int64_t Decision::getNumThreads() const {
  return std::accumulate(threads.begin(), threads.end(), int64_t(1),
                         std::multiplies<>());
}

/// The axes that are shared together.
struct Layout::Group {
  /// The axes of the operation with the most axes, outermost first, and then
  /// the axes that it lacks.
  SmallVector<AxisId> axes;
  size_t numOrdered = 0;
  /// Whether elements are combined with each other.
  bool combines = false;
  /// Whether tensor cores combine the elements.
  bool hasFragments = false;
  /// The axis along which neighbouring elements are neighbours in memory, in
  /// the largest transfer, and how many bits this transfer moves.
  std::optional<AxisId> fastest;
  int64_t fastestBits = 0;
};

std::optional<AxisId> formwork::transforms::distribute::getFastestAxis(
    VectorTransferOpInterface transfer, const Axes &axes) {
  AffineMap map = transfer.getPermutationMap();
  AxisList own = axes.get(transfer.getVector());
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (auto position = dyn_cast<AffineDimExpr>(result))
      if (position.getPosition() + 1 == map.getNumDims())
        return own[dim];
  return std::nullopt;
}

int64_t formwork::transforms::distribute::getAlignedWidth(
    VectorTransferOpInterface transfer) {
  constexpr int64_t kMost = 16;
  auto buffer = cast<MemRefType>(transfer.getShapedType());
  Type element = buffer.getElementType();
  // Each element of such a vector is accessed by itself.
  if (!element.isIndex() && element.getIntOrFloatBitWidth() % 8 != 0)
    return kMost;
  SmallVector<unsigned> outer;
  for (auto [size, result] :
       llvm::zip_equal(transfer.getVectorType().getShape(),
                       transfer.getPermutationMap().getResults()))
    if (auto position = dyn_cast<AffineDimExpr>(result))
      if (size != 1 && position.getPosition() + 1 != buffer.getRank())
        outer.push_back(position.getPosition());
  int64_t divisor =
      getRowDivisor(transfer.getBase(), transfer.getIndices(), outer);
  int64_t bytes = getBitsInMemory(element) / 8, width = kMost;
  while (width > 1 && divisor % (width * bytes) != 0)
    width /= 2;
  return width;
}

/// The smallest number of threads that divides `threads`, suffices for
/// `pieces`, and is a power of two of the lanes of a warp or whole warps.
static int64_t getEnough(int64_t threads, int64_t pieces) {
  for (int64_t count = std::max<int64_t>(1, pieces); count < threads; ++count)
    if (threads % count == 0 && (count < kWarpSize ? llvm::isPowerOf2_64(count)
                                                   : count % kWarpSize == 0))
      return count;
  return threads;
}

/// Sets the width of pieces: at most `most` elements, and such that a thread
/// has as few elements as possible.
static void chooseWidth(AxisLayout &layout, int64_t most) {
  AxisLayout best = layout;
  best.width = 1;
  for (int64_t width = 2; width <= most && layout.size % width == 0;
       width *= 2) {
    layout.width = width;
    if (layout.getLocalSize() <= best.getLocalSize())
      best = layout;
  }
  layout = best;
}

void Layout::share(const Group &group, const Decision &decision) {
  ArrayRef<AxisId> ordered = ArrayRef(group.axes).take_front(group.numOrdered);
  int64_t stride = 1;
  // Threads along missing loops join those of the outermost loop.
  SmallVector<int64_t> threads(decision.threads);
  while (threads.size() > ordered.size() && threads.size() > 1) {
    threads[1] *= threads[0];
    threads.erase(threads.begin());
  }
  // Threads for which an axis has no elements join those of the next outer one.
  int64_t left = 1;
  for (size_t i = 0; i != ordered.size(); ++i) {
    ArrayRef<AxisId> outer = ordered.drop_back(i + 1);
    AxisLayout &own = layouts[ordered[outer.size()]];
    own.threads = left;
    if (i < threads.size())
      own.threads *= threads[threads.size() - 1 - i];
    left = 1;
    if (own.threads > own.size && !outer.empty()) {
      int64_t all = own.threads, places = 1;
      for (AxisId axis : outer)
        places *= layouts[axis].size;
      // Wide accesses, if the other axes have elements for the threads.
      int64_t width = widest[ordered[outer.size()]];
      while (own.size % width != 0)
        width /= 2;
      own.threads = getEnough(all, own.size / width);
      if (all / own.threads > places)
        own.threads = getEnough(all, own.size);
      left = all / own.threads;
    }
    if (own.threads != 1)
      own.stride = stride;
    stride *= own.threads;
  }
  for (AxisId axis : group.axes)
    chooseWidth(layouts[axis], widest[axis]);
}

void Layout::shareOthers(gpu::LaunchOp launch, const Axes &axes,
                         const Decision &decision) {
  // The pairs of axes that need different threads: those of one vector or
  // operation.
  llvm::DenseSet<std::pair<AxisId, AxisId>> together;
  auto note = [&](ArrayRef<std::optional<AxisId>> own) {
    for (std::optional<AxisId> a : own)
      for (std::optional<AxisId> b : own)
        if (a && b && *a != *b)
          together.insert({*a, *b});
  };
  launch.getBody().walk([&](Operation *op) { axes.forEach(op, note); });
  auto overlap = [&](const AxisLayout &a, const AxisLayout &b) {
    return a.threads != 1 && b.threads != 1 &&
           a.stride < b.stride * b.threads && b.stride < a.stride * a.threads;
  };
  auto share = [&](ArrayRef<std::optional<AxisId>> own) {
    int64_t stride = 1;
    for (auto [axis, count] :
         llvm::zip(llvm::reverse(own), llvm::reverse(decision.threads))) {
      int64_t before = stride;
      stride *= count;
      if (!axis || layouts[*axis].getNumThreads() != 1)
        continue;
      AxisLayout wanted = layouts[*axis];
      wanted.threads = count;
      wanted.stride = before;
      chooseWidth(wanted, widest[*axis]);
      bool isTaken = llvm::any_of(llvm::seq<AxisId>(0, layouts.size()),
                                  [&, axis = *axis](AxisId other) {
                                    return together.contains({axis, other}) &&
                                           (layouts[other].warps != 1 ||
                                            overlap(wanted, layouts[other]));
                                  });
      if (!isTaken)
        layouts[*axis] = wanted;
    }
  };
  launch.getBody().walk([&](Operation *op) {
    if (auto contract = dyn_cast<vector::ContractionOp>(op))
      share(axes.get(contract));
    else if (auto reduce = dyn_cast<vector::MultiDimReductionOp>(op))
      share(axes.get(reduce.getSource()));
  });
}

void Layout::spread(const Group &group) {
  int64_t stride = 1;
  auto take = [&](AxisId axis) {
    AxisLayout &layout = layouts[axis];
    chooseWidth(layout, widest[axis]);
    int64_t left = numThreads / stride;
    // Reduce the width so that no thread is left without elements: such a
    // thread would repeat the elements of others.
    if (axis != group.fastest)
      while (layout.width % 2 == 0 && layout.size / layout.width < left)
        layout.width /= 2;
    int64_t pieces = layout.size / layout.width;
    // Use as many threads as there are pieces. The next axis gets the others.
    layout.threads = pieces;
    while (layout.threads < left && left % layout.threads != 0)
      ++layout.threads;
    layout.threads = std::min(layout.threads, left);
    layout.stride = stride;
    stride *= layout.threads;
  };
  if (group.fastest)
    take(*group.fastest);
  for (AxisId axis : llvm::reverse(group.axes))
    if (axis != group.fastest)
      take(axis);
}

std::optional<Refusal> Layout::checkWarps(gpu::LaunchOp launch,
                                          const Axes &axes) const {
  auto isEven = [&](std::optional<AxisId> axis) {
    if (!axis || layouts[*axis].getNumThreads() == 1)
      return true;
    if (layouts[*axis].warps != 1)
      return false;
    int64_t stride = layouts[*axis].stride,
            end = stride * layouts[*axis].threads;
    bool wholeWarps =
        numThreads % kWarpSize == 0 ||
        (numThreads < kWarpSize && llvm::isPowerOf2_64(numThreads));
    if (stride >= kWarpSize)
      return wholeWarps && stride % kWarpSize == 0;
    return wholeWarps && llvm::isPowerOf2_64(stride) &&
           (end <= kWarpSize ? llvm::isPowerOf2_64(end) : end % kWarpSize == 0);
  };
  std::optional<Refusal> refusal;
  launch.getBody().walk([&](Operation *op) {
    AxisList reduced;
    if (auto reduce = dyn_cast<vector::MultiDimReductionOp>(op)) {
      for (auto [axis, isReduced] : llvm::zip_equal(
               axes.get(reduce.getSource()), reduce.getReductionMask()))
        if (isReduced)
          reduced.push_back(axis);
    } else if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
      for (auto [axis, iterator] : llvm::zip_equal(
               axes.get(contract), contract.getIteratorTypesArray()))
        if (iterator == vector::IteratorType::reduction)
          reduced.push_back(axis);
    }
    if (llvm::all_of(reduced, isEven))
      return WalkResult::advance();
    refusal = Refusal{op->getLoc(), "fw-uneven-warps",
                      "requires threads that combine elements to be whole "
                      "warps, or powers of two of the lanes of one, but has a "
                      "block of " +
                          std::to_string(numThreads) + " threads"};
    return WalkResult::interrupt();
  });
  return refusal;
}

std::optional<Refusal> Layout::checkSizes(gpu::LaunchOp launch,
                                          const Axes &axes) const {
  // Each element has its own code, and a thread has only 255 registers.
  constexpr uint64_t kMostElements = 1 << 16;
  auto isTooLarge = [&](ArrayRef<std::optional<AxisId>> own) {
    uint64_t numElements = 1;
    for (std::optional<AxisId> axis : own)
      if (axis)
        for (int64_t factor :
             {layouts[*axis].getNumPieces(), layouts[*axis].width})
          numElements = llvm::SaturatingMultiply<uint64_t>(numElements, factor);
    return numElements > kMostElements;
  };
  std::optional<Refusal> refusal;
  launch.getBody().walk([&](Operation *op) {
    bool refuses = false;
    axes.forEach(op, [&](const AxisList &own) { refuses |= isTooLarge(own); });
    if (!refuses)
      return WalkResult::advance();
    refusal =
        refuse(op, "requires at most " + Twine(kMostElements) +
                       " elements of a vector in each thread but has more");
    return WalkResult::interrupt();
  });
  return refusal;
}

/// The result of `mma.sync` has two blocks of 8 rows and 8 columns. In row l /
/// 4 of each block, lane l has column 2 * (l mod 4) and the next one.
std::optional<Refusal> Layout::shareFragments(gpu::LaunchOp launch,
                                              const Axes &axes,
                                              MutableArrayRef<Group> groups) {
  constexpr int64_t kColumnLanes = 4, kRowLanes = kWarpSize / kColumnLanes;
  llvm::DenseMap<AxisId, AxisLayout> chosen;
  std::optional<Refusal> refusal;
  launch.getBody().walk([&](vector::ContractionOp contract) {
    std::optional<TensorCoreDecision> decision = getDecision(contract);
    if (!decision)
      return WalkResult::advance();
    TensorCoreProduct product;
    refusal = describe(contract, *decision, product);
    if (refusal)
      return WalkResult::interrupt();
    auto refuse = [&](const Twine &message) {
      refusal =
          Refusal{contract.getLoc(), "fw-not-for-tensor-cores", message.str()};
      return WalkResult::interrupt();
    };
    int64_t warps = decision->rowWarps * decision->columnWarps;
    if (numThreads != warps * kWarpSize)
      return refuse("requires " + Twine(warps * kWarpSize) + " threads for " +
                    Twine(decision->rowWarps) + "x" +
                    Twine(decision->columnWarps) + " warps but has " +
                    Twine(numThreads));
    AxisList loops = axes.get(contract);
    AxisId row = *loops[product.row], column = *loops[product.column],
           depth = *loops[product.depth];
    groups[axes.getGroup(row)].hasFragments = true;
    AxisLayout ofRow = layouts[row], ofColumn = layouts[column],
               ofDepth = layouts[depth];
    ofRow.isOfFragments = ofColumn.isOfFragments = true;
    ofRow.threads = kRowLanes;
    ofRow.stride = kColumnLanes;
    ofRow.warps = decision->rowWarps;
    ofRow.warpStride = kWarpSize * decision->columnWarps;
    ofColumn.threads = kColumnLanes;
    ofColumn.width = 2;
    ofColumn.warps = decision->columnWarps;
    ofColumn.warpStride = kWarpSize;
    // The registers of a left operand are shared among the lanes of each warp
    // in the same way as results.
    if (!product.a.read) {
      ofDepth.isOfFragments = true;
      ofDepth.threads = kColumnLanes;
      ofDepth.width = 2;
      ofDepth.warpStride = kWarpSize;
    }
    for (auto [axis, own] : {std::pair(row, ofRow), std::pair(column, ofColumn),
                             std::pair(depth, ofDepth)}) {
      auto [it, isNew] = chosen.try_emplace(axis, own);
      const AxisLayout &other = it->second;
      if (!isNew && (other.threads != own.threads || other.warps != own.warps ||
                     other.stride != own.stride || other.width != own.width ||
                     other.warpStride != own.warpStride))
        return refuse(
            "requires vectors that are shared in one way but has a "
            "dimension that two contractions would share differently");
    }
    return WalkResult::advance();
  });
  for (auto &[axis, own] : chosen)
    layouts[axis] = own;
  return refusal;
}

std::optional<Refusal> Layout::choose(gpu::LaunchOp launch, const Axes &axes,
                                      const Decision &decision) {
  numThreads = decision.getNumThreads();
  layouts.resize(axes.size());
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  widest.assign(axes.size(), kAny);
  // For each axis, the widest aligned access of global memory along it, and the
  // least width of accesses of workgroup memory: a write takes a word. It is 0
  // without such accesses.
  SmallVector<int64_t> aligned(axes.size(), kAny), inWord(axes.size(), 0);
  SmallVector<Group> groups(axes.size());
  for (AxisId axis = 0; axis != axes.size(); ++axis)
    layouts[axis].size = axes.getSize(axis);

  auto order = [&](ArrayRef<std::optional<AxisId>> own) {
    SmallVector<AxisId> present;
    for (std::optional<AxisId> axis : own)
      if (axis)
        present.push_back(*axis);
    if (present.empty())
      return;
    Group &group = groups[axes.getGroup(present.front())];
    if (present.size() > group.axes.size())
      group.axes = present;
  };
  auto combine = [&](ArrayRef<std::optional<AxisId>> own) {
    for (std::optional<AxisId> axis : own)
      if (axis)
        groups[axes.getGroup(*axis)].combines = true;
  };
  launch.getBody().walk([&](Operation *op) {
    axes.forEach(op, order);
    if (auto contract = dyn_cast<vector::ContractionOp>(op))
      combine(axes.get(contract));
    if (auto reduce = dyn_cast<vector::MultiDimReductionOp>(op))
      combine(axes.get(reduce.getSource()));
    if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
      if (std::optional<AxisId> axis = getFastestAxis(transfer, axes)) {
        int64_t bits = getBitsInMemory(
            cast<ShapedType>(transfer.getShapedType()).getElementType());
        int64_t most =
            decision.width.value_or(std::max<int64_t>(1, 128 / bits));
        // Where elements of two types are on one axis, the larger ones fill 16
        // bytes: a lane that has more of them leaves gaps between the lanes.
        widest[*axis] = std::min(widest[*axis], most);
        if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                cast<MemRefType>(transfer.getShapedType())))
          inWord[*axis] = std::max<int64_t>(
              {inWord[*axis], 1,
               isa<vector::TransferWriteOp>(op) ? 32 / bits : 1});
        else
          aligned[*axis] = std::min(aligned[*axis], getAlignedWidth(transfer));
        Group &group = groups[axes.getGroup(*axis)];
        int64_t moved = bits * transfer.getVectorType().getNumElements();
        if (moved > group.fastestBits) {
          group.fastest = axis;
          group.fastestBits = moved;
        }
      }
  });
  llvm::replace(widest, kAny, int64_t(1));
  // Neighbours that no access of global memory takes at once belong to
  // neighbouring threads. An operand in workgroup memory is aligned, and read
  // more often than the result is written.
  for (AxisId axis = 0; axis != axes.size(); ++axis)
    if (!decision.width &&
        !(inWord[axis] != 0 && groups[axes.getGroup(axis)].combines))
      widest[axis] =
          std::min(widest[axis], std::max(aligned[axis], inWord[axis]));
  for (Group &group : groups)
    group.numOrdered = group.axes.size();
  for (AxisId axis = 0; axis != axes.size(); ++axis)
    if (Group &group = groups[axes.getGroup(axis)];
        !llvm::is_contained(group.axes, axis))
      group.axes.insert(group.axes.begin(), axis), ++group.numOrdered;

  if (std::optional<Refusal> refusal = shareFragments(launch, axes, groups))
    return refusal;
  for (const Group &group : groups) {
    if (group.hasFragments)
      continue;
    if (group.combines)
      share(group, decision);
    else
      spread(group);
  }
  shareOthers(launch, axes, decision);
  if (decision.alignsRows || decision.widensRows)
    alignRows(launch, axes);
  if (decision.widensRows)
    widenRows(launch, axes, decision);
  if (std::optional<Refusal> refusal = checkSizes(launch, axes))
    return refusal;
  return checkWarps(launch, axes);
}

SmallVector<Layout::Digit>
Layout::getUnused(ArrayRef<std::optional<AxisId>> axes) const {
  SmallVector<Digit> used;
  for (std::optional<AxisId> axis : axes)
    if (axis) {
      const AxisLayout &own = layouts[*axis];
      if (own.threads != 1)
        used.push_back({own.stride, own.threads});
      if (own.warps != 1)
        used.push_back({own.warpStride, own.warps});
    }
  llvm::sort(
      used, [](const Digit &a, const Digit &b) { return a.stride < b.stride; });
  SmallVector<Digit> unused;
  int64_t stride = 1;
  for (const Digit &digit : used) {
    if (digit.stride != stride)
      unused.push_back({stride, digit.stride / stride});
    stride = digit.stride * digit.count;
  }
  if (stride != numThreads)
    unused.push_back({stride, numThreads / stride});
  return unused;
}
