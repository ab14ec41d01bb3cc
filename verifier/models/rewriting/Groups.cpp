//===- Groups.cpp - Models of ops that run rule groups ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The effect of a list of rule groups and procedures on the payload model, from
// their contracts, and whether it comes to an end. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/rewriting/Groups.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/clauses/SideEffects.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/TriedSteps.h"
#include "verifier/models/rewriting/Contractions.h"
#include "verifier/models/rewriting/ScopeCleanUp.h"
#include "verifier/step/Step.h"
#include "verifier/step/Walker.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Contracts of groups and procedures
//===----------------------------------------------------------------------===//

/// The contract that says what running `name` does; null when none does.
static const Contract *lookupRewrite(const ContractLibrary &contracts,
                                     StringRef name) {
  if (name == "cse" || name == "cse.innermost")
    return contracts.lookup("transform.apply_cse");
  if (name == "dce")
    return contracts.lookup("transform.apply_dce");
  if (name == "licm")
    return contracts.lookup("transform.apply_licm");
  if (name == "sink-index-computations")
    return contracts.lookupPass("gpu-launch-sink-index-computations");
  if (name.consume_front("pass:"))
    return contracts.lookupPass(name);
  return contracts.lookup(name);
}

Rewrites formwork::verifier::getRewrites(const Analysis &analysis,
                                         ArrayRef<StringRef> names) {
  Rewrites sum;
  sum.merges = llvm::is_contained(names, "cse");
  sum.moves = llvm::is_contained(names, "licm");
  bool hasDriver = false;
  for (StringRef name : names) {
    bool isGroup = name.starts_with("transform.apply_patterns.");
    bool isPass = name.starts_with("pass:");
    // The contract of apply_patterns states the rewrites of the driver itself.
    if (isGroup && !hasDriver) {
      hasDriver = true;
      const Contract *driver =
          analysis.contracts.lookup("transform.apply_patterns");
      if (driver && driver->payload)
        llvm::append_range(sum.introduces, driver->payload->introduces);
    }
    const Contract *contract = lookupRewrite(analysis.contracts, name);
    if (contract && contract->payload) {
      if (name != "cse" && name != "dce" && name != "licm" &&
          name != "cse.innermost")
        llvm::append_range(sum.introduces, contract->payload->introduces);
      // `*` stands for what canonicalization folds.
      const KindPatterns &rewritten = contract->payload->rewrites;
      Folding folds = llvm::is_contained(rewritten, "-scf.forall")
                          ? Folding::AllButForall
                          : Folding::All;
      for (const KindPattern &kind : rewritten)
        if (kind.isAny() && (isGroup || isPass))
          sum.folds = std::max(sum.folds, folds);
        else if (!kind.isAny() && !kind.getText().starts_with("-"))
          sum.rewrites.push_back(kind);
    } else if (isGroup || isPass) {
      sum.introduces.push_back("*");
      sum.rewrites.push_back("*");
    } else {
      sum.introduces.append(
          {"scf.for", "tensor.*", "memref.*", "vector.*", "arith.*"});
      sum.folds = Folding::All;
    }
  }
  return sum;
}

RewriteNames formwork::verifier::getActive(const Analysis &analysis,
                                           NodeId scope,
                                           const RewriteNames &names) {
  const PayloadModel &payload = analysis.state.payload;
  NodeId anchor = payload.getAncestor(scope, /*proper=*/false, {"$isolated"})
                      .value_or(scope);
  auto isGroup = [](StringRef name) {
    return name.starts_with("transform.apply_patterns.");
  };
  // Kinds that existed before are looked up once; introduced kinds are looked
  // up each time.
  KindSet made;
  auto mayBeMade = [&](const KindPattern &kind) {
    return made.intersects(kind.withoutProperty());
  };
  auto wasThere = [&](const KindPattern &kind) {
    return kind.getForm() == KindPattern::Form::Type ||
           payload.mayHold(anchor, kind.withoutProperty());
  };
  // A rule rewrites an op of one of these kinds, or it is not applied.
  SmallVector<const KindPatterns *, 4> rewritten;
  llvm::SmallBitVector active(names.size());
  SmallVector<KindPattern, 8> waiting;
  for (auto [i, name] : llvm::enumerate(names)) {
    const Contract *contract =
        isGroup(name) ? lookupRewrite(analysis.contracts, name) : nullptr;
    bool rewritesAny =
        !contract || !contract->payload || contract->payload->rewrites.empty();
    rewritten.push_back(rewritesAny ? nullptr : &contract->payload->rewrites);
    if (rewritesAny || llvm::any_of(*rewritten.back(), wasThere))
      active.set(i);
  }
  auto introduce = [&](StringRef name) {
    SmallVector<KindPattern, 32> sure;
    for (const KindPattern &kind : getRewrites(analysis, name).introduces)
      if (!kind.isMoreOfThem())
        sure.push_back(kind);
      else if (wasThere(kind.getThem()))
        sure.push_back(kind.getThem());
      else
        waiting.push_back(kind.getThem());
    return made.insert(sure);
  };
  bool grows = false;
  for (unsigned i : active.set_bits())
    grows |= introduce(names[i]);
  while (grows) {
    grows = false;
    for (const KindPattern &kind : waiting)
      if (mayBeMade(kind))
        grows |= made.insert(kind);
    for (auto [i, name] : llvm::enumerate(names))
      if (!active[i] && llvm::any_of(*rewritten[i], mayBeMade)) {
        active.set(i);
        grows |= introduce(name);
      }
  }
  RewriteNames kept;
  for (auto [i, name] : llvm::enumerate(names))
    if (active[i])
      kept.push_back(name);
  return kept;
}

void formwork::verifier::applySideEffectsOf(Analysis &analysis,
                                            ArrayRef<StringRef> names) {
  for (StringRef name : names) {
    const Contract *contract = lookupRewrite(analysis.contracts, name);
    if (contract && name.starts_with("transform.apply_patterns."))
      contract = analysis.contracts.lookup("transform.apply_patterns");
    applySideEffects(analysis.state.payload, contract);
  }
}

bool formwork::verifier::mayHoldMask(const PayloadModel &payload,
                                     NodeId scope) {
  // A contract's `vector.*` does not include masks: a step that creates masks
  // names them, or is not proved.
  auto isMask = [](const Node &node) { return isKind<vector::MaskOp>(node); };
  auto mayBeMask = [](const KindSet &kinds) {
    return kinds.isAny() ||
           llvm::is_contained(kinds.getPatterns(), "vector.mask");
  };
  bool isBelow = payload.hadNode("vector.mask") &&
                 !payload.getBelow(scope, isMask).empty();
  return isBelow || payload.mayHide(scope, mayBeMask);
}

void formwork::verifier::checkMasks(const Step &step, NodeId scope,
                                    const RewriteNames &names) {
  auto mayBreak = [&](StringRef name) {
    const Contract *contract = lookupRewrite(step.contracts, name);
    // A rule that rewrites masks rewrites them with their contents.
    return contract && contract->payload &&
           !llvm::is_contained(contract->payload->rewrites, "vector.mask") &&
           llvm::any_of(contract->payload->rewrites, [](StringRef kind) {
             return kind.starts_with("vector.");
           });
  };
  const auto *found = llvm::find_if(names, mayBreak);
  if (found != names.end()) {
    if (mayHoldMask(step.payload, scope))
      step.unprove("runs '" + *found +
                   "' where a vector.mask may be, which holds one op, and may "
                   "make several of it");
    return;
  }
  constexpr StringLiteral folds = "transform.apply_patterns.canonicalization";
  if (llvm::is_contained(names, folds) && step.payload.mayCastMasked() &&
      mayHoldMask(step.payload, scope))
    step.unprove("runs '" + folds +
                 "' where a vector.mask, which holds one op, may write to a "
                 "tensor of a size that folding finds, and may put a cast "
                 "behind that");
}

SmallVector<AtomId>
formwork::verifier::getPreserved(const Analysis &analysis,
                                 const RewriteNames &names) {
  // One rewrite after the other keeps what each of them keeps. The driver by
  // itself takes part in all of them.
  std::optional<SmallVector<AtomId>> kept;
  auto meet = [&](const Contract *contract) {
    if (contract && contract->preservesAll())
      return;
    SmallVector<AtomId> here;
    if (contract)
      for (const auto &claim : contract->preserves)
        if (claim.when.empty() && claim.what)
          here.push_back(*claim.what);
    if (!kept)
      kept = here;
    else
      llvm::erase_if(
          *kept, [&](AtomId atom) { return !llvm::is_contained(here, atom); });
  };
  meet(analysis.contracts.lookup("transform.apply_patterns"));
  for (StringRef name : names)
    meet(lookupRewrite(analysis.contracts, name));
  return kept.value_or(SmallVector<AtomId>());
}

/// Whether a structured op at or below the payload of the first operand of
/// `op` may be on buffers.
static bool mayHaveBuffers(const Step &step) {
  const PayloadModel &payload = step.payload;
  auto isOnBuffers = [](const Node &node) {
    bool isStructured = node.kind
                            ? KindPattern("$structured").matches(*node.kind)
                            : node.isUnlisted();
    auto body = dyn_cast_or_null<linalg::LinalgOp>(node.body);
    bool isOnTensors = body && body.hasPureTensorSemantics() && node.space &&
                       node.space->onTensors;
    return isStructured && !isOnTensors;
  };
  auto mayBeStructured = [](const std::optional<OperationName> &kind) {
    return !kind || KindPattern("$structured").matches(*kind);
  };
  auto isStructuredKind = [&](const KindPattern &mine) {
    if (mine.getForm() == KindPattern::Form::Name)
      return KindPattern("$structured")
          .matches(OperationName(mine.getKind(), step.op->getContext()));
    return mine.isAny() || mine.isClass() || mine.getKind() == "linalg.*";
  };
  return llvm::any_of(
      step.lookup(step.op->getOperand(0)).nodes, [&](NodeId scope) {
        return !payload[scope].exact || isOnBuffers(payload[scope]) ||
               !payload
                    .getBelow(scope, NodeSet::Present, isOnBuffers,
                              mayBeStructured)
                    .empty() ||
               payload.mayHide(scope, [&](const KindSet &kinds) {
                 return llvm::any_of(kinds.getPatterns(), isStructuredKind);
               });
      });
}

void formwork::verifier::checkConvergence(const Step &step,
                                          ArrayRef<Operation *> groups,
                                          bool endInTrial) {
  for (Operation *group : groups) {
    StringRef name = group->getName().getStringRef();
    const Contract *contract = step.contracts.lookup(name);
    if (!contract) {
      step.analysis.outcome.withoutContract.insert(name);
      step.unprove("applies '" + name + "', which has no contract");
      continue;
    }
    if (endInTrial)
      continue;
    const Contract &instance = resolve(step.at(group), *contract);
    if (instance.converges.empty()) {
      step.unprove("applies '" + name + "', which may not terminate");
      continue;
    }
    bool onTensors = llvm::all_of(
        instance.converges, [](const auto &claim) { return claim.onTensors; });
    if (onTensors && mayHaveBuffers(step))
      step.unprove(
          "applies '" + name +
          "', which may not terminate where structured ops are on buffers");
    for (const auto &claim : instance.converges)
      for (StringRef other : claim.except)
        if (llvm::any_of(groups, [&](Operation *one) {
              return one->getName().getStringRef() == other;
            }))
          step.unprove("applies '" + name + "' and '" + other +
                       "', which together may not terminate");
  }
}

//===----------------------------------------------------------------------===//
// apply_patterns
//===----------------------------------------------------------------------===//

/// How far the limits that a step gives itself let it come.
enum class Limit { None, Some, Nothing };

/// The limits are for the driver of what is isolated; the other one goes
/// through its ops once, and fails if it is stopped before the last.
static Limit getLimit(transform::ApplyPatternsOp apply, bool isIsolated) {
  constexpr int64_t unlimited = -1;
  int64_t iterations = apply.getMaxIterations(),
          rewrites = apply.getMaxNumRewrites();
  if (!isIsolated)
    return rewrites == unlimited ? Limit::None : Limit::Some;
  if (iterations == unlimited && rewrites == unlimited)
    return Limit::None;
  // An iteration that is not begun is not taken for a failure. One that may
  // rewrite nothing still erases what is dead, and then asks for another.
  bool doesNothing = iterations == unlimited ? rewrites <= 0 : iterations <= 0;
  return doesNothing ? Limit::Nothing : Limit::Some;
}

/// Whether the step stays within its limit at `target`: how often it rewrites
/// depends on each op there, so that trials say it.
static void checkLimit(const Step &step, NodeId target, bool isIsolated) {
  const LoneRun *run = isIsolated ? runAlone(step, 0, target) : nullptr;
  bool isOpen = !run || (run->failure && !step.payload[target].isSurelyThere());
  if (isOpen && !succeedsInTrial(step))
    step.unprove("fails when it reaches its own limit");
  else if (!isOpen && run->failure)
    reportTrial(step, *run, /*mayBeMended=*/run->leavesInvalid)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "the patterns are stopped before they are done");
}

static void propagatePatterns(const Step &step, Walker &walk) {
  auto apply = cast<transform::ApplyPatternsOp>(step.op);
  RewriteNames names;
  SmallVector<Operation *> groups;
  for (Operation &group : apply.getPatterns().front()) {
    names.push_back(group.getName().getStringRef());
    groups.push_back(&group);
  }
  if (llvm::is_contained(
          names, "transform.apply_patterns.vector.fold_arith_extension"))
    foldExtensions(step);
  if (llvm::is_contained(
          names, "transform.apply_patterns.vector.reduction_to_contract"))
    foldBroadcasts(step);
  const NodeList targets(step.lookup(apply.getTarget()).nodes);
  // Whether the rules come to an end, and whether they find anything to do,
  // depends on each op there: where these are given, a trial says it.
  (void)stayAsGivenIfIdle(step);
  llvm::DenseSet<NodeId> unchanged;
  bool isTried = true;
  for (NodeId target : targets) {
    const LoneRun *run = tryRewrite(step, target);
    isTried &= run && !run->failure;
    if (run && run->changesNothing)
      unchanged.insert(target);
    // Within limits of its own, `checkLimit` says so.
    if (run && run->failure && step.payload[target].isSurelyThere() &&
        getLimit(apply, /*isIsolated=*/true) == Limit::None)
      reportTrial(step, *run, /*mayBeMended=*/run->leavesInvalid);
  }
  checkConvergence(step, groups, /*endInTrial=*/isTried);
  if (names.empty())
    names.push_back("dce");
  if (apply.getApplyCse())
    names.push_back("cse");
  for (NodeId target : targets) {
    NodeId anchor =
        step.payload.getAncestor(target, /*proper=*/false, {"$isolated"})
            .value_or(target);
    Limit limit = getLimit(apply, /*isIsolated=*/anchor == target);
    auto establish = [&] {
      step.state.forms.cleanUp(step.payload, anchor, names,
                               getPreserved(step, names));
    };
    auto rewrite = [&] {
      // The driver stays in the region that all ops inside have in common,
      // which is the one around the target when that has several.
      const std::optional<OperationName> &kind = step.payload[target].kind;
      bool staysInside =
          anchor == target || (kind && kind->isRegistered() &&
                               kind->hasTrait<OpTrait::OneRegion>());
      if (limit == Limit::None)
        step.payload.eraseUnused(target, /*repeatedly=*/false);
      cleanUp(step, staysInside ? target : anchor, names);
      // The driver makes constants at the top, without any rule, too.
      step.payload.touch(anchor, step.contract.payload->introduces, {});
      // And it erases what dies above.
      if (anchor != target)
        step.payload.dropUnused(anchor);
      establish();
    };
    if (unchanged.contains(target)) {
      if (limit != Limit::Nothing)
        establish();
      continue;
    }
    switch (limit) {
    case Limit::None:
      rewrite();
      break;
    case Limit::Nothing:
      walk.visitOptional(step.op, rewrite);
      break;
    case Limit::Some:
      checkLimit(step, target, /*isIsolated=*/anchor == target);
      rewrite();
      break;
    }
  }
}

void formwork::verifier::registerGroupsModels(ModelRegistry &models) {
  models.add("apply-patterns", propagatePatterns, decides{"fw-step-fails"},
             leavesOpen{"fails when it reaches its own limit",
                        "may make a contraction of factors of two types",
                        "may drop a dimension of a contraction to one number"});
}
