//===- Barriers.cpp - Places barriers in a block's code -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Barriers.h"
#include "engine/AnyBelow.h"
#include "engine/RootBuffer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace formwork::transforms::distribute;
using formwork::engine::getRootBuffer;

/// Whether only `root` and its views name this memory.
static bool isDistinct(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      root.getDefiningOp());
}

bool formwork::transforms::distribute::mayAlias(Value a, Value b) {
  if (cast<BaseMemRefType>(a.getType()).getMemorySpace() !=
      cast<BaseMemRefType>(b.getType()).getMemorySpace())
    return false;
  a = getRootBuffer(a);
  b = getRootBuffer(b);
  return a == b || !isDistinct(a) || !isDistinct(b);
}

bool formwork::transforms::distribute::mayWrite(Operation *op, Value memory) {
  return engine::anyBelow(op, [&](Operation *inner) {
    if (isa<gpu::BarrierOp>(inner) ||
        inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return false;
    auto effects = getEffectsRecursively(inner);
    return !effects || llvm::any_of(*effects, [&](const auto &effect) {
      Value written = effect.getValue();
      return isa<MemoryEffects::Write, MemoryEffects::Free>(
                 effect.getEffect()) &&
             (!written || !isa<BaseMemRefType>(written.getType()) ||
              mayAlias(written, memory));
    });
  });
}

/// The growth of `index` from one iteration of `loop` to the next; none if not
/// known.
static std::optional<int64_t> getStep(Value index, scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step)
    return std::nullopt;
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, index.getContext());
  SmallVector<Value> operands{index};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  AffineExpr expr = map.getResult(0), next = expr;
  Builder builder(index.getContext());
  for (auto [position, operand] : llvm::enumerate(operands)) {
    bool isDim = position < map.getNumDims();
    if (operand == loop.getInductionVar()) {
      AffineExpr self =
          isDim ? builder.getAffineDimExpr(position)
                : builder.getAffineSymbolExpr(position - map.getNumDims());
      next = next.replace(self, self + *step);
    } else if (!loop.isDefinedOutsideOfLoop(operand)) {
      return std::nullopt;
    }
  }
  auto difference = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(next - expr, map.getNumDims(), map.getNumSymbols()));
  if (!difference)
    return std::nullopt;
  return difference.getValue();
}

/// Whether the accesses of two iterations of `loop` do not overlap along some
/// index.
static bool areApart(const Access &first, const Access &second,
                     scf::ForOp loop) {
  if (first.memory != second.memory || first.indices != second.indices ||
      first.extents.size() != first.indices.size() ||
      first.extents != second.extents)
    return false;
  for (auto [index, extent] : llvm::zip_equal(first.indices, first.extents))
    if (std::optional<int64_t> step = getStep(index, loop))
      if (std::abs(*step) >= extent)
        return true;
  return false;
}

/// If `loop` is given, `second` belongs to a later iteration.
bool Barriers::conflicts(const Access &first, const Access &second,
                         scf::ForOp loop) const {
  if ((!first.writes && !second.writes) ||
      !mayAlias(first.memory, second.memory))
    return false;
  if (loop && areApart(first, second, loop))
    return false;
  bool sameIndices = first.memory == second.memory &&
                     first.indices == second.indices &&
                     (!loop || llvm::all_of(first.indices, [&](Value index) {
                       return loop.isDefinedOutsideOfLoop(index);
                     }));
  return !(sameIndices && first.shared && second.shared &&
           first.axes == second.axes);
}

void Barriers::access(Location loc, Access access) {
  if (llvm::any_of(since, [&](const Access &earlier) {
        return conflicts(earlier, access);
      })) {
    gpu::BarrierOp::create(builder, loc);
    meet();
  }
  for (Frame &frame : frames)
    if (!frame.met)
      frame.head.push_back(access);
  since.push_back(std::move(access));
}

void Barriers::meet() {
  since.clear();
  for (Frame &frame : frames)
    frame.met = true;
}

void Barriers::enter() {
  Frame frame;
  frame.before = since;
  for (const Frame &outer : frames)
    frame.outerMet.push_back(outer.met);
  frames.push_back(std::move(frame));
}

/// A body may not run, so a barrier inside does not count for the frames around
/// it.
Barriers::Frame Barriers::leave() {
  Frame frame = std::move(frames.back());
  frames.pop_back();
  for (auto [outer, met] : llvm::zip_equal(frames, frame.outerMet))
    outer.met = met;
  return frame;
}

void Barriers::enterLoop() { enter(); }

void Barriers::leaveLoop(scf::ForOp loop) {
  Frame frame = leave();
  bool hasMet = frame.met;
  if (llvm::any_of(frame.head, [&](const Access &later) {
        return llvm::any_of(since, [&](const Access &earlier) {
          return conflicts(earlier, later, loop);
        });
      })) {
    gpu::BarrierOp::create(builder, loop.getLoc());
    since.clear();
    hasMet = true;
  }
  std::optional<llvm::APInt> count = loop.getStaticTripCount();
  if (hasMet && (!count || count->isZero()))
    llvm::append_range(since, frame.before);
}

void Barriers::enterBranch() { enter(); }

void Barriers::nextBranch() {
  Frame &frame = frames.back();
  llvm::append_range(frame.ends, since);
  since = frame.before;
}

void Barriers::leaveBranch() {
  Frame frame = leave();
  llvm::append_range(since, frame.ends);
}
