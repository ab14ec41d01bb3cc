//===- Replacement.cpp - Models of ops that replace one op ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One op gives way to others: a branch to what it holds, any op to the one that
// a step writes out, a structured op to one on packed operands. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "normalforms/CopiedOp.h"
#include "verifier/Interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void Interpreter::takeBranchModel(Operation *op, const Contract &contract) {
  PayloadModel &payload = state.payload;
  for (NodeId target : NodeList(lookup(op->getOperand(0)).nodes)) {
    // A branch in the one that is taken can make what stands for its results.
    followReplaced(op, root, [&](NodeId id, bool) { return id == target; });
    if (!payload[target].exact) {
      for (NodeId scope : getScopes(op, *contract.payload))
        payload.touch(scope, {}, KindPattern("*"));
      continue;
    }
    // The other branch goes, and what ends this one.
    for (auto [id, place] : payload.getBelow(target)) {
      payload.doubt(id);
      payload.forget(id);
    }
    payload.mayDissolve(target);
    replaceOp(target, PayloadModel::universe);
  }
  for (NodeId scope : getScopes(op, *contract.payload))
    payload.dropNeeds(scope);
  applyWriteOf(op, contract, {});
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

/// Whether `pattern` can stand for `old`, which no other op names: it has the
/// same results.
static bool canStandFor(Operation &pattern, Operation *old) {
  auto isSpecial = [](Operation *op) {
    return op->hasTrait<OpTrait::IsTerminator>() ||
           op->hasTrait<OpTrait::SymbolTable>() || isa<SymbolOpInterface>(op);
  };
  return pattern.getResultTypes() == old->getResultTypes() &&
         !isSpecial(&pattern) && !isSpecial(old);
}

void Interpreter::replaceModel(Operation *op, const Contract &contract) {
  Operation &pattern =
      cast<transform::ReplaceOp>(op).getBodyRegion().front().front();
  Contract instance = contract;
  for (PayloadClause &write : instance.writes)
    pattern.walk([&](Operation *inner) {
      write.introduces.push_back(inner->getName());
    });
  instance.joinWrites();
  for (NodeId target : lookup(op->getOperand(0)).nodes) {
    Operation *old = state.payload[target].op;
    if (!old)
      unprove(op, "replaces an op of which the results are not known");
    else if (!canStandFor(pattern, old))
      unprove(op, "replaces a symbol, a terminator, or an op of other results");
  }
  applyClauses(op, instance);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Whether packing is defined for an op with such loops: there is a zero to pad
/// each operand with, and no loop runs along two dimensions of one. On others,
/// upstream can end the process.
static bool canAskForPacking(const IterationSpace &space) {
  bool hasZeros = llvm::all_of(space.elementTypes, [](Type type) {
    return getElementTypeOrSelf(type).isIntOrIndexOrFloat();
  });
  auto readsOnce = [&](AffineMap map) {
    return llvm::all_of(llvm::seq<unsigned>(map.getNumDims()), [&](unsigned i) {
      return llvm::count_if(map.getResults(), [&](AffineExpr expr) {
               return expr.isFunctionOfDim(i);
             }) <= 1;
    });
  };
  return hasZeros && llvm::all_of(space.maps, readsOnce);
}

/// Whether an op that steps have changed can be packed: each operand is read
/// along loops alone.
static bool isPackable(const Node &node) {
  return node.space->onTensors && node.kind &&
         matchesKind(*node.kind, "$structured") &&
         llvm::all_of(node.space->maps, [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

void Interpreter::packModel(Operation *op, const Contract &contract) {
  auto pack = cast<transform::PackOp>(op);
  HandleState source = lookup(pack.getTarget());
  Builder builder(op->getContext());
  SmallVector<OpFoldResult> sizes;
  bool areKnown = true;
  for (OpFoldResult entry : pack.getMixedPackedSizes()) {
    auto value = dyn_cast<Value>(entry);
    Size size = value ? getParam(value) : Size(getConstantIntValue(entry));
    areKnown &= size && *size >= 0 &&
                (!value || (lookup(value).kind == HandleState::Params &&
                            lookup(value).params.size() == 1));
    sizes.push_back(builder.getIndexAttr(areKnown ? *size : 0));
  }
  for (NodeId target : source.nodes) {
    const Node &node = state.payload[target];
    bool present = node.present == Certainty::Yes && node.count.lo > 0;
    auto given = dyn_cast_or_null<linalg::LinalgOp>(node.op);
    auto refuse = [&](const Twine &what, bool silenceable) {
      report(op, "fw-step-fails", "fails here: " + what, present, silenceable)
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : op->getLoc(),
                "handle " + nameOf(pack.getTarget()) + " is set here");
    };
    if (node.space && node.space->loops.size() != sizes.size())
      refuse("requires number of packed sizes match the number of loops (" +
                 Twine(sizes.size()) + " vs " +
                 Twine(node.space->loops.size()) + ")",
             /*silenceable=*/true);
    else if (!areKnown || !node.space || !canAskForPacking(*node.space))
      unprove(op, "packs an op or by sizes of which not enough is known");
    else if (!given || !given.hasPureTensorSemantics() ||
             !state.payload.isUntouched(target)) {
      if (!isPackable(node))
        unprove(op, "packs an op of which it is not known whether it can be");
    } else if (!CopiedOp(given).allows([&](Operation *copy) {
                 IRRewriter rewriter(copy);
                 auto structured = cast<linalg::LinalgOp>(copy);
                 return succeeded(linalg::pack(rewriter, structured, sizes));
               })) {
      refuse("data tiling failed", /*silenceable=*/false);
    } else {
      // What it is packed to.
      (void)runAlone(op, /*index=*/0, target);
    }
  }
  applyClauses(op, contract);
}
