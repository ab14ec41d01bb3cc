//===- OwnAttributes.cpp - Attributes that op kinds define ----------------===//
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

void OwnAttributes::readOps(MLIRContext *context) {
  // In MLIR 22 this list is not sorted. MLIR looks up the ops of one dialect as
  // in a sorted list, so that lookup may miss ops.
  ArrayRef<RegisteredOperationName> ops = context->getRegisteredOperations();
  if (ops.size() == numOps)
    return;
  numOps = ops.size();
  known.clear();
  byDialect.clear();
  const Dialect *last = nullptr;
  SmallVector<RegisteredOperationName, 0> *ofLast = nullptr;
  for (const RegisteredOperationName &op : ops) {
    // Ops of one dialect are mostly adjacent.
    if (&op.getDialect() != last) {
      last = &op.getDialect();
      ofLast = &byDialect[last->getNamespace()];
    }
    ofLast->push_back(op);
  }
}

bool OwnAttributes::mayHaveAll(MLIRContext *context,
                               ArrayRef<KindPattern> kinds,
                               ArrayRef<StringAttr> names) {
  std::lock_guard<std::mutex> lock(mutex);
  readOps(context);
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
  auto [it, isNew] = known.try_emplace({text.data(), text.size()});
  Known &own = it->second;
  if (isOfDialect) {
    auto ops = byDialect.find(text.drop_back(2));
    // A step may load the dialect.
    if (ops == byDialect.end())
      return true;
    if (isNew)
      for (const RegisteredOperationName &op : ops->second)
        own.ofSome.insert_range(op.getAttributeNames());
    auto isOfSome = [&](StringAttr name) { return own.ofSome.contains(name); };
    return llvm::all_of(names, isOfSome) && llvm::any_of(ops->second, hasAll);
  }
  if (isNew) {
    OperationName op(text, context);
    own.isRegistered = op.isRegistered();
    if (own.isRegistered)
      own.ofOp = op.getAttributeNames();
  }
  return !own.isRegistered || areAllIn(own.ofOp);
}
