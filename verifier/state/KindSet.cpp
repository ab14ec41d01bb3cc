//===- KindSet.cpp - Sets of op kinds ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/KindSet.h"

#include "verifier/payload/Kinds.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>

using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::matchesAnyKind(OperationName name,
                                        ArrayRef<KindPattern> patterns) {
  return llvm::any_of(patterns, [&](const KindPattern &pattern) {
    return pattern.matches(name);
  });
}

bool KindSet::insert(ArrayRef<KindPattern> more) {
  if (llvm::all_of(more, [&](const KindPattern &one) { return has(one); }))
    return false;
  shared =
      shared ? std::make_shared<Shared>(*shared) : std::make_shared<Shared>();
  for (const KindPattern &one : more)
    if (shared->patterns.insert(one))
      shared->dialects |= one.getDialectBits();
  return true;
}

bool KindSet::insert(const KindSet &more) {
  if (!empty() || more.empty())
    return shared != more.shared && insert(more.getPatterns());
  *this = more;
  return true;
}

bool KindSet::includes(const KindSet &other) const {
  return shared == other.shared ||
         llvm::all_of(other.getPatterns(),
                      [&](const KindPattern &one) { return has(one); });
}

void KindSet::erase(ArrayRef<KindPattern> kinds) {
  auto stands = [&](const KindPattern &mine) {
    return llvm::any_of(kinds, [&](const KindPattern &kind) {
      return kind.getProperty().empty() && kind.names(mine.getKind());
    });
  };
  if (llvm::none_of(getPatterns(), stands))
    return;
  KindSet rest;
  for (const KindPattern &mine : getPatterns())
    if (!stands(mine))
      rest.insert(mine);
  *this = std::move(rest);
}

bool KindSet::isAny() const { return has("*"); }

bool KindSet::contains(const KindPattern &name) const {
  return shared && (shared->dialects & name.getDialectBits()) != 0 &&
         llvm::any_of(getPatterns(), [&](const KindPattern &mine) {
           return mine.names(name.getKind());
         });
}

bool KindSet::intersects(const KindPattern &pattern) const {
  if (pattern.isAny())
    return !empty();
  uint64_t wanted =
      pattern.isClass() ? getDialectsOfClasses() : pattern.getDialectBits();
  if (!shared || (shared->dialects & wanted) == 0)
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
  return shared && (shared->dialects & getDialectsOfClasses()) != 0 &&
         llvm::any_of(getPatterns(), [](const KindPattern &mine) {
           return mine.getProperty() != "static" &&
                  (mine.isAny() ||
                   canHaveClass(mine.getKind(), KindPattern::Form::Structured));
         });
}
