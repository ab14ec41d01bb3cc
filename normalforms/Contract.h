//===- Contract.h - What one transform op promises --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contract as a value, clause by clause (DESIGN §4). Its strings belong to
// the context that it was read in, so copying it for one instance of its op is
// cheap. Layer: normalforms. It says what a clause is; verifier derives what
// follows at a point of a schedule.
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

/// Where the payload of a result lies relative to an operand's payload.
/// `Anchored`: inside the nearest op around the payload that is isolated from
/// above. `Declared`: inside the nearest symbol table around the payload.
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
/// How many payload ops a result has relative to an operand's payload.
enum class ResultCount { PerTarget, AtMostPerTarget, Unbounded, Term };
/// The part of the payload that a write can reach.
enum class WriteExtent { Target, Anchor, Root };

/// Effects on live handles into the extent of a write that the step does not
/// consume. The op of such a handle can be erased (`shrinks`), be merged with
/// another (`retargets`), or leave the loops around it (`moves`). Replacing the
/// op can make the transform fail (`failsIfUsedLater`).
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
  /// form covers the op. Example: a loop with a dynamic step is its own anchor
  /// of `@loops.static`, and the form then covers only the loops inside it.
  bool around;
  llvm::StringRef id;        ///< `<op>.cN`; N is the number of the clause
  llvm::StringRef otherwise; ///< the consequence if the form is missing
  Conditions when;
};

/// `accepts`, `single` and `needs_ancestor`: the payload that an operand may
/// hold.
struct OperandClause {
  enum Kind { Accepts, Single, NeedsAncestor };
  unsigned operand;
  Kind kind = Accepts;
  KindPatterns kinds;    ///< of the payload, or of the required ancestor
  bool definite = false; ///< `NeedsAncestor` only: the failure is definite
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

/// The claims of `normalform.side_effects` about all steps of an op, one
/// enumerator for each word. The documentation of the clause defines the words.
enum class SideEffect : uint8_t {
  EffectsOfBody,
  KeepsOrder,
  MayMerge,
  MayFold,
  MayFoldValues,
  MayReshape,
  ReadsNoDiscardableAttribute,
  WritesOnlyDiscardableAttributes,
  OnlyReads,
  ReadsOneOp,
  OnlyReports,
  HandsOnParameters,
  OpensParameters,
  CleansUp
};
/// The words, in the order of the enumerators.
llvm::ArrayRef<llvm::StringRef> getSideEffectWords();

/// `silenceable`: the diagnostic `id` stands for a silenceable failure.
struct SilenceableClause {
  llvm::StringRef id;
  /// A step on one payload op that fails in this way has changed nothing.
  bool leavesPayload;
};
/// Whether `id` stands for a failure that is silenceable for every op, unless a
/// clause calls it definite.
bool isAlwaysSilenceable(llvm::StringRef id);

/// The number of payload ops of a `ResultCount::Term`.
struct CountTerm {
  enum Kind { Constant, CountNonzero, Size, Value };
  Kind kind = Constant;
  llvm::StringRef attribute;
  int64_t constant = 1;
  bool perTarget = false;

  /// The number, if the op's attributes determine it.
  std::optional<int64_t> evaluate(mlir::Operation *op) const;
};

/// The loops of a structured op that a step makes, seen from those of its
/// target.
struct SpaceTerm {
  /// `same` loops, those of one tile, or the loops in another order.
  enum Kind { Same, Tile, Interchange };
  Kind kind = Same;
  /// The integers, one for each loop: tile sizes, or an order.
  llvm::StringRef attribute;
  /// The first of the operands for which MLIR's marker of dynamic sizes stands.
  std::optional<unsigned> firstSize;

  /// The integers that `op` has; none if the attribute holds something else.
  std::optional<llvm::SmallVector<int64_t>>
  getNumbers(mlir::Operation *op) const;
};

/// Where the payload of one result lies.
struct ResultClause {
  unsigned index = 0;
  bool onwards = false; ///< whether the clause covers all later results, too
  ResultRelation relation = ResultRelation::Any;
  std::optional<unsigned> operand;
  /// Empty: for `same`, the operand's kinds, otherwise any. A class alone: an
  /// op that replaces an op of the class has the kind of that op.
  KindPatterns kinds;
  ResultCount count = ResultCount::Unbounded;
  CountTerm term;
  std::optional<SpaceTerm> space;
  Conditions when;

  bool isAbout(unsigned result) const {
    return result == index || (onwards && result > index);
  }
};

/// The effects of a payload write.
struct PayloadClause {
  WriteExtent extent = WriteExtent::Root;
  unsigned operand = 0;
  KindPatterns introduces;
  KindPatterns rewrites;
  KindPatterns removes;
  HandleEffects handles;
  Conditions when;
};

/// The contract of a transform op, or of one instance of the op after its
/// conditions were decided.
struct Contract {
  /// The name with the dialect: `transform.apply_cse`; `pass:cse`.
  llvm::StringRef opName;
  bool complete = false;
  /// The name of a model in verifier, or empty.
  llvm::StringRef model;
  llvm::SmallVector<FormClause, 2> forms;
  llvm::SmallVector<OperandClause, 2> operands;
  llvm::SmallVector<FailureClause, 1> failures;
  llvm::SmallVector<ResultClause, 2> results;
  llvm::SmallVector<PayloadClause, 1> writes;
  /// All of `writes` joined into one clause about operand 0. None when the op
  /// has no such clause; then nothing bounds its writes.
  std::optional<PayloadClause> payload;

  /// A claim that holds under conditions.
  template <typename T> struct Claim {
    T what;
    Conditions when;
  };
  llvm::SmallVector<Claim<std::pair<AtomId, unsigned>>, 1> ensures;
  /// The forms that survive; a claim with none stands for every form.
  llvm::SmallVector<Claim<std::optional<AtomId>>> preserves;
  llvm::SmallVector<Claim<llvm::StringRef>> procedures;
  /// The rules terminate, except together with the groups in `except`. With
  /// `onTensors`, they terminate only if all structured ops are on tensors.
  struct ConvergesClause {
    llvm::SmallVector<llvm::StringRef, 0> except;
    bool onTensors = false;
    Conditions when;
  };
  llvm::SmallVector<ConvergesClause, 1> converges;

  /// Unusual payload for which the contract holds all the same, and the
  /// evidence for that.
  struct AdmitsClause {
    FeatureSet features;
    llvm::StringRef evidence;
    Conditions when;
  };
  llvm::SmallVector<AdmitsClause, 0> admitted;
  /// The domains of attributes and options; all others have the ordinary
  /// domain.
  llvm::SmallVector<Domain, 0> domains;
  llvm::SmallVector<SilenceableClause, 1> silenceable;
  llvm::SmallVector<EffectClause, 1> effects;
  /// One bit for each effect; only effects that say "may" have conditions.
  llvm::SmallVector<Claim<uint32_t>, 1> sideEffects;

  /// Whether all steps of the op have `effect`; for a "may" with conditions,
  /// whether some clause claims it. Example: a walk that asks for `contract &&
  /// contract->has(SideEffect::KeepsOrder)` needs no list of op classes. Cost:
  /// linear in the clauses on side effects.
  bool has(SideEffect effect) const {
    return llvm::any_of(sideEffects, [&](const Claim<uint32_t> &claim) {
      return claim.what >> static_cast<unsigned>(effect) & 1;
    });
  }
  /// Whether a schedule may suppress the failure that diagnostic `id` stands
  /// for. Cost: linear in the ids that the contract lists.
  bool isSilenceable(llvm::StringRef id) const;
  /// Whether a step on one op has changed nothing when it fails with the
  /// silenceable failure `id`.
  bool leavesPayload(llvm::StringRef id) const;
  /// The payload features for which the claims of the contract hold. A feature
  /// that is only admitted under an undecided condition is left out.
  FeatureSet getAdmitted() const;

  /// Whether some clause has conditions. Cost: linear in the clauses.
  bool hasConditions() const;
  /// The cached result of `hasConditions`, set for the contracts of a library.
  bool isConditional = false;
  /// For each clause with conditions, in a fixed order: whether the conditions
  /// hold, or none if that is not known.
  using Answers = llvm::SmallVector<std::optional<bool>, 8>;
  /// `decide` says whether one condition holds, or none. A step fails because
  /// of one op that meets all conditions of a clause. If `fails` is given, it
  /// decides the conditions of failure clauses together.
  Answers
  decide(llvm::function_ref<std::optional<bool>(const Condition &)> decide,
         llvm::function_ref<std::optional<bool>(const Conditions &)> fails =
             nullptr) const;
  /// The contract without the clauses that do not hold. If that is not known
  /// for a clause, the clause stays with its conditions when it names a failure
  /// or a write. It is dropped when it makes a promise.
  Contract settle(const Answers &answers) const;

  bool preservesAll() const;
  llvm::SmallVector<AtomId> getPreserved() const;
  llvm::SmallVector<llvm::StringRef, 4> getProcedures() const;

  /// Recomputes `payload` from `writes`.
  void joinWrites();
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACT_H
