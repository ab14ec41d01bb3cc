//===- Edits.cpp - Random changes of payload --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork::test;

/// Each edit returns how to undo it, or nothing when it does not apply.
using Undo = std::function<void()>;
using Edit = Undo (*)(Operation *op, std::mt19937_64 &random);

static Undo setAttribute(Operation *op, std::mt19937_64 &random) {
  Attribute before = op->getDiscardableAttr("test.edit");
  op->setDiscardableAttr("test.edit",
                         Builder(op->getContext()).getI64IntegerAttr(random()));
  return [=] {
    if (before)
      op->setDiscardableAttr("test.edit", before);
    else
      op->removeDiscardableAttr("test.edit");
  };
}

static Undo setFastMath(Operation *op, std::mt19937_64 &random) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!math)
    return nullptr;
  StringRef name = math.getFastMathAttrName();
  Attribute before = op->getAttr(name);
  auto flags =
      random() % 2 ? arith::FastMathFlags::fast : arith::FastMathFlags::nnan;
  auto attr = arith::FastMathFlagsAttr::get(op->getContext(), flags);
  if (before == attr)
    return nullptr;
  op->setAttr(name, attr);
  return [=] { op->setAttr(name, before); };
}

static Undo setConstant(Operation *op, std::mt19937_64 &random) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return nullptr;
  TypedAttr before = constant.getValue();
  TypedAttr after;
  if (isa<IntegerType, IndexType>(before.getType()))
    after = IntegerAttr::get(before.getType(), random() % 2);
  else if (isa<FloatType>(before.getType()))
    after = FloatAttr::get(before.getType(), double(random() % 4));
  if (!after || after == before)
    return nullptr;
  constant.setValueAttr(after);
  return [=]() mutable { constant.setValueAttr(before); };
}

static Undo setOperand(Operation *op, std::mt19937_64 &random) {
  if (!op->getNumOperands())
    return nullptr;
  OpOperand &operand = op->getOpOperand(random() % op->getNumOperands());
  Value before = operand.get();
  // Another value of the type that is there already.
  SmallVector<Value> others;
  auto add = [&](Value value) {
    if (value.getType() == before.getType() && value != before)
      others.push_back(value);
  };
  for (Operation *scope = op; scope->getBlock(); scope = scope->getParentOp()) {
    llvm::for_each(scope->getBlock()->getArguments(), add);
    for (Operation &other :
         llvm::make_range(scope->getBlock()->begin(), scope->getIterator()))
      llvm::for_each(other.getResults(), add);
    if (scope->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
  }
  if (others.empty())
    return nullptr;
  operand.set(others[random() % others.size()]);
  return [&operand, before] { operand.set(before); };
}

static Undo duplicate(Operation *op, std::mt19937_64 &) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  Operation *copy = op->clone();
  op->getBlock()->getOperations().insert(std::next(op->getIterator()), copy);
  return [=] { copy->erase(); };
}

static Undo swapWithNext(Operation *op, std::mt19937_64 &) {
  Operation *next = op->getNextNode();
  if (!next || next->hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  op->moveAfter(next);
  return [=] { op->moveBefore(next); };
}

/// Erases; not to be undone, and never wrong.
static bool eraseUnused(Operation *op) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  op->erase();
  return true;
}

std::string formwork::test::applyRandomEdit(Operation *root,
                                            std::mt19937_64 &random) {
  static constexpr std::pair<const char *, Edit> edits[] = {
      {"set an attribute of", setAttribute},
      {"set the fast-math flags of", setFastMath},
      {"set the value of", setConstant},
      {"set an operand of", setOperand},
      {"duplicated", duplicate},
      {"swapped with the next op", swapWithNext}};
  ScopedDiagnosticHandler quiet(root->getContext(), [](Diagnostic &) {});
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (op != root)
      ops.push_back(op);
  });
  for (int attempt = 0; attempt < 32 && !ops.empty(); ++attempt) {
    Operation *op = ops[random() % ops.size()];
    std::string name = " '" + op->getName().getStringRef().str() + "'";
    size_t kind = random() % (std::size(edits) + 1);
    if (kind == std::size(edits)) {
      if (eraseUnused(op))
        return "erased" + name;
      continue;
    }
    Undo undo = edits[kind].second(op, random);
    if (!undo)
      continue;
    if (succeeded(verify(root)))
      return edits[kind].first + name;
    undo();
  }
  return "";
}
