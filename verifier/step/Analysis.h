//===- Analysis.h - What a check knows at one point -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context object of a check: the libraries and options that do not change,
// the abstract state at the present step, and what was found so far. The
// interpreter walks with one; models and clauses see it through a Step. Layer:
// verifier. It does not know models, nor how a schedule is walked.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_ANALYSIS_H
#define FORMWORK_VERIFIER_STEP_ANALYSIS_H

#include "verifier/Verifier.h"
#include "verifier/source/FixIts.h"
#include "verifier/state/State.h"
#include "verifier/step/FormPolicy.h"
#include "verifier/step/Outcome.h"
#include "verifier/step/StepEffects.h"
#include "verifier/step/ValueNames.h"
#include "verifier/trials/LoneRun.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier {

struct Model;
class ReplaySession;
class Step;

/// A value: copies continue independently. Copies share caches of facts that
/// never change (names, symbols, side effects of steps, parameters).
struct Analysis {
  /// `libraries` outlive this.
  Analysis(const ScheduleModel &schedule,
           const normalforms::Libraries &libraries, const CheckOptions &options,
           FormPolicy *policy)
      : schedule(schedule), forms(*libraries.forms),
        contracts(*libraries.contracts), options(options), policy(policy),
        fixes(options.source), state(forms) {}

  /// The step of `op`, null for one that is not in the schedule, seen with
  /// `contract`; without one, with a contract that says nothing.
  Step at(mlir::Operation *op);
  Step at(mlir::Operation *op, const normalforms::Contract &contract);

  /// Whether `value` has a state and can be used by an op placed here.
  bool isUsable(mlir::Value value) const;
  /// Whether `form` holds at `anchor` here, or function by function in it.
  bool isEstablished(NodeId anchor, normalforms::AtomId form) const {
    return state.forms.has(state.payload, anchor, form);
  }
  /// The anchors at which a form of `value`'s payload is evaluated: per node
  /// the nearest op isolated from above, the node itself included; or, for
  /// forms of smaller anchors, the node; or, with `around`, the loop or what
  /// is isolated from above that is next around it.
  NodeList getAnchors(mlir::Value value, normalforms::AtomId form,
                      bool around = false) const;
  /// Whether an op placed here may rewrite what is in `node`, or in the op that
  /// isolates it from above. An action of `foreach_match` runs in the middle of
  /// a walk, and may change nothing outside of what was matched.
  bool mayRewrite(NodeId node, bool viaIsolatedParent) const;
  std::string nameOf(mlir::Value value) const;
  /// The order of the payload may be another from now on.
  void reorder();

  // Handles.
  HandleState &lookup(mlir::Value value);
  HandleState &bind(mlir::Value value, mlir::Operation *origin,
                    llvm::ArrayRef<NodeId> nodes);
  /// The payload of `value` that is there for sure.
  NodeList getThere(mlir::Value value);
  void setParams(mlir::Value value, mlir::Operation *origin,
                 llvm::ArrayRef<ParamValue> values);
  void setOpaqueParam(mlir::Value value, mlir::Operation *origin,
                      const llvm::Twine &reason);
  /// Attribute `index` of a parameter, as the size that consumers take; some
  /// read the number of a constant of another integer type, too.
  Size getParam(mlir::Value value, unsigned index = 0, bool anyWidth = false);
  /// Whether the expensive checks of a run take `value` for used after `op`.
  bool isUsedLater(mlir::Value value, mlir::Operation *op) const;
  /// The op of `region` that is running while `op`, the present step, is; null
  /// if there is none.
  mlir::Operation *getRunning(mlir::Region *region, mlir::Operation *op) const;
  /// Calls `fn` on the handles that are alive when `op` runs; where nobody else
  /// looks at them, only on those that it or a later step uses. `op` is null
  /// for what is not in the schedule.
  void
  forEachFollowing(mlir::Operation *op,
                   llvm::function_ref<void(mlir::Value, HandleState &)> fn);

  // Parameters.
  /// The value that `options` assign, or the term.
  Size assign(solver::IntTerm term) const;
  std::optional<solver::IntTerm> getTerm(const Size &size) const;
  std::optional<solver::IntTerm> getSingleTerm(const HandleState &param,
                                               std::string &reason) const;
  bool mayBeZero(const Size &size) const;

  /// Counts a failure that is not seen here: `silenceable` when MLIR is known
  /// to say that it can be recovered from, and the payload is changed no more
  /// than by success.
  bool hidesFailure(bool silenceable);

  const ScheduleModel &schedule;
  const normalforms::FormLibrary &forms;
  const normalforms::ContractLibrary &contracts;
  const CheckOptions &options;
  FormPolicy *policy;
  FixIts fixes;

  State state;
  Outcome outcome;
  NodeId root = PayloadModel::universe;
  /// The payload before the first step; null without one. Where passes come
  /// first, and were tried, that behind them.
  mlir::Operation *payloadRoot = nullptr;
  /// The payload to which the schedule is applied.
  mlir::Operation *firstPayload = nullptr;
  std::shared_ptr<ValueNames> names = std::make_shared<ValueNames>();
  std::shared_ptr<mlir::SymbolTableCollection> symbols =
      std::make_shared<mlir::SymbolTableCollection>();
  std::shared_ptr<StepEffects> effects =
      std::make_shared<StepEffects>(*symbols);
  std::shared_ptr<ParameterModel> parameters =
      std::make_shared<ParameterModel>();
  /// The step that is interpreted, and those that run it, outermost first.
  llvm::SmallVector<mlir::Operation *> running;
  /// The op that was matched for each action of `foreach_match` around, and the
  /// time since which the actions run.
  struct Walked {
    NodeId matched;
    Time since;
  };
  llvm::SmallVector<Walked, 1> walked;
  /// The nodes that the operands of the current step certainly held before it.
  llvm::DenseSet<NodeId> sureTargets;
  /// The iteration spaces that they had before it, as far as clauses ask.
  llvm::DenseMap<NodeId, std::shared_ptr<const IterationSpace>> targetSpaces;
  /// The results of trials of the current step, by the node that it was tried
  /// on.
  llvm::MapVector<NodeId, std::optional<LoneRun>> loneRuns;
  /// How many steps were tried to see whether they find anything to do.
  unsigned numIdleTrials = 0;
  /// Matches on the same scope, for which nothing has changed since.
  struct FoundBefore {
    mlir::Operation *match;
    unsigned version;
    NodeList nodes;
    bool ordered;
  };
  /// By the scope, and by the hash of what a match asks for.
  llvm::DenseMap<std::pair<NodeId, unsigned>, FoundBefore> matchCache;
  /// The model that takes the analysis across a step; null while none does.
  const Model *model = nullptr;
  /// A step that fails for sure where nobody sees it, and leaves the payload as
  /// it is, and no results.
  mlir::Operation *refused = nullptr;
  /// The step, a pass, was tried in its place, and the payload behind it was
  /// read.
  bool isReadAgain = false;
  /// Tries what will be visited again: nobody is told.
  bool isTrial = false;
  /// The schedule has a knob that is open, or the sizes of the payload have
  /// names.
  bool hasKnobs = false;
  /// For ops that some step made, only the kinds are known: a trial may decide
  /// later steps that the model does not decide.
  bool knowsOnlyKinds = false;
  /// So many of the doubts of a step are such that a trial decides them.
  unsigned numLeftToTrial = 0;
  /// Where steps are tried behind those before them; null before the first one.
  std::shared_ptr<ReplaySession> replays;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_ANALYSIS_H
