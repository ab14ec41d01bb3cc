//===- ParallelProducers.cpp - Parallel loops -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free of races by construction: what is around a parallel body is read-only in
// it, but for one tensor or buffer that is cut into tiles; the body sees its
// tile and not the whole.
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace formwork::testing {

/// A partition of the leading dimensions of a shape into equal tiles.
struct Tiling {
  /// One of each for every tiled dimension.
  SmallVector<int64_t> extents, tiles;
  /// The induction variables count elements; or else tiles.
  bool countsElements = false;
  int64_t trips = 1;

  int64_t step(unsigned i) const { return countsElements ? tiles[i] : 1; }
  int64_t upper(unsigned i) const {
    return countsElements ? extents[i] : extents[i] / tiles[i];
  }
};

static std::optional<Tiling> pickTiling(Emitter &e, ArrayRef<int64_t> shape) {
  Tiling tiling;
  unsigned dims = e.random.between(1, std::min<int64_t>(shape.size(), 3));
  for (int64_t extent : shape.take_front(dims)) {
    SmallVector<int64_t> divisors;
    for (int64_t tile = 1; tile <= extent; ++tile)
      if (extent % tile == 0)
        divisors.push_back(tile);
    int64_t tile = e.random.oneOf<int64_t>(divisors);
    tiling.extents.push_back(extent);
    tiling.tiles.push_back(tile);
    tiling.trips *= extent / tile;
  }
  tiling.countsElements = e.random.chance(0.5);
  if (!e.charge(tiling.trips) ||
      (e.options.executable && tiling.trips * e.trips > 4096))
    return std::nullopt;
  return tiling;
}

/// The tile that belongs to `inductions`; emits the offsets.
static Slice emitTile(Emitter &e, const Tiling &tiling, ValueRange inductions,
                      ArrayRef<int64_t> shape) {
  Slice slice;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    int64_t size = extent;
    OpFoldResult offset = e.b.getIndexAttr(0);
    if (i < tiling.tiles.size()) {
      size = tiling.tiles[i];
      Value start = inductions[i];
      if (!tiling.countsElements) {
        Value factor = e.constantIndex(size);
        start = arith::MulIOp::create(e.b, e.loc, start, factor);
      }
      offset = start;
    }
    slice.offsets.push_back(offset);
    slice.sizes.push_back(e.b.getIndexAttr(size));
    slice.strides.push_back(e.b.getIndexAttr(1));
    slice.shape.push_back(size);
  }
  return slice;
}

static void addInductions(Emitter &e, const Tiling &tiling,
                          ValueRange inductions) {
  for (auto [i, induction] : llvm::enumerate(inductions))
    e.add({.value = induction,
           .model = e.b.getIndexType(),
           .low = 0,
           .high = tiling.upper(i) - tiling.step(i)});
}

static std::optional<ArrayAttr> pickMapping(Emitter &e, unsigned dims) {
  if (e.random.chance(0.5))
    return std::nullopt;
  static constexpr gpu::MappingId ids[] = {
      gpu::MappingId::DimX, gpu::MappingId::DimY, gpu::MappingId::DimZ};
  MLIRContext *context = e.b.getContext();
  bool isBlock = e.random.chance(0.5);
  SmallVector<Attribute> mapping;
  for (gpu::MappingId id : ArrayRef(ids).take_front(dims))
    mapping.push_back(
        isBlock ? Attribute(gpu::GPUBlockMappingAttr::get(context, id))
                : Attribute(gpu::GPUThreadMappingAttr::get(context, id)));
  return e.b.getArrayAttr(mapping);
}

static scf::ForallOp createForall(Emitter &e, const Tiling &tiling,
                                  ValueRange outputs) {
  SmallVector<OpFoldResult> lower, upper, steps;
  for (unsigned i = 0; i < tiling.tiles.size(); ++i) {
    lower.push_back(e.b.getIndexAttr(0));
    if (e.random.chance(e.options.dynamic))
      upper.push_back(e.sizeValue(tiling.upper(i)));
    else
      upper.push_back(e.b.getIndexAttr(tiling.upper(i)));
    steps.push_back(e.b.getIndexAttr(tiling.step(i)));
  }
  return scf::ForallOp::create(e.b, e.loc, lower, upper, steps, outputs,
                               pickMapping(e, tiling.tiles.size()));
}

static bool produceTensorForall(Emitter &e) {
  auto hasRank = [](const Entry &entry) { return entry.rank() > 0; };
  std::optional<Entry> target = e.pick(Kind::Tensor, hasRank);
  if (!target)
    return false;
  std::optional<Tiling> tiling = pickTiling(e, target->shape());
  if (!tiling)
    return false;
  uint64_t end = e.pickBodyEnd();
  scf::ForallOp forall = createForall(e, *tiling, target->value);
  {
    Emitter::Scope scope(e, forall.getBody(), tiling->trips, true);
    addInductions(e, *tiling, forall.getInductionVars());
    Slice slice =
        emitTile(e, *tiling, forall.getInductionVars(), target->shape());
    Entry whole = *target;
    whole.value = forall.getRegionIterArgs().front();
    Entry part = emitExtractSlice(e, whole, slice);
    e.add(part);
    e.emitUntil(end, true);
    Value update = emitUpdate(e, part);
    scope.finish();
    e.b.setInsertionPointToStart(forall.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(e.b, e.loc, update, whole.value,
                                          slice.offsets, slice.sizes,
                                          slice.strides);
  }
  target->value = forall.getResult(0);
  e.add(*target);
  return true;
}

/// The body of a parallel loop that writes to its tile of `target`.
static void fillBufferBody(Emitter &e, Block *body, const Tiling &tiling,
                           ValueRange inductions, const Entry &target,
                           uint64_t end, function_ref<void()> terminate = {}) {
  Emitter::Scope scope(e, body, tiling.trips, true);
  scope.hide(target.root);
  addInductions(e, tiling, inductions);
  Slice slice = emitTile(e, tiling, inductions, target.shape());
  Entry part = emitSubView(e, target, slice);
  part.root = e.newRoot();
  e.add(part);
  e.emitUntil(end, true);
  emitStoreTo(e, part);
  scope.finish();
  if (terminate)
    terminate();
}

static std::optional<Entry> pickTarget(Emitter &e) {
  return e.pick(Kind::Buffer, [&](const Entry &entry) {
    return entry.rank() > 0 && e.isWritable(entry);
  });
}

static bool produceBufferForall(Emitter &e) {
  std::optional<Entry> target = pickTarget(e);
  if (!target)
    return false;
  std::optional<Tiling> tiling = pickTiling(e, target->shape());
  if (!tiling)
    return false;
  uint64_t end = e.pickBodyEnd();
  scf::ForallOp forall = createForall(e, *tiling, {});
  fillBufferBody(e, forall.getBody(), *tiling, forall.getInductionVars(),
                 *target, end);
  return true;
}

static bool produceParallel(Emitter &e) {
  std::optional<Entry> target = pickTarget(e);
  if (!target)
    return false;
  std::optional<Tiling> tiling = pickTiling(e, target->shape());
  if (!tiling)
    return false;
  SmallVector<Value> lower, upper, steps, inits;
  for (unsigned i = 0; i < tiling->tiles.size(); ++i) {
    lower.push_back(e.constantIndex(0));
    upper.push_back(e.sizeValue(tiling->upper(i)));
    steps.push_back(e.constantIndex(tiling->step(i)));
  }
  // A sum of integers, whose order does not matter.
  Type type = e.pickElement(false);
  if (type && e.random.chance(0.3))
    inits.push_back(e.scalar(type));
  uint64_t end = e.pickBodyEnd();
  auto loop = scf::ParallelOp::create(e.b, e.loc, lower, upper, steps, inits);
  auto terminate = [&] {
    if (inits.empty())
      return;
    Value term = e.scalar(type);
    auto reduce = scf::ReduceOp::create(e.b, e.loc, term);
    Block &combine = reduce.getReductions().front().front();
    e.b.setInsertionPointToStart(&combine);
    Value sum = arith::AddIOp::create(e.b, e.loc, combine.getArgument(0),
                                      combine.getArgument(1));
    scf::ReduceReturnOp::create(e.b, e.loc, sum);
  };
  fillBufferBody(e, loop.getBody(), *tiling, loop.getInductionVars(), *target,
                 end, terminate);
  for (Value result : loop.getResults())
    e.add(result);
  return true;
}

void addParallelProducers(ProducerTable &table) {
  table.append({
      {"scf.forall-tensor", OnAll & ~OnBuffers, 4, produceTensorForall,
       &Densities::forall, Producer::Nesting | Producer::Tensors},
      {"scf.forall-buffer", OnAll & ~OnLinalg, 4, produceBufferForall,
       &Densities::forall, Producer::Nesting | Producer::Buffers},
      {"scf.parallel", OnAll & ~OnLinalg, 3, produceParallel, nullptr,
       Producer::Nesting | Producer::Buffers},
  });
}

} // namespace formwork::testing
