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

bool Tags::isOpen(StringAttr name) const {
  return !known || llvm::is_contained(open, name);
}

bool Tags::mayBe(DictionaryAttr all) const {
  auto agrees = [&](NamedAttribute attr) {
    return isOpen(attr.getName()) ||
           all.get(attr.getName()) == known->get(attr.getName());
  };
  return !known || (llvm::all_of(all, agrees) && llvm::all_of(*known, agrees));
}

void Tags::set(StringAttr name, Attribute value) {
  if (!known)
    return;
  NamedAttrList list(*known);
  list.set(name, value);
  known = list.getDictionary(name.getContext());
  llvm::erase(open, name);
}

void Tags::makeOpen(StringAttr name) {
  if (!isOpen(name))
    open.push_back(name);
}

void Tags::join(const Tags &other) {
  if (!known || !other.known) {
    known = std::nullopt;
    open.clear();
    return;
  }
  for (StringAttr name : other.open)
    makeOpen(name);
  if (*known == *other.known)
    return;
  for (NamedAttribute mine : *known)
    if (other.known->get(mine.getName()) != mine.getValue())
      makeOpen(mine.getName());
  for (NamedAttribute theirs : *other.known)
    if (known->get(theirs.getName()) != theirs.getValue())
      makeOpen(theirs.getName());
}

void Tags::forEachName(llvm::function_ref<void(StringAttr)> fn) const {
  if (!known)
    return;
  for (NamedAttribute attr : *known)
    fn(attr.getName());
  llvm::for_each(open, fn);
}
