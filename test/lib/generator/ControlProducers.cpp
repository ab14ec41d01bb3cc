//===- ControlProducers.cpp - Sequential loops and branches ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace formwork::testing {

/// Values that a region may be given and give back: no buffers.
static SmallVector<Entry> pickCarried(Emitter &e, unsigned most) {
  static constexpr Kind kinds[] = {Kind::Tensor, Kind::Tensor,  Kind::Vector,
                                   Kind::Float,  Kind::Integer, Kind::Index};
  SmallVector<Entry> carried;
  unsigned count = e.random.between(0, most);
  for (unsigned i = 0; i < count; ++i)
    if (std::optional<Entry> entry = e.pick(e.random.oneOf<Kind>(kinds)))
      carried.push_back(*entry);
  return carried;
}

static SmallVector<Value> getValues(ArrayRef<Entry> entries) {
  return llvm::map_to_vector(entries,
                             [](const Entry &entry) { return entry.value; });
}

/// Emits the result of a region for `carried`: of its type, computed inside if
/// possible.
static Value emitResult(Emitter &e, const Entry &carried) {
  if (isa<RankedTensorType>(carried.model))
    return emitUpdate(e, carried);
  return e.ofType(carried.value.getType(), carried.model);
}

/// Enters `carried` into the pool as the block arguments `arguments`.
static SmallVector<Entry> addArguments(Emitter &e, ArrayRef<Entry> carried,
                                       ValueRange arguments) {
  SmallVector<Entry> inside;
  for (auto [entry, argument] : llvm::zip_equal(carried, arguments)) {
    inside.push_back({.value = argument, .model = entry.model});
    e.add(inside.back());
  }
  return inside;
}

/// The bounds of a loop and what its induction variable can be.
struct Bounds {
  Value lower, upper, step;
  Entry induction;
  int64_t trips = 0;
};

static Bounds pickBounds(Emitter &e) {
  Bounds bounds;
  static constexpr int64_t steps[] = {1, 1, 1, 2, 4};
  bounds.trips = e.pickTripCount();
  int64_t step = e.random.oneOf<int64_t>(steps);
  int64_t lower = e.random.chance(0.7) ? 0 : e.random.between(0, 2);
  int64_t upper = lower + bounds.trips * step;
  if (bounds.trips > 0)
    upper -= e.random.below(step);
  bounds.lower = e.constantIndex(lower);
  bounds.upper = e.sizeValue(upper);
  bounds.step = e.constantIndex(step);
  bounds.induction.model = e.b.getIndexType();
  bounds.induction.low = lower;
  bounds.induction.high = lower + std::max<int64_t>(bounds.trips - 1, 0) * step;
  if (!e.options.executable && e.random.chance(0.2)) {
    bounds.upper = e.scalar(e.b.getIndexType());
    bounds.induction.low = 1;
    bounds.induction.high = 0;
  }
  return bounds;
}

/// `fill` makes the body, given what the loop carries inside.
static void emitFor(Emitter &e, Bounds bounds, ArrayRef<Entry> carried,
                    function_ref<void()> fill) {
  auto loop = scf::ForOp::create(e.b, e.loc, bounds.lower, bounds.upper,
                                 bounds.step, getValues(carried));
  {
    Emitter::Scope scope(e, loop.getBody(), bounds.trips);
    bounds.induction.value = loop.getInductionVar();
    e.add(bounds.induction);
    SmallVector<Entry> inside =
        addArguments(e, carried, loop.getRegionIterArgs());
    fill();
    SmallVector<Value> results;
    for (const Entry &entry : inside)
      results.push_back(emitResult(e, entry));
    scope.finish();
    if (!carried.empty())
      scf::YieldOp::create(e.b, e.loc, results);
  }
  for (auto [entry, result] : llvm::zip_equal(carried, loop.getResults()))
    e.add(result, entry.model);
}

static bool produceFor(Emitter &e) {
  Bounds bounds = pickBounds(e);
  SmallVector<Entry> carried = pickCarried(e, 2);
  uint64_t end = e.pickBodyEnd();
  emitFor(e, bounds, carried, [&] { e.emitUntil(end, true); });
  return true;
}

/// `levels` loops, each with at most one op beside the next.
static void emitNest(Emitter &e, unsigned levels) {
  if (levels == 0)
    return e.emitUntil(e.countInserted(), true);
  Bounds bounds = pickBounds(e);
  SmallVector<Entry> carried = pickCarried(e, 1);
  emitFor(e, bounds, carried, [&] { emitNest(e, levels - 1); });
}

void emitSpine(Emitter &e) { emitNest(e, e.options.depth); }

static bool produceNest(Emitter &e) {
  emitNest(e, e.random.between(1, std::min(e.options.depth - e.depth, 3u)));
  return true;
}

/// A loop over tiles of a tensor: slice, compute, insert, carry on.
static bool produceTiledFor(Emitter &e) {
  auto hasRank = [](const Entry &entry) { return entry.rank() > 0; };
  std::optional<Entry> target = e.pick(Kind::Tensor, hasRank);
  if (!target)
    return false;
  int64_t dim = e.random.below(target->rank());
  int64_t size = target->shape()[dim];
  SmallVector<int64_t> tiles;
  for (int64_t tile = 1; tile <= size; ++tile)
    if (size % tile == 0)
      tiles.push_back(tile);
  int64_t tile = e.random.oneOf<int64_t>(tiles);
  int64_t trips = size / tile;
  if (!e.charge(trips) || (e.options.executable && trips * e.trips > 4096))
    return false;
  Bounds bounds;
  bounds.lower = e.constantIndex(0);
  bounds.upper = e.sizeValue(size);
  bounds.step = e.constantIndex(tile);
  uint64_t end = e.pickBodyEnd();
  auto loop = scf::ForOp::create(e.b, e.loc, bounds.lower, bounds.upper,
                                 bounds.step, target->value);
  {
    Emitter::Scope scope(e, loop.getBody(), trips);
    Slice slice;
    for (auto [i, extent] : llvm::enumerate(target->shape())) {
      bool isTiled = int64_t(i) == dim;
      slice.offsets.push_back(isTiled ? OpFoldResult(loop.getInductionVar())
                                      : e.b.getIndexAttr(0));
      slice.shape.push_back(isTiled ? tile : extent);
      slice.sizes.push_back(e.b.getIndexAttr(slice.shape.back()));
      slice.strides.push_back(e.b.getIndexAttr(1));
    }
    e.add({.value = loop.getInductionVar(),
           .model = e.b.getIndexType(),
           .low = 0,
           .high = size - tile});
    Entry whole = *target;
    whole.value = loop.getRegionIterArg(0);
    Entry part = emitExtractSlice(e, whole, slice);
    e.add(part);
    e.emitUntil(end, true);
    Value update = emitUpdate(e, part);
    Value next = tensor::InsertSliceOp::create(e.b, e.loc, update, whole.value,
                                               slice.offsets, slice.sizes,
                                               slice.strides);
    scope.finish();
    scf::YieldOp::create(e.b, e.loc, next);
  }
  target->value = loop.getResult(0);
  e.add(*target);
  return true;
}

static bool produceIf(Emitter &e) {
  Value condition = e.scalar(e.b.getI1Type());
  SmallVector<Entry> carried = pickCarried(e, 2);
  bool hasElse = !carried.empty() || e.random.chance(0.4);
  uint64_t end = e.pickBodyEnd();
  SmallVector<Value> values = getValues(carried);
  auto branch = scf::IfOp::create(e.b, e.loc, TypeRange(ValueRange(values)),
                                  condition, hasElse);
  auto fill = [&](Block *block) {
    Emitter::Scope scope(e, block, 1);
    e.emitUntil(end, true);
    SmallVector<Value> results;
    for (const Entry &entry : carried)
      results.push_back(emitResult(e, entry));
    scope.finish();
    if (!carried.empty())
      scf::YieldOp::create(e.b, e.loc, results);
  };
  fill(branch.thenBlock());
  if (hasElse) {
    end = e.pickBodyEnd();
    fill(branch.elseBlock());
  }
  for (auto [entry, result] : llvm::zip_equal(carried, branch.getResults()))
    e.add(result, entry.model);
  return true;
}

/// A loop that counts up to a constant, with what it carries beside the count.
static bool produceWhile(Emitter &e) {
  int64_t trips = e.pickTripCount();
  Value zero = e.constantIndex(0);
  Value limit = e.constantIndex(trips);
  Value one = e.constantIndex(1);
  SmallVector<Entry> carried = pickCarried(e, 1);
  SmallVector<Value> inits = {zero};
  llvm::append_range(inits, getValues(carried));
  uint64_t end = e.pickBodyEnd();
  TypeRange types = ValueRange(inits).getTypes();
  SmallVector<Location> locations(inits.size(), e.loc);
  auto loop = scf::WhileOp::create(e.b, e.loc, types, inits);
  {
    OpBuilder::InsertionGuard guard(e.b);
    Block *before = e.b.createBlock(&loop.getBefore(), {}, types, locations);
    Value goesOn = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::slt,
                                         before->getArgument(0), limit);
    scf::ConditionOp::create(e.b, e.loc, goesOn, before->getArguments());
    e.b.createBlock(&loop.getAfter(), {}, types, locations);
  }
  {
    Block *body = loop.getAfterBody();
    Emitter::Scope scope(e, body, trips);
    e.add({.value = body->getArgument(0),
           .model = e.b.getIndexType(),
           .low = 0,
           .high = std::max<int64_t>(trips - 1, 0)});
    SmallVector<Entry> inside =
        addArguments(e, carried, body->getArguments().drop_front());
    e.emitUntil(end, true);
    SmallVector<Value> results = {
        arith::AddIOp::create(e.b, e.loc, body->getArgument(0), one)};
    for (const Entry &entry : inside)
      results.push_back(emitResult(e, entry));
    scope.finish();
    scf::YieldOp::create(e.b, e.loc, results);
  }
  e.add({.value = loop.getResult(0),
         .model = e.b.getIndexType(),
         .low = trips,
         .high = trips});
  for (auto [entry, result] :
       llvm::zip_equal(carried, loop.getResults().drop_front()))
    e.add(result, entry.model);
  return true;
}

void addControlProducers(ProducerTable &table) {
  table.append({
      {"scf.for", OnAll, 5, produceFor, nullptr, Producer::Nesting},
      {"scf.for-nest", OnLoops | OnVector | OnBuffers | OnMixed, 3, produceNest,
       nullptr, Producer::Nesting},
      {"scf.for-tiled", OnAll & ~OnBuffers, 3, produceTiledFor,
       &Densities::slice, Producer::Nesting | Producer::Tensors},
      {"scf.if", OnAll, 3, produceIf, nullptr, Producer::Nesting},
      {"scf.while", OnLoops | OnVector | OnMixed, 1, produceWhile, nullptr,
       Producer::Nesting},
  });
}

} // namespace formwork::testing
