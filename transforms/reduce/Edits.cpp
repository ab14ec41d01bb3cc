//===- Edits.cpp - Ways to shrink payloads and schedules --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reduce/Edits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::transforms;

static bool isEntry(Operation *op, StringRef entry) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  return symbol && symbol.getName() == entry;
}

SmallVector<Operation *> formwork::transforms::listReducible(ModuleOp module,
                                                             StringRef entry) {
  SmallVector<Operation *> all;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<ModuleOp>(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
        !isEntry(op, entry))
      all.push_back(op);
  });
  return all;
}

static Operation *getReducible(ModuleOp module, StringRef entry,
                               unsigned number) {
  SmallVector<Operation *> all = listReducible(module, entry);
  return number < all.size() ? all[number] : nullptr;
}

bool formwork::transforms::eraseWithUsers(ModuleOp module, StringRef entry,
                                          unsigned first, unsigned count) {
  SmallVector<Operation *> all = listReducible(module, entry);
  llvm::SetVector<Operation *> gone;
  for (unsigned i = first; i < all.size() && i < first + count; ++i)
    gone.insert(all[i]);
  for (size_t i = 0; i != gone.size(); ++i) {
    Operation *op = gone[i];
    if (op->hasTrait<OpTrait::IsTerminator>())
      return false;
    op->walk([&](Operation *inner) {
      for (Operation *user : inner->getUsers())
        gone.insert(user);
    });
  }
  SmallVector<Operation *> outermost;
  for (Operation *op : gone)
    if (llvm::none_of(gone, [&](Operation *other) {
          return other != op && other->isProperAncestor(op);
        }))
      outermost.push_back(op);
  for (Operation *op : outermost)
    op->walk([](Operation *inner) {
      inner->dropAllReferences();
      inner->dropAllUses();
    });
  for (Operation *op : outermost)
    op->erase();
  return !outermost.empty();
}

bool formwork::transforms::bypass(ModuleOp module, StringRef entry,
                                  unsigned number) {
  Operation *op = getReducible(module, entry, number);
  if (!op || op->getNumResults() == 0)
    return false;
  SmallVector<Value> values;
  for (Value result : op->getResults()) {
    auto operand = llvm::find_if(op->getOperands(), [&](Value value) {
      return value.getType() == result.getType();
    });
    if (operand == op->operand_end())
      return false;
    values.push_back(*operand);
  }
  op->replaceAllUsesWith(values);
  op->erase();
  return true;
}

bool formwork::transforms::makeArgument(ModuleOp module, StringRef entry,
                                        unsigned number) {
  Operation *op = getReducible(module, entry, number);
  auto function = op ? op->getParentOfType<func::FuncOp>() : func::FuncOp();
  if (!function || !isEntry(function, entry) || op->getNumResults() == 0)
    return false;
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    unsigned at = function.getNumArguments();
    if (failed(
            function.insertArgument(at, result.getType(), {}, result.getLoc())))
      return false;
    result.replaceAllUsesWith(function.getArgument(at));
  }
  op->erase();
  return true;
}

bool formwork::transforms::dropAttribute(ModuleOp module, StringRef entry,
                                         unsigned number, unsigned attribute) {
  Operation *op = getReducible(module, entry, number);
  if (!op)
    return false;
  ArrayRef<NamedAttribute> all = op->getAttrs();
  if (attribute >= all.size())
    return false;
  // Without an attribute that its operation requires, the module would not
  // verify.
  StringAttr name = all[attribute].getName();
  if (!isa<UnitAttr>(all[attribute].getValue()) &&
      !op->getDiscardableAttr(name))
    return false;
  op->removeAttr(name);
  return true;
}

static bool hasCallers(ModuleOp module, func::FuncOp function) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  return !uses || !uses->empty();
}

bool formwork::transforms::dropArgument(ModuleOp module, StringRef entry,
                                        unsigned number) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  return function && !function.isExternal() &&
         number < function.getNumArguments() &&
         function.getArgument(number).use_empty() &&
         !hasCallers(module, function) &&
         succeeded(function.eraseArgument(number));
}

bool formwork::transforms::dropResult(ModuleOp module, StringRef entry,
                                      unsigned number) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal() ||
      number >= function.getNumResults() || hasCallers(module, function) ||
      failed(function.eraseResult(number)))
    return false;
  function.walk([&](func::ReturnOp op) { op->eraseOperand(number); });
  return true;
}

SmallVector<int64_t> formwork::transforms::listExtents(ModuleOp module) {
  llvm::SetVector<int64_t> extents;
  auto take = [&](Type type) {
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
      for (int64_t extent : shaped.getShape())
        if (!ShapedType::isDynamic(extent) && extent > 1)
          extents.insert(extent);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getOperandTypes(), take);
    llvm::for_each(op->getResultTypes(), take);
  });
  for (auto function : module.getOps<func::FuncOp>())
    llvm::for_each(function.getArgumentTypes(), take);
  SmallVector<int64_t> sorted = extents.takeVector();
  llvm::sort(sorted, std::greater<>());
  return sorted;
}

bool formwork::transforms::shrinkExtent(ModuleOp module, int64_t from,
                                        int64_t to) {
  auto shrink = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> changed(shape);
    llvm::replace(changed, from, to);
    return changed;
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](ShapedType type) -> std::optional<Type> {
    auto memref = dyn_cast<MemRefType>(type);
    if (!type.hasRank() || (memref && !memref.getLayout().isIdentity()))
      return std::nullopt;
    return type.clone(shrink(type.getShape()));
  });
  replacer.addReplacement(
      [&](DenseI64ArrayAttr attr) -> std::optional<Attribute> {
        return DenseI64ArrayAttr::get(attr.getContext(),
                                      shrink(attr.asArrayRef()));
      });
  replacer.addReplacement(
      [&](SplatElementsAttr attr) -> std::optional<Attribute> {
        auto type = cast<ShapedType>(replacer.replace(attr.getType()));
        return DenseElementsAttr::get(type, attr.getSplatValue<Attribute>());
      });
  replacer.addReplacement([&](IntegerAttr attr) -> std::optional<Attribute> {
    if (!attr.getType().isIndex() || attr.getValue() != from)
      return std::nullopt;
    return IntegerAttr::get(attr.getType(), to);
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return true;
}
