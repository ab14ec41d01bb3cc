//===- Lattice.h - The lattice of normalforms -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The knowledge about the forms of a piece of payload, as a value, and the
// order between such values (DESIGN §2). Layer: normalforms. It knows neither
// MLIR IR nor the parts of a form: an atom is a number with a name.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_LATTICE_H
#define FORMWORK_NORMALFORMS_LATTICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <optional>
#include <string>

namespace formwork::normalforms {

/// The position of a declared form in its lattice.
using AtomId = unsigned;

/// A lattice element: a set of atoms, closed under `refines`. The empty set is
/// top, "any form". Sets of different lattices must not be mixed.
class FormSet {
public:
  /// Top.
  FormSet() = default;

  bool contains(AtomId atom) const {
    return atom < bits.size() && bits.test(atom);
  }
  bool isTop() const { return bits.none(); }
  unsigned size() const { return bits.count(); }

  /// The atoms, in the order of their declaration.
  llvm::SmallVector<AtomId> atoms() const;

  /// Sets are equal when they hold the same atoms, however they were made.
  bool operator==(const FormSet &other) const;
  bool operator!=(const FormSet &other) const { return !(*this == other); }

private:
  friend class FormLattice;
  explicit FormSet(llvm::SmallBitVector bits) : bits(std::move(bits)) {}
  llvm::SmallBitVector bits;
};

/// The declaration of one atom. References are positions in the list that is
/// passed to `FormLattice::create`.
struct AtomDecl {
  std::string name;
  llvm::SmallVector<AtomId> refines;
  llvm::SmallVector<AtomId> excludes;
  llvm::SmallVector<AtomId> preserves;
};

/// Why a list of declarations is not a lattice, with the atoms that show it.
struct LatticeError {
  enum Kind {
    DuplicateName,         ///< atoms[0] and atoms[1] have one name
    RefinesCycle,          ///< each atom refines the next, the last the first
    ContradictoryExcludes, ///< establishing atoms[0] needs atoms[1], whose
                           ///< exclusion atoms[2] declares
    ExcludedPreserved      ///< atoms[0] both excludes and preserves atoms[1]
  };
  Kind kind;
  llvm::SmallVector<AtomId> atoms;
};

/// The atoms of one library and the order between them; immutable.
///
/// `refines` between atoms is a partial order, kept transitively closed. An
/// atom has the rules of all atoms that it refines, so an anchor in a form is
/// also in every form that it refines. Elements are ordered by their promises:
/// `leq(F, G)` iff F has every atom of G. Laws, for all elements F, G, H:
///
///   leq is a partial order with greatest element `top()`;
///   leq(H, meet(F, G))  iff  leq(H, F) and leq(H, G)    (greatest lower bound)
///   leq(join(F, G), H)  iff  leq(F, H) and leq(G, H)       (least upper bound)
///   meet and join are associative, commutative, idempotent, absorb each other
///   and distribute over each other.
///
/// The lattice of a library is finite, but its least element has no meaning of
/// its own: predicates are universal and can hold vacuously, so no set of forms
/// is contradictory and none stands for "unreachable".
///
/// Example, with `perfect_nest` refining `canonical` and `bufferized` apart:
///   meet({canonical}, {bufferized}) = {canonical, bufferized}
///   join({canonical, perfect_nest}, {canonical, bufferized}) = {canonical}
class FormLattice {
public:
  FormLattice() = default;

  /// Builds the lattice of `decls`; on failure `error` has the reason. Cost:
  /// cubic in the number of atoms, in machine words.
  static std::optional<FormLattice> create(llvm::ArrayRef<AtomDecl> decls,
                                           LatticeError &error);

  unsigned size() const { return names.size(); }
  llvm::StringRef getName(AtomId atom) const { return names[atom]; }
  /// The atom called `name`, or none.
  std::optional<AtomId> lookup(llvm::StringRef name) const;

  /// The declared atom nearest to `name` in edit distance, for "did you mean";
  /// none when all are far.
  std::optional<AtomId> suggest(llvm::StringRef name) const;

  FormSet top() const { return FormSet(); }
  /// The least set that holds `atom`: the atom and all atoms that it refines.
  FormSet closure(AtomId atom) const { return FormSet(below[atom]); }
  FormSet closure(llvm::ArrayRef<AtomId> atoms) const;

  /// Whether atom `a` refines atom `b`; every atom refines itself.
  bool refines(AtomId a, AtomId b) const { return below[a].test(b); }

  bool leq(const FormSet &f, const FormSet &g) const;
  /// Both hold: the union of the atoms.
  FormSet meet(const FormSet &f, const FormSet &g) const;
  /// The atoms that hold on both of two paths: their intersection.
  FormSet join(const FormSet &f, const FormSet &g) const;

  /// `set` without `atom` and without all atoms that refine it: the greatest
  /// closed subset that lacks `atom`.
  FormSet remove(const FormSet &set, AtomId atom) const;

  /// The knowledge after `atom` was found to hold besides `set`. Removes
  /// everything that the atom, or an atom that it refines, excludes. Then adds
  /// the atom's closure. Monotone in `set`; `leq(establish(s, a), closure(a))`
  /// always.
  FormSet establish(const FormSet &set, AtomId atom) const;

  /// The knowledge after normalizing an anchor in `set` to `atom`. If `set`
  /// already holds the atom, nothing changes. Otherwise keeps the part of `set`
  /// that the atom preserves, then applies `establish`. Monotone in `set`.
  FormSet normalize(const FormSet &set, AtomId atom) const;

  /// The greatest closed subset of `set` whose atoms are all in `kept`: the
  /// result of a change that declares to preserve exactly `kept`.
  FormSet restrict(const FormSet &set, llvm::ArrayRef<AtomId> kept) const;

  /// The atoms that establishing `atom` removes, closed upwards under
  /// `refines`.
  llvm::SmallVector<AtomId> getExcluded(AtomId atom) const;
  /// Whether normalizing to `atom` keeps `other`. This is declared, or follows
  /// because `atom` refines `other`, or because a preserved atom refines
  /// `other`.
  bool preserves(AtomId atom, AtomId other) const {
    return kept[atom].test(other);
  }

  /// The atoms that `atom` refines directly: the edges of the Hasse diagram.
  llvm::SmallVector<AtomId> getCovers(AtomId atom) const;

  /// The atoms of `set` that no other atom of the set refines: its shortest
  /// name.
  llvm::SmallVector<AtomId> getMinimalAtoms(const FormSet &set) const;

  /// `@a, @b` of the minimal atoms, or `any form` for top.
  std::string toString(const FormSet &set) const;

private:
  llvm::SmallVector<std::string> names;
  llvm::StringMap<AtomId> ids;
  /// For each atom: the atoms that it refines, itself included.
  llvm::SmallVector<llvm::SmallBitVector> below;
  /// For each atom: the atoms that establishing it removes; closed upwards.
  llvm::SmallVector<llvm::SmallBitVector> excluded;
  /// For each atom: the atoms that normalizing preserves; closed under
  /// `refines`.
  llvm::SmallVector<llvm::SmallBitVector> kept;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_LATTICE_H
