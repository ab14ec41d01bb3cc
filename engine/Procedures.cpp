//===- Procedures.cpp - Rewrites of a whole scope ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Procedures.h"

#include "engine/ContextClone.h"
#include "engine/Fingerprint.h"

#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Hoisting.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/CSE.h"
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
  // Post-order: an invariant of two loops leaves the inner one first.
  bool changed = false;
  anchor->walk([&](LoopLikeOpInterface loop) {
    if (loop == anchor)
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
  // Hoisting replaces the loop by one that carries more values; the loops
  // around it stay, so the list, innermost first, stays valid.
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

template <typename OpT> static bool holds(Operation *anchor) {
  return anchor->walk([](OpT) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Runs something that does not say whether it changed anything.
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
  if (!holds<tensor::EmptyOp>(anchor))
    return false;
  return runInPlace(anchor, [&] {
    return bufferization::eliminateEmptyTensors(rewriter, anchor);
  });
}

/// Runs something that no listener hears of: on a clone, whose body replaces
/// that of the anchor when it changed.
static FailureOr<bool>
runOnClone(RewriterBase &rewriter, Operation *anchor,
           llvm::function_ref<LogicalResult(Operation *)> body) {
  Fingerprinter fingerprinter;
  ContextClone clone(anchor);
  if (failed(body(clone.getAnchor())))
    return failure();
  if (fingerprinter.ofBody(clone.getAnchor()) == fingerprinter.ofBody(anchor))
    return false;
  replaceBody(rewriter, anchor, clone.getAnchor());
  return true;
}

static FailureOr<bool> runTransferHoisting(RewriterBase &rewriter,
                                           Operation *anchor) {
  return runOnClone(rewriter, anchor, [](Operation *clone) {
    linalg::hoistRedundantVectorTransfers(clone);
    return success();
  });
}

static FailureOr<bool> runBufferHoisting(RewriterBase &, Operation *anchor) {
  // It moves ops and does nothing else, so that handles to them live on.
  return runInPlace(anchor, [&] {
    bufferization::hoistBuffersFromLoops(anchor);
    return success();
  });
}

static FailureOr<bool> runIndexSinking(RewriterBase &, Operation *anchor) {
  if (!holds<gpu::LaunchOp>(anchor))
    return false;
  // It copies ops into the launch and erases none, so that handles live on.
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
       .summary = "moves invariant ops out of every loop, innermost first",
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

/// Passes that only rewrite below the op they run on, treat all of its nested
/// scopes alike and do not choose for the author. Others may be added when
/// someone has looked.
static bool isEligiblePass(StringRef name) {
  static constexpr StringLiteral eligible[] = {
      "affine-loop-normalize",
      "affine-raise-from-memref",
      "affine-scalrep",
      "affine-simplify-structures",
      "arith-expand",
      "arith-int-range-narrowing",
      "arith-unsigned-when-equivalent",
      "canonicalize",
      "control-flow-sink",
      "cse",
      "expand-strided-metadata",
      "fold-memref-alias-ops",
      "gpu-launch-sink-index-computations",
      "int-range-optimizations",
      "linalg-fold-into-elementwise",
      "linalg-fold-unit-extent-dims",
      "loop-invariant-code-motion",
      "loop-invariant-subset-hoisting",
      "lower-affine",
      "math-uplift-to-fma",
      "mem2reg",
      "memref-expand",
      "optimize-allocation-liveness",
      "resolve-ranked-shaped-type-result-dims",
      "resolve-shaped-type-result-dims",
      "sccp",
      "scf-for-loop-canonicalization",
      "sroa"};
  return llvm::is_contained(eligible, name);
}

static std::optional<Procedure> lookupPass(StringRef pipeline,
                                           std::string &why) {
  StringRef name = pipeline.take_until([](char c) { return c == '{'; });
  if (!PassInfo::lookup(name)) {
    why = ("no pass is registered under the name '" + name + "'").str();
    return std::nullopt;
  }
  if (!isEligiblePass(name)) {
    why = ("pass '" + name +
           "' is not known to rewrite only below its anchor, at every level")
              .str();
    return std::nullopt;
  }
  std::string text = pipeline.str();
  OpPassManager probe;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(text, probe, os))) {
    // Several lines, one of which may be empty.
    SmallVector<StringRef> lines;
    StringRef(message).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    why = llvm::join(lines, "; ");
    return std::nullopt;
  }
  Procedure procedure;
  procedure.name = "pass:" + text;
  procedure.summary = "the registered pass " + text;
  procedure.replacesBody = true;
  procedure.run = [text](RewriterBase &rewriter, Operation *anchor) {
    return runOnClone(rewriter, anchor, [&](Operation *clone) -> LogicalResult {
      PassManager manager(clone->getContext(), clone->getName().getStringRef());
      manager.enableVerifier(false);
      // A pass may be for another kind of op than this anchor.
      std::string message;
      llvm::raw_string_ostream os(message);
      if (failed(parsePassPipeline(text, manager, os)))
        return anchor->emitError() << StringRef(message).rtrim();
      return manager.run(clone);
    });
  };
  return procedure;
}

std::optional<Procedure> formwork::engine::lookupProcedure(StringRef name,
                                                           std::string &why) {
  if (name.consume_front("pass:"))
    return lookupPass(name, why);
  for (const Procedure &procedure : getBuiltinProcedures())
    if (procedure.name == name)
      return procedure;
  why = "no procedure is called '" + name.str() + "'; there are";
  for (const Procedure &procedure : getBuiltinProcedures())
    why += " '" + procedure.name + "'";
  why += " and 'pass:NAME'";
  return std::nullopt;
}
