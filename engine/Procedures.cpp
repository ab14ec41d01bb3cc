//===- Procedures.cpp - Rewrites of a whole scope ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Procedures.h"

#include "engine/AnyBelow.h"
#include "engine/Fingerprint.h"
#include "engine/PassProcedure.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Hoisting.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::engine;

static FailureOr<bool> runCSE(RewriterBase &rewriter, Operation *anchor) {
  bool changed = false;
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, anchor, &changed);
  return changed;
}

static FailureOr<bool> runDCE(RewriterBase &rewriter, Operation *anchor) {
  bool changed = false;
  llvm::SetVector<Operation *> worklist;
  anchor->walk([&](Operation *op) {
    if (op != anchor)
      worklist.insert(op);
  });
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    SetVector<Operation *> sources;
    op->walk([&](Operation *nested) {
      worklist.remove(nested);
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (!op->isAncestor(def) && anchor->isProperAncestor(def))
            sources.insert(def);
    });
    rewriter.eraseOp(op);
    worklist.insert(sources.begin(), sources.end());
    changed = true;
  }
  return changed;
}

static FailureOr<bool> runLICM(RewriterBase &rewriter, Operation *anchor) {
  // Post-order: a value invariant in two loops leaves the inner one first. An
  // scf.forall is left out, because one processor does not run it as a loop. If
  // it becomes the blocks of a kernel, a hoisted op would run on the host.
  bool changed = false;
  anchor->walk([&](LoopLikeOpInterface loop) {
    if (loop == anchor || isa<scf::ForallOp>(loop))
      return;
    changed |= moveLoopInvariantCode(
                   loop.getLoopRegions(),
                   [&](Value value, Region *) {
                     return loop.isDefinedOutsideOfLoop(value);
                   },
                   [&](Operation *op, Region *) {
                     return isMemoryEffectFree(op) && isSpeculatable(op);
                   },
                   // Through the rewriter, so that listeners hear of the move.
                   [&](Operation *op, Region *) {
                     rewriter.moveOpBefore(op, loop);
                   }) != 0;
  });
  return changed;
}

static FailureOr<bool> runSubsetHoisting(RewriterBase &rewriter,
                                         Operation *anchor) {
  // Hoisting replaces the loop by one that carries more values. The loops
  // around it stay, so the list, innermost first, remains valid.
  SmallVector<scf::ForOp> loops;
  anchor->walk([&](scf::ForOp loop) {
    if (loop != anchor)
      loops.push_back(loop);
  });
  bool changed = false;
  for (scf::ForOp loop : loops) {
    rewriter.setInsertionPoint(loop);
    changed |= hoistLoopInvariantSubsets(rewriter, loop).getOperation() !=
               loop.getOperation();
  }
  return changed;
}

/// Runs a body that does not report whether it changed anything, and finds out.
static FailureOr<bool> runInPlace(Operation *anchor,
                                  llvm::function_ref<LogicalResult()> body) {
  Fingerprinter fingerprinter;
  Fingerprint before = fingerprinter.ofBody(anchor);
  if (failed(body()))
    return failure();
  return fingerprinter.ofBody(anchor) != before;
}

static FailureOr<bool> runEmptyTensorElimination(RewriterBase &rewriter,
                                                 Operation *anchor) {
  if (!holdsAny<tensor::EmptyOp>(anchor))
    return false;
  return runInPlace(anchor, [&] {
    return bufferization::eliminateEmptyTensors(rewriter, anchor);
  });
}

static FailureOr<bool> runTransferHoisting(RewriterBase &rewriter,
                                           Operation *anchor) {
  return runOnClone(rewriter, anchor, [](Operation *clone) {
    linalg::hoistRedundantVectorTransfers(clone);
    return success();
  });
}

static FailureOr<bool> runTransferUnrolling(RewriterBase &rewriter,
                                            Operation *anchor) {
  // This is a procedure because the rules that permute transfers compete with
  // these patterns and must run first. The canonicalization patterns of the
  // remaining insertions compete, too, so all run here in one order.
  RewritePatternSet patterns(anchor->getContext());
  populateVectorToSCFConversionPatterns(
      patterns, VectorTransferToSCFOptions().enableFullUnroll());
  vector::InsertOp::getCanonicalizationPatterns(patterns, anchor->getContext());
  GreedyRewriteConfig config;
  config.setListener(
      static_cast<RewriterBase::Listener *>(rewriter.getListener()));
  bool changed = false;
  if (failed(
          applyPatternsGreedily(anchor, std::move(patterns), config, &changed)))
    return failure();
  return changed;
}

static FailureOr<bool> runBufferHoisting(RewriterBase &, Operation *anchor) {
  // This only moves ops, so handles to them stay valid.
  return runInPlace(anchor, [&] {
    bufferization::hoistBuffersFromLoops(anchor);
    return success();
  });
}

static FailureOr<bool> runIndexSinking(RewriterBase &, Operation *anchor) {
  if (!holdsAny<gpu::LaunchOp>(anchor))
    return false;
  // This copies ops into the launch and erases none, so handles stay valid.
  return runInPlace(anchor, [&] {
    PassManager manager(anchor->getContext(), anchor->getName().getStringRef());
    manager.enableVerifier(false);
    manager.addPass(createGpuLaunchSinkIndexComputationsPass());
    return manager.run(anchor);
  });
}

ArrayRef<Procedure> formwork::engine::getBuiltinProcedures() {
  static const Procedure procedures[] = {
      {.name = "cse",
       .summary = "merges equal expressions that dominate each other",
       .run = runCSE,
       .anyAnchor = true,
       .endsWithRules = true},
      {.name = "dce",
       .summary = "erases ops without effects and uses",
       .run = runDCE,
       .anyAnchor = true,
       .endsWithRules = true},
      {.name = "licm",
       .summary = "moves invariant ops out of every loop but scf.forall, "
                  "innermost first",
       .run = runLICM,
       .anyAnchor = true,
       .endsWithRules = true},
      {.name = "hoist-loop-invariant-subsets",
       .summary = "makes tensor subsets that each iteration of an scf.for "
                  "reads and writes loop-carried values, innermost first",
       .run = runSubsetHoisting,
       .anyAnchor = true,
       .endsWithRules = true},
      {.name = "hoist-redundant-vector-transfers",
       .summary = "moves transfer read and write pairs on buffers out of loops",
       .run = runTransferHoisting,
       .endsWithRules = true,
       .replacesBody = true},
      {.name = "unroll-transfers",
       .summary = "turns vector transfers into transfers of one dimension",
       .run = runTransferUnrolling,
       .anyAnchor = true},
      {.name = "hoist-buffers-from-loops",
       .summary = "moves buffer allocations out of loops",
       .run = runBufferHoisting,
       .endsWithRules = true},
      {.name = "eliminate-empty-tensors",
       .summary = "lets ops that write a fresh tensor write the place it is "
                  "inserted into",
       .run = runEmptyTensorElimination},
      {.name = "sink-index-computations",
       .summary = "computes constants and indices that a gpu.launch uses "
                  "inside of it",
       .run = runIndexSinking},
  };
  return procedures;
}

std::optional<Procedure> formwork::engine::lookupProcedure(StringRef name,
                                                           std::string &why) {
  if (name.consume_front("pass:"))
    return lookupPassProcedure(name, /*isVouched=*/false, why);
  for (const Procedure &procedure : getBuiltinProcedures())
    if (procedure.name == name)
      return procedure;
  why = "no procedure is called '" + name.str() + "'; there are";
  for (const Procedure &procedure : getBuiltinProcedures())
    why += " '" + procedure.name + "'";
  why += " and 'pass:NAME'";
  return std::nullopt;
}
