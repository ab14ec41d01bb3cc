//===- Interpreter.h - The abstract interpreter -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a schedule in execution order and carries a State along. What an op
// does is said by its contract and, where clauses do not suffice, by a model: a
// member function in models/. Layer: verifier; internal to it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_INTERPRETER_H
#define FORMWORK_VERIFIER_INTERPRETER_H

#include "verifier/FormPolicy.h"
#include "verifier/Outcome.h"
#include "verifier/StepEffects.h"
#include "verifier/ValueNames.h"
#include "verifier/Verifier.h"
#include "verifier/models/LoneRun.h"
#include "verifier/models/TiledNodes.h"
#include "verifier/source/FixIts.h"
#include "verifier/state/CleanUp.h"
#include "verifier/state/State.h"
#include "verifier/state/WorkgroupMemory.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

#include <functional>

namespace formwork::verifier {

/// The sizes nearest to `tile`, below and above, that divide `size`, as text:
/// `40 or 80`.
std::string getDividingSizes(int64_t size, int64_t tile);

/// The nearer of the two, the smaller one if both are as near.
int64_t getNearestDividingSize(int64_t size, int64_t tile);

class Interpreter : private Outcome {
public:
  Interpreter(const ScheduleModel &schedule,
              const normalforms::FormLibrary &forms,
              const normalforms::ContractLibrary &contracts,
              const CheckOptions &options, FormPolicy *policy = nullptr)
      : schedule(schedule), forms(forms), contracts(contracts),
        options(options), policy(policy), fixes(options.source), state(forms) {}

  CheckResult run(mlir::Operation *payload);

  // The parts of `run`, for who goes on from one point in several ways: a copy
  // that was made in between continues by itself.
  void begin(mlir::Operation *payload);
  /// Visits `op`, which is of the entry's body and no terminator.
  void step(mlir::Operation *op) { visitOp(op); }
  CheckResult end();
  /// Drops what was found so far, and what is remembered only to be quick, so
  /// that a copy is cheap.
  void forgetFindings() {
    result = CheckResult();
    matchCache.clear();
    calls.clear();
  }
  /// The policy from here on.
  void setPolicy(FormPolicy *policy) { this->policy = policy; }

  const State &getState() const { return state; }
  NodeId getRoot() const { return root; }
  const normalforms::FormLibrary &getForms() const { return forms; }

  /// Whether `value` has a state and can be used by an op placed here.
  bool isUsable(mlir::Value value) const;
  /// Whether `form` holds at `anchor` here, or function by function in it.
  bool isEstablished(NodeId anchor, normalforms::AtomId form) const {
    return state.forms.has(state.payload, anchor, form);
  }
  /// The anchors at which a form of `value`'s payload is evaluated: per node
  /// the nearest op isolated from above, the node itself included; or, for
  /// forms of smaller anchors, the node.
  NodeList getAnchors(mlir::Value value, normalforms::AtomId form) const;
  /// Whether an op placed here may rewrite what is in `node`, or in the op that
  /// isolates it from above. An action of `foreach_match` runs in the middle of
  /// a walk, and may change nothing outside of what was matched.
  bool mayRewrite(NodeId node, bool viaIsolatedParent) const;
  std::string nameOf(mlir::Value value) const;

private:
  /// The forms on which something depends; any, if there are none.
  using AskedForms = std::optional<normalforms::FormSet>;
  /// Reads what does not change of the schedule: its kinds of step, and how
  /// many there are.
  AskedForms readSchedule();
  /// What is known before the first step.
  void setUp(mlir::Operation *payload, const AskedForms &asked);
  /// Forgets the sizes of payload that `options` give names to.
  void nameSizes();

  using Contract = normalforms::Contract;
  using Model = void (Interpreter::*)(mlir::Operation *, const Contract &);
  static Model lookupModel(llvm::StringRef name);
  /// What is the same of all steps of one name.
  struct StepKind {
    /// Null for an op without a contract.
    const Contract *contract = nullptr;
    /// Null for what the clauses of its contract say all of.
    Model model = nullptr;
    bool hasConditions = false;
    /// The contract may depend on more than the name.
    bool mayNeedInstance = false;
    /// Its effects are those of its body, which is walked.
    bool isStructured = false;
    /// It leaves all other ops where they stand, and puts what it makes where
    /// the op stood of which it made it.
    bool keepsOrder = false;
    /// It is applied to each op of its first operand.
    bool isForEach = false;
  };
  StepKind getStepKind(mlir::Operation *op);

  // The walk (Interpreter.cpp).
  void visitBlock(mlir::Block &block);
  /// Visits the body of an op with regions, or of what an include names, as
  /// what `visit` says of its executions.
  void visitRegion(mlir::Block &block, const RegionVisit &visit);
  void visitOp(mlir::Operation *op);
  /// Visits `op`, which may fail where nobody sees it.
  void visitInPart(mlir::Operation *op);
  /// The order of the payload may be another from now on.
  void reorder();
  /// Goes from the state before `op` to that behind it.
  void interpret(mlir::Operation *op);
  void checkOperands(mlir::Operation *op, bool defersConsumption);
  void checkUse(mlir::Operation *op, mlir::OpOperand &operand);
  void consumeHandle(mlir::Operation *op, mlir::Value value);
  /// The payload of `value` that is there for sure.
  NodeList getThere(mlir::Value value);
  void checkOperandClauses(mlir::Operation *op, const Contract &contract);
  /// Says of what `op` is given that it is of a kind that it accepts, as it is
  /// where anything runs behind it.
  void assumeKinds(mlir::Operation *op, const Contract &contract);
  bool isMissing(mlir::Operation *op,
                 const normalforms::FormClause &clause) const;
  void checkFormClauses(mlir::Operation *op, const Contract &contract);
  void checkGoal(mlir::Operation *end);
  void applyStep(const VirtualStep &step);

  // Conditions (Conditions.cpp).
  /// The clauses of `contract` that hold for `op` at this point.
  const Contract &resolve(mlir::Operation *op, const Contract &contract);
  /// Whether a structured op at or below the payload of `handle` may have a
  /// loop that `accepts` accepts.
  bool mayHaveLoops(const HandleState &handle,
                    llvm::function_ref<bool(const Extent &)> accepts) const;
  std::optional<bool> decide(mlir::Operation *op,
                             const normalforms::Condition &condition);
  /// Of the op of `id`, one of those that `op` has for an operand; `negated` is
  /// left to the caller.
  std::optional<bool> holdsOf(NodeId id, mlir::Operation *op,
                              const normalforms::Condition &condition);
  /// As above, of all that `op` has for the operand.
  std::optional<bool> holdsOfAll(mlir::Operation *op,
                                 const normalforms::Condition &condition);
  /// Whether all conditions of a failure hold: what is asked of the payload of
  /// an operand, of one op of it.
  std::optional<bool> decideFailure(mlir::Operation *op,
                                    const normalforms::Conditions &when);
  void checkFailureClauses(mlir::Operation *op, const Contract &contract);
  /// Reports that `op` fails on an op of its payload, for which `clause` asks,
  /// in upstream's words; false when that is not known.
  bool reportLoneFailure(mlir::Operation *op,
                         const normalforms::FailureClause &clause);
  /// What `op` does to a copy of the payload op of `id`, which its operand
  /// `index` holds; null where that is not known (models/LoneRun.cpp).
  const LoneRun *runAlone(mlir::Operation *op, unsigned index, NodeId id);
  void checkAncestors(mlir::Operation *op,
                      const normalforms::OperandClause &clause);

  /// The contract of this instance: its clauses that hold, with those of the
  /// pass that it runs, the forms that its rule groups ask for, and what the
  /// conversions that it collects write. `extended` holds it where there is
  /// more than the clauses of `contract`.
  const Contract &instantiate(mlir::Operation *op, const Contract &contract,
                              std::optional<Contract> &extended);

  // Handles that outlive a rewrite (Tracking.cpp).
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
  /// Unproves `op` when it may replace, by something that no handle can follow,
  /// payload below `scope` that `isReplaced` accepts and that is used later.
  void checkTracking(mlir::Operation *op, NodeId scope,
                     llvm::function_ref<bool(NodeId)> isReplaced);
  void applyHandleEffects(mlir::Operation *op, NodeId scope,
                          const normalforms::PayloadClause &clause);
  /// What is below `scope` and `isReplaced` accepts gives way to another op, or
  /// to nothing: handles follow it to where nothing is known of it.
  /// `isReplaced` is asked apart for ops and, with true, for their values, of
  /// which another op can become the one that defines them. `toAnyKind`: to
  /// whatever takes its place. `op`: the step, if it is in the schedule.
  void followReplaced(mlir::Operation *op, NodeId scope,
                      llvm::function_ref<bool(NodeId, bool)> isReplaced,
                      bool toAnyKind = false);

  // Paths through a schedule (Paths.cpp).
  /// What a region yields.
  using Yields = llvm::SmallVector<HandleState>;
  /// Takes each of `paths` from the present state and goes on with what holds
  /// whichever was taken; `inPart`: and however far it got.
  void visitPaths(mlir::Operation *op,
                  llvm::ArrayRef<std::function<void()>> paths,
                  bool inPart = false);
  /// As `visitPaths`, when the one path may not be taken at all.
  void visitOptional(mlir::Operation *op, llvm::function_ref<void()> path,
                     bool inPart = false);
  /// Visits it as if failures counted; unless none is possible, all is as it
  /// was, and false.
  bool visitSurely(llvm::function_ref<void(Interpreter &)> visit);
  /// Visits what runs under a failure propagation mode; `visit` is called with
  /// the interpreter that is to do it, perhaps more than once, and the last
  /// time with this one. Cost: that of a visit and of a copy of the state, and
  /// of a further visit for each chain of failures that one step finds out.
  void visitSuppressing(bool suppresses,
                        llvm::function_ref<void(Interpreter &)> visit);
  /// The operands of the terminator that was visited last, and whether they
  /// are valid there.
  Yields getYields();
  /// Makes `value` a handle to what `from` is a handle to.
  HandleState &bindFrom(mlir::Value value, mlir::Operation *origin,
                        const HandleState &from);
  /// Sets the results of `op` from `first` on to what the paths yielded.
  void setYields(mlir::Operation *op, llvm::ArrayRef<Yields> paths,
                 unsigned first = 0);
  void setYield(mlir::Operation *op, unsigned index, const HandleState &yield);
  HandleState joinYields(mlir::Operation *op,
                         llvm::ArrayRef<const HandleState *> yields);
  /// The effect of an op whose regions or callees are not followed any more.
  void summarize(mlir::Operation *op);
  /// Whether more has been interpreted than is linear in the schedule, or
  /// sequences include each other deeper than the stack may have room for.
  bool isExhausted() const {
    constexpr size_t maxDepth = 256;
    return numVisited > maxOps || callStack.size() > maxDepth;
  }
  /// Consumes what `op`, which has a body, consumes: at its start.
  void consumeOperands(mlir::Operation *op);

  // Clauses (Clauses.cpp).
  void applyClauses(mlir::Operation *op, const Contract &contract);
  void applyWrite(mlir::Operation *op, const Contract *contract);
  /// What `clause` introduces below `scopes` is made of others, the targets of
  /// `op` among them, and may have their attributes.
  void hideOrigins(mlir::Operation *op,
                   const normalforms::PayloadClause &clause,
                   llvm::ArrayRef<NodeId> scopes);
  /// What an op consumes may be gone, and may be another than it was, as far as
  /// clauses tell.
  void forgetConsumed(mlir::Operation *op, const Contract &contract);
  /// The nodes at which one of the writes of `op` stops.
  NodeList getScopes(mlir::Operation *op,
                     const normalforms::PayloadClause &clause);
  /// As `applyWrite`, for a model that knows itself what is gone.
  void applyWriteOf(mlir::Operation *op, const Contract &contract,
                    llvm::ArrayRef<KindPattern> introduces);
  void applyUnknown(mlir::Operation *op);
  /// Sets the result to what it was for each target by itself; false when that
  /// is not known (models/LoneRun.cpp).
  bool setLoneResult(mlir::Operation *op, const Contract &contract,
                     unsigned index);
  void setResultByClause(mlir::Operation *op, const Contract &contract,
                         unsigned index);
  /// One node for all payload of a result that is not counted by target.
  void setResultInTotal(mlir::Operation *op,
                        const normalforms::ResultClause &clause, unsigned index,
                        std::optional<mlir::OperationName> kind,
                        llvm::ArrayRef<NodeId> targets);

  // Results.
  HandleState &lookup(mlir::Value value);
  HandleState &setResult(mlir::Operation *op, unsigned index,
                         llvm::ArrayRef<NodeId> nodes, bool ordered = true);
  HandleState &bind(mlir::Value value, mlir::Operation *origin,
                    llvm::ArrayRef<NodeId> nodes);
  void setOpaque(mlir::Operation *op, unsigned index);
  void setEmpty(mlir::Operation *op);
  void setParams(mlir::Value value, mlir::Operation *origin,
                 llvm::ArrayRef<ParamValue> values);
  void setOpaqueParam(mlir::Value value, mlir::Operation *origin,
                      const llvm::Twine &reason);
  /// Attribute `index` of a parameter, as the size that consumers take; some
  /// read the number of a constant of another integer type, too.
  Size getParam(mlir::Value value, unsigned index = 0, bool anyWidth = false);

  // Findings.
  engine::Finding &report(mlir::Operation *op, llvm::StringRef id,
                          const llvm::Twine &message, bool definite = true,
                          bool silenceable = true);
  engine::Finding &warn(mlir::Operation *op, llvm::StringRef id,
                        const llvm::Twine &message);
  /// Counts a failure that is not seen here: `silenceable` when MLIR is known
  /// to say that it can be recovered from, and the payload is changed no more
  /// than by success.
  bool hidesFailure(bool silenceable);
  /// Advises that `op` fails, or may fail, where nobody sees it.
  engine::Finding &warnOfHidden(mlir::Operation *op, const llvm::Twine &reason,
                                bool isCertain);
  /// Whether `op`, where it fails for sure as `id` says, does nothing before.
  bool leavesPayload(mlir::Operation *op, llvm::StringRef id);
  /// `op` may fail for `reason`; whether it does is not known. For
  /// `silenceable` see above.
  void unprove(mlir::Operation *op, const llvm::Twine &reason,
               bool silenceable = false);

  // Fix-its.
  /// Adds the note that says what to use instead of `dead`, which `by`
  /// consumed: a result of it, with an edit if that has payload of the same
  /// kind and can be used here.
  void suggestLiveHandle(engine::Finding &finding, mlir::Operation *op,
                         mlir::Value dead, mlir::Operation *by);
  /// Adds the note that inserts a normalization of `handle` before `op`.
  void suggestNormalize(engine::Finding &finding, mlir::Operation *op,
                        mlir::Value handle, const normalforms::Form &form);
  /// Adds the note that gives `value` the type of payload of `kind`.
  void suggestKind(engine::Finding &finding, mlir::Value value,
                   mlir::OperationName kind);
  /// Adds the notes that say where `value`, which has an op twice, comes from.
  void suggestDeduplicate(engine::Finding &finding, mlir::Value value);
  /// Adds the notes that say why the size of `reason` is dynamic.
  void explainTile(engine::Finding &finding, const DynamicReason &reason);

  // models/Matching.cpp
  void matchModel(mlir::Operation *op, const Contract &contract);

  // models/Handles.cpp
  void castModel(mlir::Operation *op, const Contract &contract);
  void mergeModel(mlir::Operation *op, const Contract &contract);
  void replicateModel(mlir::Operation *op, const Contract &contract);
  void splitModel(mlir::Operation *op, const Contract &contract);

  // models/Navigation.cpp
  void getParentModel(mlir::Operation *op, const Contract &contract);
  void getProducerModel(mlir::Operation *op, const Contract &contract);
  /// An op around which values stay: the definite one that is isolated from
  /// above, or the root.
  NodeId getAround(NodeId node) const;

  // models/Annotation.cpp
  void annotateModel(mlir::Operation *op, const Contract &contract);
  /// Checks `param`, which `op` gives as the alignment of accesses and of
  /// globals.
  void checkAlignment(mlir::Operation *op, mlir::Value param,
                      const HandleState &target);

  // models/Parameters.cpp
  void paramModel(mlir::Operation *op, const Contract &contract);
  void countModel(mlir::Operation *op, const Contract &contract);
  void mergeParams(mlir::Operation *op);
  void queryModel(mlir::Operation *op, const Contract &contract);
  void knobModel(mlir::Operation *op, const Contract &contract);
  void constrainParamsModel(mlir::Operation *op, const Contract &contract);
  void tuneAlternativesModel(mlir::Operation *op, const Contract &contract);
  /// The value that `options` assign, or the term.
  Size assign(solver::IntTerm term) const;
  std::optional<solver::IntTerm> getTerm(const Size &size) const;
  std::optional<solver::IntTerm> getSingleTerm(const HandleState &param,
                                               std::string &reason) const;
  bool mayBeZero(const Size &size) const;
  /// Records that `holds` must hold for `op` to succeed; `source` is the op to
  /// name, and `text` what it says, behind "requires that". From here on, it
  /// is taken to hold.
  void require(mlir::Operation *op, mlir::Operation *source, llvm::StringRef id,
               solver::BoolTerm holds, const llvm::Twine &text,
               ConstraintKind kind, bool definite = true);
  /// Requires (or wants) a symbolic extent to be static.
  void requireStatic(mlir::Operation *op, const Extent &extent,
                     const llvm::Twine &why, bool definite,
                     bool wanted = false);
  /// What tiling `target` by `sizes` requires of those that are symbolic.
  void requireTileSizes(mlir::Operation *op, NodeId target,
                        llvm::ArrayRef<Size> sizes, bool areCounts);
  /// That symbolic vector sizes cover the loops of `target`.
  void requireVectorSizes(mlir::Operation *op, NodeId target,
                          llvm::ArrayRef<Size> sizes);
  /// That enough of `sizes` are not 0 for an scf.forall.
  void requireTiledLoops(mlir::Operation *op, llvm::ArrayRef<Size> sizes,
                         unsigned numMappings, bool definite);

  // models/Queries.cpp
  void matchStructuredModel(mlir::Operation *op, const Contract &contract);
  void multitileSizesModel(mlir::Operation *op, const Contract &contract);
  void continuousSizesModel(mlir::Operation *op, const Contract &contract);
  /// Whether `extent`, of dimension `dim` of `target`, is a number or a term
  /// whenever `op` goes on; else `op` is refused or unproved.
  bool requireKnownExtent(mlir::Operation *op, NodeId target, unsigned dim);

  // models/Operands.cpp
  void getValuesModel(mlir::Operation *op, const Contract &contract);
  void getDefiningModel(mlir::Operation *op, const Contract &contract);
  void getConsumersModel(mlir::Operation *op, const Contract &contract);

  // models/Structured.cpp
  void splitLoopModel(mlir::Operation *op, const Contract &contract);
  void interchangeModel(mlir::Operation *op, const Contract &contract);

  // models/Vectorization.cpp
  void vectorizeModel(mlir::Operation *op, const Contract &contract);
  /// Whether the op of `node` has static sizes, and a form on vectors of these.
  bool hasStaticForm(const Node &node);
  /// Whether `target` has a form on vectors of `sizes`; true, too, when it is
  /// reported that it has none.
  bool checkVectorSizes(mlir::Operation *op, NodeId target,
                        llvm::ArrayRef<Size> sizes);
  /// Warns when an op at or below `targets` becomes a vector of which no
  /// target holds a fraction in registers.
  void warnOfHugeVector(mlir::Operation *op, llvm::ArrayRef<NodeId> targets);

  // models/Loops.cpp
  /// Follows what unrolling makes of each op in `loop`; false if these or the
  /// steps are not known, and nothing is said.
  bool unrollKnown(mlir::Operation *op, NodeId loop, int64_t factor,
                   const Contract &contract);
  void unrollModel(mlir::Operation *op, const Contract &contract);
  void outlineModel(mlir::Operation *op, const Contract &contract);
  void peelModel(mlir::Operation *op, const Contract &contract);
  void convertForallModel(mlir::Operation *op, const Contract &contract);
  void convertToLoopsModel(mlir::Operation *op, const Contract &contract);
  /// The kinds of all that is, or may be, below `scope`.
  normalforms::KindPatterns getKindsBelow(NodeId scope) const;
  /// What is below `loop` may be there more than once, at any place around it.
  void duplicateBelow(mlir::Operation *op, NodeId loop,
                      const Contract &contract);

  // models/OpenParams.cpp
  /// Says where `op` takes a parameter that is open and nothing is derived of
  /// it.
  void noteUnmodelledParams(mlir::Operation *op);

  // models/Steps.cpp
  void matcherModel(mlir::Operation *op, const Contract &contract);
  void selectModel(mlir::Operation *op, const Contract &contract);
  void opaqueModel(mlir::Operation *op, const Contract &contract);

  // models/Assertions.cpp
  void matchNameModel(mlir::Operation *op, const Contract &contract);
  void matchCmpIModel(mlir::Operation *op, const Contract &contract);
  void verifyModel(mlir::Operation *op, const Contract &contract);

  // models/Control.cpp
  void sequenceModel(mlir::Operation *op, const Contract &contract);
  void includeModel(mlir::Operation *op, const Contract &contract);
  /// The sequence that `op` calls by `name`; reports and returns null when
  /// there is none, or none with a body. `what`: what it is in words.
  mlir::transform::NamedSequenceOp lookupSequence(mlir::Operation *op,
                                                  mlir::SymbolRefAttr name,
                                                  llvm::StringRef what);
  /// Reports an argument that `callee` says it only reads, and consumes.
  void checkReadOnly(mlir::Operation *op,
                     mlir::transform::NamedSequenceOp callee, Time entered);
  /// Whether `callee` can be entered; reports and returns false for a sequence
  /// that is being interpreted.
  bool enterCallee(mlir::Operation *op,
                   mlir::transform::NamedSequenceOp callee);
  void alternativesModel(mlir::Operation *op, const Contract &contract);
  void visitRegionsConservatively(mlir::Operation *op);

  // models/Foreach.cpp
  void foreachModel(mlir::Operation *op, const Contract &contract);

  // models/ForeachMatch.cpp
  void foreachMatchModel(mlir::Operation *op, const Contract &contract);
  /// Leaves `op` open where it rewrites what a walk of `foreach_match` is yet
  /// to come to: that goes on at an op that may be erased.
  void checkWalked(mlir::Operation *op, const normalforms::Contract &contract);

  // models/Matchers.cpp
  void collectMatchingModel(mlir::Operation *op, const Contract &contract);
  /// What a matcher says of one payload op.
  struct Match {
    Certainty certainty = Certainty::Maybe;
    Yields yields;
  };
  /// What `matcher`, called by `op`, says of the op of `node`. Reports a
  /// definite failure.
  Match matchNode(mlir::Operation *op, mlir::transform::NamedSequenceOp matcher,
                  NodeId node, llvm::ArrayRef<HandleState> forwarded);
  /// The payload ops that a walk from `scope` meets, with how sure they are
  /// there.
  struct Walk {
    llvm::SmallVector<std::pair<NodeId, Certainty>> ops;
    /// There are no others that match.
    bool complete = true;
    /// They are in the order of the walk.
    bool ordered = true;
  };
  Walk getWalk(NodeId scope,
               llvm::ArrayRef<mlir::transform::NamedSequenceOp> matchers);

  // models/Groups.cpp
  /// What running some rule groups and procedures amounts to.
  struct Rewrites {
    llvm::SmallVector<KindPattern, 32> introduces;
    /// But for what canonicalization folds.
    llvm::SmallVector<KindPattern, 16> rewrites;
    bool merges = false;
    bool moves = false;
    /// What canonicalization there is among them.
    Folding folds = Folding::None;
  };
  Rewrites getRewrites(llvm::ArrayRef<llvm::StringRef> names) const;
  /// Those of `names` for which there may be something to rewrite at or below
  /// the op that isolates `scope`, as it is or as the others leave it.
  RewriteNames getActive(NodeId scope, const RewriteNames &names) const;
  /// Unproves `op` where `names` may make several ops of one in a vector.mask.
  void checkMasks(mlir::Operation *op, NodeId scope, const RewriteNames &names);
  /// The forms that outlive them, whatever order they run in.
  llvm::SmallVector<normalforms::AtomId>
  getPreserved(const RewriteNames &names) const;
  /// Whether a structured op at or below the payload of the first operand of
  /// `op` may be on buffers.
  bool mayHaveBuffers(mlir::Operation *op);
  /// Unproves `op` when rule groups `groups` may not come to an end together.
  void checkConvergence(mlir::Operation *op,
                        llvm::ArrayRef<mlir::Operation *> groups);
  void applyPatternsModel(mlir::Operation *op, const Contract &contract);

  // models/Conversion.cpp: apply_conversion_patterns.
  /// Whether an op of `kinds` may be at or below payload of the first operand.
  bool mayHoldAny(mlir::Operation *op, llvm::ArrayRef<KindPattern> kinds);
  /// Whether one of the groups may find something to convert.
  bool mayConvert(mlir::Operation *op);
  bool mayConversionFail(mlir::Operation *op);
  /// The failures of `contract` that are left.
  llvm::SmallVector<normalforms::FailureClause, 1>
  getConversionFailures(mlir::Operation *op, const Contract &contract);
  /// What it writes.
  normalforms::PayloadClause getConversion(mlir::Operation *op);

  // Targets.cpp
  void checkDuplicates(mlir::Operation *op, mlir::OpOperand &operand);
  void checkNesting(mlir::Operation *op, mlir::OpOperand &operand);

  // models/Passes.cpp
  /// Warns where contractions are converted to mma.sync whose operands it does
  /// not take (models/TensorCores.cpp).
  void checkMmaOperands(mlir::Operation *op);
  void registeredPassModel(mlir::Operation *op, const Contract &contract);
  /// The contract of the pass that `op` runs, if it runs one that has one; else
  /// null.
  const Contract *getPassContract(mlir::Operation *op);

  // models/Rewriting.cpp
  void applyCleanUpModel(mlir::Operation *op, const Contract &contract);
  void applyLicmModel(mlir::Operation *op, const Contract &contract);
  void vectorizeChildrenModel(mlir::Operation *op, const Contract &contract);
  /// The first loop of `target` that is dynamic whatever clean-up runs; an
  /// error when `needed`, else a warning. Unproved when only clean-up can tell.
  std::optional<unsigned> checkStaticLoops(mlir::Operation *op, NodeId target,
                                           bool needed);
  /// What is said of a clean-up by other means: its rules leave `nodes` as they
  /// are, and make none of `kinds`.
  struct Settled {
    llvm::DenseSet<NodeId> nodes;
    normalforms::KindPatterns kinds;
  };
  /// `op` is the step, if it is in the schedule: unproved when a handle with a
  /// later use may not be able to follow. `consumes`: no handle is to follow.
  void cleanUp(NodeId scope, const RewriteNames &names,
               mlir::Operation *op = nullptr, bool consumes = false,
               const Settled &settled = {});

  // models/Normalization.cpp
  void normalizeModel(mlir::Operation *op, const Contract &contract);
  void assertModel(mlir::Operation *op, const Contract &contract);
  /// The form that `op` names; reports and returns none when there is none.
  std::optional<normalforms::AtomId> getForm(mlir::Operation *op);
  void normalizeAt(NodeId anchor, const normalforms::Form &form);
  /// Leaves `op` open where normalizing to `form` may not come to an end.
  void checkEnding(mlir::Operation *op, const normalforms::Form &form);

  // models/Bufferization.cpp
  /// Warns of producers that fusion left behind, in what `op` bufferizes.
  void warnOfUnread(mlir::Operation *op);
  void bufferizeModel(mlir::Operation *op, const Contract &contract);
  /// Why bufferization of `target` may fail; empty if it does not.
  std::string explainUnbufferizable(NodeId target, bool boundaries,
                                    bool allowsLoopAllocs);

  // models/Tiling.cpp
  void tileForallModel(mlir::Operation *op, const Contract &contract);
  void tileForModel(mlir::Operation *op, const Contract &contract);
  // models/Reductions.cpp
  void tileReductionModel(mlir::Operation *op, const Contract &contract);
  /// Reports that upstream finds no reduction of tensors to do in parts where
  /// `sizes` split `target`; returns false where it may.
  bool reportNoReduction(mlir::Operation *op, NodeId target,
                         llvm::ArrayRef<int64_t> sizes);
  // models/Tiling.cpp
  /// Reports sizes that no op has loops for, whatever it is: negative ones, and
  /// parameters that are not one per target.
  void checkTileSizes(mlir::Operation *op, llvm::ArrayRef<GivenSize> given);
  /// Whether `sizes` holds one op for each of `targets`, of which the one
  /// result is an index, no constant, that all of these can read.
  bool areIndices(mlir::Value sizes, llvm::ArrayRef<NodeId> targets);
  void checkTileSize(mlir::Operation *op, const Size &size, bool definite);
  /// Reports more tile sizes than `target` has loops.
  void checkTileCount(mlir::Operation *op, NodeId target, unsigned numSizes);

  // models/Fusion.cpp
  void fuseIntoModel(mlir::Operation *op, const Contract &contract);

  /// What read the result of `from` and is at or below `scope` reads `to` now.
  void replaceProducer(NodeId from, NodeId to, NodeId scope);
  /// Takes `from` out of the payload; what read its result reads that of `to`.
  void replaceOp(NodeId from, NodeId to);
  /// As `replaceOp`, where all that read a result of `from` reads that of `to`
  /// itself, and not a part of it.
  void takePlace(NodeId from, NodeId to);

  // models/TileAndFuse.cpp
  void fuseModel(mlir::Operation *op, const Contract &contract);
  /// Follows the loops around the one target of `op`, and what is fused into
  /// them; false where it is not known which loops there are.
  bool fuseTarget(mlir::Operation *op, const Contract &contract);

  // models/Padding.cpp
  void padModel(mlir::Operation *op, const Contract &contract);
  /// Says that what follows holds only where nothing is added to `sizes`.
  void requireUnpadded(mlir::Operation *op, llvm::ArrayRef<Extent> sizes,
                       const llvm::Twine &why);
  void destinationStyleModel(mlir::Operation *op, const Contract &contract);

  // models/Rephrasing.cpp
  /// What `rewrite`, called `name`, makes of an op like that of `old`; none
  /// also when the op is not known well enough.
  Rephrasing rephrase(const Node &old, const llvm::Twine &name,
                      Rephrasings::Rewrite rewrite);
  /// An op like that of `old` with its loops in `order`; null if not known.
  mlir::Operation *interchangeBody(const Node &old,
                                   llvm::ArrayRef<unsigned> order);
  /// The node of the linalg.generic that `op` makes of `target`, a named op.
  Node makeGeneric(NodeId target, mlir::Operation *op);
  void generalizeModel(mlir::Operation *op, const Contract &contract);
  /// Makes the structured ops below `scope` generic, as far as they are known.
  Settled generalizeBelow(NodeId scope, mlir::Operation *op);
  void specializeModel(mlir::Operation *op, const Contract &contract);
  void transposeMatmulModel(mlir::Operation *op, const Contract &contract);

  // models/Replacement.cpp
  void takeBranchModel(mlir::Operation *op, const Contract &contract);
  void replaceModel(mlir::Operation *op, const Contract &contract);

  // models/Packing.cpp
  void packModel(mlir::Operation *op, const Contract &contract);
  /// Puts in the place of `target` the op with `space` to which it is packed by
  /// `sizes`, one for each loop, and what packs its operands and unpacks its
  /// results; returns the former.
  NodeId addPacked(mlir::Operation *op, NodeId target,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes,
                   std::shared_ptr<const IterationSpace> space);
  void packTransposeModel(mlir::Operation *op, const Contract &contract);

  // models/Decomposition.cpp
  void decomposeModel(mlir::Operation *op, const Contract &contract);

  // models/MapBlocks.cpp, MapForall.cpp, MapThreads.cpp
  void mapBlocksModel(mlir::Operation *op, const Contract &contract);
  void mapThreadsModel(mlir::Operation *op, const Contract &contract);
  /// Checks what both mappings ask of a forall; false: nothing more to say.
  bool checkMappable(mlir::Operation *op, NodeId forall, bool present,
                     bool toThreads);
  /// What mapping loops of symbolic trip counts requires of `given` grid or
  /// block dimensions, if there are any.
  void requireCovered(mlir::Operation *op, const LoopFacts &facts,
                      llvm::ArrayRef<int64_t> given, bool present,
                      bool toThreads, int64_t warpSize);
  /// Wants as many `threads` as `block` has for a forall in a loop, where the
  /// schedule pipelines loops.
  void requireAllThreads(mlir::Operation *op, NodeId forall,
                         solver::IntTerm threads, llvm::ArrayRef<int64_t> block,
                         bool present);
  /// Remembers what fewer threads share than `block` has, in a loop.
  void notePredication(mlir::Operation *op, NodeId forall, int64_t threads,
                       llvm::ArrayRef<int64_t> block);
  /// Reports a block that has no whole number of groups of `threads` along x.
  void checkWarps(mlir::Operation *op, mlir::Location made, int64_t threads,
                  llvm::ArrayRef<int64_t> block, bool present);
  /// Warns of loops that stay in a kernel without a mapping.
  void checkUnmapped(mlir::Operation *end);

  // models/Copies.cpp
  void mapCopyModel(mlir::Operation *op, const Contract &contract);
  void multibufferModel(mlir::Operation *op, const Contract &contract);
  void pipelineModel(mlir::Operation *op, const Contract &contract);
  /// That a loop that is pipelined `depth` deep has as many steps.
  void requirePipelineSteps(mlir::Operation *op, NodeId loop, int64_t depth);

  // models/TensorCores.cpp
  void mmaSyncModel(mlir::Operation *op, const Contract &contract);
  void tmaModel(mlir::Operation *op, const Contract &contract);

  // models/Memory.cpp
  void promoteModel(mlir::Operation *op, const Contract &contract);
  void promoteTensorModel(mlir::Operation *op, const Contract &contract);
  void allocationModel(mlir::Operation *op, const Contract &contract);

  // models/WorkgroupMemory.cpp
  /// Adds what `op` allocates for each op of `node`, or once for `times` of
  /// them, `bytes` each, to what the kernel around it needs. Returns the
  /// buffers, to which the node of the allocation may be added.
  WorkgroupBuffer &countWorkgroupBytes(mlir::Operation *op, NodeId node,
                                       const Size &bytes,
                                       const llvm::Twine &what,
                                       std::optional<Count> times = {});
  /// There may be `factor.hi` times as many buffers as there were, of those
  /// that `concerns` does not exclude, and `factor.lo` times at least of those
  /// that it is sure of.
  void growWorkgroupMemory(
      mlir::Operation *op, Count factor, const llvm::Twine &text,
      llvm::function_ref<Certainty(const WorkgroupBuffer &)> concerns);
  /// Reports at `op` what is too much, whatever follows.
  void checkSureMemory(mlir::Operation *op, WorkgroupUse &use);
  /// Those that may be at or below `scope`.
  bool isBufferBelow(const WorkgroupBuffer &buffer, NodeId scope) const;
  /// Those that ops of `target`, which are allocations, may be.
  bool mayBeBuffer(const WorkgroupBuffer &buffer, NodeId target) const;
  /// What the payload comes with.
  void countGivenWorkgroupMemory();
  /// What the payload comes with is there for sure, in kernels that no step has
  /// touched; reports at `op` where that is too much.
  void confirmGivenMemory(mlir::Operation *op);
  /// What kernels whose need is symbolic, or that may need more than is sure,
  /// or whose launch asks for more, require of the target.
  void requireWorkgroupMemory();
  void requireGrownMemory(NodeId kernel, const WorkgroupUse &use);
  void checkLaunchMemory();

  const ScheduleModel &schedule;
  const normalforms::FormLibrary &forms;
  const normalforms::ContractLibrary &contracts;
  const CheckOptions &options;
  FormPolicy *policy;
  FixIts fixes;

  State state;
  NodeId root = PayloadModel::universe;
  /// The payload before the first step; null without one.
  mlir::Operation *payloadRoot = nullptr;
  /// Shared by all copies, as what they say of the schedule does not change.
  std::shared_ptr<ValueNames> names = std::make_shared<ValueNames>();
  std::shared_ptr<mlir::SymbolTableCollection> symbols =
      std::make_shared<mlir::SymbolTableCollection>();
  std::shared_ptr<StepEffects> effects =
      std::make_shared<StepEffects>(*symbols);
  llvm::SmallDenseMap<mlir::OperationName, StepKind, 16> stepKinds;
  std::shared_ptr<ParameterModel> parameters =
      std::make_shared<ParameterModel>();
  llvm::SmallVector<mlir::Operation *> callStack;
  /// The step that is interpreted, and those that run it, outermost first.
  llvm::SmallVector<mlir::Operation *> running;
  /// What was matched for each action of `foreach_match` around, and since when
  /// the actions run.
  struct Walked {
    NodeId matched;
    Time since;
  };
  llvm::SmallVector<Walked, 1> walked;
  /// What the operands of the current step held for sure before it.
  llvm::DenseSet<NodeId> sureTargets;
  /// What the present step was found to do, by what it was tried on.
  llvm::MapVector<NodeId, std::optional<LoneRun>> loneRuns;
  /// Matches on the same scope, for which nothing has changed since.
  struct FoundBefore {
    mlir::Operation *match;
    unsigned version;
    NodeList nodes;
    bool ordered;
  };
  /// By the scope, and by the hash of what a match asks for.
  llvm::DenseMap<std::pair<NodeId, unsigned>, FoundBefore> matchCache;
  /// A call that changed nothing, and what it yielded.
  struct Call {
    llvm::SmallVector<HandleState> arguments;
    bool certain, suppressed, recovers;
    unsigned stamp;
    FormTable forms;
    Yields yields;
    unsigned numOps;
    bool doubtful;
  };
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Call, 0>> calls;
  /// A step that fails for sure where nobody sees it, and leaves the payload as
  /// it is, and no results.
  mlir::Operation *refused = nullptr;
  /// The ops that may fail where nobody sees it, as far as trials found out.
  llvm::DenseSet<mlir::Operation *> suspects;
  /// So many ops are interpreted before sequences are followed no more.
  unsigned maxOps = 0;
  unsigned numVisited = 0;
  /// Tries what will be visited again: nobody is told.
  bool isTrial = false;
  /// Tries what is visited again if a step in it may fail.
  bool isAttempt = false;
  /// The schedule has a knob, or the sizes of the payload have names.
  bool hasKnobs = false;
  /// Of what was tiled last.
  IndexedOperands lastIndexed;
  /// That of an scf.for, once one was made.
  NodeKind forKind;
  /// Whether bodies of nodes have a form on vectors, as far as that was asked.
  llvm::DenseMap<mlir::Operation *, bool> vectorForms;
  /// The regions around the current step, for the observer.
  llvm::SmallVector<RegionVisit> path;
  /// The values that the innermost region yields.
  mlir::Operation *lastTerminator = nullptr;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_INTERPRETER_H
