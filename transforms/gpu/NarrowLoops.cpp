//===- NarrowLoops.cpp - Loops that count with 32 bits ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of which the bounds are constants count with 32 bits. An index has 64,
// for which a GPU takes two instructions to add and two to compare. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUNARROWLOOPS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

/// Whether `value` is an index from 0 to `most`.
static bool isConstantUpTo(Value value, int64_t most) {
  std::optional<int64_t> constant = getConstantIntValue(value);
  return constant && value.getType().isIndex() && *constant >= 0 &&
         *constant <= most;
}

/// match:  scf.for %i = %lower to %upper step %step : index
/// result: scf.for %j = %lower to %upper step %step : i32 { %i = index_castui
/// %j } when:   the bounds and the step are constants of at most 30 bits, so
/// that the
///         counter does not overflow behind the last step
static void narrow(RewriterBase &rewriter, scf::ForOp loop) {
  constexpr int64_t kMost = int64_t(1) << 30;
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!isConstantUpTo(bound, kMost))
      return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  auto getBound = [&](Value bound) -> Value {
    return arith::ConstantIntOp::create(rewriter, loc, rewriter.getI32Type(),
                                        *getConstantIntValue(bound));
  };
  auto narrowed =
      scf::ForOp::create(rewriter, loc, getBound(loop.getLowerBound()),
                         getBound(loop.getUpperBound()),
                         getBound(loop.getStep()), loop.getInitArgs());
  narrowed->setDiscardableAttrs(llvm::to_vector(loop->getDiscardableAttrs()));
  // Without carried values, the builder has made a terminator.
  Block *body = narrowed.getBody();
  if (!body->empty())
    rewriter.eraseOp(body->getTerminator());
  rewriter.setInsertionPointToStart(body);
  SmallVector<Value> arguments{arith::IndexCastUIOp::create(
      rewriter, loc, rewriter.getIndexType(), narrowed.getInductionVar())};
  llvm::append_range(arguments, narrowed.getRegionIterArgs());
  rewriter.mergeBlocks(loop.getBody(), body, arguments);
  rewriter.replaceOp(loop, narrowed.getResults());
}

namespace {
struct NarrowLoops
    : formwork::transforms::impl::GpuNarrowLoopsBase<NarrowLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      narrow(rewriter, loop);
  }
};
} // namespace
