//===- KindSet.cpp - Sets of op kinds ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/KindSet.h"

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

/// No two sets in a process have the same, unless they share their patterns.
static uint64_t makeVersion() {
  static std::atomic<uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

KindSet::Shared &KindSet::change(size_t more) {
  if (!shared || shared.use_count() != 1)
    shared =
        shared ? std::make_shared<Shared>(*shared) : std::make_shared<Shared>();
  shared->version = makeVersion();
  shared->grownBy = 0;
  shared->patterns.reserve(getPatterns().size() + more);
  return *shared;
}

bool KindSet::insert(ArrayRef<KindPattern> more) {
  const auto *next =
      llvm::find_if_not(more, [&](const KindPattern &one) { return has(one); });
  if (next == more.end())
    return false;
  Shared &changed = change(more.end() - next);
  for (; next != more.end(); ++next)
    if (!changed.patterns.has(*next)) {
      changed.patterns.add(*next);
      changed.dialects |= next->getDialectBits();
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
  Version added = more.shared->version;
  if (shared->covers(added))
    return false;
  if (shared->grownBy == added)
    if (std::shared_ptr<Shared> grown = shared->grown.lock();
        grown && grown->version == shared->grownTo) {
      shared = std::move(grown);
      return true;
    }
  // Copies of it may be given the same.
  std::shared_ptr<Shared> before = shared.use_count() > 1 ? shared : nullptr;
  bool grew = insert(more.getPatterns());
  shared->cover(added);
  if (grew && before) {
    before->grownBy = added;
    before->grownTo = shared->version;
    before->grown = shared;
  }
  return grew;
}

bool KindSet::includes(const KindSet &other) const {
  if (shared == other.shared || other.empty())
    return true;
  if (empty())
    return false;
  if (shared->covers(other.shared->version))
    return true;
  if (!llvm::all_of(other.getPatterns(),
                    [&](const KindPattern &one) { return has(one); }))
    return false;
  shared->cover(other.shared->version);
  return true;
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

const KindSet &KnownKindSets::getIntroduced(ArrayRef<KindPattern> kinds) {
  for (const Known &one : known)
    if (ArrayRef<KindPattern>(one.kinds) == kinds)
      return one.set;
  known.reserve(numKnown);
  if (known.size() < numKnown)
    known.emplace_back();
  last = (last + 1) % known.size();
  auto introduced = [](const KindPattern &kind) {
    return kind.isMoreOfThem() ? kind.getThem().withoutProperty() : kind;
  };
  known[last] = {KindPatterns(kinds),
                 KindSet(llvm::map_to_vector<32>(kinds, introduced))};
  return known[last].set;
}

bool KindSet::isAny() const { return has("*"); }

bool KindSet::contains(const KindPattern &name) const {
  return shared && (shared->dialects & name.getDialectBits()) != 0 &&
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
  return shared && (shared->dialects & dialectsOfClasses) != 0 &&
         llvm::any_of(getPatterns(), [](const KindPattern &mine) {
           return mine.getProperty() != "static" &&
                  (mine.isAny() ||
                   canHaveClass(mine.getKind(), KindPattern::Form::Structured));
         });
}
