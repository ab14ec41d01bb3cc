//===- Effect.cpp - What is true after a step did its job -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Effect.h"

#include "engine/ContextClone.h"
#include "normalforms/Kleene.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

bool formwork::normalforms::isEffectKind(StringRef text) {
  return llvm::is_contained({"*", "$isolated", "$loop", "$structured",
                             "$tileable", "!tensor", "!memref", "!vector"},
                            text) ||
         (text.contains('.') && !text.contains(' '));
}

llvm::Expected<EffectTerm> EffectTerm::parse(StringRef text) {
  auto refuse = [&] {
    return llvm::createStringError(
        "requires a term of an effect ('gone', 'changed', 'types', 'never', "
        "'attribute NAME', 'attribute of NAME', 'result N', 'result N is "
        "KIND', or "
        "'inside', 'more', 'fewer', 'shallower', 'none' or 'held' with a kind) "
        "but has "
        "'" +
        text + "'");
  };
  EffectTerm term;
  StringRef rest = text.trim();
  term.negated = rest.consume_front("not ");
  auto [word, argument] = rest.split(' ');
  std::optional<Kind> known = llvm::StringSwitch<std::optional<Kind>>(word)
                                  .Case("gone", Gone)
                                  .Case("changed", Changed)
                                  .Case("types", Types)
                                  .Case("attribute", Attribute)
                                  .Case("result", Result)
                                  .Case("inside", Inside)
                                  .Case("more", More)
                                  .Case("fewer", Fewer)
                                  .Case("shallower", Shallower)
                                  .Case("none", None)
                                  .Case("held", Held)
                                  .Case("never", Never)
                                  .Default(std::nullopt);
  bool takesNone = known && (*known <= Types || *known == Never);
  if (!known || takesNone != argument.empty())
    return refuse();
  term.what = *known;
  if (takesNone)
    return term;
  if (term.what == Attribute) {
    if (argument.consume_front("of "))
      term.what = AttributeOf;
    term.name = argument;
    return term;
  }
  if (term.what == Result) {
    auto [number, kind] = argument.split(' ');
    if (number.getAsInteger(10, term.index))
      return refuse();
    if (kind.empty())
      return term;
    if (!kind.consume_front("is "))
      return refuse();
    argument = kind;
  }
  bool isCounted = term.what >= More;
  do {
    auto [kind, others] = argument.split(" or ");
    if (!isEffectKind(kind) || !(isCounted || others.empty()))
      return refuse();
    term.kinds.push_back(KindPattern::of(kind));
    argument = others;
  } while (!argument.empty());
  return term;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// Whether `isMet` holds for `number`; none if the number is not known.
static std::optional<bool> compare(std::optional<int64_t> number,
                                   llvm::function_ref<bool(int64_t)> isMet) {
  return number ? std::optional(isMet(*number)) : std::nullopt;
}

static std::optional<bool> ask(const EffectTerm &term, Operation *step,
                               const EffectFacts &facts) {
  switch (term.what) {
  case EffectTerm::Gone:
    return facts.isGone();
  case EffectTerm::Changed:
    return facts.isChanged();
  case EffectTerm::Types:
    return facts.hasOtherTypes();
  case EffectTerm::Attribute:
    return facts.hasAttribute(term.name);
  case EffectTerm::AttributeOf: {
    auto name = step->getAttrOfType<StringAttr>(term.name);
    return name ? facts.hasAttribute(name) : std::nullopt;
  }
  case EffectTerm::Result:
    return facts.hasResult(term.index, term.kinds.empty() ? KindPattern("*")
                                                          : term.kinds.front());
  case EffectTerm::Inside:
    return facts.isNewlyInside(term.kinds.front());
  case EffectTerm::More:
    return compare(facts.countMore(term.kinds),
                   [](int64_t n) { return n > 0; });
  case EffectTerm::Fewer:
    return compare(facts.countMore(term.kinds),
                   [](int64_t n) { return n < 0; });
  case EffectTerm::Shallower:
    return compare(facts.countDeeper(term.kinds),
                   [](int64_t n) { return n < 0; });
  case EffectTerm::None:
    return compare(facts.count(term.kinds), [](int64_t n) { return n == 0; });
  case EffectTerm::Held:
    return facts.hasHeld(term.kinds);
  case EffectTerm::Never:
    return false;
  }
  return std::nullopt;
}

std::optional<bool> formwork::normalforms::holds(const EffectTerm &term,
                                                 Operation *step,
                                                 const EffectFacts &facts) {
  std::optional<bool> answer = ask(term, step, facts);
  return answer ? std::optional(*answer != term.negated) : std::nullopt;
}

std::optional<bool> formwork::normalforms::holds(const EffectClause &clause,
                                                 Operation *step,
                                                 const EffectFacts &facts) {
  return conjoin(clause.terms, [&](const EffectTerm &term) {
    return holds(term, step, facts);
  });
}

//===----------------------------------------------------------------------===//
// Payload
//===----------------------------------------------------------------------===//

Operation *formwork::normalforms::getEffectScope(Operation *target) {
  return engine::getIsolated(target);
}

/// Whether `op` is of `kind`, or has a value of the type that `kind` names.
/// An op that makes a tensor of a buffer, or a buffer of a tensor, is of
/// neither.
static bool isOf(Operation *op, const KindPattern &kind) {
  if (kind.getForm() != KindPattern::Form::Type)
    return kind.matches(op->getName());
  if (llvm::is_contained({"bufferization.to_tensor", "bufferization.to_buffer"},
                         op->getName().getStringRef()))
    return false;
  auto isOfType = [&](Type type) {
    return kind == "!tensor"   ? isa<TensorType>(type)
           : kind == "!memref" ? isa<BaseMemRefType>(type)
                               : isa<VectorType>(type);
  };
  return llvm::any_of(op->getOperandTypes(), isOfType) ||
         llvm::any_of(op->getResultTypes(), isOfType);
}

SmallVector<Operation *>
formwork::normalforms::findOps(Operation *scope, const KindPattern &kind) {
  SmallVector<Operation *> found;
  scope->walk([&](Operation *op) {
    if (isOf(op, kind))
      found.push_back(op);
  });
  return found;
}

/// The number of ops of `kinds` at or below `scope`, and the number of loops
/// inside the scope around them, summed over the ops.
static std::pair<int64_t, int64_t> countOps(Operation *scope,
                                            const KindPatterns &kinds) {
  int64_t count = 0, depth = 0;
  scope->walk([&](Operation *op) {
    if (llvm::none_of(kinds,
                      [&](const KindPattern &kind) { return isOf(op, kind); }))
      return;
    ++count;
    for (Operation *above = op; above != scope; above = above->getParentOp())
      depth += above != op && isa<LoopLikeOpInterface>(above);
  });
  return {count, depth};
}

/// Hashes everything in `target`, and its attributes.
static llvm::hash_code hashContents(Operation *target) {
  llvm::hash_code hash(0);
  target->walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static SmallVector<Type> getTypes(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  return types;
}

EffectSnapshot::EffectSnapshot(ArrayRef<EffectClause> clauses,
                               Operation *target)
    : name(target->getName()), types(getTypes(target)),
      attributes(target->getAttrDictionary()) {
  for (Operation *above = target->getParentOp(); above;
       above = above->getParentOp())
    around.push_back(above);
  Operation *scope = getEffectScope(target);
  for (const EffectClause &clause : clauses)
    for (const EffectTerm &term : clause.terms) {
      bool compares = term.what == EffectTerm::More ||
                      term.what == EffectTerm::Fewer ||
                      term.what == EffectTerm::Shallower;
      if (compares) {
        auto [count, depth] = countOps(scope, term.kinds);
        counted.push_back({term.kinds, count, depth});
      }
      if (term.what == EffectTerm::Held && countOps(target, term.kinds).first)
        held.push_back(term.kinds);
      if (term.what == EffectTerm::Changed && !contents)
        contents = hashContents(target);
    }
}

std::optional<bool> PayloadEffectFacts::isGone() const {
  return !target || target->getName() != before.name;
}

std::optional<bool> PayloadEffectFacts::isChanged() const {
  if (*isGone())
    return true;
  if (!before.contents)
    return std::nullopt;
  return hashContents(target) != *before.contents;
}

std::optional<bool> PayloadEffectFacts::hasOtherTypes() const {
  if (!target)
    return std::nullopt;
  return getTypes(target) != before.types;
}

std::optional<bool> PayloadEffectFacts::hasAttribute(StringRef name) const {
  if (!target)
    return std::nullopt;
  Attribute now = target->getAttr(name);
  return now && now != before.attributes.get(name);
}

std::optional<bool>
PayloadEffectFacts::hasResult(unsigned index, const KindPattern &kind) const {
  if (index >= results.size())
    return std::nullopt;
  return results[index].size() >= numTargets &&
         llvm::all_of(results[index], [&](Operation *op) {
           return kind.matches(op->getName());
         });
}

std::optional<bool>
PayloadEffectFacts::isNewlyInside(const KindPattern &kind) const {
  SmallVector<Operation *> now;
  if (!results.empty())
    now = results.front();
  else if (target)
    now.push_back(target);
  if (now.empty())
    return std::nullopt;
  auto isInside = [&](Operation *op) {
    for (Operation *above = op->getParentOp(); above;
         above = above->getParentOp())
      if (kind.matches(above->getName()) &&
          !llvm::is_contained(before.around, above))
        return true;
    return false;
  };
  return llvm::all_of(now, isInside);
}

std::optional<bool>
PayloadEffectFacts::hasHeld(const KindPatterns &kinds) const {
  return llvm::is_contained(before.held, kinds);
}

const EffectSnapshot::Counted *
PayloadEffectFacts::lookup(const KindPatterns &kinds) const {
  const auto *it =
      llvm::find_if(before.counted, [&](const EffectSnapshot::Counted &one) {
        return one.kinds == kinds;
      });
  return it == before.counted.end() ? nullptr : it;
}

std::optional<int64_t>
PayloadEffectFacts::count(const KindPatterns &kinds) const {
  if (!scope)
    return std::nullopt;
  return countOps(scope, kinds).first;
}

std::optional<int64_t>
PayloadEffectFacts::countMore(const KindPatterns &kinds) const {
  const EffectSnapshot::Counted *old = lookup(kinds);
  if (!scope || !old)
    return std::nullopt;
  return countOps(scope, kinds).first - old->count;
}

std::optional<int64_t>
PayloadEffectFacts::countDeeper(const KindPatterns &kinds) const {
  const EffectSnapshot::Counted *old = lookup(kinds);
  if (!scope || !old)
    return std::nullopt;
  return countOps(scope, kinds).second - old->depth;
}
