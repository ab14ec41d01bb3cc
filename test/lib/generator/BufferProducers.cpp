//===- BufferProducers.cpp - Buffers without linalg -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace formwork::testing {

static bool hasRank(const Entry &entry) { return entry.rank() > 0; }

Entry emitSubView(Emitter &e, const Entry &source, const Slice &slice) {
  Entry result = source;
  result.value = memref::SubViewOp::create(
      e.b, e.loc, source.value, slice.offsets, slice.sizes, slice.strides);
  result.model = MemRefType::get(slice.shape, source.element());
  return result;
}

static SmallVector<Value> pickIndices(Emitter &e, const Entry &entry) {
  SmallVector<Value> indices;
  for (int64_t size : entry.shape())
    indices.push_back(e.indexBelow(size));
  return indices;
}

void emitStoreTo(Emitter &e, const Entry &target) {
  Value value = e.scalar(target.element());
  SmallVector<Value> indices = pickIndices(e, target);
  memref::StoreOp::create(e.b, e.loc, value, target.value, indices);
}

static bool produceAlloc(Emitter &e) {
  SmallVector<int64_t> shape = e.pickShape(1, 3);
  auto model = MemRefType::get(shape, e.pickElement());
  return e.newBuffer(model, Use::Update).has_value();
}

static bool produceLoad(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Buffer);
  if (!source)
    return false;
  SmallVector<Value> indices = pickIndices(e, *source);
  e.add(memref::LoadOp::create(e.b, e.loc, source->value, indices));
  return true;
}

static std::optional<Entry> pickWritable(Emitter &e) {
  return e.pick(Kind::Buffer,
                [&](const Entry &entry) { return e.isWritable(entry); });
}

static bool produceStore(Emitter &e) {
  std::optional<Entry> target = pickWritable(e);
  if (!target)
    return false;
  emitStoreTo(e, *target);
  return true;
}

static bool produceSubView(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Buffer, hasRank);
  if (!source)
    return false;
  Slice slice = pickSlice(e, source->shape());
  e.add(emitSubView(e, *source, slice));
  return true;
}

/// A subview without those of its dimensions that have size one.
static bool produceRankReducingSubView(Emitter &e) {
  auto suits = [](const Entry &entry) { return entry.rank() > 1; };
  std::optional<Entry> source = e.pick(Kind::Buffer, suits);
  if (!source)
    return false;
  Slice slice = pickRankReducingSlice(e, source->shape());
  ReducedShape reduced = dropUnitSizes(slice);
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      reduced.type, cast<MemRefType>(source->value.getType()), slice.offsets,
      slice.sizes, slice.strides);
  source->value =
      memref::SubViewOp::create(e.b, e.loc, type, source->value, slice.offsets,
                                slice.sizes, slice.strides);
  source->model = MemRefType::get(reduced.model, source->element());
  e.add(*source);
  return true;
}

static bool produceCopy(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Buffer);
  if (!source)
    return false;
  std::optional<Entry> target =
      e.buffer(cast<MemRefType>(source->model), Use::Overwrite, source->root);
  if (!target || !e.charge(ShapedType::getNumElements(source->shape())))
    return false;
  memref::CopyOp::create(e.b, e.loc, source->value, target->value);
  e.written(*target);
  return true;
}

static bool produceCast(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Buffer, hasRank);
  if (!source)
    return false;
  Value value = e.coerce(*source, e.hideSizes(source->model));
  if (!value || value == source->value)
    return false;
  source->value = value;
  e.add(*source);
  return true;
}

static bool produceDim(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Buffer, hasRank);
  if (!source)
    return false;
  int64_t dim = e.random.below(source->rank());
  int64_t size = source->shape()[dim];
  e.add({.value = memref::DimOp::create(e.b, e.loc, source->value, dim),
         .model = e.b.getIndexType(),
         .low = size,
         .high = size});
  return true;
}

/// Adds a unit dimension in front, or takes one away there.
static bool produceUnitReshape(Emitter &e) {
  auto suits = [](const Entry &entry) {
    auto type = cast<MemRefType>(entry.value.getType());
    return entry.rank() > 0 && entry.rank() < 4 && type.hasStaticShape() &&
           type.getLayout().isIdentity();
  };
  std::optional<Entry> source = e.pick(Kind::Buffer, suits);
  if (!source)
    return false;
  SmallVector<int64_t> shape(source->shape());
  bool collapses = shape.size() > 1 && shape.front() == 1;
  int64_t narrow = collapses ? shape.size() - 1 : shape.size();
  SmallVector<ReassociationIndices> groups = {{0, 1}};
  for (int64_t i = 1; i < narrow; ++i)
    groups.push_back({i + 1});
  if (collapses) {
    shape.erase(shape.begin());
    source->value =
        memref::CollapseShapeOp::create(e.b, e.loc, source->value, groups);
  } else {
    shape.insert(shape.begin(), 1);
    source->value =
        memref::ExpandShapeOp::create(e.b, e.loc, shape, source->value, groups);
  }
  source->model = MemRefType::get(shape, source->element());
  e.add(*source);
  return true;
}

void addBufferProducers(ProducerTable &table) {
  constexpr unsigned levels = OnLoops | OnVector | OnBuffers | OnMixed;
  constexpr unsigned flags = Producer::Buffers;
  table.append({
      {"memref.alloc", levels, 3, produceAlloc, &Densities::empty, flags},
      {"memref.load", levels, 6, produceLoad, nullptr, flags},
      {"memref.store", levels, 6, produceStore, nullptr, flags},
      {"memref.subview", levels, 5, produceSubView, &Densities::slice, flags},
      {"memref.subview-rank-reducing", levels, 2, produceRankReducingSubView,
       &Densities::unitDim, flags},
      {"memref.copy", levels, 4, produceCopy, nullptr, flags},
      {"memref.cast", levels, 2, produceCast, nullptr, flags},
      {"memref.dim", levels, 2, produceDim, nullptr, flags},
      {"memref.reshape-unit", levels, 3, produceUnitReshape,
       &Densities::unitDim, flags},
  });
}

} // namespace formwork::testing
