//===- Effect.h - What is true after a step did its job ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The terms of `normalform.effect` clauses as values, and what they come to: of
// payload, before and after a step; or of whatever else answers the same
// questions, as a check that runs nothing does. The meaning of each term is in
// the documentation of the clause. Layer: normalforms; pure.
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
    Attribute, ///< the discardable attribute `name` came, or has another value
    /// The same of the one called as attribute `name` of the step says.
    AttributeOf,
    Result,    ///< result `index` holds an op for each target, of `kind`
    Inside,    ///< an op of `kind` is around what became of the target
    More,      ///< ops of `kind` in the scope of the target
    Fewer,     ///< the same
    Shallower, ///< the loops around ops of `kind` in the scope
    None,      ///< ops of `kind` in the scope
    Never      ///< does not hold: the step does nothing where its clause counts
  };
  Kind what = Gone;
  bool negated = false;
  unsigned index = 0;
  llvm::StringRef name;
  /// One, or what More, Fewer, Shallower and None count together.
  KindPatterns kinds;

  /// Reads `text`, which has to outlive the term; the error says what the
  /// language has instead.
  static llvm::Expected<EffectTerm> parse(llvm::StringRef text);
};

/// `effect`: all of `terms` hold of each op of operand `operand` after a step
/// that did what it is for.
struct EffectClause {
  unsigned operand = 0;
  llvm::SmallVector<EffectTerm, 2> terms;
  llvm::StringRef id;        ///< `<op>.cN`
  llvm::StringRef otherwise; ///< what is left as it was, if they do not hold
  Conditions when;
};

/// What terms ask about one target of a step. Each answer may be none, where it
/// is not known.
class EffectFacts {
public:
  virtual ~EffectFacts() = default;

  /// The target is not there any more, or is an op of another kind.
  virtual std::optional<bool> isGone() const = 0;
  /// It, or something in it, is another one than before.
  virtual std::optional<bool> isChanged() const = 0;
  /// Its operands or results have other types.
  virtual std::optional<bool> hasOtherTypes() const = 0;
  /// It has a discardable attribute called `name`, which it did not have, or
  /// which had another value.
  virtual std::optional<bool> hasAttribute(llvm::StringRef name) const = 0;
  /// Result `index` holds an op for each target, all of `kind`.
  virtual std::optional<bool> hasResult(unsigned index,
                                        const KindPattern &kind) const = 0;
  /// An op of `kind` is around what became of it, and was not before.
  virtual std::optional<bool> isNewlyInside(const KindPattern &kind) const = 0;
  /// How many ops of `kinds` there are in the scope now.
  virtual std::optional<int64_t> count(const KindPatterns &kinds) const = 0;
  /// How many more of them than before.
  virtual std::optional<int64_t>
  countMore(const KindPatterns &kinds) const = 0;
  /// How many more loops are around them, taken together, than before.
  virtual std::optional<int64_t>
  countDeeper(const KindPatterns &kinds) const = 0;
};

/// Whether `term`, or all of `clause`, hold of the target that `facts` are
/// about, after `step`; none where that is not known.
std::optional<bool> holds(const EffectTerm &term, mlir::Operation *step,
                          const EffectFacts &facts);
std::optional<bool> holds(const EffectClause &clause, mlir::Operation *step,
                          const EffectFacts &facts);

/// The scope of `target`: itself if it is isolated from above, else the nearest
/// op around it that is, else the outermost.
mlir::Operation *getEffectScope(mlir::Operation *target);

/// What the terms of `clauses` compare with: made before the step.
class EffectSnapshot {
public:
  /// Cost: linear in the ops of the scope for each term that counts, and in the
  /// ops of the target for `changed`.
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
  std::optional<llvm::hash_code> contents;
};

/// The answers of payload itself, after the step.
class PayloadEffectFacts : public EffectFacts {
public:
  /// `target` is what the op of `before` became, as handles follow it: null when
  /// it was erased, or consumed and nothing is known to have taken its place.
  /// `scope` is its scope now, null when that is gone. `results` are those of
  /// the step, one list each; `numTargets` says of how many targets. What ran in
  /// between may not have freed ops that were around the target, or their
  /// addresses may be those of others.
  PayloadEffectFacts(const EffectSnapshot &before, mlir::Operation *target,
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
