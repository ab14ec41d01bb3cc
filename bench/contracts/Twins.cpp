//===- Twins.cpp - Schedules that show more of a step ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/contracts/Twins.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

void formwork::mistakes::matchBehind(transform::NamedSequenceOp entry,
                                     ArrayRef<StringRef> kinds) {
  Block &body = entry.getBody().front();
  OpBuilder builder(body.getTerminator());
  Location loc = entry.getLoc();
  Type handle = transform::AnyOpType::get(entry.getContext());
  Type number =
      transform::ParamType::get(entry.getContext(), builder.getI64Type());
  for (StringRef kind : kinds) {
    Value found = transform::MatchOp::create(builder, loc, TypeRange(handle),
                                             body.getArgument(0),
                                             ArrayRef<StringRef>(kind));
    transform::NumAssociationsOp::create(builder, loc, number, found);
  }
}

void formwork::mistakes::suppressFailures(transform::NamedSequenceOp entry) {
  Block &body = entry.getBody().front();
  Value argument = body.getArgument(0);
  OpBuilder builder(body.getTerminator());
  auto sequence = transform::SequenceOp::create(
      builder, entry.getLoc(), TypeRange(),
      transform::FailurePropagationMode::Suppress, argument,
      [](OpBuilder &inner, Location loc, BlockArgument) {
        transform::YieldOp::create(inner, loc);
      });
  Block *inner = sequence.getBodyBlock();
  for (Operation &step : llvm::make_early_inc_range(body.without_terminator()))
    if (&step != sequence)
      step.moveBefore(inner->getTerminator());
  argument.replaceUsesWithIf(inner->getArgument(0), [&](OpOperand &use) {
    return use.getOwner() != sequence;
  });
}
