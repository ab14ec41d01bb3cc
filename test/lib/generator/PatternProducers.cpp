//===- PatternProducers.cpp - What enablers clean up ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace formwork::testing {

static bool produceConstantArithmetic(Emitter &e) {
  Type type = e.pickElement();
  Value lhs = e.randomConstant(type);
  Value rhs = e.randomConstant(type);
  unsigned count = 1 + e.random.below(3);
  e.add(emitExpression(e, e.b, e.loc, {lhs, rhs}, count));
  return true;
}

/// x + 0, x * 1, x - x, x ^ x, select of equals, x == x.
static bool produceIdentity(Emitter &e) {
  Kind kind = e.random.chance(0.5) ? Kind::Index : Kind::Integer;
  std::optional<Entry> entry = e.pick(kind);
  if (!entry)
    return false;
  Value value = entry->value;
  Entry result = *entry;
  switch (e.random.below(6)) {
  case 0:
    result.value =
        arith::AddIOp::create(e.b, e.loc, value, e.constant(entry->model, 0));
    break;
  case 1:
    result.value =
        arith::MulIOp::create(e.b, e.loc, value, e.constant(entry->model, 1));
    break;
  case 2:
    result.value = arith::SubIOp::create(e.b, e.loc, value, value);
    result.low = result.high = 0;
    break;
  case 3:
    result.value = arith::XOrIOp::create(e.b, e.loc, value, value);
    result.low = result.high = 0;
    break;
  case 4: {
    Value condition = e.scalar(e.b.getI1Type());
    result.value = arith::SelectOp::create(e.b, e.loc, condition, value, value);
    break;
  }
  default:
    e.add(arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::eq, value,
                                value));
    return true;
  }
  e.add(result);
  return true;
}

/// A second copy of a pure op in the pool.
static bool produceDuplicate(Emitter &e) {
  static constexpr Kind kinds[] = {Kind::Index, Kind::Integer, Kind::Float,
                                   Kind::Tensor, Kind::Vector};
  auto isCopyable = [](const Entry &entry) {
    Operation *op = entry.value.getDefiningOp();
    return op && op->getNumResults() == 1 && isMemoryEffectFree(op) &&
           (op->getNumRegions() == 0 || isa<linalg::LinalgOp>(op));
  };
  std::optional<Entry> entry = e.pick(e.random.oneOf<Kind>(kinds), isCopyable);
  if (!entry)
    return false;
  Operation *op = entry->value.getDefiningOp();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    uint64_t points = 1;
    for (int64_t size : entry->shape())
      points *= size;
    if (!e.charge(points * e.options.maxDim))
      return false;
  }
  Operation *copy = e.b.clone(*op);
  if (copy->hasTrait<OpTrait::IsCommutative>() && copy->getNumOperands() == 2 &&
      e.random.chance(0.5)) {
    Value first = copy->getOperand(0);
    copy->setOperand(0, copy->getOperand(1));
    copy->setOperand(1, first);
  }
  entry->value = copy->getResult(0);
  e.add(*entry);
  return true;
}

/// In a loop, an op whose operands are all from outside.
static bool produceInvariant(Emitter &e) {
  if (e.depth == 0 || e.outerOnly || e.pureOnly)
    return false;
  e.outerOnly = e.pureOnly = true;
  auto restore =
      llvm::make_scope_exit([&] { e.outerOnly = e.pureOnly = false; });
  return e.emitOne();
}

/// A pure op, or a chain of two, that leaves nothing in the pool.
static bool produceDead(Emitter &e) {
  if (e.pureOnly)
    return false;
  e.pureOnly = true;
  size_t mark = e.pool.mark();
  auto restore = llvm::make_scope_exit([&] {
    e.pureOnly = false;
    e.pool.rollback(mark);
  });
  unsigned count = 1 + e.random.below(2);
  bool any = false;
  for (unsigned i = 0; i < count; ++i)
    any |= e.emitOne();
  return any;
}

static bool produceTensorSelfCopy(Emitter &e) {
  std::optional<Entry> entry = e.pick(Kind::Tensor);
  if (!entry)
    return false;
  Entry result = *entry;
  switch (e.random.below(3)) {
  case 0: {
    auto type = cast<RankedTensorType>(e.hideSizes(entry->model));
    Value forth = e.coerce(*entry, type);
    if (forth == entry->value)
      forth = tensor::CastOp::create(
          e.b, e.loc,
          RankedTensorType::get(
              SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic),
              type.getElementType()),
          forth);
    result.value =
        tensor::CastOp::create(e.b, e.loc, entry->value.getType(), forth);
    break;
  }
  case 1: {
    if (entry->rank() == 0)
      return false;
    Slice slice = pickSlice(e, entry->shape());
    Entry part = emitExtractSlice(e, *entry, slice);
    result.value = tensor::InsertSliceOp::create(e.b, e.loc, part.value,
                                                 entry->value, slice.offsets,
                                                 slice.sizes, slice.strides);
    break;
  }
  default:
    if (!e.hasLinalg() || !e.charge(1))
      return false;
    result.value =
        linalg::CopyOp::create(e.b, e.loc, entry->value, entry->value)
            .getResult(0);
    break;
  }
  e.add(result);
  return true;
}

static bool produceBufferSelfCopy(Emitter &e) {
  auto isWritable = [&](const Entry &entry) { return e.isWritable(entry); };
  std::optional<Entry> entry = e.pick(Kind::Buffer, isWritable);
  if (!entry)
    return false;
  if (e.random.chance(0.5)) {
    memref::CopyOp::create(e.b, e.loc, entry->value, entry->value);
    return true;
  }
  SmallVector<Value> indices;
  for (int64_t size : entry->shape())
    indices.push_back(e.indexBelow(size));
  Value element = memref::LoadOp::create(e.b, e.loc, entry->value, indices);
  memref::StoreOp::create(e.b, e.loc, element, entry->value, indices);
  return true;
}

void addPatternProducers(ProducerTable &table) {
  table.append({
      {"fold.constants", OnAll, 4, produceConstantArithmetic, &Densities::fold,
       Producer::Pure},
      {"fold.identity", OnAll, 4, produceIdentity, &Densities::fold,
       Producer::Pure},
      {"cse.duplicate", OnAll, 7, produceDuplicate, &Densities::duplicate,
       Producer::Nothing},
      {"licm.invariant", OnAll, 7, produceInvariant, &Densities::invariant},
      {"dce.dead", OnAll, 5, produceDead, &Densities::dead},
      {"copy.tensor", OnAll & ~OnBuffers, 4, produceTensorSelfCopy,
       &Densities::selfCopy, Producer::Tensors | Producer::Pure},
      {"copy.buffer", OnAll & ~OnLinalg, 4, produceBufferSelfCopy,
       &Densities::selfCopy, Producer::Buffers},
  });
}

} // namespace formwork::testing
