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

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

const Tags::Change *Tags::find(StringAttr name) const {
  if (places) {
    auto found = places->find(name);
    return found == places->end() ? nullptr : &changes[found->second];
  }
  const auto *found = llvm::find_if(
      changes, [&](const Change &one) { return one.name == name; });
  return found == changes.end() ? nullptr : found;
}

void Tags::change(StringAttr name, Attribute value) {
  if (const Change *old = find(name)) {
    changes[old - changes.begin()].value = value;
    return;
  }
  changes.push_back({name, value});
  if (changes.size() <= numFew)
    return;
  if (!places) {
    places = std::make_shared<Places>();
    for (auto [at, one] : llvm::enumerate(changes))
      (*places)[one.name] = at;
    return;
  }
  if (places.use_count() != 1)
    places = std::make_shared<Places>(*places);
  (*places)[name] = changes.size() - 1;
}

DictionaryAttr Tags::getKnown() const {
  if (changes.empty())
    return *known;
  NamedAttrList list;
  for (NamedAttribute attr : *known)
    if (!find(attr.getName()))
      list.push_back(attr);
  for (auto [name, value] : changes)
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
          llvm::all_of(changes,
                       [&](const Change &one) { return agrees(one.name); }));
}

void Tags::set(StringAttr name, Attribute value) {
  if (known)
    change(name, value);
}

void Tags::makeOpen(StringAttr name) {
  if (known)
    change(name, nullptr);
}

void Tags::join(const Tags &other) {
  if (!known || !other.known) {
    *this = Tags();
    return;
  }
  if (*known == *other.known && changes == other.changes)
    return;
  DictionaryAttr mine = getKnown(), theirs = other.getKnown();
  for (const Change &one : other.changes)
    if (!one.value)
      makeOpen(one.name);
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
  for (const Change &one : changes)
    fn(one.name);
}
