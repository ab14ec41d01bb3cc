//===- MiscompiledLoops.cpp - Loops that compute something else -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The errors of MLIR 22.1 where a step changes the order of iterations:
// `loop.unroll_and_jam` and `loop.fuse_sibling` do not look at memory, and
// `loop.coalesce` takes a value of the outer loop for that of the inner one.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Miscompilations.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Iterations, one by one
//===----------------------------------------------------------------------===//

namespace {
/// The values of induction variables.
using Values = llvm::DenseMap<Value, int64_t>;

/// One time that an op is carried out: the op, and the values of the induction
/// variables around it.
using Instance = std::pair<Operation *, std::vector<int64_t>>;

/// Carries out loops with constant bounds, and records which write each read of
/// memory sees, and which write to each element is the last one. Buffers that
/// are different values are taken to be different: where they are not, even
/// more depends on the order.
class Order {
public:
  /// Carries out `op`; false where it does something that is not known.
  bool carryOut(Operation *op, const Values &values);
  /// Carries out a loop as `loop.unroll_and_jam` by `factor` orders it.
  bool jam(LoopLikeOpInterface loop, int64_t factor);
  /// Carries out one loop beside the other, iteration by iteration.
  bool fuse(LoopLikeOpInterface first, LoopLikeOpInterface second);

  /// An op that sees another write, or that is not the last to write any more;
  /// null where nothing depends on the order.
  Operation *findDifference(const Order &other) const;

private:
  using Element = std::pair<void *, std::vector<int64_t>>;
  static constexpr unsigned mostAccesses = 1 << 15;

  bool carryOutBody(LoopLikeOpInterface loop, const Values &values);
  bool jamBlock(Block &block, OperationName kind, std::vector<Values> &lanes);
  bool access(Operation *op, Value buffer, ArrayRef<int64_t> at, bool writes,
              const Values &values);

  std::map<Instance, Instance> seen;
  std::map<Element, Instance> last;
  unsigned numAccesses = 0;
};
} // namespace

/// The results of `map` for numbers in the place of its dimensions and symbols;
/// none where it divides by 0.
static std::optional<SmallVector<int64_t>> apply(AffineMap map,
                                                 ArrayRef<int64_t> numbers) {
  Builder builder(map.getContext());
  SmallVector<Attribute> operands, results;
  for (int64_t number : numbers)
    operands.push_back(builder.getIndexAttr(number));
  if (failed(map.constantFold(operands, results)))
    return std::nullopt;
  return llvm::map_to_vector(results, [](Attribute result) {
    return cast<IntegerAttr>(result).getInt();
  });
}

/// The number that `value` is in an iteration; none if that is not known.
static std::optional<int64_t> evaluate(Value value, const Values &values) {
  if (auto it = values.find(value); it != values.end())
    return it->second;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op ||
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, affine::AffineApplyOp>(
          op))
    return std::nullopt;
  SmallVector<int64_t> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = evaluate(operand, values);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  if (auto applied = dyn_cast<affine::AffineApplyOp>(op)) {
    auto results = apply(applied.getAffineMap(), operands);
    return results ? std::optional(results->front()) : std::nullopt;
  }
  int64_t result = 0;
  bool overflows = isa<arith::AddIOp>(op)
                       ? llvm::AddOverflow(operands[0], operands[1], result)
                   : isa<arith::SubIOp>(op)
                       ? llvm::SubOverflow(operands[0], operands[1], result)
                       : llvm::MulOverflow(operands[0], operands[1], result);
  return overflows ? std::nullopt : std::optional(result);
}

/// The numbers that `indices` are, through `map` if there is one.
static std::optional<SmallVector<int64_t>>
evaluateAll(ValueRange indices, std::optional<AffineMap> map,
            const Values &values) {
  SmallVector<int64_t> numbers;
  for (Value index : indices) {
    std::optional<int64_t> number = evaluate(index, values);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return map ? apply(*map, numbers) : numbers;
}

/// The values of the induction variables of `loop`, iteration by iteration;
/// none where the bounds are no constants, or there are too many.
static std::optional<std::vector<SmallVector<int64_t>>>
getIterations(LoopLikeOpInterface loop) {
  static constexpr int64_t most = 1 << 12;
  auto variables = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!variables || !lower || !upper || !steps ||
      lower->size() != variables->size())
    return std::nullopt;
  std::vector<SmallVector<int64_t>> iterations = {{}};
  for (auto [from, to, by] : llvm::zip(*lower, *upper, *steps)) {
    std::optional<int64_t> first = getConstantIntValue(from),
                           end = getConstantIntValue(to),
                           step = getConstantIntValue(by);
    if (!first || !end || !step || *step <= 0)
      return std::nullopt;
    std::vector<SmallVector<int64_t>> all;
    for (const SmallVector<int64_t> &outer : iterations)
      for (int64_t i = *first; i < *end; i += *step) {
        if (static_cast<int64_t>(all.size()) == most)
          return std::nullopt;
        all.push_back(outer);
        all.back().push_back(i);
        if (*end - i <= *step)
          break;
      }
    iterations = std::move(all);
  }
  return iterations;
}

static Values enter(LoopLikeOpInterface loop, ArrayRef<int64_t> iteration,
                    Values values) {
  for (auto [variable, value] :
       llvm::zip(*loop.getLoopInductionVars(), iteration))
    values[variable] = value;
  return values;
}

bool Order::access(Operation *op, Value buffer, ArrayRef<int64_t> at,
                   bool writes, const Values &values) {
  if (++numAccesses > mostAccesses)
    return false;
  Instance instance = {op, {}};
  for (Operation *up = op->getParentOp(); up; up = up->getParentOp())
    if (auto loop = dyn_cast<LoopLikeOpInterface>(up))
      if (auto variables = loop.getLoopInductionVars())
        for (Value variable : *variables)
          if (auto it = values.find(variable); it != values.end())
            instance.second.push_back(it->second);
  Element element = {buffer.getAsOpaquePointer(), at.vec()};
  auto it = last.find(element);
  if (writes)
    last[element] = std::move(instance);
  else
    seen[instance] = it == last.end() ? Instance() : it->second;
  return true;
}

bool Order::carryOutBody(LoopLikeOpInterface loop, const Values &values) {
  if (loop.getLoopRegions().size() != 1 ||
      !loop.getLoopRegions().front()->hasOneBlock())
    return false;
  for (Operation &op : loop.getLoopRegions().front()->front())
    if (!carryOut(&op, values))
      return false;
  return true;
}

bool Order::carryOut(Operation *op, const Values &values) {
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    auto iterations = getIterations(loop);
    return iterations && llvm::all_of(*iterations, [&](auto &iteration) {
             return carryOutBody(loop, enter(loop, iteration, values));
           });
  }
  std::optional<SmallVector<int64_t>> at;
  auto accessAt = [&](Value buffer, bool writes) {
    return at && access(op, buffer, *at, writes, values);
  };
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    at = evaluateAll(load.getIndices(), std::nullopt, values);
    return accessAt(load.getMemRef(), /*writes=*/false);
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    at = evaluateAll(store.getIndices(), std::nullopt, values);
    return accessAt(store.getMemRef(), /*writes=*/true);
  }
  if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
    at = evaluateAll(load.getMapOperands(), load.getAffineMap(), values);
    return accessAt(load.getMemRef(), /*writes=*/false);
  }
  if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
    at = evaluateAll(store.getMapOperands(), store.getAffineMap(), values);
    return accessAt(store.getMemRef(), /*writes=*/true);
  }
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

bool Order::jamBlock(Block &block, OperationName kind,
                     std::vector<Values> &lanes) {
  auto isInner = [&](Operation &op) { return op.getName() == kind; };
  for (auto it = block.begin(); it != block.end();) {
    if (isInner(*it)) {
      auto inner = cast<LoopLikeOpInterface>(*it++);
      auto iterations = getIterations(inner);
      if (!iterations)
        return false;
      for (const SmallVector<int64_t> &iteration : *iterations) {
        std::vector<Values> entered;
        for (const Values &lane : lanes)
          entered.push_back(enter(inner, iteration, lane));
        if (!jamBlock(inner.getLoopRegions().front()->front(), kind, entered))
          return false;
      }
      continue;
    }
    auto end = std::find_if(it, block.end(), isInner);
    for (const Values &lane : lanes)
      for (auto op = it; op != end; ++op)
        if (!carryOut(&*op, lane))
          return false;
    it = end;
  }
  return true;
}

bool Order::jam(LoopLikeOpInterface loop, int64_t factor) {
  auto iterations = getIterations(loop);
  if (!iterations || factor <= 0)
    return false;
  int64_t number = iterations->size();
  int64_t jammed = number / std::min(factor, std::max<int64_t>(number, 1)) *
                   std::min(factor, number);
  for (int64_t i = 0; i < number;) {
    std::vector<Values> lanes;
    int64_t end = i < jammed ? i + std::min(factor, number) : i + 1;
    for (; i != end; ++i)
      lanes.push_back(enter(loop, (*iterations)[i], Values()));
    if (!jamBlock(loop.getLoopRegions().front()->front(), loop->getName(),
                  lanes))
      return false;
  }
  return true;
}

bool Order::fuse(LoopLikeOpInterface first, LoopLikeOpInterface second) {
  auto iterations = getIterations(first), others = getIterations(second);
  if (!iterations || !others || iterations != others)
    return false;
  return llvm::all_of(*iterations, [&](auto &iteration) {
    return carryOutBody(first, enter(first, iteration, Values())) &&
           carryOutBody(second, enter(second, iteration, Values()));
  });
}

Operation *Order::findDifference(const Order &other) const {
  for (const auto &[instance, write] : seen) {
    auto it = other.seen.find(instance);
    if (it != other.seen.end() && it->second != write)
      return instance.first;
  }
  for (const auto &[element, write] : last) {
    auto it = other.last.find(element);
    if (it != other.last.end() && it->second != write)
      return write.first;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static std::optional<Miscompiled> describe(Operation *difference) {
  if (!difference)
    return std::nullopt;
  bool reads = isa<memref::LoadOp, affine::AffineLoadOp>(difference);
  return Miscompiled{"in the new order of the iterations, '" +
                     difference->getName().getStringRef().str() +
                     (reads ? "' reads what another write leaves"
                            : "' is not the last to write an element")};
}

/// Whether a loop in the perfect nest of `outer` reads what a loop around it
/// carries, beside starting with that. Coalesced loops carry one value.
static bool readsCarriedByOuter(scf::ForOp outer) {
  while (outer.getBody()->getOperations().size() == 2) {
    auto inner = dyn_cast<scf::ForOp>(outer.getBody()->front());
    auto trips = inner ? inner.getStaticTripCount() : std::nullopt;
    if (!inner || inner.getNumResults() != outer.getNumResults() ||
        !llvm::equal(inner.getInitArgs(), outer.getRegionIterArgs()) ||
        !llvm::equal(outer.getYieldedValues(), inner.getResults()))
      return false;
    for (BlockArgument carried : outer.getRegionIterArgs())
      if (trips && trips->ugt(1) &&
          llvm::any_of(carried.getUsers(),
                       [&](Operation *user) { return user != inner; }))
        return true;
    outer = inner;
  }
  return false;
}

/// The one payload op of `handle`, as it was given; null otherwise.
static Operation *getGiven(const Step &step, Value handle) {
  const HandleState &state = step.lookup(handle);
  if (state.kind != HandleState::Ops || state.nodes.size() != 1 ||
      !step.payload.isUntouched(state.nodes.front()))
    return nullptr;
  return step.payload[state.nodes.front()].op;
}

/// The loop of the given payload that `target` is; null if it is none.
static Operation *getGivenLoop(const Step &step, NodeId target) {
  return step.payload.isUntouched(target) ? step.payload[target].op : nullptr;
}

static std::optional<Miscompiled> findCoalesced(const Step &step,
                                                NodeId target) {
  auto loop = dyn_cast_or_null<scf::ForOp>(getGivenLoop(step, target));
  if (!loop || !readsCarriedByOuter(loop))
    return std::nullopt;
  return Miscompiled{"an inner loop reads a value that an outer one carries, "
                     "which the one loop changes each time"};
}

/// Cost: linear in the accesses of memory that the loop carries out, of which
/// it looks at some ten thousand at most.
static std::optional<Miscompiled> findJammed(const Step &step, NodeId target) {
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(getGivenLoop(step, target));
  auto jam = cast<transform::LoopUnrollAndJamOp>(step.op);
  Order before, after;
  bool isKnown = loop && before.carryOut(loop, Values()) &&
                 after.jam(loop, static_cast<int64_t>(jam.getFactor()));
  return isKnown ? describe(before.findDifference(after)) : std::nullopt;
}

/// Cost: that of `findJammed`.
static std::optional<Miscompiled> findFused(const Step &step, NodeId target) {
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(getGivenLoop(step, target));
  auto fuse = cast<transform::LoopFuseSiblingOp>(step.op);
  auto source =
      dyn_cast_or_null<LoopLikeOpInterface>(getGiven(step, fuse.getSource()));
  if (!loop || !source || source->getBlock() != loop->getBlock() ||
      source == loop || source->getName() != loop->getName())
    return std::nullopt;
  bool isFirst = loop->isBeforeInBlock(source);
  Order before, after;
  bool isKnown = before.carryOut(isFirst ? loop : source, Values()) &&
                 before.carryOut(isFirst ? source : loop, Values()) &&
                 after.fuse(loop, source);
  return isKnown ? describe(before.findDifference(after)) : std::nullopt;
}

void formwork::verifier::addMiscompiledLoops(MiscompilationRegistry &registry) {
  registry.add<transform::LoopCoalesceOp>(findCoalesced);
  registry.add<transform::LoopUnrollAndJamOp>(findJammed);
  registry.add<transform::LoopFuseSiblingOp>(findFused);
}
