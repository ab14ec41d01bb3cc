//===- Lattice.cpp - The lattice of normalforms -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Lattice.h"

#include "engine/NearName.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace formwork::normalforms;
using llvm::ArrayRef;
using llvm::SmallBitVector;
using llvm::SmallVector;
using llvm::StringRef;

SmallVector<AtomId> FormSet::atoms() const {
  return SmallVector<AtomId>(bits.set_bits());
}

bool FormSet::operator==(const FormSet &other) const {
  unsigned width = std::max(bits.size(), other.bits.size());
  SmallBitVector a = bits, b = other.bits;
  a.resize(width);
  b.resize(width);
  return a == b;
}

namespace {
/// Searches for a cycle of `refines`, depth first.
struct CycleFinder {
  explicit CycleFinder(ArrayRef<AtomDecl> decls)
      : decls(decls), state(decls.size(), Unseen) {}

  bool visit(AtomId atom) {
    if (state[atom] == Done)
      return false;
    if (state[atom] == OnPath) {
      auto begin = llvm::find(path, atom);
      path.erase(path.begin(), begin);
      return true;
    }
    state[atom] = OnPath;
    path.push_back(atom);
    for (AtomId next : decls[atom].refines)
      if (visit(next))
        return true;
    path.pop_back();
    state[atom] = Done;
    return false;
  }

  enum State { Unseen, OnPath, Done };
  ArrayRef<AtomDecl> decls;
  SmallVector<State> state;
  SmallVector<AtomId> path;
};
} // namespace

std::optional<FormLattice> FormLattice::create(ArrayRef<AtomDecl> decls,
                                               LatticeError &error) {
  FormLattice lattice;
  const unsigned size = decls.size();
  for (auto [id, decl] : llvm::enumerate(decls)) {
    auto [it, inserted] = lattice.ids.try_emplace(decl.name, id);
    if (!inserted) {
      error = {LatticeError::DuplicateName, {it->second, AtomId(id)}};
      return std::nullopt;
    }
    lattice.names.push_back(decl.name);
  }

  CycleFinder finder(decls);
  for (AtomId atom = 0; atom < size; ++atom)
    if (finder.visit(atom)) {
      error = {LatticeError::RefinesCycle, finder.path};
      return std::nullopt;
    }

  // Without cycles, the fixpoint needs at most as many rounds as there are
  // atoms; two or three are usual.
  for (AtomId atom = 0; atom < size; ++atom) {
    lattice.below.emplace_back(size);
    lattice.below.back().set(atom);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (AtomId atom = 0; atom < size; ++atom) {
      unsigned before = lattice.below[atom].count();
      for (AtomId next : decls[atom].refines)
        lattice.below[atom] |= lattice.below[next];
      changed |= lattice.below[atom].count() != before;
    }
  }

  for (AtomId atom = 0; atom < size; ++atom) {
    SmallBitVector out(size), keep = lattice.below[atom];
    for (AtomId refined : lattice.below[atom].set_bits()) {
      for (AtomId other : decls[refined].excludes) {
        for (AtomId above = 0; above < size; ++above) {
          if (!lattice.below[above].test(other))
            continue;
          out.set(above);
          if (lattice.below[atom].test(above)) {
            error = {LatticeError::ContradictoryExcludes,
                     {atom, above, refined}};
            return std::nullopt;
          }
        }
      }
    }
    for (AtomId other : decls[atom].preserves) {
      if (out.test(other)) {
        error = {LatticeError::ExcludedPreserved, {atom, other}};
        return std::nullopt;
      }
      keep |= lattice.below[other];
    }
    lattice.excluded.push_back(std::move(out));
    lattice.kept.push_back(std::move(keep));
  }
  return lattice;
}

std::optional<AtomId> FormLattice::lookup(StringRef name) const {
  auto it = ids.find(name);
  if (it == ids.end())
    return std::nullopt;
  return it->second;
}

std::optional<AtomId> FormLattice::suggest(StringRef name) const {
  SmallVector<StringRef> declared(names.begin(), names.end());
  if (std::optional<size_t> near = engine::findNearName(name, declared))
    return static_cast<AtomId>(*near);
  return std::nullopt;
}

FormSet FormLattice::closure(ArrayRef<AtomId> atoms) const {
  SmallBitVector bits(size());
  for (AtomId atom : atoms)
    bits |= below[atom];
  return FormSet(std::move(bits));
}

bool FormLattice::leq(const FormSet &f, const FormSet &g) const {
  return meet(f, g) == f;
}

FormSet FormLattice::meet(const FormSet &f, const FormSet &g) const {
  SmallBitVector bits = f.bits;
  bits.resize(size());
  bits |= g.bits;
  return FormSet(std::move(bits));
}

FormSet FormLattice::join(const FormSet &f, const FormSet &g) const {
  SmallBitVector bits = f.bits, other = g.bits;
  bits.resize(size());
  other.resize(size());
  bits &= other;
  return FormSet(std::move(bits));
}

FormSet FormLattice::remove(const FormSet &set, AtomId atom) const {
  SmallBitVector bits = set.bits;
  for (AtomId other : set.bits.set_bits())
    if (below[other].test(atom))
      bits.reset(other);
  return FormSet(std::move(bits));
}

FormSet FormLattice::establish(const FormSet &set, AtomId atom) const {
  // The excluded atoms are closed upwards, so the rest is closed downwards.
  SmallBitVector bits = set.bits;
  bits.resize(size());
  bits.reset(excluded[atom]);
  bits |= below[atom];
  return FormSet(std::move(bits));
}

FormSet FormLattice::normalize(const FormSet &set, AtomId atom) const {
  if (set.contains(atom))
    return set;
  SmallBitVector bits = set.bits;
  bits.resize(size());
  bits &= kept[atom];
  return establish(FormSet(std::move(bits)), atom);
}

FormSet FormLattice::restrict(const FormSet &set, ArrayRef<AtomId> keep) const {
  SmallBitVector allowed(size()), bits(size());
  for (AtomId atom : keep)
    allowed.set(atom);
  for (AtomId atom : set.bits.set_bits()) {
    SmallBitVector missing = below[atom];
    missing.reset(allowed);
    if (missing.none())
      bits.set(atom);
  }
  return FormSet(std::move(bits));
}

SmallVector<AtomId> FormLattice::getExcluded(AtomId atom) const {
  return SmallVector<AtomId>(excluded[atom].set_bits());
}

SmallVector<AtomId> FormLattice::getCovers(AtomId atom) const {
  SmallVector<AtomId> covers;
  for (AtomId other : below[atom].set_bits()) {
    if (other == atom)
      continue;
    bool between = llvm::any_of(below[atom].set_bits(), [&](AtomId middle) {
      return middle != atom && middle != other && below[middle].test(other);
    });
    if (!between)
      covers.push_back(other);
  }
  return covers;
}

SmallVector<AtomId> FormLattice::getMinimalAtoms(const FormSet &set) const {
  SmallVector<AtomId> minimal;
  for (AtomId atom : set.bits.set_bits()) {
    bool implied = llvm::any_of(set.bits.set_bits(), [&](AtomId other) {
      return other != atom && below[other].test(atom);
    });
    if (!implied)
      minimal.push_back(atom);
  }
  return minimal;
}

std::string FormLattice::toString(const FormSet &set) const {
  if (set.isTop())
    return "any form";
  std::string text;
  for (AtomId atom : getMinimalAtoms(set))
    text += (text.empty() ? "@" : ", @") + names[atom];
  return text;
}
