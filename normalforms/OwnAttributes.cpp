//===- OwnAttributes.cpp - What ops have without being given it -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/OwnAttributes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::normalforms;

bool OwnAttributes::mayHaveAll(MLIRContext *context,
                               ArrayRef<KindPattern> kinds,
                               ArrayRef<StringAttr> names) {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::any_of(kinds, [&](const KindPattern &kind) {
    return mayHaveAll(context, kind, names);
  });
}

bool OwnAttributes::mayHaveAll(MLIRContext *context, const KindPattern &kind,
                               ArrayRef<StringAttr> names) {
  auto areAllIn = [&](ArrayRef<StringAttr> own) {
    return llvm::all_of(
        names, [&](StringAttr name) { return llvm::is_contained(own, name); });
  };
  auto hasAll = [&](const RegisteredOperationName &op) {
    return areAllIn(op.getAttributeNames());
  };
  if (kind.isAny() || kind.isClass())
    return llvm::any_of(context->getRegisteredOperations(), hasAll);

  StringRef text = kind.getKind();
  bool isOfDialect = kind.getForm() == KindPattern::Form::Dialect;
  auto getOps = [&] {
    return context->getRegisteredOperationsByDialect(text.drop_back(2));
  };
  auto it = known.find({text.data(), text.size()});
  // What is not registered, or loaded, may still be.
  if (it == known.end() && isOfDialect) {
    ArrayRef<RegisteredOperationName> ops = getOps();
    if (ops.empty())
      return false;
    it = known.try_emplace({text.data(), text.size()}).first;
    for (const RegisteredOperationName &op : ops)
      it->second.ofSome.insert_range(op.getAttributeNames());
  } else if (it == known.end()) {
    OperationName op(text, context);
    if (!op.isRegistered())
      return true;
    it = known.try_emplace({text.data(), text.size()}).first;
    it->second.ofOp = op.getAttributeNames();
  }
  if (!isOfDialect)
    return areAllIn(it->second.ofOp);
  return llvm::all_of(names,
                      [&](StringAttr name) {
                        return it->second.ofSome.contains(name);
                      }) &&
         llvm::any_of(getOps(), hasAll);
}
