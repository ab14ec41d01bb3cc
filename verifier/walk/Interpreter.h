//===- Interpreter.h - The abstract interpreter -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a schedule in execution order and carries an Analysis along. The
// contract of an op says what the op does and, where clauses do not suffice,
// the model that the contract names. The interpreter only walks: it knows no
// op. Layer: verifier; internal to it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_WALK_INTERPRETER_H
#define FORMWORK_VERIFIER_WALK_INTERPRETER_H

#include "verifier/step/ModelRegistry.h"
#include "verifier/step/Walker.h"
#include "verifier/walk/StaticEffects.h"

namespace formwork::verifier {

/// Copyable: a copy goes on from the same point by itself.
class Interpreter : public Walker {
public:
  Interpreter(const ScheduleModel &schedule,
              const normalforms::Libraries &libraries,
              const CheckOptions &options, FormPolicy *policy = nullptr)
      : analysis(schedule, libraries, options, policy) {}

  CheckResult run(mlir::Operation *payload);

  // The parts of `run`, for who goes on from one point in several ways.
  void begin(mlir::Operation *payload);
  /// Visits `op`, which is of the entry's body and no terminator.
  void step(mlir::Operation *op) { visitOp(op); }
  CheckResult end();
  /// Drops what was found so far, and what is remembered only to be quick, so
  /// that a copy is cheap.
  void forgetFindings();
  /// The policy from here on.
  void setPolicy(FormPolicy *policy) { analysis.policy = policy; }
  const Analysis &getAnalysis() const { return analysis; }

  void visitBlock(mlir::Block &block) override;
  void visitRegion(mlir::Block &block, const RegionVisit &visit) override;
  void visitPaths(mlir::Operation *op,
                  llvm::ArrayRef<std::function<void()>> paths,
                  bool inPart = false) override;
  void visitSuppressing(bool suppresses,
                        llvm::function_ref<void(Walker &)> visit) override;
  Yields getYields() override;
  bool isExhausted() const override {
    constexpr size_t maxDepth = 256;
    return numVisited > maxOps || callStack.size() > maxDepth;
  }

private:
  /// Reads what does not change of the schedule: its kinds of step, and how
  /// many there are.
  void readSchedule();
  /// Sets the state before the first step.
  void setUp(mlir::Operation *payload);
  /// Forgets the sizes of payload that `options` give names to.
  void nameSizes();

  using Contract = normalforms::Contract;
  /// The properties that all steps of one name share.
  struct StepKind {
    /// Null for an op without a contract.
    const Contract *contract = nullptr;
    /// Null for what the clauses of its contract say all of.
    const Model *model = nullptr;
    bool hasConditions = false;
    /// Contracts of what it names or holds may add to its own.
    bool isAssembled = false;
    /// Its effects are those of its body, which is walked.
    bool isStructured = false;
    /// It does what the steps of the sequence do that it names.
    bool isCall = false;
    /// It leaves all other ops where they stand, and puts what it makes where
    /// the op stood of which it made it.
    bool keepsOrder = false;
    /// It requires nothing of parameters, or its model says what.
    bool handlesParams = false;
    /// It is applied to each op of its first operand.
    bool isForEach = false;
  };
  StepKind getStepKind(mlir::Operation *op);

  void visitOp(mlir::Operation *op);
  /// Visits `op`, which may fail where nobody sees it.
  void visitInPart(mlir::Operation *op);
  void applyModel(const Step &step, const Model &model);
  /// Tries a step that was left to a trial alone, or one that was not decided,
  /// behind one of which the payload model has only kinds; where it succeeds,
  /// it is proved. `doubts` and `findings` are how many there were before the
  /// step. Behind a step that does not succeed, nothing is tried.
  void settleByTrial(const Step &step, unsigned doubts, size_t findings);
  /// Goes from the state before `op` to that behind it.
  void interpret(mlir::Operation *op);
  /// As far as `step`, which has a contract, itself goes; for `doubts` and
  /// `findings` see settleByTrial.
  void applyContract(const Step &step, const StepKind &kind, unsigned doubts,
                     size_t findings);
  /// Visits it as if failures counted; unless none is possible, all is as it
  /// was, and false.
  bool visitSurely(llvm::function_ref<void(Walker &)> visit);
  /// Takes the steps that the policy has for the place before `op`.
  void takePlannedSteps(mlir::Operation *op);
  void checkGoal(mlir::Operation *end);

  Analysis analysis;
  llvm::SmallDenseMap<mlir::OperationName, StepKind, 16> stepKinds;
  /// The ops that may fail where nobody sees it, as far as trials found out.
  llvm::DenseSet<mlir::Operation *> suspects;
  /// So many ops are interpreted before sequences are followed no more.
  unsigned maxOps = 0;
  unsigned numVisited = 0;
  /// Tries what is visited again if a step in it may fail.
  bool isAttempt = false;
  /// The regions around the current step, for the observer.
  llvm::SmallVector<RegionVisit> path;
  /// The steps that do nothing at any visit.
  DecidedSteps decided;
  /// The values that the innermost region yields.
  mlir::Operation *lastTerminator = nullptr;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_WALK_INTERPRETER_H
