//===- KindSet.cpp - Sets of op kinds ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/KindSet.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::matchesKind(OperationName name, StringRef pattern) {
  pattern = KindSet::getKind(pattern);
  if (pattern == "*")
    return true;
  if (pattern.consume_front("$")) {
    if (pattern == "isolated")
      return name.hasTrait<OpTrait::IsIsolatedFromAbove>();
    if (pattern == "loop")
      return name.hasInterface<LoopLikeOpInterface>();
    if (pattern == "structured")
      return name.hasInterface<linalg::LinalgOp>();
    return pattern == "tileable" && name.hasInterface<TilingInterface>();
  }
  if (pattern.ends_with(".*"))
    return name.getStringRef().starts_with(pattern.drop_back());
  return name.getStringRef() == pattern;
}

bool formwork::verifier::matchesAnyKind(OperationName name,
                                        ArrayRef<std::string> patterns) {
  return llvm::any_of(patterns, [&](const std::string &pattern) {
    return matchesKind(name, pattern);
  });
}

bool KindSet::insert(ArrayRef<std::string> more) {
  size_t before = patterns.size();
  for (const std::string &pattern : more)
    if (!llvm::is_contained(patterns, pattern))
      patterns.push_back(pattern);
  return patterns.size() != before;
}

void KindSet::erase(ArrayRef<std::string> kinds) {
  llvm::erase_if(patterns, [&](StringRef pattern) {
    StringRef mine = getKind(pattern);
    return llvm::any_of(kinds, [&](StringRef kind) {
      return mine == kind || kind == "*" ||
             (kind.ends_with(".*") && mine.starts_with(kind.drop_back()));
    });
  });
}

bool KindSet::isAny() const { return llvm::is_contained(patterns, "*"); }

bool KindSet::contains(StringRef name) const {
  name = getKind(name);
  return llvm::any_of(patterns, [&](StringRef mine) {
    StringRef pattern = getKind(mine);
    if (pattern == "*")
      return true;
    if (pattern.ends_with(".*"))
      return name.starts_with(pattern.drop_back());
    return name == pattern;
  });
}

/// Whether a pattern that contracts introduce can stand for an op of a class.
static bool canHaveClass(StringRef pattern, StringRef cls) {
  StringRef dialect = pattern.split('.').first;
  if (cls == "$loop")
    return dialect == "scf" || pattern == "affine.*" || pattern == "affine.for";
  bool mayBeStructured = dialect == "linalg" && pattern != "linalg.yield" &&
                         pattern != "linalg.index";
  if (cls == "$structured")
    return mayBeStructured;
  if (cls == "$tileable")
    return mayBeStructured || pattern == "tensor.*" || pattern == "tensor.pad";
  return dialect == "func" || dialect == "gpu" || dialect == "builtin";
}

bool KindSet::intersects(StringRef pattern) const {
  pattern = getKind(pattern);
  if (pattern == "*")
    return !empty();
  if (pattern.ends_with(".*"))
    return llvm::any_of(patterns, [&](StringRef mine) {
      return mine == "*" || mine.starts_with(pattern.drop_back());
    });
  if (!pattern.starts_with("$"))
    return contains(pattern);
  return llvm::any_of(patterns, [&](StringRef mine) {
    return mine == "*" || canHaveClass(getKind(mine), pattern);
  });
}

bool KindSet::mayBeDynamic() const {
  return llvm::any_of(patterns, [](StringRef mine) {
    return !mine.ends_with("?static") &&
           (mine == "*" || canHaveClass(mine, "$structured"));
  });
}
