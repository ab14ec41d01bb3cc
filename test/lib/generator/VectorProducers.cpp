//===- VectorProducers.cpp - Vectors --------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace formwork::testing {

static bool hasRank(const Entry &entry) { return entry.rank() > 0; }

static std::optional<Entry> pickVector(Emitter &e, int64_t minRank,
                                       int64_t maxRank) {
  auto suits = [&](const Entry &entry) {
    return entry.rank() >= minRank && entry.rank() <= maxRank;
  };
  if (e.random.chance(0.9))
    if (std::optional<Entry> entry = e.pick(Kind::Vector, suits))
      return entry;
  if (maxRank == 0)
    return std::nullopt;
  SmallVector<int64_t> shape =
      e.pickShape(std::max<int64_t>(minRank, 1), std::min<int64_t>(maxRank, 3));
  auto type = VectorType::get(shape, e.pickElement());
  Value value = e.vector(type);
  return Entry{.value = value, .model = type, .depth = e.depth};
}

static bool produceArith(Emitter &e) {
  std::optional<Entry> lhs = pickVector(e, 1, 4);
  if (!lhs)
    return false;
  Value rhs = e.vector(cast<VectorType>(lhs->model));
  unsigned count = e.random.between(1, 2);
  e.add(emitExpression(e, e.b, e.loc, {lhs->value, rhs}, count));
  return true;
}

static bool produceFMA(Emitter &e) {
  std::optional<Entry> lhs = pickVector(e, 1, 4);
  if (!lhs || !isa<FloatType>(lhs->element()))
    return false;
  auto type = cast<VectorType>(lhs->model);
  Value rhs = e.vector(type);
  Value accumulator = e.vector(type);
  e.add(vector::FMAOp::create(e.b, e.loc, lhs->value, rhs, accumulator));
  return true;
}

static bool produceBroadcast(Emitter &e) {
  std::optional<Entry> source = pickVector(e, 1, 2);
  if (!source)
    return false;
  SmallVector<int64_t> shape(source->shape());
  shape.insert(shape.begin(), e.pickDim());
  auto type = VectorType::get(shape, source->element());
  Value value = source->value;
  if (e.random.chance(0.4))
    value = e.scalar(source->element());
  e.add(vector::BroadcastOp::create(e.b, e.loc, type, value));
  return true;
}

static bool produceTranspose(Emitter &e) {
  std::optional<Entry> source = pickVector(e, 2, 3);
  if (!source)
    return false;
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, source->rank()));
  std::reverse(permutation.begin() + e.random.below(2), permutation.end());
  e.add(vector::TransposeOp::create(e.b, e.loc, source->value, permutation));
  return true;
}

/// Flattens a vector, or adds or removes leading unit dimensions.
static bool produceShapeCast(Emitter &e) {
  std::optional<Entry> source = pickVector(e, 1, 3);
  if (!source)
    return false;
  SmallVector<int64_t> shape(source->shape());
  if (e.random.chance(0.4)) {
    shape = {ShapedType::getNumElements(shape)};
  } else if (shape.size() > 1 && shape.front() == 1) {
    shape.erase(shape.begin());
  } else {
    shape.insert(shape.begin(), 1);
  }
  auto type = VectorType::get(shape, source->element());
  e.add(vector::ShapeCastOp::create(e.b, e.loc, type, source->value));
  return true;
}

static bool produceExtract(Emitter &e) {
  std::optional<Entry> source = pickVector(e, 1, 3);
  if (!source)
    return false;
  unsigned count = e.random.between(1, source->rank());
  SmallVector<OpFoldResult> position;
  for (int64_t size : source->shape().take_front(count)) {
    if (e.random.chance(0.5))
      position.push_back(e.b.getIndexAttr(e.random.below(size)));
    else
      position.push_back(e.indexBelow(size));
  }
  e.add(vector::ExtractOp::create(e.b, e.loc, source->value, position));
  return true;
}

static bool produceInsert(Emitter &e) {
  std::optional<Entry> target = pickVector(e, 1, 3);
  if (!target)
    return false;
  unsigned count = e.random.between(1, target->rank());
  Value part;
  ArrayRef<int64_t> rest = target->shape().drop_front(count);
  if (rest.empty())
    part = e.scalar(target->element());
  else
    part = e.vector(VectorType::get(rest, target->element()));
  SmallVector<int64_t> position;
  for (int64_t size : target->shape().take_front(count))
    position.push_back(e.random.below(size));
  e.add(vector::InsertOp::create(e.b, e.loc, part, target->value, position));
  return true;
}

static bool produceStridedSlice(Emitter &e) {
  std::optional<Entry> source = pickVector(e, 1, 3);
  if (!source)
    return false;
  SmallVector<int64_t> offsets, sizes, strides(source->rank(), 1);
  for (int64_t size : source->shape()) {
    sizes.push_back(e.random.between(1, size));
    offsets.push_back(e.random.between(0, size - sizes.back()));
  }
  if (e.random.chance(0.5)) {
    e.add(vector::ExtractStridedSliceOp::create(e.b, e.loc, source->value,
                                                offsets, sizes, strides));
    return true;
  }
  Value part = e.vector(VectorType::get(sizes, source->element()));
  e.add(vector::InsertStridedSliceOp::create(e.b, e.loc, part, source->value,
                                             offsets, strides));
  return true;
}

static bool produceReduction(Emitter &e) {
  std::optional<Entry> source = pickVector(e, 1, 1);
  if (!source)
    return false;
  auto kind = e.random.chance(0.5) ? vector::CombiningKind::ADD
                                   : vector::CombiningKind::MUL;
  if (e.random.chance(0.5)) {
    Value accumulator = e.scalar(source->element());
    e.add(vector::ReductionOp::create(e.b, e.loc, kind, source->value,
                                      accumulator));
    return true;
  }
  e.add(vector::ReductionOp::create(e.b, e.loc, kind, source->value));
  return true;
}

static bool produceMultiReduction(Emitter &e) {
  std::optional<Entry> source = pickVector(e, 2, 3);
  if (!source)
    return false;
  SmallVector<bool> mask;
  SmallVector<int64_t> kept;
  int64_t reduced = e.random.below(source->rank());
  for (auto [dim, size] : llvm::enumerate(source->shape())) {
    mask.push_back(int64_t(dim) == reduced);
    if (!mask.back())
      kept.push_back(size);
  }
  Value accumulator = e.vector(VectorType::get(kept, source->element()));
  e.add(vector::MultiDimReductionOp::create(e.b, e.loc, source->value,
                                            accumulator, mask,
                                            vector::CombiningKind::ADD));
  return true;
}

static bool produceContract(Emitter &e) {
  std::optional<Entry> lhs = pickVector(e, 2, 2);
  if (!lhs)
    return false;
  int64_t m = lhs->shape()[0], k = lhs->shape()[1], n = e.pickDim();
  if (!e.charge(m * n * k))
    return false;
  Type element = lhs->element();
  bool transposed = e.random.chance(0.3);
  SmallVector<int64_t> rhsShape = {k, n};
  if (transposed)
    std::swap(rhsShape[0], rhsShape[1]);
  Value rhs = e.vector(VectorType::get(rhsShape, element));
  Value accumulator = e.vector(VectorType::get({m, n}, element));
  AffineExpr i, j, l;
  bindDims(e.b.getContext(), i, j, l);
  SmallVector<AffineExpr> rhsDims = {l, j};
  if (transposed)
    std::swap(rhsDims[0], rhsDims[1]);
  e.add(vector::ContractionOp::create(
      e.b, e.loc, lhs->value, rhs, accumulator,
      ArrayRef<ArrayRef<AffineExpr>>{{i, l}, rhsDims, {i, j}},
      ArrayRef<vector::IteratorType>{vector::IteratorType::parallel,
                                     vector::IteratorType::parallel,
                                     vector::IteratorType::reduction}));
  return true;
}

static bool produceSelect(Emitter &e) {
  std::optional<Entry> first = pickVector(e, 1, 3);
  if (!first || first->element().isInteger(1))
    return false;
  Value second = e.vector(cast<VectorType>(first->model));
  SmallVector<Value> bounds;
  for (int64_t size : first->shape())
    bounds.push_back(e.indexBelow(size));
  auto maskType = VectorType::get(first->shape(), e.b.getI1Type());
  Value mask = vector::CreateMaskOp::create(e.b, e.loc, maskType, bounds);
  e.add(arith::SelectOp::create(e.b, e.loc, mask, first->value, second));
  return true;
}

/// Where a transfer of some sizes starts, and whether it stays inside.
struct Transfer {
  SmallVector<Value> indices;
  SmallVector<bool> inBounds;
  VectorType type;
};

/// A transfer at the trailing dimensions of `shaped`. Reads that go out of
/// bounds are padded, and such writes are dropped, so both are well defined
/// where `inBounds` says false.
static Transfer pickTransfer(Emitter &e, const Entry &shaped) {
  Transfer transfer;
  int64_t rank = e.random.between(1, std::min<int64_t>(shaped.rank(), 3));
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shaped.shape())) {
    if (int64_t(dim) < shaped.rank() - rank) {
      transfer.indices.push_back(e.indexBelow(size));
      continue;
    }
    int64_t extent = e.random.chance(0.5) ? size : e.pickDim();
    bool fits = extent <= size && e.random.chance(0.8);
    transfer.indices.push_back(e.indexBelow(fits ? size - extent + 1 : size));
    transfer.inBounds.push_back(fits);
    shape.push_back(extent);
  }
  transfer.type = VectorType::get(shape, shaped.element());
  return transfer;
}

static bool produceTransferRead(Emitter &e) {
  std::optional<Entry> source = e.pick(e.pickShapedKind(), hasRank);
  if (!source)
    return false;
  Transfer transfer = pickTransfer(e, *source);
  Value padding = e.scalar(source->element());
  e.add(vector::TransferReadOp::create(
      e.b, e.loc, transfer.type, source->value, transfer.indices,
      std::optional<Value>(padding), ArrayRef<bool>(transfer.inBounds)));
  return true;
}

static bool produceTransferWrite(Emitter &e) {
  Kind kind = e.pickShapedKind();
  auto suits = [&](const Entry &entry) {
    return entry.rank() > 0 && (kind == Kind::Tensor || e.isWritable(entry));
  };
  std::optional<Entry> target = e.pick(kind, suits);
  if (!target)
    return false;
  Transfer transfer = pickTransfer(e, *target);
  Value value = e.vector(transfer.type);
  auto op = vector::TransferWriteOp::create(e.b, e.loc, value, target->value,
                                            transfer.indices,
                                            ArrayRef<bool>(transfer.inBounds));
  if (kind == Kind::Tensor) {
    target->value = op.getResult();
    e.add(*target);
  }
  return true;
}

/// Vector loads and stores: in bounds, along a contiguous last dimension.
static bool produceLoadStore(Emitter &e) {
  bool stores = e.random.chance(0.5);
  auto suits = [&](const Entry &entry) {
    auto type = cast<MemRefType>(entry.value.getType());
    return entry.rank() > 0 && type.isLastDimUnitStride() &&
           (!stores || e.isWritable(entry));
  };
  std::optional<Entry> buffer = e.pick(Kind::Buffer, suits);
  if (!buffer)
    return false;
  SmallVector<Value> indices;
  for (int64_t size : buffer->shape().drop_back())
    indices.push_back(e.indexBelow(size));
  int64_t last = buffer->shape().back();
  int64_t extent = e.random.between(1, last);
  indices.push_back(e.indexBelow(last - extent + 1));
  auto type = VectorType::get({extent}, buffer->element());
  if (stores) {
    Value value = e.vector(type);
    vector::StoreOp::create(e.b, e.loc, value, buffer->value, indices);
    return true;
  }
  e.add(vector::LoadOp::create(e.b, e.loc, type, buffer->value, indices));
  return true;
}

void addVectorProducers(ProducerTable &table) {
  constexpr unsigned levels = OnVector | OnMixed;
  auto add = [&](StringLiteral name, unsigned weight, Producer::Run run,
                 unsigned flags = Producer::Pure) {
    table.push_back({name, levels, weight, run, nullptr, flags});
  };
  add("vector.arith", 6, produceArith);
  add("vector.fma", 3, produceFMA);
  add("vector.broadcast", 3, produceBroadcast);
  add("vector.transpose", 2, produceTranspose);
  add("vector.shape_cast", 3, produceShapeCast);
  add("vector.extract", 3, produceExtract);
  add("vector.insert", 2, produceInsert);
  add("vector.strided_slice", 3, produceStridedSlice);
  add("vector.reduction", 2, produceReduction);
  add("vector.multi_reduction", 2, produceMultiReduction);
  add("vector.contract", 4, produceContract);
  add("vector.select", 2, produceSelect);
  add("vector.transfer_read", 8, produceTransferRead, Producer::PureOnTensors);
  add("vector.transfer_write", 8, produceTransferWrite,
      Producer::PureOnTensors);
  add("vector.load-store", 4, produceLoadStore, Producer::Buffers);
}

} // namespace formwork::testing
