//===- Tags.cpp - Discardable attributes of a payload op --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of attributes, and stays known. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Tags.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

DictionaryAttr Tags::getKnown() const {
  if (added.empty())
    return *known;
  NamedAttrList list(*known);
  for (auto [name, value] : added)
    list.append(name, value);
  return list.getDictionary(known->getContext());
}

bool Tags::mayBe(DictionaryAttr all) const {
  auto agrees = [&](StringAttr name) {
    return isOpen(name) || all.get(name) == get(name);
  };
  auto nameAgrees = [&](NamedAttribute attr) { return agrees(attr.getName()); };
  return !known ||
         (llvm::all_of(all, nameAgrees) && llvm::all_of(*known, nameAgrees) &&
          llvm::all_of(added,
                       [&](const Added &one) { return agrees(one.name); }));
}

void Tags::set(StringAttr name, Attribute value) {
  if (!known)
    return;
  llvm::erase(open, name);
  auto *found =
      llvm::find_if(added, [&](const Added &one) { return one.name == name; });
  if (found != added.end()) {
    found->value = value;
  } else if (Attribute old = isBare ? Attribute() : known->get(name)) {
    if (old == value)
      return;
    NamedAttrList list(*known);
    list.set(name, value);
    known = list.getDictionary(name.getContext());
  } else {
    added.push_back({name, value});
  }
}

void Tags::makeOpen(StringAttr name) {
  if (!isOpen(name))
    open.push_back(name);
}

void Tags::join(const Tags &other) {
  if (!known || !other.known) {
    known = std::nullopt;
    isBare = false;
    added.clear();
    open.clear();
    return;
  }
  for (StringAttr name : other.open)
    makeOpen(name);
  if (*known == *other.known && added == other.added)
    return;
  DictionaryAttr mine = getKnown(), theirs = other.getKnown();
  for (NamedAttribute attr : mine)
    if (theirs.get(attr.getName()) != attr.getValue())
      makeOpen(attr.getName());
  for (NamedAttribute attr : theirs)
    if (mine.get(attr.getName()) != attr.getValue())
      makeOpen(attr.getName());
}

void Tags::forEachName(llvm::function_ref<void(StringAttr)> fn) const {
  if (!known)
    return;
  for (NamedAttribute attr : *known)
    fn(attr.getName());
  for (const Added &one : added)
    fn(one.name);
  llvm::for_each(open, fn);
}
