//===- Structure.cpp - Operations that are nearly right ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mutations of a text that parses: they keep most of what the parser and
// the verifiers ask for, so that the input gets further than that. Bench.
//
//===----------------------------------------------------------------------===//

#include "bench/fuzz/Mutations.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork::fuzz;

namespace {
class Mutator {
public:
  Mutator(ModuleOp module, const Corpus &corpus, Random &random)
      : module(module), corpus(corpus), random(random) {}

  void mutate();

private:
  void erase(Operation *op);
  void copy(Operation *op);
  void move(Operation *op);
  void changeOperand(Operation *op);
  void changeAttribute(Operation *op);
  void changeType(Operation *op);
  Attribute change(Attribute attribute);
  Type change(Type type);
  int64_t pickInteger();
  /// A word of the corpus without its first sign, or without its quotes.
  std::string pickName(Token::Kind kind);
  /// A value of `type` in front of `op`, if there is one.
  Value pickValue(Type type, Operation *op);

  ModuleOp module;
  const Corpus &corpus;
  Random &random;
};
} // namespace

int64_t Mutator::pickInteger() {
  static constexpr int64_t values[] = {0,
                                       1,
                                       -1,
                                       2,
                                       3,
                                       5,
                                       8,
                                       16,
                                       1024,
                                       65536,
                                       INT32_MAX,
                                       int64_t(INT32_MAX) + 1,
                                       INT32_MIN,
                                       int64_t(1) << 32,
                                       int64_t(1) << 62,
                                       INT64_MAX,
                                       INT64_MIN,
                                       INT64_MIN + 1};
  return random.chance(0.3) ? random.between(-4, 70)
                            : random.oneOf(ArrayRef(values));
}

std::string Mutator::pickName(Token::Kind kind) {
  if (corpus.getWords(kind).empty())
    return "";
  StringRef word = random.oneOf(corpus.getWords(kind));
  return (kind == Token::Text ? word.drop_front().drop_back()
                              : word.drop_front())
      .str();
}

Value Mutator::pickValue(Type type, Operation *op) {
  SmallVector<Value> values;
  for (Operation *at = op; at; at = at->getParentOp()) {
    if (Block *block = at->getBlock()) {
      for (Operation &before : *block) {
        if (&before == at)
          break;
        llvm::append_range(values, before.getResults());
      }
      llvm::append_range(values, block->getArguments());
    }
  }
  if (random.chance(0.9))
    llvm::erase_if(values,
                   [&](Value value) { return value.getType() != type; });
  return values.empty() ? Value() : values[random.below(values.size())];
}

void Mutator::erase(Operation *op) {
  for (Value result : op->getResults()) {
    Value other = pickValue(result.getType(), op);
    if (!other && !result.use_empty())
      return;
    if (other)
      result.replaceAllUsesWith(other);
  }
  op->erase();
}

void Mutator::copy(Operation *op) {
  Operation *twin = op->clone();
  op->getBlock()->getOperations().insertAfter(op->getIterator(), twin);
  for (auto [old, fresh] : llvm::zip(op->getResults(), twin->getResults()))
    if (random.chance(0.5))
      old.replaceUsesWithIf(
          fresh, [&](OpOperand &use) { return use.getOwner() != twin; });
}

void Mutator::move(Operation *op) {
  SmallVector<Operation *> others;
  for (Operation &other : *op->getBlock())
    others.push_back(&other);
  Operation *other = others[random.below(others.size())];
  if (other != op)
    op->moveBefore(other);
}

void Mutator::changeOperand(Operation *op) {
  if (op->getNumOperands() == 0)
    return;
  OpOperand &operand = op->getOpOperand(random.below(op->getNumOperands()));
  if (Value value = pickValue(operand.get().getType(), op))
    operand.set(value);
}

Attribute Mutator::change(Attribute attribute) {
  MLIRContext *context = module.getContext();
  return llvm::TypeSwitch<Attribute, Attribute>(attribute)
      .Case(
          [&](BoolAttr old) { return BoolAttr::get(context, !old.getValue()); })
      .Case([&](IntegerAttr old) {
        unsigned width = old.getValue().getBitWidth();
        return IntegerAttr::get(old.getType(),
                                APInt(64, pickInteger()).sextOrTrunc(width));
      })
      .Case([&](DenseI64ArrayAttr old) {
        SmallVector<int64_t> values(old.asArrayRef());
        if (values.empty() || random.chance(0.2))
          values.push_back(pickInteger());
        else if (random.chance(0.2))
          values.pop_back();
        else
          values[random.below(values.size())] = pickInteger();
        return DenseI64ArrayAttr::get(context, values);
      })
      .Case([&](DenseI32ArrayAttr old) {
        SmallVector<int32_t> values(old.asArrayRef());
        if (!values.empty())
          values[random.below(values.size())] = random.below(3);
        return DenseI32ArrayAttr::get(context, values);
      })
      .Case([&](DenseBoolArrayAttr old) {
        SmallVector<bool> values(old.asArrayRef());
        if (values.empty() || random.chance(0.3))
          values.push_back(random.chance(0.5));
        else
          values[random.below(values.size())] ^= true;
        return DenseBoolArrayAttr::get(context, values);
      })
      .Case([&](ArrayAttr old) -> Attribute {
        SmallVector<Attribute> values(old.getValue());
        if (values.empty())
          return ArrayAttr::get(
              context,
              {IntegerAttr::get(IntegerType::get(context, 64), pickInteger())});
        unsigned at = random.below(values.size());
        switch (random.below(4)) {
        case 0:
          values.push_back(values[at]);
          break;
        case 1:
          values.erase(values.begin() + at);
          break;
        default:
          values[at] = change(values[at]);
          break;
        }
        return ArrayAttr::get(context, values);
      })
      .Case([&](DictionaryAttr old) -> Attribute {
        NamedAttrList values(old);
        if (old.empty())
          return old;
        NamedAttribute named = old.getValue()[random.below(old.size())];
        if (random.chance(0.3))
          values.erase(named.getName());
        else
          values.set(named.getName(), change(named.getValue()));
        return values.getDictionary(context);
      })
      .Case([&](StringAttr) {
        std::string text = random.chance(0.1) ? "" : pickName(Token::Text);
        return StringAttr::get(context, text);
      })
      .Case([&](FlatSymbolRefAttr) {
        return FlatSymbolRefAttr::get(context, pickName(Token::Symbol));
      })
      .Case([&](TypeAttr old) { return TypeAttr::get(change(old.getValue())); })
      .Case([&](FloatAttr old) {
        double value = static_cast<double>(pickInteger());
        return FloatAttr::get(old.getType(), value);
      })
      .Default([](Attribute other) { return other; });
}

void Mutator::changeAttribute(Operation *op) {
  SmallVector<NamedAttribute> attributes(op->getAttrs());
  if (attributes.empty())
    return;
  NamedAttribute named = attributes[random.below(attributes.size())];
  StringRef name = named.getName();
  // The parser asserts these.
  if (name.ends_with("egmentSizes") || name.ends_with("egment_sizes"))
    return;
  if (random.chance(0.15))
    op->removeAttr(name);
  else
    op->setAttr(name, change(named.getValue()));
}

Type Mutator::change(Type type) {
  MLIRContext *context = module.getContext();
  auto pickElement = [&]() -> Type {
    Builder builder(context);
    Type elements[] = {
        builder.getF32Type(),   builder.getF16Type(),
        builder.getBF16Type(),  builder.getF64Type(),
        builder.getI1Type(),    builder.getIntegerType(7),
        builder.getI32Type(),   builder.getIntegerType(128),
        builder.getIndexType(), ComplexType::get(builder.getF32Type())};
    return random.oneOf(ArrayRef(elements));
  };
  if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank()) {
    SmallVector<int64_t> shape(shaped.getShape());
    if (!shape.empty() && random.chance(0.6)) {
      static constexpr int64_t sizes[] = {
          0, 1, 2, 3, 7, 64, ShapedType::kDynamic, INT32_MAX, INT64_MAX};
      shape[random.below(shape.size())] = random.oneOf(ArrayRef(sizes));
      if (auto vector = dyn_cast<VectorType>(type);
          vector && llvm::any_of(shape, [](int64_t n) { return n <= 0; }))
        return type;
      return shaped.clone(shape);
    }
    Type element = pickElement();
    if (isa<VectorType>(type) && !VectorType::isValidElementType(element))
      return type;
    if (isa<MemRefType>(type) && !BaseMemRefType::isValidElementType(element))
      return type;
    return shaped.clone(element);
  }
  if (isa<FloatType, IntegerType, IndexType>(type))
    return pickElement();
  std::string text = "!" + pickName(Token::Type);
  if (text == "!transform.op")
    text += "<\"" + pickName(Token::Text) + "\">";
  if (Type other = parseType(text, context))
    return other;
  return type;
}

/// All of one type are of another one, so that more still fits together.
void Mutator::changeType(Operation *op) {
  if (op->getNumResults() == 0)
    return;
  Value value = op->getResult(random.below(op->getNumResults()));
  Type old = value.getType(), fresh = change(old);
  if (random.chance(0.5)) {
    value.setType(fresh);
    return;
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](Type type) { return type == old ? fresh : type; });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

void Mutator::mutate() {
  SmallVector<Operation *> ops;
  module->walk([&](Operation *op) {
    bool isEnd = op->getBlock() && op->getBlock()->mightHaveTerminator() &&
                 op->getBlock()->getTerminator() == op;
    if (op != module && (!isEnd || random.chance(0.1)))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  Operation *op = ops[random.below(ops.size())];
  switch (random.below(9)) {
  case 0:
    return erase(op);
  case 1:
    return copy(op);
  case 2:
    return move(op);
  case 3:
  case 4:
    return changeOperand(op);
  case 5:
    return changeType(op);
  default:
    return changeAttribute(op);
  }
}

bool formwork::fuzz::mutateStructure(std::string &text, const Corpus &corpus,
                                     Random &random, MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return false;
  Mutator mutator(*module, corpus, random);
  for (unsigned i = 0, count = 1 + random.below(3); i < count; ++i)
    mutator.mutate();
  text.clear();
  llvm::raw_string_ostream os(text);
  // Invalid IR prints in this form alone.
  module->print(os, OpPrintingFlags().printGenericOpForm().assumeVerified());
  return true;
}
