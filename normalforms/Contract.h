//===- Contract.h - What one transform op promises --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contract as a value, clause by clause (DESIGN §4). Its texts belong to the
// context that it was read in, so that to copy it for one instance of its op
// costs little. Layer: normalforms; it says what a clause is, not what follows
// from it at a point of a schedule (that is verifier's).
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACT_H
#define FORMWORK_NORMALFORMS_CONTRACT_H

#include "normalforms/Condition.h"
#include "normalforms/Domain.h"
#include "normalforms/Effect.h"
#include "normalforms/KindPattern.h"
#include "normalforms/Lattice.h"
#include "normalforms/PayloadFeatures.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace formwork::normalforms {

/// Where the payload of a result lies, seen from an operand's payload:
/// `Anchored`, inside of the nearest op around it that is isolated from above;
/// `Declared`, inside of the nearest symbol table around it.
enum class ResultRelation {
  Same,
  Replaces,
  Inside,
  Around,
  Fresh,
  Anchored,
  Declared,
  Any
};
/// How many payload ops a result has, seen from an operand's.
enum class ResultCount { PerTarget, AtMostPerTarget, Unbounded, Term };
/// The part of the payload that a write can reach.
enum class WriteExtent { Target, Anchor, Root };

/// What happens to live handles into the extent of a write that are not
/// consumed: the op that one holds can be erased, be merged with another, leave
/// the loops around it, or make the transform fail when it is replaced.
struct HandleEffects {
  bool shrinks = false;
  bool retargets = false;
  bool moves = false;
  bool failsIfUsedLater = false;
};

/// `requires` and `wants`: the anchor of operand `operand` is in `form`.
struct FormClause {
  AtomId form;
  unsigned operand;
  bool required;
  /// The anchor is around each payload op, never the op itself, so that the
  /// form says something of the op. Example: a loop of dynamic step is its own
  /// anchor of `@loops.static`, which then only speaks of the loops in it.
  bool around;
  llvm::StringRef id; ///< `<op>.cN`, N counting the clauses of the contract
  llvm::StringRef otherwise; ///< what happens without it
  Conditions when;
};

/// `accepts`, `single` and `needs_ancestor`: what an operand may hold.
struct OperandClause {
  enum Kind { Accepts, Single, NeedsAncestor };
  unsigned operand;
  Kind kind = Accepts;
  KindPatterns kinds;    ///< of the payload, or of what must be around it
  bool definite = false; ///< of `NeedsAncestor`: the failure is not silenceable
  llvm::StringRef id;
  llvm::StringRef otherwise;
  Conditions when;
};

/// `fails` and `may_fail`.
struct FailureClause {
  llvm::StringRef message;
  bool always;   ///< fails whenever the conditions hold
  bool definite; ///< not silenceable
  llvm::StringRef id;
  Conditions when;
};

/// What `normalform.side_effects` says of all steps of an op; each word there
/// has one of these, and its definition is in the documentation of the clause.
enum class SideEffect : uint8_t {
  EffectsOfBody,
  KeepsOrder,
  MayMerge,
  MayFold,
  MayFoldValues,
  ReadsNoDiscardableAttribute,
  WritesOnlyDiscardableAttributes,
  OnlyReads,
  ReadsOneOp,
  OnlyReports,
  HandsOnParameters,
  OpensParameters,
  CleansUp
};
/// The words, in this order.
llvm::ArrayRef<llvm::StringRef> getSideEffectWords();

/// `silenceable`: the id of a diagnostic that stands for a silenceable failure.
struct SilenceableClause {
  llvm::StringRef id;
  /// A step on one payload op that fails like that has changed nothing.
  bool leavesPayload;
};
/// Whether a failure that `id` stands for is silenceable of every op, if no
/// clause calls it definite.
bool isAlwaysSilenceable(llvm::StringRef id);

/// How many payload ops a `ResultCount::Term` stands for.
struct CountTerm {
  enum Kind { Constant, CountNonzero, Size, Value };
  Kind kind = Constant;
  llvm::StringRef attribute;
  int64_t constant = 1;
  bool perTarget = false;

  /// The number, when the op's attributes tell.
  std::optional<int64_t> evaluate(mlir::Operation *op) const;
};

/// Where the payload of one result lies.
struct ResultClause {
  unsigned index = 0;
  bool onwards = false; ///< about all later results, too
  ResultRelation relation = ResultRelation::Any;
  std::optional<unsigned> operand;
  /// Empty: those of the operand for `same`, else any. A class alone: what is
  /// replaced by one of the class is of the same kind as it.
  KindPatterns kinds;
  ResultCount count = ResultCount::Unbounded;
  CountTerm term;
  Conditions when;

  bool isAbout(unsigned result) const {
    return result == index || (onwards && result > index);
  }
};

/// What a payload write does.
struct PayloadClause {
  WriteExtent extent = WriteExtent::Root;
  unsigned operand = 0;
  KindPatterns introduces;
  KindPatterns rewrites;
  KindPatterns removes;
  HandleEffects handles;
  Conditions when;
};

/// The contract of a transform op; or, where conditions have been decided, of
/// one instance of it.
struct Contract {
  /// With the dialect: `transform.apply_cse`; `pass:cse`.
  llvm::StringRef opName;
  bool complete = false;
  /// Name of a transfer function of verifier, or empty.
  llvm::StringRef model;
  llvm::SmallVector<FormClause, 2> forms;
  llvm::SmallVector<OperandClause, 2> operands;
  llvm::SmallVector<FailureClause, 1> failures;
  llvm::SmallVector<ResultClause, 2> results;
  llvm::SmallVector<PayloadClause, 1> writes;
  /// All of `writes` in one, of operand 0; none when the op has no such clause,
  /// so that nothing bounds what it writes.
  std::optional<PayloadClause> payload;

  /// A claim that holds under conditions.
  template <typename T> struct Claim {
    T what;
    Conditions when;
  };
  llvm::SmallVector<Claim<std::pair<AtomId, unsigned>>, 1> ensures;
  /// The forms that survive; none stands for every one.
  llvm::SmallVector<Claim<std::optional<AtomId>>> preserves;
  llvm::SmallVector<Claim<llvm::StringRef>> procedures;
  /// The rules come to an end, if all structured ops are on tensors or that
  /// does not matter, but not with the groups `except`.
  struct ConvergesClause {
    llvm::SmallVector<llvm::StringRef, 0> except;
    bool onTensors = false;
    Conditions when;
  };
  llvm::SmallVector<ConvergesClause, 1> converges;

  /// Unusual payload for which the contract holds all the same, and how that
  /// was tried.
  struct AdmitsClause {
    FeatureSet features;
    llvm::StringRef evidence;
    Conditions when;
  };
  llvm::SmallVector<AdmitsClause, 0> admitted;
  /// Of attributes and options; those without have the ordinary domain.
  llvm::SmallVector<Domain, 0> domains;
  llvm::SmallVector<SilenceableClause, 1> silenceable;
  llvm::SmallVector<EffectClause, 1> effects;
  /// A bit for each; only those that say "may" have conditions.
  llvm::SmallVector<Claim<uint32_t>, 1> sideEffects;

  /// Of all steps of the op; of a "may" with conditions, whether there is one.
  /// Example: a walk that asks for
  /// `contract && contract->has(SideEffect::KeepsOrder)` needs no list of op
  /// classes. Cost: linear in the clauses on side effects.
  bool has(SideEffect effect) const {
    return llvm::any_of(sideEffects, [&](const Claim<uint32_t> &claim) {
      return claim.what >> static_cast<unsigned>(effect) & 1;
    });
  }
  /// Whether the failure that diagnostic `id` stands for is one that a schedule
  /// may suppress. Cost: linear in the ids that the contract lists.
  bool isSilenceable(llvm::StringRef id) const;
  /// Whether a step on one op that fails with `id`, a silenceable failure, has
  /// changed nothing.
  bool leavesPayload(llvm::StringRef id) const;
  /// The features of payload for which the claims of the contract hold. In a
  /// contract with conditions left, only those that are admitted without.
  FeatureSet getAdmitted() const;

  /// Whether some clause has conditions. Cost: linear in the clauses.
  bool hasConditions() const;
  /// What that says, of a contract of a library.
  bool isConditional = false;
  /// Of each clause that has conditions, in one order, whether they hold; none
  /// where that is not known.
  using Answers = llvm::SmallVector<std::optional<bool>, 8>;
  /// `decide` says of each condition whether it holds, or none. What makes a
  /// step fail is one op that meets all the conditions; of that, `fails`
  /// decides, where it is given.
  Answers
  decide(llvm::function_ref<std::optional<bool>(const Condition &)> decide,
         llvm::function_ref<std::optional<bool>(const Conditions &)> fails =
             nullptr) const;
  /// The contract without the clauses that do not hold. A clause of which that
  /// is not known stays where it says what can go wrong or be written (with its
  /// conditions), and goes where it promises something.
  Contract settle(const Answers &answers) const;

  bool preservesAll() const;
  llvm::SmallVector<AtomId> getPreserved() const;
  llvm::SmallVector<llvm::StringRef, 4> getProcedures() const;

  /// Recomputes `payload` from `writes`.
  void joinWrites();
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACT_H
