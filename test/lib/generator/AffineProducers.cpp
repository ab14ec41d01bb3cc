//===- AffineProducers.cpp - Affine maps, loops and accesses --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

namespace formwork::testing {

static bool hasSmallRange(const Entry &entry) {
  return entry.hasRange() && entry.low >= 0 && entry.high <= (1 << 12);
}

/// d0 * a + c.
static bool produceApply(Emitter &e) {
  std::optional<Entry> entry = e.pick(Kind::Index, hasSmallRange);
  if (!entry)
    return false;
  int64_t factor = e.random.between(1, 4);
  int64_t offset = e.random.between(0, 4);
  AffineMap map =
      AffineMap::get(1, 0, e.b.getAffineDimExpr(0) * factor + offset);
  entry->value = affine::AffineApplyOp::create(e.b, e.loc, map, entry->value);
  entry->low = entry->low * factor + offset;
  entry->high = entry->high * factor + offset;
  e.add(*entry);
  return true;
}

/// min(d0, c), the size of a tile at a border.
static bool produceMin(Emitter &e) {
  std::optional<Entry> entry = e.pick(Kind::Index, hasSmallRange);
  if (!entry)
    return false;
  int64_t bound = e.random.between(1, 8);
  MLIRContext *context = e.b.getContext();
  AffineMap map = AffineMap::get(
      1, 0, {e.b.getAffineDimExpr(0), e.b.getAffineConstantExpr(bound)},
      context);
  entry->value = affine::AffineMinOp::create(e.b, e.loc, map, entry->value);
  entry->low = std::min(entry->low, bound);
  entry->high = std::min(entry->high, bound);
  e.add(*entry);
  return true;
}

static bool produceFor(Emitter &e) {
  int64_t trips = e.pickTripCount();
  uint64_t end = e.pickBodyEnd();
  auto loop = affine::AffineForOp::create(e.b, e.loc, 0, trips);
  Emitter::Scope scope(e, loop.getBody(), trips);
  e.add({.value = loop.getInductionVar(),
         .model = e.b.getIndexType(),
         .low = 0,
         .high = std::max<int64_t>(trips - 1, 0)});
  e.emitUntil(end, true);
  scope.finish();
  return true;
}

/// A nest that updates every element of a buffer in place.
static bool produceUpdate(Emitter &e) {
  auto suits = [&](const Entry &entry) {
    return e.isWritable(entry) && entry.rank() > 0 && entry.rank() < 4;
  };
  std::optional<Entry> target = e.pick(Kind::Buffer, suits);
  if (!target || e.depth + target->rank() > e.options.depth ||
      !e.charge(ShapedType::getNumElements(target->shape())))
    return false;
  Value leaf = e.scalar(target->element());
  OpBuilder::InsertionGuard guard(e.b);
  SmallVector<Value> indices;
  for (int64_t size : target->shape()) {
    auto loop = affine::AffineForOp::create(e.b, e.loc, 0, size);
    indices.push_back(loop.getInductionVar());
    e.b.setInsertionPointToStart(loop.getBody());
  }
  Value old = affine::AffineLoadOp::create(e.b, e.loc, target->value, indices);
  Value next = emitExpression(e, e.b, e.loc, {old, leaf}, 2);
  affine::AffineStoreOp::create(e.b, e.loc, next, target->value, indices);
  return true;
}

void addAffineProducers(ProducerTable &table) {
  table.append({
      {"affine.apply", OnAll, 4, produceApply, nullptr,
       Producer::Affine | Producer::Pure},
      {"affine.min", OnAll, 2, produceMin, nullptr,
       Producer::Affine | Producer::Pure},
      {"affine.for", OnLoops | OnVector | OnMixed, 3, produceFor, nullptr,
       Producer::Affine | Producer::Nesting},
      {"affine.update", OnLoops | OnBuffers | OnMixed, 3, produceUpdate,
       nullptr, Producer::Affine | Producer::Nesting | Producer::Buffers},
  });
}

} // namespace formwork::testing
