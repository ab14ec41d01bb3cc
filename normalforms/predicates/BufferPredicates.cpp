//===- BufferPredicates.cpp - Predicates on buffers -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/predicates/PerOp.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace formwork::normalforms;

/// no-tensors: holds once everything is bufferized. Checks the blocks of the
/// anchor itself, but not its results.
static void checkNoTensors(Operation *anchor,
                           SmallVectorImpl<Violation> &violations,
                           bool onlyFirst) {
  ViolationSink sink("no-tensors", anchor, violations);
  auto check = [&](Operation *op) {
    if (op != anchor)
      for (Type type : op->getResultTypes())
        if (isa<TensorType>(type)) {
          sink.report(op, 1,
                      "requires buffers but " + toText(op) +
                          " makes a value of type " + toText(type));
          break;
        }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (isa<TensorType>(type)) {
            sink.report(op, 2,
                        "requires buffers but a block of " + toText(op) +
                            " has an argument of type " + toText(type));
            return;
          }
  };
  anchor->walk<WalkOrder::PreOrder>([&](Operation *op) {
    check(op);
    return onlyFirst && !violations.empty() ? WalkResult::interrupt()
                                            : WalkResult::advance();
  });
}

/// identity-layouts: strided arguments cost registers and block wide loads.
static void checkIdentityLayouts(Operation *op, ViolationSink &sink) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  for (Type type : function.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(type))
      if (!memref.getLayout().isIdentity())
        return sink.report(op, 1,
                           "requires function arguments of identity layout but "
                           "has one of type " +
                               toText(type));
}

/// allocations-hoisted: required for multi-buffering and static shared memory.
static void checkAllocationsHoisted(Operation *op, ViolationSink &sink) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(op))
    return;
  if (auto loop = getEnclosing<LoopLikeOpInterface>(op, sink.getAnchor()))
    sink.report(op, 1,
                "requires allocations outside of loops but " + toText(op) +
                    " is in " + toText(loop.getOperation()));
}

/// no-self-copies: bufferization can leave such copies, which cost run time.
static void checkNoSelfCopies(Operation *op, ViolationSink &sink) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (copy && copy.getSource() == copy.getTarget())
    sink.report(op, 1,
                "requires copies between different buffers but " + toText(op) +
                    " copies a buffer to itself");
}

void formwork::normalforms::registerBufferPredicates(
    NormalFormDialect &dialect) {
  dialect.registerPredicate(
      {"no-tensors",
       {{"no-tensors.c1", "no op with a result of tensor type"},
        {"no-tensors.c2", "no block with an argument of tensor type"}},
       checkNoTensors});
  dialect.registerPredicate(createPerOpPredicate(
      "identity-layouts",
      {"no function argument of a buffer with another layout"},
      checkIdentityLayouts));
  dialect.registerPredicate(createPerOpPredicate("allocations-hoisted",
                                                 {"no allocation in a loop"},
                                                 checkAllocationsHoisted));
  dialect.registerPredicate(createPerOpPredicate(
      "no-self-copies", {"no copy of a buffer to itself"}, checkNoSelfCopies));
}
