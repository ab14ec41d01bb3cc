//===- Effect.h - What is true after a step did its job ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The terms of `normalform.effect` clauses as values, and their evaluation. The
// terms can be evaluated on the payload before and after a step. They can also
// be evaluated on any other source of the same facts, such as a check that runs
// nothing. The documentation of the clause defines each term. Layer:
// normalforms; pure.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_EFFECT_H
#define FORMWORK_NORMALFORMS_EFFECT_H

#include "normalforms/Condition.h"
#include "normalforms/KindPattern.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace formwork::normalforms {

/// One term of an effect clause.
struct EffectTerm {
  enum Kind {
    Gone,
    Changed,
    Types,
    Attribute, ///< discardable attribute `name` is new or has another value
    /// As `Attribute`, but the step's attribute `name` holds the attribute
    /// name.
    AttributeOf,
    Result,    ///< result `index` holds an op for each target, of `kind`
    Inside,    ///< an op of `kind` is around the op that the target became
    More,      ///< more ops of `kind` in the scope of the target
    Fewer,     ///< fewer ops of `kind` in the scope of the target
    Shallower, ///< fewer loops around ops of `kind` in the scope
    None,      ///< no ops of `kind` in the scope
    Held,      ///< an op of `kind` was at or below the target before the step
    Never      ///< never holds: the step has no effect where the clause applies
  };
  Kind what = Gone;
  bool negated = false;
  unsigned index = 0;
  llvm::StringRef name;
  /// One kind, or several that More, Fewer, Shallower, None and Held count
  /// together.
  KindPatterns kinds;

  /// Reads `text`, which must outlive the term. The error lists the terms of
  /// the language.
  static llvm::Expected<EffectTerm> parse(llvm::StringRef text);
};

/// Whether `text` is a kind that terms can name.
bool isEffectKind(llvm::StringRef text);

/// `effect`: all of `terms` hold for each op of operand `operand` after a step
/// that did its job.
struct EffectClause {
  unsigned operand = 0;
  llvm::SmallVector<EffectTerm, 2> terms;
  /// Set if the ops of this kind in the scope count instead of the target.
  std::optional<KindPattern> each;
  llvm::StringRef id;        ///< `<op>.cN`
  llvm::StringRef otherwise; ///< what stays unchanged if they do not hold
  Conditions when;
};

/// The facts about one target of a step that terms ask for. Each answer is none
/// where it is not known.
class EffectFacts {
public:
  virtual ~EffectFacts() = default;

  /// Whether the target is gone, or is an op of another kind.
  virtual std::optional<bool> isGone() const = 0;
  /// Whether the target or something inside it has changed.
  virtual std::optional<bool> isChanged() const = 0;
  /// Whether the types of its operands or results have changed.
  virtual std::optional<bool> hasOtherTypes() const = 0;
  /// Whether it has a discardable attribute `name` that is new or has a new
  /// value.
  virtual std::optional<bool> hasAttribute(llvm::StringRef name) const = 0;
  /// Whether result `index` holds an op for each target, all of `kind`.
  virtual std::optional<bool> hasResult(unsigned index,
                                        const KindPattern &kind) const = 0;
  /// Whether an op of `kind` is around the op that the target became, and was
  /// not around the target before.
  virtual std::optional<bool> isNewlyInside(const KindPattern &kind) const = 0;
  /// An op of `kinds` was at or below the target before the step.
  virtual std::optional<bool> hasHeld(const KindPatterns &kinds) const = 0;
  /// The number of ops of `kinds` in the scope now.
  virtual std::optional<int64_t> count(const KindPatterns &kinds) const = 0;
  /// The increase of that number since before the step.
  virtual std::optional<int64_t> countMore(const KindPatterns &kinds) const = 0;
  /// The increase of the number of loops around these ops, summed over the ops.
  virtual std::optional<int64_t>
  countDeeper(const KindPatterns &kinds) const = 0;
};

/// Whether `term`, or all of `clause`, hold after `step` for the target of
/// `facts`. None where that is not known.
std::optional<bool> holds(const EffectTerm &term, mlir::Operation *step,
                          const EffectFacts &facts);
std::optional<bool> holds(const EffectClause &clause, mlir::Operation *step,
                          const EffectFacts &facts);

/// The ops of `kind` at or below `scope`.
llvm::SmallVector<mlir::Operation *> findOps(mlir::Operation *scope,
                                             const KindPattern &kind);

/// The scope of `target`: the target itself if it is isolated from above, else
/// the nearest isolated op around it, else the outermost op.
mlir::Operation *getEffectScope(mlir::Operation *target);

/// The state before the step that the terms of `clauses` compare with.
class EffectSnapshot {
public:
  /// Cost: linear in the ops of the scope for each term that counts, and in the
  /// ops of the target for `changed` and `held`.
  EffectSnapshot(llvm::ArrayRef<EffectClause> clauses, mlir::Operation *target);

private:
  friend class PayloadEffectFacts;
  struct Counted {
    KindPatterns kinds;
    int64_t count, depth;
  };

  mlir::OperationName name;
  llvm::SmallVector<mlir::Type> types;
  mlir::DictionaryAttr attributes;
  llvm::SmallVector<mlir::Operation *> around;
  llvm::SmallVector<Counted, 2> counted;
  /// The kinds in `held` terms of which the target held an op.
  llvm::SmallVector<KindPatterns, 1> held;
  std::optional<llvm::hash_code> contents;
};

/// The facts of the payload itself, after the step.
class PayloadEffectFacts : public EffectFacts {
public:
  /// `target` is the op that the target of `before` became, as handles follow
  /// it. It is null if the op was erased, or was consumed without a known
  /// replacement. `scope` is its scope now, or null if the scope is gone.
  /// `results` has one list for each result of the step; `numTargets` is the
  /// number of targets. Ops that were around the target must not have been
  /// freed in between, because their addresses may be reused.
  PayloadEffectFacts(
      const EffectSnapshot &before, mlir::Operation *target,
      mlir::Operation *scope,
      llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> results,
      unsigned numTargets)
      : before(before), target(target), scope(scope), results(results),
        numTargets(numTargets) {}

  std::optional<bool> isGone() const override;
  std::optional<bool> isChanged() const override;
  std::optional<bool> hasOtherTypes() const override;
  std::optional<bool> hasAttribute(llvm::StringRef name) const override;
  std::optional<bool> hasResult(unsigned index,
                                const KindPattern &kind) const override;
  std::optional<bool> isNewlyInside(const KindPattern &kind) const override;
  std::optional<bool> hasHeld(const KindPatterns &kinds) const override;
  std::optional<int64_t> count(const KindPatterns &kinds) const override;
  std::optional<int64_t> countMore(const KindPatterns &kinds) const override;
  std::optional<int64_t> countDeeper(const KindPatterns &kinds) const override;

private:
  const EffectSnapshot::Counted *lookup(const KindPatterns &kinds) const;

  const EffectSnapshot &before;
  mlir::Operation *target, *scope;
  llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> results;
  unsigned numTargets;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_EFFECT_H
