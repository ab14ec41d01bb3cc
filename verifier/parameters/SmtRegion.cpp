//===- SmtRegion.cpp - Terms for regions of SMT ops -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/SmtRegion.h"

#include "mlir/Dialect/SMT/IR/SMTOps.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;

/// Domains have no room for wider symbols.
static constexpr unsigned kMaxDeclared = 62;

namespace {
class Translator {
public:
  Translator(solver::Problem &problem, StringRef prefix, AssignTerm assign)
      : problem(problem), context(problem.getContext()), vectors(context),
        prefix(prefix), assign(assign) {}

  SmtRegion translate(Block &body, ArrayRef<SmtValue> arguments);

private:
  SmtValue translate(Operation *op);
  SmtValue declare(smt::DeclareFunOp op);
  SmtValue translateBitVector(Operation *op);
  SmtValue compareBits(smt::BVCmpOp op, Bits a, Bits b);
  SmtValue choose(BoolTerm condition, const SmtValue &a, const SmtValue &b);
  BoolTerm areEqual(const SmtValue &a, const SmtValue &b);

  const SmtValue &get(Value value) {
    auto it = values.find(value);
    return it == values.end() ? outside : it->second;
  }
  IntTerm getInt(Value value) { return std::get<IntTerm>(get(value)); }
  BoolTerm getBool(Value value) { return std::get<BoolTerm>(get(value)); }
  Bits getBits(Value value) { return std::get<Bits>(get(value)); }
  SmallVector<IntTerm> getInts(ValueRange range) {
    return llvm::map_to_vector(range, [&](Value v) { return getInt(v); });
  }
  SmallVector<BoolTerm> getBools(ValueRange range) {
    return llvm::map_to_vector(range, [&](Value v) { return getBool(v); });
  }

  solver::Problem &problem;
  solver::TermContext &context;
  BitVectors vectors;
  StringRef prefix;
  AssignTerm assign;
  unsigned numDeclared = 0;
  DenseMap<Value, SmtValue> values;
  const SmtValue outside = Opaque{"a value from outside of the region"};
};
} // namespace

/// A type that no SmtValue can have, or none.
static std::optional<std::string> findUnmodelled(Type type) {
  if (isa<smt::IntType, smt::BoolType>(type))
    return std::nullopt;
  auto bits = dyn_cast<smt::BitVectorType>(type);
  if (bits && bits.getWidth() <= kMaxBitVector)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << "a value of type " << type;
  return text + " is not supported";
}

SmtValue formwork::verifier::makeSmtArgument(solver::TermContext &context,
                                             IntTerm term, Type type) {
  if (std::optional<std::string> reason = findUnmodelled(type))
    return Opaque{*reason};
  if (isa<smt::IntType>(type))
    return term;
  if (isa<smt::BoolType>(type))
    return context.notEqual(term, context.constant(0));
  unsigned width = cast<smt::BitVectorType>(type).getWidth();
  return BitVectors(context).wrap(term, width);
}

std::optional<IntTerm>
formwork::verifier::toParameter(solver::TermContext &context,
                                const SmtValue &value) {
  if (const auto *number = std::get_if<IntTerm>(&value))
    return *number;
  if (const auto *truth = std::get_if<BoolTerm>(&value))
    return context.select(*truth, context.constant(1), context.constant(0));
  if (const auto *bits = std::get_if<Bits>(&value))
    // As attributes are read: with a sign, but for a single bit.
    return bits->width == 1 ? bits->number
                            : BitVectors(context).toSigned(*bits);
  return std::nullopt;
}

SmtValue Translator::declare(smt::DeclareFunOp op) {
  Type type = op.getType();
  if (std::optional<std::string> reason = findUnmodelled(type))
    return Opaque{*reason};
  std::string name = (prefix + "." + Twine(numDeclared++)).str();
  auto declareIn = [&](solver::Domain domain) {
    return assign(
        problem.addVariable(name, std::move(domain), solver::Role::Auxiliary));
  };
  if (isa<smt::BoolType>(type))
    return context.notEqual(declareIn(solver::Domain::boolean()),
                            context.constant(0));
  if (isa<smt::IntType>(type))
    return declareIn(solver::Domain::integers());
  unsigned width = cast<smt::BitVectorType>(type).getWidth();
  if (width > kMaxDeclared)
    return Opaque{"a symbol of more than " + std::to_string(kMaxDeclared) +
                  " bits is not supported"};
  return Bits{declareIn(solver::Domain::range(0, (int64_t(1) << width) - 1)),
              width};
}

BoolTerm Translator::areEqual(const SmtValue &a, const SmtValue &b) {
  if (const auto *number = std::get_if<IntTerm>(&a))
    return context.equal(*number, std::get<IntTerm>(b));
  if (const auto *bits = std::get_if<Bits>(&a))
    return context.equal(bits->number, std::get<Bits>(b).number);
  return context.iff(std::get<BoolTerm>(a), std::get<BoolTerm>(b));
}

SmtValue Translator::choose(BoolTerm condition, const SmtValue &a,
                            const SmtValue &b) {
  if (const auto *number = std::get_if<IntTerm>(&a))
    return context.select(condition, *number, std::get<IntTerm>(b));
  if (const auto *bits = std::get_if<Bits>(&a))
    return Bits{
        context.select(condition, bits->number, std::get<Bits>(b).number),
        bits->width};
  return context.choose(condition, std::get<BoolTerm>(a),
                        std::get<BoolTerm>(b));
}

SmtValue Translator::compareBits(smt::BVCmpOp op, Bits a, Bits b) {
  using smt::BVCmpPredicate;
  BVCmpPredicate predicate = op.getPred();
  bool isSigned =
      predicate == BVCmpPredicate::slt || predicate == BVCmpPredicate::sle ||
      predicate == BVCmpPredicate::sgt || predicate == BVCmpPredicate::sge;
  IntTerm x = isSigned ? vectors.toSigned(a) : a.number;
  IntTerm y = isSigned ? vectors.toSigned(b) : b.number;
  switch (predicate) {
  case BVCmpPredicate::slt:
  case BVCmpPredicate::ult:
    return context.less(x, y);
  case BVCmpPredicate::sle:
  case BVCmpPredicate::ule:
    return context.lessEqual(x, y);
  case BVCmpPredicate::sgt:
  case BVCmpPredicate::ugt:
    return context.less(y, x);
  case BVCmpPredicate::sge:
  case BVCmpPredicate::uge:
    return context.lessEqual(y, x);
  }
  llvm_unreachable("a predicate is one of eight");
}

using BinaryOperation = Bits (BitVectors::*)(Bits, Bits) const;

/// The operation of `op` on two bit vectors; null if `op` has another effect.
static BinaryOperation getBinary(Operation *op) {
  return llvm::TypeSwitch<Operation *, BinaryOperation>(op)
      .Case<smt::BVAddOp>([](auto) { return &BitVectors::add; })
      .Case<smt::BVMulOp>([](auto) { return &BitVectors::multiply; })
      .Case<smt::BVUDivOp>([](auto) { return &BitVectors::divide; })
      .Case<smt::BVURemOp>([](auto) { return &BitVectors::remainder; })
      .Case<smt::BVSDivOp>([](auto) { return &BitVectors::divideSigned; })
      .Case<smt::BVSRemOp>([](auto) { return &BitVectors::remainderSigned; })
      .Case<smt::BVSModOp>([](auto) { return &BitVectors::moduloSigned; })
      .Case<smt::BVAndOp>([](auto) { return &BitVectors::bitwiseAnd; })
      .Case<smt::BVOrOp>([](auto) { return &BitVectors::bitwiseOr; })
      .Case<smt::BVXOrOp>([](auto) { return &BitVectors::bitwiseXor; })
      .Case<smt::BVShlOp>([](auto) { return &BitVectors::shiftLeft; })
      .Case<smt::BVLShrOp>([](auto) { return &BitVectors::shiftRight; })
      .Case<smt::BVAShrOp>([](auto) { return &BitVectors::shiftRightSigned; })
      .Case<smt::ConcatOp>([](auto) { return &BitVectors::concatenate; })
      .Default([](Operation *) { return nullptr; });
}

SmtValue Translator::translateBitVector(Operation *op) {
  if (BinaryOperation binary = getBinary(op))
    return (vectors.*binary)(getBits(op->getOperand(0)),
                             getBits(op->getOperand(1)));
  auto getWidth = [&] {
    return cast<smt::BitVectorType>(op->getResult(0).getType()).getWidth();
  };
  return llvm::TypeSwitch<Operation *, SmtValue>(op)
      .Case<smt::BVConstantOp>([&](smt::BVConstantOp constant) {
        return vectors.constant(constant.getValue().getValue());
      })
      .Case<smt::BVNegOp>([&](smt::BVNegOp neg) {
        return vectors.negate(getBits(neg.getInput()));
      })
      .Case<smt::BVNotOp>([&](smt::BVNotOp inverse) {
        return vectors.invert(getBits(inverse.getInput()));
      })
      .Case<smt::RepeatOp>([&](smt::RepeatOp repeat) {
        return vectors.repeat(getBits(repeat.getInput()), getWidth());
      })
      .Case<smt::ExtractOp>([&](smt::ExtractOp extract) {
        return vectors.extract(getBits(extract.getInput()), extract.getLowBit(),
                               getWidth());
      })
      .Case<smt::BVCmpOp>([&](smt::BVCmpOp compare) {
        return compareBits(compare, getBits(compare.getLhs()),
                           getBits(compare.getRhs()));
      })
      .Case<smt::BV2IntOp>([&](smt::BV2IntOp convert) {
        Bits bits = getBits(convert.getInput());
        return convert.getIsSigned() ? vectors.toSigned(bits) : bits.number;
      })
      .Case<smt::Int2BVOp>([&](smt::Int2BVOp convert) {
        return vectors.wrap(getInt(convert.getInput()), getWidth());
      })
      .Default([](Operation *other) {
        return Opaque{"'" + other->getName().getStringRef().str() +
                          "' is not supported",
                      other};
      });
}

/// The value of the single result of `op`, whose operands all have terms and
/// whose result has a type that is modelled.
SmtValue Translator::translate(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmtValue>(op)
      .Case<smt::DeclareFunOp>(
          [&](smt::DeclareFunOp declaration) { return declare(declaration); })
      .Case<smt::BoolConstantOp>([&](smt::BoolConstantOp constant) {
        return context.truth(constant.getValue());
      })
      .Case<smt::IntConstantOp>([&](smt::IntConstantOp constant) -> SmtValue {
        std::optional<int64_t> value = constant.getValue().trySExtValue();
        if (!value)
          return Opaque{"a constant does not fit in 64 bits"};
        return context.constant(*value);
      })
      .Case<smt::IntAddOp>(
          [&](auto add) { return context.sum(getInts(add.getInputs())); })
      .Case<smt::IntMulOp>(
          [&](auto mul) { return context.product(getInts(mul.getInputs())); })
      .Case<smt::IntSubOp>([&](auto sub) {
        return context.sub(getInt(sub.getLhs()), getInt(sub.getRhs()));
      })
      .Case<smt::IntDivOp>([&](auto div) {
        // The remainder is never negative, whatever the divisor's sign.
        IntTerm a = getInt(div.getLhs()), b = getInt(div.getRhs());
        if (b.isConstant() && b.getConstant() > 0)
          return context.floorDiv(a, b);
        return context.select(context.less(b, context.constant(0)),
                              context.ceilDiv(a, b), context.floorDiv(a, b));
      })
      .Case<smt::IntModOp>([&](auto mod) {
        return context.mod(getInt(mod.getLhs()), getInt(mod.getRhs()));
      })
      .Case<smt::IntAbsOp>([&](auto abs) {
        IntTerm a = getInt(abs.getInput());
        return context.max(a, context.negate(a));
      })
      .Case<smt::IntCmpOp>([&](smt::IntCmpOp compare) {
        IntTerm a = getInt(compare.getLhs()), b = getInt(compare.getRhs());
        switch (compare.getPred()) {
        case smt::IntPredicate::lt:
          return context.less(a, b);
        case smt::IntPredicate::le:
          return context.lessEqual(a, b);
        case smt::IntPredicate::gt:
          return context.less(b, a);
        case smt::IntPredicate::ge:
          return context.lessEqual(b, a);
        }
        llvm_unreachable("a predicate is one of four");
      })
      .Case<smt::EqOp>([&](smt::EqOp equal) {
        SmallVector<BoolTerm> terms;
        for (auto [a, b] : llvm::zip(equal.getInputs().drop_back(),
                                     equal.getInputs().drop_front()))
          terms.push_back(areEqual(get(a), get(b)));
        return context.allOf(terms);
      })
      .Case<smt::DistinctOp>([&](smt::DistinctOp distinct) {
        SmallVector<BoolTerm> terms;
        for (auto [i, a] : llvm::enumerate(distinct.getInputs()))
          for (Value b : distinct.getInputs().drop_front(i + 1))
            terms.push_back(context.logicalNot(areEqual(get(a), get(b))));
        return context.allOf(terms);
      })
      .Case<smt::IteOp>([&](smt::IteOp ite) {
        return choose(getBool(ite.getCond()), get(ite.getThenValue()),
                      get(ite.getElseValue()));
      })
      .Case<smt::NotOp>([&](smt::NotOp negation) {
        return context.logicalNot(getBool(negation.getInput()));
      })
      .Case<smt::AndOp>(
          [&](auto all) { return context.allOf(getBools(all.getInputs())); })
      .Case<smt::OrOp>(
          [&](auto any) { return context.anyOf(getBools(any.getInputs())); })
      .Case<smt::XOrOp>([&](smt::XOrOp exclusive) {
        BoolTerm result = context.truth(false);
        for (BoolTerm term : getBools(exclusive.getInputs()))
          result = context.logicalNot(context.iff(result, term));
        return result;
      })
      .Case<smt::ImpliesOp>([&](smt::ImpliesOp implication) {
        return context.implies(getBool(implication.getLhs()),
                               getBool(implication.getRhs()));
      })
      .Default([&](Operation *other) { return translateBitVector(other); });
}

SmtRegion Translator::translate(Block &body, ArrayRef<SmtValue> arguments) {
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
    values.try_emplace(argument, value);

  SmtRegion region;
  auto findOpaque = [&](Operation *op) -> std::optional<Opaque> {
    for (Value operand : op->getOperands())
      if (const auto *opaque = std::get_if<Opaque>(&get(operand)))
        return *opaque;
    for (Value result : op->getResults())
      if (std::optional<std::string> reason = findUnmodelled(result.getType()))
        return Opaque{*reason, op};
    return std::nullopt;
  };
  for (Operation &op : body) {
    std::optional<Opaque> opaque = findOpaque(&op);
    if (auto assertion = dyn_cast<smt::AssertOp>(op)) {
      if (opaque)
        region.assertions.push_back({assertion, *opaque});
      else
        region.assertions.push_back({assertion, getBool(assertion.getInput())});
    } else if (isa<smt::YieldOp>(op)) {
      for (Value operand : op.getOperands())
        region.yielded.push_back(get(operand));
    } else if (op.getNumResults() == 1) {
      values.try_emplace(op.getResult(0),
                         opaque ? SmtValue(*opaque) : translate(&op));
    } else {
      // A solver command such as push: it could change what the asserts mean.
      region.assertions.push_back(
          {&op, Opaque{"'" + op.getName().getStringRef().str() +
                           "' is not supported",
                       &op}});
      for (Value result : op.getResults())
        values.try_emplace(result,
                           Opaque{"it is a result of '" +
                                  op.getName().getStringRef().str() + "'"});
    }
  }
  return region;
}

SmtRegion formwork::verifier::translateSmtRegion(Block &body,
                                                 ArrayRef<SmtValue> arguments,
                                                 solver::Problem &problem,
                                                 StringRef prefix,
                                                 AssignTerm assign) {
  return Translator(problem, prefix, assign).translate(body, arguments);
}
