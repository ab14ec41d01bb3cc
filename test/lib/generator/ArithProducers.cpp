//===- ArithProducers.cpp - Scalars ---------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

using namespace mlir;

namespace formwork::testing {

template <typename... Ops>
static Value createOneOf(Random &random, OpBuilder &b, Location loc, Value lhs,
                         Value rhs) {
  using Create = Value (*)(OpBuilder &, Location, Value, Value);
  static constexpr Create creates[] = {
      [](OpBuilder &b, Location loc, Value lhs, Value rhs) -> Value {
        return Ops::create(b, loc, lhs, rhs);
      }...};
  return creates[random.below(sizeof...(Ops))](b, loc, lhs, rhs);
}

/// An op on two values of one type, scalars or vectors.
static Value createBinary(Random &random, OpBuilder &b, Location loc, Value lhs,
                          Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs)))
    return createOneOf<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                       arith::MaximumFOp, arith::MinimumFOp>(random, b, loc,
                                                             lhs, rhs);
  return createOneOf<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
                     arith::OrIOp, arith::XOrIOp, arith::MaxSIOp,
                     arith::MinUIOp>(random, b, loc, lhs, rhs);
}

Value emitExpression(Emitter &e, OpBuilder &b, Location loc,
                     ArrayRef<Value> leaves, unsigned count) {
  SmallVector<Value> values(leaves);
  for (unsigned i = 0; i < count; ++i) {
    // The newest takes part, so that the whole is one tree and nothing is dead.
    Value lhs = i == 0 ? values.front() : values.back();
    Value rhs =
        i + 1 < leaves.size() ? leaves[i + 1] : e.random.oneOf<Value>(values);
    if (e.random.chance(0.1) && isa<FloatType>(getElementTypeOrSelf(lhs)))
      values.push_back(arith::NegFOp::create(b, loc, lhs));
    else
      values.push_back(createBinary(e.random, b, loc, lhs, rhs));
  }
  return values.back();
}

static bool produceBinary(Emitter &e, bool isFloat) {
  Type type = e.pickElement(isFloat);
  if (!type)
    return false;
  Value lhs = e.scalar(type);
  Value rhs = e.scalar(type);
  e.add(createBinary(e.random, e.b, e.loc, lhs, rhs));
  return true;
}

static bool produceInteger(Emitter &e) { return produceBinary(e, false); }
static bool produceFloat(Emitter &e) { return produceBinary(e, true); }

static bool produceFloatUnary(Emitter &e) {
  Type type = e.pickElement(true);
  if (!type)
    return false;
  Value operand = e.scalar(type);
  if (e.random.chance(0.5)) {
    e.add(arith::NegFOp::create(e.b, e.loc, operand));
    return true;
  }
  Value divisor = e.scalar(type);
  e.add(arith::DivFOp::create(e.b, e.loc, operand, divisor));
  return true;
}

/// Division and shifts, whose right operand decides whether they are defined.
static bool produceDivision(Emitter &e) {
  Type type = e.pickElement(false);
  if (!type)
    return false;
  Value lhs = e.scalar(type);
  bool anyOperand = !e.options.executable && e.random.chance(0.5);
  Value rhs =
      anyOperand ? e.scalar(type) : e.constant(type, e.random.between(1, 7));
  e.add(createOneOf<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                    arith::RemUIOp, arith::FloorDivSIOp, arith::ShLIOp,
                    arith::ShRSIOp, arith::ShRUIOp>(e.random, e.b, e.loc, lhs,
                                                    rhs));
  return true;
}

static bool produceCompare(Emitter &e) {
  Type type = e.pickElement();
  Value lhs = e.scalar(type);
  Value rhs = e.scalar(type);
  if (isa<FloatType>(type)) {
    auto predicate = static_cast<arith::CmpFPredicate>(
        e.random.below(arith::getMaxEnumValForCmpFPredicate() + 1));
    e.add(arith::CmpFOp::create(e.b, e.loc, predicate, lhs, rhs));
    return true;
  }
  auto predicate = static_cast<arith::CmpIPredicate>(
      e.random.below(arith::getMaxEnumValForCmpIPredicate() + 1));
  e.add(arith::CmpIOp::create(e.b, e.loc, predicate, lhs, rhs));
  return true;
}

static bool produceSelect(Emitter &e) {
  Kind kind = e.random.chance(0.5) ? Kind::Float : Kind::Integer;
  std::optional<Entry> first = e.pick(kind);
  if (!first)
    return false;
  Value condition = e.scalar(e.b.getI1Type());
  Value second = e.scalar(first->model);
  e.add(arith::SelectOp::create(e.b, e.loc, condition, first->value, second));
  return true;
}

/// Arithmetic on indices; its range is known when those of its operands are.
static bool produceIndex(Emitter &e) {
  std::optional<Entry> entry = e.pick(Kind::Index);
  if (!entry)
    return false;
  int64_t amount = e.random.between(0, 4);
  Value operand = e.constantIndex(amount);
  Entry result = *entry;
  bool isKnown = entry->hasRange();
  switch (e.random.below(4)) {
  case 0:
    result.value = arith::AddIOp::create(e.b, e.loc, entry->value, operand);
    result.low += amount;
    result.high += amount;
    break;
  case 1:
    result.value = arith::MulIOp::create(e.b, e.loc, entry->value, operand);
    result.low *= amount;
    result.high *= amount;
    break;
  case 2:
    result.value = arith::MinSIOp::create(e.b, e.loc, entry->value, operand);
    result.low = std::min(result.low, amount);
    result.high = std::min(result.high, amount);
    break;
  default:
    operand = e.constantIndex(amount + 1);
    result.value = arith::RemUIOp::create(e.b, e.loc, entry->value, operand);
    result.low = 0;
    result.high = amount;
    isKnown = true;
    break;
  }
  // Multiples of multiples leave the range that is of use for anything.
  if (!isKnown || result.high > (1 << 16) || result.low < 0) {
    result.low = 1;
    result.high = 0;
  }
  e.add(result);
  return true;
}

static bool produceCast(Emitter &e) {
  Kind kind = e.random.chance(0.5) ? Kind::Float : Kind::Integer;
  std::optional<Entry> entry = e.pick(kind);
  Type target = e.pickElement(kind == Kind::Float);
  if (!entry || !target)
    return false;
  Value value = entry->value;
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = target.getIntOrFloatBitWidth();
  if (kind == Kind::Integer) {
    Type asFloat = e.pickElement(true);
    if (asFloat && e.random.chance(0.3))
      e.add(arith::SIToFPOp::create(e.b, e.loc, asFloat, value));
    else if (from > 1 && e.random.chance(0.3))
      e.add(arith::IndexCastOp::create(e.b, e.loc, e.b.getIndexType(), value));
    else if (from < to && e.random.chance(0.5))
      e.add(arith::ExtSIOp::create(e.b, e.loc, target, value));
    else if (from < to)
      e.add(arith::ExtUIOp::create(e.b, e.loc, target, value));
    else if (from > to)
      e.add(arith::TruncIOp::create(e.b, e.loc, target, value));
    else
      return false;
    return true;
  }
  Type asInteger = e.pickElement(false);
  // The result of a float that does not fit is poison.
  if (asInteger && !e.options.executable && e.random.chance(0.3))
    e.add(arith::FPToSIOp::create(e.b, e.loc, asInteger, value));
  else if (from < to)
    e.add(arith::ExtFOp::create(e.b, e.loc, target, value));
  else if (from > to)
    e.add(arith::TruncFOp::create(e.b, e.loc, target, value));
  else
    return false;
  return true;
}

static bool produceIndexCast(Emitter &e) {
  std::optional<Entry> entry = e.pick(Kind::Index);
  Type type = e.pickElement(false);
  if (!entry || !type)
    return false;
  e.add(arith::IndexCastOp::create(e.b, e.loc, type, entry->value));
  return true;
}

/// A call of an earlier function, so that there is no recursion.
static bool produceCall(Emitter &e) {
  if (e.callees.empty())
    return false;
  const Callee &callee = e.callees[e.random.below(e.callees.size())];
  if (!e.charge(callee.work))
    return false;
  SmallVector<Value> arguments;
  SmallVector<unsigned> roots;
  FunctionType type = func::FuncOp(callee.function).getFunctionType();
  for (auto [i, model] : llvm::enumerate(callee.argumentModels)) {
    Type argumentType = type.getInput(i);
    if (isa<IndexType>(model)) {
      arguments.push_back(e.sizeValue(callee.argumentValues[i]));
      continue;
    }
    if (!isa<MemRefType>(model)) {
      if (isa<RankedTensorType>(model) && !e.tensors)
        return false;
      arguments.push_back(e.ofType(argumentType, model));
      continue;
    }
    // Never two that may overlap, and none with a layout.
    auto suits = [&](const Entry &entry) {
      auto buffer = cast<MemRefType>(entry.value.getType());
      return buffer.getLayout().isIdentity() &&
             !llvm::is_contained(roots, entry.root);
    };
    std::optional<Entry> entry = e.pickModel(model, Use::Update, suits);
    if (!entry && e.buffers)
      entry = e.newBuffer(cast<MemRefType>(model), Use::Update);
    if (!entry)
      return false;
    roots.push_back(entry->root);
    arguments.push_back(e.coerce(*entry, argumentType));
  }
  auto call = func::CallOp::create(e.b, e.loc, callee.function, arguments);
  for (auto [result, model] :
       llvm::zip_equal(call.getResults(), callee.resultModels))
    e.add(result, model);
  return true;
}

void addArithProducers(ProducerTable &table) {
  table.append({
      {"arith.integer", OnAll, 5, produceInteger, nullptr, Producer::Pure},
      {"arith.float", OnAll, 5, produceFloat, nullptr, Producer::Pure},
      {"arith.float-unary", OnAll, 2, produceFloatUnary, nullptr,
       Producer::Pure},
      {"arith.division", OnAll, 2, produceDivision, nullptr, Producer::Pure},
      {"arith.compare", OnAll, 3, produceCompare, nullptr, Producer::Pure},
      {"arith.select", OnAll, 2, produceSelect, nullptr, Producer::Pure},
      {"arith.index", OnAll, 4, produceIndex, nullptr, Producer::Pure},
      {"arith.cast", OnAll, 3, produceCast, nullptr, Producer::Pure},
      {"arith.index-cast", OnAll, 1, produceIndexCast, nullptr, Producer::Pure},
      {"func.call", OnAll, 2, produceCall},
  });
}

} // namespace formwork::testing
