//===- Passes.cpp - The model of apply_registered_pass ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass or pipeline that a step runs: whether the registry knows it and its
// options, and on which ops it can run. Its contract states what it does to the
// payload. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "engine/AnyBelow.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/clauses/DetachedScopes.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/TensorCores.h"
#include "verifier/models/rewriting/Groups.h"
#include "verifier/models/rewriting/ScopeCleanUp.h"
#include "verifier/models/structured/Rephrasing.h"
#include "verifier/step/Step.h"

#include "engine/Procedures.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Mutex.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Prints an option's value as the command line of a pass has it; false when a
/// parameter decides it.
static bool printValue(Attribute value, llvm::raw_ostream &os) {
  if (isa<transform::ParamOperandAttr>(value))
    return false;
  if (auto string = dyn_cast<StringAttr>(value)) {
    os << string.getValue();
    return true;
  }
  if (auto array = dyn_cast<ArrayAttr>(value)) {
    bool isKnown = true;
    llvm::interleave(
        array, os,
        [&](Attribute element) { isKnown &= printValue(element, os); }, ",");
    return isKnown;
  }
  value.print(os, /*elideType=*/true);
  return true;
}

/// The options of `op` as text; none when a parameter is among them.
static std::optional<std::string>
getOptions(transform::ApplyRegisteredPassOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool isKnown = true;
  llvm::interleave(
      op.getOptions(), os,
      [&](NamedAttribute option) {
        os << option.getName().getValue() << "=";
        isKnown &= printValue(option.getValue(), os);
      },
      " ");
  return isKnown ? std::optional(text) : std::nullopt;
}

namespace {
/// The options of a pass, as MLIR parses them.
struct ParsedPass {
  std::shared_ptr<OpPassManager> pipeline; ///< null if they are refused
  std::string why;                         ///< they are
};

/// Asks passes what pass managers ask them.
struct AnchorOfPass : Pass {
  static bool canRunOn(const Pass &pass, OperationName kind) {
    bool (Pass::*ask)(RegisteredOperationName) const =
        &AnchorOfPass::canScheduleOn;
    std::optional<RegisteredOperationName> known = kind.getRegisteredInfo();
    return known && (pass.*ask)(*known);
  }
};
} // namespace

/// Cost: once per process for each text; what command lines print about a value
/// that they cannot read comes out once, too.
static const ParsedPass &parsePass(const PassRegistryEntry &entry,
                                   StringRef options) {
  static llvm::sys::Mutex mutex;
  static llvm::StringMap<ParsedPass> parsed;
  std::scoped_lock lock(mutex);
  std::string text = (entry.getPassArgument() + " " + options).str();
  auto [it, isNew] = parsed.try_emplace(text);
  if (!isNew)
    return it->second;
  auto pipeline = std::make_shared<OpPassManager>();
  auto refuse = [&](const llvm::Twine &message) {
    it->second.why += message.str();
    return failure();
  };
  if (succeeded(entry.addToPipeline(*pipeline, options, refuse)))
    it->second.pipeline = std::move(pipeline);
  return it->second;
}

/// Whether a pass leaves kernels, of which the bytes are counted step by step.
static bool holdsKernels(Operation *top) {
  return anyBelow(top, [](Operation *inner) {
    return isa_and_nonnull<gpu::GPUDialect>(inner->getDialect());
  });
}

/// Whether the pass is one of the first steps, and a trial told all that it
/// does.
static bool isTriedFirst(const Step &step, ArrayRef<NodeId> targets) {
  const Analysis &analysis = step.analysis;
  auto isTried = [&](NodeId target) {
    auto run = analysis.loneRuns.find(target);
    return run != analysis.loneRuns.end() && run->second &&
           !run->second->failure;
  };
  // A fact about the payload of an example need not hold for others.
  return step.payload.isAsGiven() && analysis.running.size() == 1 &&
         !analysis.options.nameOfSize && step.state.certain &&
         !step.state.survivesFailures() && !step.state.guard &&
         step.state.assumed.empty() && !analysis.isTrial && !targets.empty() &&
         llvm::all_of(targets, isTried);
}

static bool hasOptions(const Step &step) {
  return !cast<transform::ApplyRegisteredPassOp>(step.op).getOptions().empty();
}

/// Which forms of `target` hold behind the pass. With options it may leave out
/// rewrites of which a form consists.
static void writeForms(const Step &step, NodeId target, bool changesNothing) {
  RewriteNames procedures = step.contract.getProcedures();
  if (!procedures.empty() && !hasOptions(step))
    step.state.forms.cleanUp(step.payload, target, procedures,
                             getPreserved(step, procedures));
  else if (!changesNothing)
    step.state.forms.write(step.payload, target, &step.contract);
}

/// Whether a trial says that the pass finds nothing to do.
static bool isIdle(const Step &step, ArrayRef<NodeId> targets) {
  if (!isTriedFirst(step, targets) ||
      !llvm::all_of(targets, [&](NodeId target) {
        return step.analysis.loneRuns[target]->changesNothing;
      }))
    return false;
  for (NodeId target : targets)
    writeForms(step, target, /*changesNothing=*/true);
  stayAsGiven(step);
  return true;
}

/// Goes on with the payload that a trial of the pass in its place has left;
/// false where there is none. Only the first steps of a schedule are tried.
static bool readPayloadBehind(const Step &step, ArrayRef<NodeId> targets) {
  Analysis &analysis = step.analysis;
  if (!isTriedFirst(step, targets) || analysis.options.observer)
    return false;
  std::shared_ptr<OwningOpRef<Operation *>> read =
      analysis.loneRuns[targets.front()]->payload;
  if (!read || holdsKernels(read->get()) ||
      holdsKernels(analysis.payloadRoot) ||
      !step.payload.replaceGiven(read, targets))
    return false;
  Operation *top = read->get();
  analysis.payloadRoot = top;
  analysis.isReadAgain = true;
  FormTable &forms = step.state.forms;
  for (NodeId target : targets)
    writeForms(step, target, /*changesNothing=*/false);
  forms.establish(step.root, step.forms.getHolding(top));
  return true;
}

/// Unproves a pass that may look for ops outside of a detached scope, unless a
/// trial without them says that it succeeds.
static void checkSurroundings(const Step &step, ArrayRef<NodeId> targets) {
  for (NodeId target : targets) {
    const LoneRun *run = tryRewrite(step, target);
    bool isTried = run && !run->failure;
    if (!isTried &&
        (mayNotVerifyAlone(step, target) || mayLackDataLayout(step, target)))
      step.unprove(
          "may need an op around the scope of the alternatives, which run "
          "without it");
  }
}

static void propagateRegisteredPass(const Step &step) {
  auto apply = cast<transform::ApplyRegisteredPassOp>(step.op);
  StringRef name = apply.getPassName();
  step.state.unread.clear();
  if (name == "convert-vector-to-gpu")
    checkMmaOperands(step);
  const PassRegistryEntry *entry = PassPipelineInfo::lookup(name);
  if (!entry)
    entry = PassInfo::lookup(name);
  if (!entry) {
    step.report("fw-unknown-pass",
                "requires a registered pass or pipeline but has '" + name + "'",
                /*definite=*/true, /*silenceable=*/false);
    return applyClauses(step);
  }
  if (!step.contracts.lookupPass(name))
    step.unprove("runs pass '" + name + "', which has no contract");

  std::optional<std::string> options = getOptions(apply);
  const ParsedPass *parsed = options ? &parsePass(*entry, *options) : nullptr;
  if (!parsed) {
    step.unprove("has options that parameters decide");
  } else if (!parsed->pipeline) {
    Finding &finding = step.report("fw-pass-options",
                                   "requires options of pass '" + name +
                                       "' but has '" + *options + "'",
                                   /*definite=*/true, /*silenceable=*/false);
    finding.note(NoteKind::Evidence, step.op->getLoc(),
                 parsed->why.empty() ? "the pass does not read them"
                                     : StringRef(parsed->why).rtrim());
  }

  HandleState &handle = step.lookup(apply.getTarget());
  for (NodeId id : handle.nodes) {
    const Node &node = step.payload[id];
    if (!node.kind) {
      step.unprove("may run a pass on an op that it cannot run on");
      continue;
    }
    bool present = node.isSurelyThere();
    auto refuseKind = [&](const llvm::Twine &wanted) {
      Finding &finding =
          step.report("fw-pass-anchor",
                      "requires " + wanted + " for pass '" + name + "' but " +
                          step.nameOf(apply.getTarget()) + " has '" +
                          node.kind->getStringRef() + "'",
                      present);
      step.noteSet(finding, apply.getTarget());
    };
    if (!node.kind.isIsolated()) {
      refuseKind("an op that is isolated from above");
      break;
    }
    if (!parsed || !parsed->pipeline)
      continue;
    auto wrong = llvm::find_if(parsed->pipeline->getPasses(), [&](Pass &pass) {
      return !AnchorOfPass::canRunOn(pass, *node.kind);
    });
    if (wrong == parsed->pipeline->end())
      continue;
    std::optional<StringRef> anchor = wrong->getOpName();
    bool takesFunctions = AnchorOfPass::canRunOn(
        *wrong, OperationName("func.func", step.op->getContext()));
    refuseKind(anchor           ? "'" + anchor->str() + "'"
               : takesFunctions ? "a function"
                                : "another op");
    break;
  }
  const NodeList targets = handle.nodes;
  // A trial says whether it finds anything to do, and what it leaves.
  if (getPassContract(step))
    checkSurroundings(step, targets);
  if (isIdle(step, targets) || readPayloadBehind(step, targets))
    return setResultByClause(step, 0);
  RewriteNames procedures = step.contract.getProcedures();
  if (procedures.empty()) {
    // Ops that a pass makes may get attributes of others, and passes such as
    // 'gpu-map-parallel-loops' write nothing but attributes.
    for (NodeId target : targets)
      step.payload.forgetTags(target);
    applyClauses(step);
    // A failure that is not reported may leave another op in its place.
    if (step.state.suppressed && step.isOpen())
      for (NodeId target : targets)
        step.payload.doubt(target);
    return;
  }
  bool isGreedy = llvm::none_of(procedures, formwork::engine::isProcedureName);
  for (NodeId target : NodeList(handle.nodes)) {
    const LoneRun *run = tryRewrite(step, target);
    if (run && run->changesNothing) {
      writeForms(step, target, /*changesNothing=*/true);
      continue;
    }
    Settled settled;
    if (name == "linalg-generalize-named-ops")
      settled = generalizeBelow(step, target);
    // Options may keep it from that.
    if (!hasOptions(step) && (isGreedy || name == "cse"))
      step.payload.eraseUnused(target, /*repeatedly=*/false);
    checkMasks(step, target, procedures);
    cleanUp(step.at(nullptr), target, procedures, /*op=*//*consumes=*/true,
            settled);
    // The driver folds to constants also where no rule applies.
    if (isGreedy)
      step.payload.touch(target,
                         step.contracts.lookup("transform.apply_patterns")
                             ->payload->introduces,
                         {});
    step.payload.forget(target);
    writeForms(step, target, /*changesNothing=*/false);
  }
  setResultByClause(step, 0);
}

void formwork::verifier::registerPassesModels(ModelRegistry &models) {
  models.add("registered-pass", propagateRegisteredPass,
             decides{"fw-mma-operands", "fw-pass-anchor", "fw-pass-options",
                     "fw-unknown-pass"},
             leavesOpen{"has options that parameters decide"});
}
