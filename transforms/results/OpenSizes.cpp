//===- OpenSizes.cpp - Sizes that fit each other --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/OpenSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallSet.h"

#include <map>

using namespace mlir;
using namespace formwork::transforms;

namespace {
/// A dimension of a value, or a loop of a structured op.
using Unknown = std::pair<void *, unsigned>;

/// A dimension that is as long as a map of loops says.
struct Window {
  Unknown dimension;
  AffineExpr expr;
  SmallVector<Unknown> loops; ///< all of the op's, by number
};

class Sizes {
public:
  explicit Sizes(func::FuncOp entry) {
    for (BlockArgument argument : entry.getArguments())
      addTypes(argument);
    for (Operation &op : entry.getBody().front())
      add(op);
  }

  void solve(int64_t size);
  int64_t get(Value value, unsigned dim) const {
    return *lookup({value.getAsOpaquePointer(), dim});
  }

private:
  static bool hasShape(Value value) {
    return isa<RankedTensorType, MemRefType>(value.getType());
  }
  static Unknown of(Value value, unsigned dim) {
    return {value.getAsOpaquePointer(), dim};
  }

  std::optional<int64_t> lookup(Unknown unknown) const {
    auto it = classes.findLeader(unknown);
    if (it == classes.member_end())
      return std::nullopt;
    auto known = numbers.find(*it);
    return known == numbers.end() ? std::nullopt : std::optional(known->second);
  }
  void set(Unknown unknown, int64_t number) {
    classes.insert(unknown);
    numbers.try_emplace(classes.getLeaderValue(unknown), number);
  }
  void unite(Unknown a, Unknown b) {
    std::optional<int64_t> one = lookup(a), other = lookup(b);
    classes.unionSets(a, b);
    if (std::optional<int64_t> known = one ? one : other)
      set(a, *known);
  }
  void uniteAll(Value a, Value b) {
    auto one = cast<ShapedType>(a.getType()),
         other = cast<ShapedType>(b.getType());
    if (one.getRank() == other.getRank())
      for (unsigned dim = 0; dim != one.getRank(); ++dim)
        unite(of(a, dim), of(b, dim));
  }
  void addTypes(Value value) {
    if (!hasShape(value))
      return;
    for (auto [dim, extent] :
         llvm::enumerate(cast<ShapedType>(value.getType()).getShape())) {
      classes.insert(of(value, dim));
      if (!ShapedType::isDynamic(extent))
        set(of(value, dim), extent);
    }
  }
  void add(Operation &op);
  void addStructured(linalg::LinalgOp op);
  bool follow(const Window &window);

  llvm::EquivalenceClasses<Unknown> classes;
  std::map<Unknown, int64_t> numbers;
  std::vector<Window> windows;
};
} // namespace

void Sizes::addStructured(linalg::LinalgOp op) {
  SmallVector<Unknown> loops;
  for (unsigned loop = 0, e = op.getNumLoops(); loop != e; ++loop)
    loops.push_back({op.getOperation(), loop});
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), op.getIndexingMapsArray())) {
    if (!hasShape(operand))
      continue;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        unite(of(operand, dim), loops[loop.getPosition()]);
      else if (!isa<AffineConstantExpr>(expr) && map.getNumSymbols() == 0)
        windows.push_back({of(operand, dim), expr, loops});
    }
  }
}

void Sizes::add(Operation &op) {
  for (Value result : op.getResults())
    addTypes(result);
  if (isa<tensor::CastOp, memref::CastOp>(op) && hasShape(op.getOperand(0)) &&
      hasShape(op.getResult(0)))
    return uniteAll(op.getOperand(0), op.getResult(0));
  if (isa<tensor::EmptyOp, memref::AllocOp>(op)) {
    auto type = cast<ShapedType>(op.getResult(0).getType());
    auto sizes = op.getOperands().begin();
    for (unsigned dim = 0; dim != type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size = *sizes++;
      auto asked = size.getDefiningOp<ShapedDimOpInterface>();
      std::optional<int64_t> index;
      if (asked && hasShape(asked.getShapedValue()))
        index = getConstantIntValue(asked.getDimension());
      if (std::optional<int64_t> number = getConstantIntValue(size))
        set(of(op.getResult(0), dim), *number);
      else if (index)
        unite(of(op.getResult(0), dim), of(asked.getShapedValue(), *index));
    }
    return;
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    addStructured(structured);
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op.getResults())
      uniteAll(result, destination.getTiedOpOperand(result)->get());
}

/// Learns a size from `window`; false if that is not possible yet.
bool Sizes::follow(const Window &window) {
  unsigned numLoops = window.loops.size();
  SmallVector<int64_t> last(numLoops, 0);
  std::optional<unsigned> open;
  for (unsigned loop = 0; loop != numLoops; ++loop) {
    if (!window.expr.isFunctionOfDim(loop))
      continue;
    std::optional<int64_t> number = lookup(window.loops[loop]);
    if (number)
      last[loop] = std::max<int64_t>(*number, 1) - 1;
    else if (open)
      return false;
    else
      open = loop;
  }
  AffineMap map =
      AffineMap::get(numLoops, 0, window.expr, window.expr.getContext());
  std::optional<int64_t> whole = lookup(window.dimension);
  if (!open) {
    if (!whole)
      set(window.dimension, map.compose(last).front() + 1);
    return !whole;
  }
  if (!whole)
    return false;
  // As many windows as fit.
  int64_t most = std::min<int64_t>(*whole, 1 << 12);
  for (last[*open] = most; last[*open] > 0; --last[*open])
    if (map.compose(last).front() < *whole)
      break;
  set(window.loops[*open], last[*open] + 1);
  return true;
}

void Sizes::solve(int64_t size) {
  while (true) {
    bool learned = false;
    for (const Window &window : windows)
      learned |= follow(window);
    if (learned)
      continue;
    // A dimension that is as long as its windows has to wait for these.
    llvm::SmallSet<Unknown, 8> waiting;
    for (const Window &window : windows)
      if (!lookup(window.dimension))
        waiting.insert(classes.getLeaderValue(window.dimension));
    std::optional<Unknown> next;
    for (auto it = classes.begin(), e = classes.end(); it != e; ++it) {
      const auto &each = **it;
      if (!each.isLeader() || numbers.contains(each.getData()))
        continue;
      if (!next || waiting.contains(*next))
        next = each.getData();
    }
    if (!next)
      return;
    set(*next, size);
  }
}

OpenSizes formwork::transforms::chooseOpenSizes(func::FuncOp entry,
                                                int64_t size) {
  OpenSizes chosen;
  Sizes sizes(entry);
  sizes.solve(size);
  auto add = [&](Type type, Value value, SmallVector<OpenSizes::Shape> &all) {
    OpenSizes::Shape &shape = all.emplace_back();
    if (!isa<RankedTensorType, MemRefType>(type))
      return;
    for (auto [dim, extent] :
         llvm::enumerate(cast<ShapedType>(type).getShape())) {
      bool isOpen = ShapedType::isDynamic(extent);
      shape.push_back(!isOpen ? extent : value ? sizes.get(value, dim) : size);
      if (isOpen)
        chosen.chosen.push_back(shape.back());
    }
  };
  for (BlockArgument argument : entry.getArguments())
    add(argument.getType(), argument, chosen.arguments);
  auto end = dyn_cast<func::ReturnOp>(entry.getBody().front().getTerminator());
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
    add(type, end ? end.getOperand(i) : Value(), chosen.results);
  llvm::sort(chosen.chosen);
  chosen.chosen.erase(llvm::unique(chosen.chosen), chosen.chosen.end());
  return chosen;
}
