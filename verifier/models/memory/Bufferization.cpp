//===- Bufferization.cpp - Model of bufferization ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When bufferization succeeds, and what it leaves of the payload model. It
// fails on ops that have tensors and no buffer form, and on some that have one:
// those are looked for among the payload's own ops and among the kinds that
// steps may have added. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "engine/AnyBelow.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/DetachedScopes.h"
#include "verifier/models/Models.h"
#include "verifier/models/rewriting/Groups.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// Whether a value of `op`, or of a block in it, is a tensor.
static bool hasTensors(Operation *op) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return llvm::any_of(function.getArgumentTypes(), isTensor) ||
           llvm::any_of(function.getResultTypes(), isTensor);
  if (llvm::any_of(op->getOperandTypes(), isTensor) ||
      llvm::any_of(op->getResultTypes(), isTensor))
    return true;
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return llvm::any_of(region, [](Block &block) {
      return llvm::any_of(block.getArgumentTypes(), isTensor);
    });
  });
}

static bool hasEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getEncoding();
}

static bool isBufferizable(OperationName name) {
  return name.hasInterface<bufferization::BufferizableOpInterface>();
}

/// Why one op of the payload as it was given may keep the whole from being
/// bufferized; empty if it does not.
static std::string explainOp(Operation *op, bool boundaries,
                             bool allowsLoopAllocs) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    if (boundaries && !function.isExternal() &&
        function.getOps<func::ReturnOp>().empty())
      return "a function does not return";
  if (!hasTensors(op))
    return "";
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    if (!boundaries)
      return "";
    if (!isa<func::FuncOp>(op))
      return name + " has tensors at its boundary";
    if (function.isExternal())
      return "a declaration has tensors";
    if (!function.getFunctionBody().hasOneBlock())
      return "a function with tensors has several blocks";
    return "";
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    if (!boundaries)
      return "";
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, call.getCalleeAttr());
    bool calls =
        !callee || callee.isExternal() || holdsAny<CallOpInterface>(callee);
    return calls ? "calls with tensors are nested" : "";
  }
  if (isa<func::ReturnOp, ModuleOp>(op))
    return "";
  if (!isBufferizable(op->getName()))
    return name + " has no form on buffers";
  if (llvm::any_of(op->getOperandTypes(), hasEncoding) ||
      llvm::any_of(op->getResultTypes(), hasEncoding))
    return name + " has a tensor with an encoding";
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op)) {
    auto buffer = dyn_cast<BaseMemRefType>(toTensor.getBuffer().getType());
    if (buffer && buffer.getMemorySpace())
      return name + " is of another memory";
    return toTensor.getRestrict() ? "" : name + " is not 'restrict'";
  }
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    if (alloc.getMemorySpace())
      return name + " is in another memory";
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics()
               ? ""
               : name + " is on tensors and on buffers";
  if (isa<scf::WhileOp, scf::ExecuteRegionOp, scf::IndexSwitchOp>(op))
    return name + " yields tensors";
  // Which buffer such an op yields is a matter of what aliases what.
  if (isa<scf::ForOp>(op))
    return allowsLoopAllocs ? ""
                            : name + " of the payload yields tensors, perhaps "
                                     "in other buffers";
  if (isa<scf::IfOp, arith::SelectOp>(op))
    return name + " may choose between buffers in different memories";
  return "";
}

/// The kind of a tensor whose buffer belongs to one function only.
static constexpr KindPattern mayAlias = "bufferization.to_tensor?may-alias";

/// Whether what steps may have added as `pattern` has a form on buffers.
static bool isBufferizable(MLIRContext *context, StringRef pattern) {
  // Ops that steps add in these dialects have no tensors, or a form on buffers.
  auto [dialect, rest] = pattern.split('.');
  bool isClean =
      llvm::is_contained({"affine", "arith", "builtin", "complex", "func",
                          "gpu", "index", "llvm", "math", "memref", "nvgpu",
                          "nvvm", "rocdl", "scf", "ub", "vector", "x86vector"},
                         dialect);
  if (isClean)
    return true;
  if (rest == "*")
    return llvm::is_contained({"tensor", "bufferization"}, dialect);
  if (pattern.contains('*') || pattern.starts_with("$"))
    return false;
  // Terminators and ops that only query a position have no buffers.
  OperationName name(pattern, context);
  return !name.isRegistered() || isBufferizable(name) ||
         pattern == "linalg.index" ||
         name.mightHaveTrait<OpTrait::IsTerminator>();
}

/// Whether a buffer for `value` may not be written where one op is to write it:
/// others read the value, or its memory is given and must not change.
static bool mayBeUnwritable(Value value, bool boundaries) {
  if (!value.hasOneUse())
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function &&
           (!boundaries ||
            function.getArgAttr(
                argument.getArgNumber(),
                bufferization::BufferizationDialect::kWritableAttrName));
  }
  Operation *def = value.getDefiningOp();
  // Of a function that is not bufferized.
  if (!boundaries && isa<CallOpInterface>(def))
    return true;
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(def))
    return !toTensor.getWritable();
  return def->hasTrait<OpTrait::ConstantLike>();
}

/// Whether an op below `target` may have to write another buffer than that of
/// its destination.
static bool mayWriteElsewhere(const Analysis &analysis, NodeId target,
                              bool boundaries) {
  const PayloadModel &payload = analysis.state.payload;
  return anyBelow(analysis.payloadRoot, [&](DestinationStyleOpInterface op) {
    return payload.isAtOrBelow(payload.lookup(op), target) != Certainty::No &&
           llvm::any_of(op.getDpsInits(), [&](Value init) {
             return isTensor(init.getType()) &&
                    mayBeUnwritable(init, boundaries);
           });
  });
}

/// Whether a constant at or below `node` may be in no module that can hold its
/// buffer.
static bool mayLackModule(const Analysis &analysis, NodeId node) {
  return mayLackAround(analysis, node, {"builtin.module"});
}

/// Why bufferization of `target` may fail; empty if it does not.
static std::string explainUnbufferizable(Analysis &analysis, NodeId target,
                                         bool boundaries,
                                         bool allowsLoopAllocs) {
  PayloadModel &payload = analysis.state.payload;
  if (!analysis.payloadRoot)
    return "may hold ops that have no form on buffers";
  if (!payload[target].exact)
    return "bufferizes payload whose place is not known";
  std::string reason;
  analysis.payloadRoot->walk([&](Operation *op) {
    NodeId node = payload.lookup(op);
    if (payload[node].present == Certainty::No ||
        payload.isAtOrBelow(node, target) == Certainty::No)
      return WalkResult::advance();
    reason = isa<arith::ConstantOp>(op) && hasTensors(op) &&
                     mayLackModule(analysis, node)
                 ? "a constant is in no module that could hold its buffer"
                 : explainOp(op, boundaries, allowsLoopAllocs);
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!reason.empty())
    return "may fail to bufferize: " + reason;

  // The kinds that steps made. Of a constant of theirs, it is not known whether
  // it is a tensor.
  MLIRContext *context = analysis.payloadRoot->getContext();
  bool lacksModule = mayLackModule(analysis, target);
  auto mayStay = [&](const KindPattern &made) {
    return (lacksModule && made.names(arith::ConstantOp::getOperationName())) ||
           !isBufferizable(context, made.getKind());
  };
  SmallVector<std::pair<NodeId, Certainty>> below = payload.getBelow(target);
  below.push_back({target, Certainty::Yes});
  for (auto [id, place] : below) {
    const Node &node = payload[id];
    if (node.mayMoveMemory)
      return "may bufferize to invalid IR: a tensor in a memory that a step "
             "chose may be copied, or handed on to where others are expected";
    if (node.mayYieldOthers && !allowsLoopAllocs)
      return "may fail to bufferize: a loop may yield the buffer that was "
             "allocated for an op in it, and not the one that it was given";
    if (node.fresh && node.kind && mayStay(*node.kind))
      return "may fail to bufferize: '" + node.kind->getStringRef().str() +
             "' cannot be bufferized";
  }
  bool hidden = payload.mayHide(target, [&](const KindSet &kinds) {
    return llvm::any_of(kinds.getPatterns(), [&](const KindPattern &mine) {
      if (mine != mayAlias && !mayStay(mine))
        return false;
      reason = mine == KindPattern("*") ? "ops of any kind"
                                        : "'" + mine.getKind().str() + "'";
      if (mine == mayAlias)
        reason += " that is not 'restrict'";
      return true;
    });
  });
  if (hidden)
    return "may fail to bufferize: an earlier step may have added " + reason;
  // Some ops must write the destination that they have: what padding copies
  // back, and what a mask holds, beside which no copy can stand.
  bool materializes =
      payload.mayHold(target, "bufferization.materialize_in_destination");
  bool isMasked = mayHoldMask(payload, target);
  if ((materializes || isMasked) &&
      mayWriteElsewhere(analysis, target, boundaries))
    return materializes
               ? "may fail to bufferize: a tensor must be materialized in a "
                 "destination that may be read-only, or read elsewhere"
               : "may fail to bufferize: an op in a 'vector.mask' writes a "
                 "destination that may be read-only, or read elsewhere";
  return "";
}

/// Whether what the op becomes on buffers is one op of the same kind.
static bool keepsKind(const Node &node) {
  // The terminator of an op on tensors may become that of an op on buffers.
  if (node.op && !hasTensors(node.op) &&
      node.kind->getStringRef() != tensor::YieldOp::getOperationName())
    return true;
  // An op that is not structured is created anew, without its former
  // attributes.
  bool isOther = node.kind && node.kind->getDialectNamespace() == "linalg" &&
                 !node.kind->hasInterface<linalg::LinalgOp>() &&
                 !node.kind->mightHaveTrait<OpTrait::IsTerminator>();
  if (isOther)
    return false;
  // Constants become globals, what makes tensors becomes loops or allocations.
  return node.kind && llvm::is_contained(
                          {"builtin", "func", "gpu", "linalg", "scf", "vector"},
                          node.kind->getDialectNamespace());
}

/// Whether the op may be made anew, of the same kind but without the attributes
/// that it had: on buffers, only a structured op and a loop that counts stay
/// as they were.
static bool mayLoseTags(const Node &node) {
  if (node.op && !hasTensors(node.op))
    return false;
  return !node.kind || node.kind->getDialectNamespace() == "vector" ||
         (node.kind->getDialectNamespace() == "scf" &&
          !isKind<scf::ForOp>(node) && !isKind<scf::ForallOp>(node));
}

/// Warns of producers that fusion left behind, in what `op` bufferizes.
static void warnOfUnread(const Step &step) {
  for (const UnreadProducer &left : step.state.unread) {
    const Node &node = step.payload[left.node];
    bool isInside = llvm::any_of(
        step.lookup(step.op->getOperand(0)).nodes, [&](NodeId target) {
          return step.payload.isAtOrBelow(left.node, target) == Certainty::Yes;
        });
    if (!isInside || !node.kind)
      continue;
    std::string kind = "'" + node.kind->getStringRef().str() + "'";
    Finding &finding =
        step.warn("fw-unread-producer",
                  "bufferizes " + kind + ", which nothing reads any more");
    finding.note(NoteKind::Established, left.by->getLoc(),
                 "fused here, the original is left behind");
    finding.note(NoteKind::Evidence, step.op->getLoc(),
                 "the op gets a buffer of its own, or writes the whole buffer "
                 "of the result");
  }
  step.state.unread.clear();
}

/// The modules below `target` that hold tensors, of any dialect: where function
/// boundaries are bufferized, MLIR leaves these as they are.
static NodeList getOtherModules(const Analysis &analysis, NodeId target) {
  NodeList others;
  if (!analysis.payloadRoot)
    return others;
  const PayloadModel &payload = analysis.state.payload;
  analysis.payloadRoot->walk([&](Operation *module) {
    if (!module->hasTrait<OpTrait::SymbolTable>())
      return;
    NodeId node = payload.lookup(module);
    bool isBelow = node != target && payload[node].present != Certainty::No &&
                   payload.isAtOrBelow(node, target) != Certainty::No;
    if (isBelow && anyBelow(module, hasTensors))
      others.push_back(node);
  });
  return others;
}

/// Reports a target that is refused. Returns whether it is known that each op
/// below `target` can be bufferized; of one that is refused, nothing is asked.
static bool checkTarget(const Step &step,
                        transform::OneShotBufferizeOp bufferize,
                        NodeId target) {
  const Node &node = step.payload[target];
  bool boundaries = bufferize.getBufferizeFunctionBoundaries();
  bool isModule = isKind<ModuleOp>(node);
  bool isFunction = node.kind && node.kind->hasInterface<FunctionOpInterface>();
  bool accepted = isModule || (isFunction && !boundaries);
  if (!node.kind) {
    step.unprove("may be given something else than a module or a function");
    return true;
  }
  if (!accepted) {
    step.report("fw-wrong-kind",
                Twine("requires a 'builtin.module'") +
                    (boundaries ? " to bufferize function boundaries"
                                : " or a function") +
                    " but " + step.nameOf(step.op->getOperand(0)) + " has '" +
                    node.kind->getStringRef() + "'",
                node.isSurelyThere())
        .note(NoteKind::Evidence, step.op->getLoc(),
              boundaries ? "expected module target"
                         : "expected module or function target");
    return true;
  }
  std::string reason = explainUnbufferizable(
      step, target, boundaries, bufferize.getAllowReturnAllocsFromLoops());
  if (!reason.empty())
    step.leaveToTrial(reason);
  return reason.empty();
}

/// The ops below `target` are on buffers, except for those in `others`.
static void bufferizeBelow(PayloadModel &payload, NodeId target,
                           ArrayRef<NodeId> others) {
  for (auto [id, place] : payload.getBelow(target)) {
    Certainty isInOther = Certainty::No;
    for (NodeId other : others)
      isInOther = std::max(isInOther, payload.isAtOrBelow(id, other));
    if (isInOther == Certainty::Yes)
      continue;
    Node &inner = payload.edit(id);
    if (isInOther == Certainty::Maybe) {
      inner.loop = nullptr;
      inner.space = nullptr;
    }
    bool isKept = keepsKind(inner);
    if (!inner.tags.isEmpty() && mayLoseTags(inner))
      inner.tags = std::nullopt;
    inner.op = nullptr;
    // Of values on buffers, it is not followed which ops they come from.
    llvm::fill(inner.producers, PayloadModel::unknownProducer);
    // Loops are rebuilt around buffers, one for one.
    if (inner.loop && inner.loop->hasResults) {
      auto facts = std::make_shared<LoopFacts>(*inner.loop);
      facts->hasResults = false;
      inner.loop = std::move(facts);
    } else if (inner.space && isKept) {
      auto space = std::make_shared<IterationSpace>(*inner.space);
      space->onTensors = false;
      inner.space = std::move(space);
    } else if (!inner.loop && !isKept) {
      payload.doubt(id);
    }
  }
}

/// The kinds of op that the step makes of what `targets` hold.
static normalforms::KindPatterns
getIntroduced(const Step &step, transform::OneShotBufferizeOp bufferize,
              ArrayRef<NodeId> targets) {
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  // An op that computes element by element becomes a map.
  bool mayMap = llvm::any_of(targets, [&](NodeId target) {
    return llvm::any_of(
        KindPatterns{"tensor.generate", "tensor.pad", "tensor.splat"},
        [&](const KindPattern &kind) {
          return step.payload.mayHold(target, kind);
        });
  });
  if (mayMap)
    introduces.append(
        {"affine.apply", "linalg.index", "linalg.map", "linalg.yield"});
  if (bufferize.getMemcpyOp() == linalg::CopyOp::getOperationName())
    introduces.append({"linalg.copy", "linalg.yield"});
  if (!bufferize.getBufferizeFunctionBoundaries())
    introduces.push_back(mayAlias);
  return introduces;
}

static void propagateBufferize(const Step &step) {
  auto bufferize = cast<transform::OneShotBufferizeOp>(step.op);
  bool boundaries = bufferize.getBufferizeFunctionBoundaries();
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  bool onlyAnalyzes = bufferize.getTestAnalysisOnly();
  if (!onlyAnalyzes)
    warnOfUnread(step);
  // One after the other; what is in two of them is bufferized twice.
  for (auto [i, target] : llvm::enumerate(source.nodes))
    for (NodeId other : ArrayRef(source.nodes).drop_front(i + 1))
      if (!boundaries && (payload.isAtOrBelow(target, other) != Certainty::No ||
                          payload.isAtOrBelow(other, target) != Certainty::No))
        step.unprove("may bufferize the same payload twice");
  // Some tensors stay.
  bool isPartial = false;
  for (NodeId target : source.nodes) {
    // Unknown ops stay on tensors.
    if (!checkTarget(step, bufferize, target))
      isPartial |= bufferize.getAllowUnknownOps();
    if (onlyAnalyzes) {
      // The attributes say where it would be in place.
      payload.forgetTags(target);
      continue;
    }
    NodeList others;
    if (boundaries)
      others = getOtherModules(step, target);
    isPartial |= !others.empty();
    bufferizeBelow(payload, target, others);
  }
  normalforms::KindPatterns introduces;
  if (!onlyAnalyzes)
    introduces = getIntroduced(step, bufferize, source.nodes);
  applyWriteOf(step, introduces);
  step.setResult(0, source.nodes, source.ordered);
  if (boundaries && !onlyAnalyzes && !isPartial)
    for (const auto &claim : step.contract.ensures)
      for (NodeId target : source.nodes)
        step.state.forms.establish(target, claim.what.first);
}

void formwork::verifier::registerBufferizationModels(ModelRegistry &models) {
  models.add("one-shot-bufferize", propagateBufferize,
             decides{"fw-unread-producer", "fw-wrong-kind"});
}
