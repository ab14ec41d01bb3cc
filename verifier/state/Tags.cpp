//===- Tags.cpp - Discardable attributes of a payload op --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knowledge about attributes, and when it is kept. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Tags.h"

#include "verifier/payload/Kinds.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

bool Tags::isOpen(StringAttr name) const {
  if (!known || isStoredByAccessors(name))
    return true;
  const auto *change = changes->find(name);
  return change != changes->end() && !change->second;
}

DictionaryAttr Tags::getKnown() const {
  if (changes->empty())
    return *known;
  NamedAttrList list;
  for (NamedAttribute attr : *known)
    if (!changes->contains(attr.getName()))
      list.push_back(attr);
  for (auto [name, value] : *changes)
    if (value)
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
          llvm::all_of(*changes,
                       [&](const auto &one) { return agrees(one.first); }));
}

void Tags::set(StringAttr name, Attribute value) {
  if (known)
    changes.edit()[name] = value;
}

void Tags::makeOpen(StringAttr name) {
  if (known)
    changes.edit()[name] = nullptr;
}

void Tags::mayLoseAll() {
  SmallVector<StringAttr> names;
  forEachName([&](StringAttr name) { names.push_back(name); });
  for (StringAttr name : names)
    makeOpen(name);
}

void Tags::join(const Tags &other) {
  if (!known || !other.known) {
    *this = Tags();
    return;
  }
  if (*known == *other.known && llvm::equal(*changes, *other.changes))
    return;
  DictionaryAttr mine = getKnown(), theirs = other.getKnown();
  for (auto [name, value] : *other.changes)
    if (!value)
      makeOpen(name);
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
  for (auto [name, value] : *changes)
    fn(name);
}
