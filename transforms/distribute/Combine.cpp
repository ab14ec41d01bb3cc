//===- Combine.cpp - Reductions and contractions across threads -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Distributor.h"
#include "transforms/tiles/TileReductions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using formwork::transforms::tiles::getNeutral;
using namespace formwork::transforms::distribute;
using vector::CombiningKind;

/// A vector of `type` that changes nothing when it is combined with another.
static Value makeNeutral(OpBuilder &builder, Location loc, CombiningKind kind,
                         VectorType type) {
  Attribute element = getNeutral(kind, type.getElementType());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

/// Combines neighbours, then neighbouring results, and so on, in a tree.
static Value combineAll(OpBuilder &builder, Location loc, CombiningKind kind,
                        SmallVector<Value> values) {
  while (values.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      next.push_back(vector::makeArithReduction(builder, loc, kind, values[i],
                                                values[i + 1]));
    if (values.size() % 2 != 0)
      next.push_back(values.back());
    values = std::move(next);
  }
  return values.front();
}

/// Combines the first two, the result with the third one, and so on. What is
/// only computed for this is computed right before, so that it waits in no
/// register.
static Value combineInOrder(RewriterBase &rewriter, Location loc,
                            CombiningKind kind, ArrayRef<Value> values) {
  auto computeHere = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && op->hasOneUse() && isMemoryEffectFree(op) &&
        op->getNumRegions() == 0 &&
        op->getBlock() == rewriter.getInsertionBlock())
      rewriter.moveOpBefore(op, value.use_begin()->getOwner());
  };
  Value result = values.front();
  for (Value value : values.drop_front()) {
    Value before = result;
    result = vector::makeArithReduction(rewriter, loc, kind, before, value);
    if (before == values.front())
      computeHere(before);
    computeHere(value);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Across threads
//===----------------------------------------------------------------------===//

/// The value of the lane at `distance`. A narrow value is sent as 32 bits,
/// which a shuffle requires.
static Value shuffle(OpBuilder &builder, Location loc, Value value,
                     int64_t distance, int64_t lanes) {
  Type type = value.getType();
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Type narrow = builder.getIntegerType(bits);
  Value sent = value;
  if (bits < 32) {
    if (type != narrow)
      sent = arith::BitcastOp::create(builder, loc, narrow, sent);
    sent = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), sent);
  } else if (type.isIndex()) {
    sent = arith::IndexCastOp::create(builder, loc, narrow, sent);
  }
  Value received = gpu::ShuffleOp::create(builder, loc, sent, distance, lanes,
                                          gpu::ShuffleMode::XOR)
                       .getShuffleResult();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, received);
  if (bits >= 32)
    return received;
  received = arith::TruncIOp::create(builder, loc, narrow, received);
  return type == narrow
             ? received
             : arith::BitcastOp::create(builder, loc, type, received);
}

/// Threads exchange their values along some digits of their index: by shuffles
/// within a warp, and through workgroup memory across warps.
SmallVector<Value> Distributor::combineThreads(Location loc, CombiningKind kind,
                                               SmallVector<Value> partial,
                                               const AxisList &reduced) {
  // The distances of the shuffles; the digits within a warp, of which the lane
  // in which all are zero writes for its warp; and the digits across warps.
  SmallVector<int64_t> distances;
  SmallVector<Layout::Digit> lanes, warps;
  int64_t numWarps = 1;
  for (std::optional<AxisId> axis : reduced) {
    if (!axis || layout[*axis].threads == 1)
      continue;
    int64_t stride = layout[*axis].stride, count = layout[*axis].threads;
    if (stride < kWarpSize) {
      int64_t inWarp = std::min(count, kWarpSize / stride);
      for (int64_t i = 1; i != inWarp; i *= 2)
        distances.push_back(i * stride);
      lanes.push_back({stride, inWarp});
      count /= inWarp;
      stride *= inWarp;
    }
    if (count != 1)
      warps.push_back({stride, count});
    numWarps *= count;
  }
  int64_t lanesOfWarp = std::min(layout.getNumThreads(), kWarpSize);
  for (int64_t distance : llvm::reverse(distances))
    for (Value &value : partial) {
      Value other = shuffle(rewriter, loc, value, distance, lanesOfWarp);
      value = vector::makeArithReduction(rewriter, loc, kind, value, other);
    }
  if (numWarps == 1)
    return partial;

  // Each group of threads that differ only in the reduced digits has a slot.
  // Each warp of the group has a place in this slot.
  Type type = partial.front().getType();
  int64_t numValues = partial.size();
  SmallVector<Layout::Digit> slots = layout.getUnused(reduced);
  auto number = [&](ArrayRef<Layout::Digit> digits) {
    AffineExpr expr = rewriter.getAffineConstantExpr(0);
    int64_t factor = 1;
    for (const Layout::Digit &digit : digits) {
      expr = expr + getDigitExpr(digit) * factor;
      factor *= digit.count;
    }
    return std::pair(expr, factor);
  };
  auto [slot, numSlots] = number(slots);
  auto [warp, unusedCount] = number(warps);

  // Access several elements at once: the places of a slot, or, if lanes differ
  // in their slots, the values of one place.
  bool placesFirst = numSlots < kWarpSize / 4;
  int64_t run = placesFirst ? numWarps : numValues;
  int64_t most = std::max<int64_t>(1, 128 / getBitsInMemory(type));
  int64_t width = 1;
  while (2 * width <= most && run % (2 * width) == 0)
    width *= 2;
  auto getPlace = [&](AffineExpr warp, int64_t value) {
    AffineExpr place = placesFirst
                           ? (slot * numValues + value) * numWarps + warp
                           : (warp * numSlots + slot) * numValues + value;
    return getIndex(rewriter, loc, place, {thread});
  };
  llvm::MaybeAlign alignment(width * getBitsInMemory(type) / 8);
  Value buffer;
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(thread);
    auto space = gpu::AddressSpaceAttr::get(rewriter.getContext(),
                                            gpu::AddressSpace::Workgroup);
    buffer = memref::AllocOp::create(
        rewriter, loc,
        MemRefType::get({numSlots * numValues * numWarps}, type,
                        MemRefLayoutAttrInterface(), space),
        ValueRange(), rewriter.getI64IntegerAttr(16));
  }
  auto access = [&](bool writes) {
    Access result;
    result.memory = buffer;
    result.writes = writes;
    barriers.access(loc, std::move(result));
  };
  access(/*writes=*/true);
  {
    OpBuilder::InsertionGuard guard(rewriter);
    enterIf(loc, isFirst(loc, lanes));
    int64_t step = placesFirst ? 1 : width;
    for (int64_t i = 0; i != numValues; i += step) {
      Value place = getPlace(warp, i);
      if (step == 1) {
        memref::StoreOp::create(rewriter, loc, partial[i], buffer, place);
        continue;
      }
      Value values = vector::FromElementsOp::create(
          rewriter, loc, VectorType::get({step}, type),
          ArrayRef(partial).slice(i, step));
      vector::StoreOp::create(rewriter, loc, values, buffer, ValueRange(place),
                              /*nontemporal=*/false, alignment);
    }
  }
  access(/*writes=*/false);
  SmallVector<SmallVector<Value>> found(numValues);
  auto load = [&](int64_t warpNumber, int64_t value) {
    Value place = getPlace(rewriter.getAffineConstantExpr(warpNumber), value);
    SmallVector<Value> elements;
    if (width == 1) {
      elements.push_back(memref::LoadOp::create(rewriter, loc, buffer, place));
      return elements;
    }
    Value loaded = vector::LoadOp::create(
        rewriter, loc, VectorType::get({width}, type), buffer,
        ValueRange(place), /*nontemporal=*/false, alignment);
    for (int64_t i = 0; i != width; ++i)
      elements.push_back(vector::ExtractOp::create(rewriter, loc, loaded, i));
    return elements;
  };
  if (placesFirst) {
    for (int64_t value = 0; value != numValues; ++value)
      for (int64_t i = 0; i != numWarps; i += width)
        llvm::append_range(found[value], load(i, value));
  } else {
    for (int64_t i = 0; i != numWarps; ++i)
      for (int64_t value = 0; value != numValues; value += width)
        for (auto [offset, element] : llvm::enumerate(load(i, value)))
          found[value + offset].push_back(element);
  }
  SmallVector<Value> totals;
  for (SmallVector<Value> &values : found)
    totals.push_back(combineAll(rewriter, loc, kind, std::move(values)));
  return totals;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// If `value` is the product of a vector and a positive number, the smallest or
/// largest element can be found before the multiplication. Returns the vector
/// and the factor. Rounding keeps the order of elements, so one product
/// suffices for all that are combined.
static std::optional<std::pair<Value, Value>>
matchScaledExtreme(CombiningKind kind, Value value) {
  if (!llvm::is_contained({CombiningKind::MAXNUMF, CombiningKind::MAXIMUMF,
                           CombiningKind::MINNUMF, CombiningKind::MINIMUMF},
                          kind))
    return std::nullopt;
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  for (auto [of, factor] : {std::pair(product.getLhs(), product.getRhs()),
                            std::pair(product.getRhs(), product.getLhs())}) {
    APFloat number(0.0f);
    if (matchPattern(factor, m_ConstantFloat(&number)) && number.isFinite() &&
        !number.isZero() && !number.isNegative())
      return std::pair(of, factor);
  }
  return std::nullopt;
}

void Distributor::visitReduction(vector::MultiDimReductionOp reduce) {
  Location loc = reduce.getLoc();
  CombiningKind kind = reduce.getKind();
  Type type = reduce.getSourceVectorType().getElementType();
  AxisList own = getAxes(reduce.getSource()), kept, reduced;
  SmallVector<bool> mask = reduce.getReductionMask();
  for (auto [axis, isReduced] : llvm::zip_equal(own, mask))
    (isReduced ? reduced : kept).push_back(axis);

  std::optional<std::pair<Value, Value>> scaled =
      matchScaledExtreme(kind, reduce.getSource());
  Pieces source = lookup(scaled ? scaled->first : reduce.getSource());
  VectorType pieceType = getPieceType(reduce.getSource(), source);
  auto neutralize = [&](Value &piece, Value where) {
    piece =
        arith::SelectOp::create(rewriter, loc, where, piece,
                                makeNeutral(rewriter, loc, kind, pieceType));
  };
  if (Value masked = getMask(reduce))
    for (auto [piece, where] :
         llvm::zip_equal(source.values, lookup(masked).values))
      neutralize(piece, where);
  size_t number = 0;
  forEachIndex(source.shape, [&](ArrayRef<int64_t> index) {
    Value inside;
    // Elements of one piece are on the axis, and others are not.
    if (isWideRow(own) && mask.back()) {
      Value &piece = source.values[number++];
      piece = fillBehindEnd(loc, piece, own, index,
                            makeNeutral(rewriter, loc, kind, pieceType));
      return;
    }
    for (auto [dim, isReduced] : llvm::enumerate(mask))
      if (isReduced)
        inside = conjoin(
            loc, inside,
            isOnAxis(loc, own[dim],
                     index[dim] * (dim + 1 == own.size() ? source.width : 1)));
    if (inside)
      neutralize(source.values[number], inside);
    ++number;
  });

  // Collect this thread's values for each element of the result: first vectors,
  // and then their elements if the last dimension is reduced.
  bool lastGoes = mask.back();
  SmallVector<int64_t> keptShape;
  for (auto [size, isReduced] : llvm::zip_equal(source.shape, mask))
    if (!isReduced)
      keptShape.push_back(size);
  SmallVector<SmallVector<Value>> found(computeProduct(keptShape));
  size_t next = 0;
  forEachIndex(source.shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> keptIndex;
    for (auto [i, isReduced] : llvm::zip_equal(index, mask))
      if (!isReduced)
        keptIndex.push_back(i);
    found[linearize(keptIndex, keptShape)].push_back(source.values[next++]);
  });
  SmallVector<Value> partial;
  for (SmallVector<Value> &pieces : found) {
    // The elements of a wide piece are sums of their own. In a tree, many more
    // would wait for each other, beside a row that stays in registers.
    Value piece = isWideRow(own)
                      ? combineInOrder(rewriter, loc, kind, pieces)
                      : combineAll(rewriter, loc, kind, std::move(pieces));
    SmallVector<Value> elements;
    for (int64_t i = 0; i != source.width; ++i)
      elements.push_back(vector::ExtractOp::create(rewriter, loc, piece, i));
    if (lastGoes)
      partial.push_back(combineAll(rewriter, loc, kind, std::move(elements)));
    else
      llvm::append_range(partial, elements);
  }
  if (scaled) {
    APFloat number(0.0f);
    matchPattern(scaled->second, m_ConstantFloat(&number));
    Value factor = arith::ConstantOp::create(
        rewriter, loc, rewriter.getFloatAttr(type, number));
    for (Value &element : partial)
      element = arith::MulFOp::create(rewriter, loc, element, factor);
  }
  SmallVector<Value> totals =
      combineThreads(loc, kind, std::move(partial), reduced);

  if (!isa<VectorType>(reduce.getDest().getType())) {
    Value total = vector::makeArithReduction(rewriter, loc, kind,
                                             totals.front(), reduce.getAcc());
    rewriter.replaceAllUsesWith(reduce.getDest(), total);
    return;
  }
  SmallVector<int64_t> elements;
  for (std::optional<AxisId> axis : kept)
    elements.push_back(getLocalSize(axis));
  Pieces result = gather(loc, type, kept, [&](ArrayRef<int64_t> index) {
    return totals[linearize(index, elements)];
  });
  for (auto [piece, acc] :
       llvm::zip_equal(result.values, lookup(reduce.getAcc()).values))
    piece = vector::makeArithReduction(rewriter, loc, kind, piece, acc);
  set(reduce.getDest(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Converts `value` to `type`, or to a vector of `type`.
static Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == type)
    return value;
  Type to = type;
  if (auto vectorType = dyn_cast<VectorType>(value.getType()))
    to = vectorType.clone(type);
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, to, value);
  return arith::ExtSIOp::create(builder, loc, to, value);
}

void Distributor::visitContraction(vector::ContractionOp contract) {
  Location loc = contract.getLoc();
  CombiningKind kind = contract.getKind();
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  AxisList loops = axes.get(contract), reduced;
  SmallVector<int64_t> steps;
  SmallVector<unsigned> reducedLoops;
  for (auto [dim, iterator] : llvm::enumerate(contract.getIteratorTypesArray()))
    if (iterator == vector::IteratorType::reduction) {
      reduced.push_back(loops[dim]);
      reducedLoops.push_back(dim);
      steps.push_back(getLocalSize(loops[dim]));
    }
  bool acrossThreads = llvm::any_of(reduced, [&](std::optional<AxisId> axis) {
    return axis && layout[*axis].threads != 1;
  });
  Type type = getElementTypeOrSelf(contract.getResultType());
  bool isScalar = !isa<VectorType>(contract.getResultType());
  AxisList own = isScalar ? AxisList() : getAxes(contract.getResult());
  Pieces result = makePieces(own);
  VectorType pieceType = VectorType::get({result.width}, type);
  AffineMap resultMap = maps.back();
  std::optional<unsigned> lastLoop;
  if (resultMap.getNumResults() != 0)
    lastLoop = resultMap.getDimPosition(resultMap.getNumResults() - 1);

  // The operand elements that belong to `width` neighbours of the result along
  // its last loop.
  SmallVector<int64_t> place(maps.front().getNumDims(), 0);
  auto getOperand = [&](Value operand, AffineMap map) -> Value {
    const Pieces &source = lookup(operand);
    auto get = [&](int64_t offset) {
      SmallVector<int64_t> index;
      for (unsigned i = 0; i != map.getNumResults(); ++i) {
        unsigned loop = map.getDimPosition(i);
        index.push_back(place[loop] + (loop == lastLoop ? offset : 0));
      }
      return index;
    };
    bool isAlong =
        lastLoop && llvm::is_contained(map.getResults(),
                                       rewriter.getAffineDimExpr(*lastLoop));
    if (!isAlong || result.width == 1)
      return extend(
          rewriter, loc,
          vector::BroadcastOp::create(
              rewriter, loc,
              pieceType.clone(getElementTypeOrSelf(operand.getType())),
              getElement(loc, source, get(0))),
          type);
    if (map.getDimPosition(map.getNumResults() - 1) == *lastLoop) {
      SmallVector<int64_t> index = get(0);
      index.back() /= source.width;
      return extend(rewriter, loc,
                    source.values[linearize(index, source.shape)], type);
    }
    SmallVector<Value> elements;
    for (int64_t i = 0; i != result.width; ++i)
      elements.push_back(getElement(loc, source, get(i)));
    return extend(rewriter, loc,
                  vector::FromElementsOp::create(
                      rewriter, loc,
                      pieceType.clone(getElementTypeOrSelf(operand.getType())),
                      elements),
                  type);
  };

  SmallVector<Value> accumulators;
  if (isScalar)
    accumulators.push_back(vector::BroadcastOp::create(rewriter, loc, pieceType,
                                                       contract.getAcc()));
  else
    accumulators = lookup(contract.getAcc()).values;
  SmallVector<Value> sums =
      acrossThreads ? SmallVector<Value>(accumulators.size()) : accumulators;

  forEachIndex(steps, [&](ArrayRef<int64_t> step) {
    Value inside;
    for (auto [loop, i] : llvm::zip_equal(reducedLoops, step)) {
      place[loop] = i;
      inside = conjoin(loc, inside, isOnAxis(loc, loops[loop], i));
    }
    size_t next = 0;
    forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
      for (unsigned i = 0; i != resultMap.getNumResults(); ++i) {
        unsigned loop = resultMap.getDimPosition(i);
        place[loop] = piece[i] * (loop == lastLoop ? result.width : 1);
      }
      Value lhs = getOperand(contract.getLhs(), maps[0]);
      Value rhs = getOperand(contract.getRhs(), maps[1]);
      Value &sum = sums[next++], before = sum;
      if (!before && inside)
        before = makeNeutral(rewriter, loc, kind, pieceType);
      if (before && kind == CombiningKind::ADD && isa<FloatType>(type)) {
        sum = vector::FMAOp::create(rewriter, loc, lhs, rhs, before);
      } else {
        sum = isa<FloatType>(type)
                  ? Value(arith::MulFOp::create(rewriter, loc, lhs, rhs))
                  : Value(arith::MulIOp::create(rewriter, loc, lhs, rhs));
        if (before)
          sum = vector::makeArithReduction(rewriter, loc, kind, sum, before);
      }
      if (inside)
        sum = arith::SelectOp::create(rewriter, loc, inside, sum, before);
    });
  });

  if (acrossThreads) {
    SmallVector<Value> partial;
    for (Value sum : sums)
      for (int64_t i = 0; i != result.width; ++i)
        partial.push_back(vector::ExtractOp::create(rewriter, loc, sum, i));
    SmallVector<Value> totals =
        combineThreads(loc, kind, std::move(partial), reduced);
    for (size_t i = 0; i != sums.size(); ++i) {
      Value total = vector::FromElementsOp::create(
          rewriter, loc, pieceType,
          ArrayRef(totals).slice(i * result.width, result.width));
      sums[i] = vector::makeArithReduction(rewriter, loc, kind, total,
                                           accumulators[i]);
    }
  }
  if (isScalar) {
    Value sum =
        vector::ExtractOp::create(rewriter, loc, sums.front(), int64_t(0));
    rewriter.replaceAllUsesWith(contract.getResult(), sum);
    return;
  }
  result.values = std::move(sums);
  set(contract.getResult(), std::move(result));
}
