//===- KindSet.cpp - Sets of op kinds ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/KindSet.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::matchesKind(OperationName name,
                                     const KindPattern &pattern) {
  switch (pattern.getForm()) {
  case KindPattern::Form::Isolated:
    return name.hasTrait<OpTrait::IsIsolatedFromAbove>();
  case KindPattern::Form::Loop:
    return name.hasInterface<LoopLikeOpInterface>();
  case KindPattern::Form::Structured:
    return name.hasInterface<linalg::LinalgOp>();
  case KindPattern::Form::Tileable:
    return name.hasInterface<TilingInterface>();
  default:
    return pattern.names(name.getStringRef());
  }
}

bool formwork::verifier::matchesAnyKind(OperationName name,
                                        ArrayRef<KindPattern> patterns) {
  return llvm::any_of(patterns, [&](const KindPattern &pattern) {
    return matchesKind(name, pattern);
  });
}

bool KindSet::Patterns::has(const KindPattern &pattern) const {
  for (unsigned i = last[getChain(pattern)]; i != 0; i = next[i - 1])
    if (list[i - 1] == pattern)
      return true;
  return false;
}

void KindSet::Patterns::add(const KindPattern &pattern) {
  uint32_t &chain = last[getChain(pattern)];
  list.push_back(pattern);
  next.push_back(chain);
  chain = list.size();
}

KindSet::Patterns &KindSet::change(size_t more) {
  if (!shared || shared.use_count() != 1) {
    auto own = std::make_shared<Shared>();
    if (shared)
      own->patterns = shared->patterns;
    shared = std::move(own);
  }
  shared->covered = nullptr;
  shared->patterns.reserve(getPatterns().size() + more);
  return shared->patterns;
}

bool KindSet::insert(ArrayRef<KindPattern> more) {
  const auto *next =
      llvm::find_if_not(more, [&](const KindPattern &one) { return has(one); });
  if (next == more.end())
    return false;
  Patterns &changed = change(more.end() - next);
  for (; next != more.end(); ++next)
    if (!changed.has(*next)) {
      changed.add(*next);
      dialects |= next->getDialectBits();
    }
  return true;
}

bool KindSet::insert(const KindSet &more) {
  if (shared == more.shared || more.empty())
    return false;
  if (empty()) {
    *this = more;
    return true;
  }
  if (shared->covered == more.shared)
    return false;
  bool grew = insert(more.getPatterns());
  if (!more.shared->covered)
    shared->covered = more.shared;
  return grew;
}

void KindSet::erase(ArrayRef<KindPattern> kinds) {
  auto stands = [&](const KindPattern &mine) {
    return llvm::any_of(kinds, [&](const KindPattern &kind) {
      return kind.getProperty().empty() && kind.names(mine.getKind());
    });
  };
  if (llvm::none_of(getPatterns(), stands))
    return;
  auto rest = std::make_shared<Shared>();
  for (const KindPattern &mine : getPatterns())
    if (!stands(mine))
      rest->patterns.add(mine);
  shared = std::move(rest);
}

bool KindSet::isAny() const { return has("*"); }

bool KindSet::contains(const KindPattern &name) const {
  return (dialects & name.getDialectBits()) != 0 &&
         llvm::any_of(getPatterns(), [&](const KindPattern &mine) {
           return mine.names(name.getKind());
         });
}

/// Whether a pattern that contracts introduce can stand for an op of a class.
static bool canHaveClass(StringRef pattern, KindPattern::Form cls) {
  StringRef dialect = pattern.split('.').first;
  if (cls == KindPattern::Form::Loop)
    return dialect == "scf" || pattern == "affine.*" || pattern == "affine.for";
  bool mayBeStructured = dialect == "linalg" && pattern != "linalg.yield" &&
                         pattern != "linalg.index";
  if (cls == KindPattern::Form::Structured)
    return mayBeStructured;
  if (cls == KindPattern::Form::Tileable)
    return mayBeStructured || pattern == "tensor.*" || pattern == "tensor.pad";
  return dialect == "func" || dialect == "gpu" || dialect == "builtin";
}

/// The bits of the dialects that `canHaveClass` accepts.
static constexpr uint64_t dialectsOfClasses =
    KindPattern("affine.*").getDialectBits() |
    KindPattern("builtin.*").getDialectBits() |
    KindPattern("func.*").getDialectBits() |
    KindPattern("gpu.*").getDialectBits() |
    KindPattern("linalg.*").getDialectBits() |
    KindPattern("scf.*").getDialectBits() |
    KindPattern("tensor.*").getDialectBits();

bool KindSet::intersects(const KindPattern &pattern) const {
  if (pattern.isAny())
    return !empty();
  uint64_t wanted =
      pattern.isClass() ? dialectsOfClasses : pattern.getDialectBits();
  if ((dialects & wanted) == 0)
    return false;
  if (pattern.getForm() == KindPattern::Form::Dialect)
    return llvm::any_of(getPatterns(), [&](const KindPattern &mine) {
      return mine.isAny() ||
             mine.getKind().starts_with(pattern.getKind().drop_back());
    });
  if (!pattern.isClass())
    return contains(pattern);
  return llvm::any_of(getPatterns(), [&](const KindPattern &mine) {
    return mine.isAny() || canHaveClass(mine.getKind(), pattern.getForm());
  });
}

bool KindSet::mayBeDynamic() const {
  return (dialects & dialectsOfClasses) != 0 &&
         llvm::any_of(getPatterns(), [](const KindPattern &mine) {
           return mine.getProperty() != "static" &&
                  (mine.isAny() ||
                   canHaveClass(mine.getKind(), KindPattern::Form::Structured));
         });
}
