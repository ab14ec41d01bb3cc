//===- FormTable.cpp - Which anchors are in which forms ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/FormTable.h"

#include "engine/Procedures.h"

#include "llvm/ADT/STLExtras.h"

using namespace formwork::normalforms;
using namespace formwork::verifier;

FormTable::Entry &FormTable::entry(NodeId anchor) {
  for (Entry &entry : entries)
    if (entry.anchor == anchor)
      return entry;
  // Anchors of which nothing is known say nothing; and of those that were
  // looked at long ago, it costs more to know than it is worth.
  llvm::erase_if(entries, [](const Entry &entry) {
    return entry.set.isTop() && entry.ran.empty();
  });
  constexpr size_t maxAnchors = 64;
  if (entries.size() >= maxAnchors)
    entries.erase(entries.begin() + 1);
  entries.push_back({anchor, library->lattice().top(), {}});
  return entries.back();
}

FormSet FormTable::get(const PayloadModel &payload, NodeId node) const {
  const FormLattice &lattice = library->lattice();
  FormSet set = lattice.top();
  for (const Entry &entry : entries)
    if (payload.isAtOrBelow(node, entry.anchor) == Certainty::Yes)
      set = lattice.meet(set, entry.set);
  return set;
}

/// Whether every name of `part` is in `whole`.
static bool isSubset(llvm::ArrayRef<llvm::StringRef> part,
                     llvm::ArrayRef<llvm::StringRef> whole) {
  return llvm::all_of(part, [&](llvm::StringRef name) {
    return llvm::is_contained(whole, name);
  });
}

bool FormTable::has(const PayloadModel &payload, NodeId node,
                    AtomId form) const {
  if (get(payload, node).contains(form))
    return true;
  // A module is in a form if each of its functions is.
  std::optional<NodeList> functions = payload.getFunctions(node);
  if (functions && !functions->empty() &&
      llvm::all_of(*functions, [&](NodeId function) {
        return has(payload, function, form);
      }))
    return true;
  const Form &wanted = library->getForm(form);
  if (!wanted.hasDriver())
    return false;
  auto hasRun = [&](const Entry &entry) {
    // Any rule group brings the driver along.
    if (wanted.rewriteNames.empty())
      return !llvm::all_of(entry.ran, formwork::engine::isProcedureName);
    return isSubset(wanted.rewriteNames, entry.ran);
  };
  return llvm::any_of(entries, [&](const Entry &entry) {
    return hasRun(entry) &&
           payload.isAtOrBelow(node, entry.anchor) == Certainty::Yes;
  });
}

llvm::SmallVector<std::pair<NodeId, FormSet>>
FormTable::getEstablished() const {
  llvm::SmallVector<std::pair<NodeId, FormSet>> established;
  for (const Entry &entry : entries)
    if (!entry.set.isTop())
      established.push_back({entry.anchor, entry.set});
  return established;
}

void FormTable::establish(NodeId anchor, AtomId form) {
  Entry &at = entry(anchor);
  at.set = library->lattice().establish(at.set, form);
}

void FormTable::establish(NodeId anchor, const FormSet &held) {
  if (held.isTop())
    return;
  Entry &at = entry(anchor);
  at.set = library->lattice().meet(at.set, held);
}

bool FormTable::concerns(const PayloadModel &payload, NodeId anchor,
                         NodeId scope) const {
  return payload.isAtOrBelow(anchor, scope) != Certainty::No ||
         payload.isAtOrBelow(scope, anchor) != Certainty::No;
}

void FormTable::normalize(const PayloadModel &payload, NodeId anchor,
                          AtomId form) {
  const FormLattice &lattice = library->lattice();
  if (get(payload, anchor).contains(form))
    return;
  for (Entry &entry : entries) {
    if (!concerns(payload, entry.anchor, anchor))
      continue;
    // The change has the same effect on the forms of the anchors around and
    // inside as on the anchor itself; only the anchor itself gains one.
    entry.set = lattice.join(entry.set, lattice.normalize(entry.set, form));
    entry.ran.clear();
  }
  Entry &at = entry(anchor);
  at.set = lattice.establish(at.set, form);
}

void FormTable::write(const PayloadModel &payload, NodeId scope,
                      const Contract *contract) {
  if (contract && contract->preservesAll())
    return;
  const FormLattice &lattice = library->lattice();
  for (Entry &entry : entries) {
    bool isEmpty = entry.set.isTop() && entry.ran.empty();
    if (isEmpty || !concerns(payload, entry.anchor, scope))
      continue;
    entry.set = contract ? lattice.restrict(entry.set, contract->getPreserved())
                         : lattice.top();
    entry.ran.clear();
  }
}

void FormTable::restrictToVouched(
    const RewriteNames &names, llvm::ArrayRef<AtomId> kept,
    llvm::function_ref<bool(const Entry &)> loses) {
  const FormLattice &lattice = library->lattice();
  // Every form whose normalization includes these rewrites vouches for what it
  // preserves: for all of it where they are all that it consists of. Else other
  // rules of it may have to restore that nothing is left to rewrite.
  llvm::SmallVector<AtomId> vouched(kept), idle;
  for (const Form &form : library->getForms()) {
    if (!form.hasDriver() || !isSubset(names, form.rewriteNames))
      continue;
    idle.push_back(form.atom);
    bool isWhole = isSubset(form.rewriteNames, names);
    for (AtomId atom = 0; atom < lattice.size(); ++atom)
      if (lattice.preserves(form.atom, atom) &&
          (isWhole || !library->getForm(atom).hasDriver()))
        vouched.push_back(atom);
  }
  for (Entry &entry : entries) {
    if (!loses(entry))
      continue;
    // Where such a form holds, they find nothing to do.
    llvm::SmallVector<AtomId> surviving(vouched);
    for (AtomId atom : idle)
      if (entry.set.contains(atom))
        llvm::append_range(surviving,
                           lattice.establish(lattice.top(), atom).atoms());
    entry.set = lattice.restrict(entry.set, surviving);
  }
}

void FormTable::cleanUp(const PayloadModel &payload, NodeId anchor,
                        const RewriteNames &names,
                        llvm::ArrayRef<AtomId> kept) {
  auto loses = [&](const Entry &entry) {
    return !entry.set.isTop() && concerns(payload, entry.anchor, anchor);
  };
  if (llvm::any_of(entries, loses))
    restrictToVouched(names, kept, loses);
  Entry &at = entry(anchor);
  for (llvm::StringRef name : names)
    if (!llvm::is_contained(at.ran, name))
      at.ran.push_back(name);
}

void FormTable::join(const FormTable &other) {
  for (Entry &entry : entries) {
    const auto *same = llvm::find_if(other.entries, [&](const Entry &theirs) {
      return theirs.anchor == entry.anchor;
    });
    if (same == other.entries.end()) {
      entry.set = library->lattice().top();
      entry.ran.clear();
      continue;
    }
    entry.set = library->lattice().join(entry.set, same->set);
    if (entry.ran != same->ran)
      entry.ran.clear();
  }
}
