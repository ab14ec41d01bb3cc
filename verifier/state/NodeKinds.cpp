//===- NodeKinds.cpp - Of which kinds a node may be -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what is known of a node with kinds, classes and types. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Node.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

/// Whether an op of `dialect` may have values of its type: `!memref` and the
/// ops of memref.
static bool hasTypeOf(Operation *op, StringRef dialect) {
  auto isOf = [&](Type type) {
    if (dialect == "tensor")
      return isa<TensorType>(type);
    if (dialect == "memref")
      return isa<BaseMemRefType>(type);
    return isa<VectorType>(type);
  };
  return llvm::any_of(op->getOperandTypes(), isOf) ||
         llvm::any_of(op->getResultTypes(), isOf) ||
         llvm::any_of(op->getRegions(), [&](Region &region) {
           return llvm::any_of(region.getArgumentTypes(), isOf);
         });
}

/// Whether `node` may have a value of the type that `pattern`, such as
/// `!tensor`, stands for.
static bool mayHaveType(const Node &node, StringRef pattern) {
  StringRef dialect = pattern.drop_front();
  if (node.op)
    return hasTypeOf(node.op, dialect);
  if (dialect == "tensor" && node.space)
    return node.space->onTensors;
  if (dialect == "tensor" && node.loop)
    return node.loop->hasResults;
  return true;
}

/// Whether an op of known kind may have the property that a pattern asks for
/// behind a `?`.
static bool mayHave(const Node &node, StringRef property) {
  if (property == "tensor-result")
    return !node.loop || node.loop->hasResults;
  if (!KindPattern("$structured").matches(*node.kind))
    return false;
  if (!node.space)
    return true;
  if (property == "constant-input")
    return llvm::any_of(
        ArrayRef(node.space->maps).drop_back(node.space->numInits),
        [](AffineMap map) { return map.isConstant(); });
  auto mayBeUnit = [](const Extent &loop) {
    return loop.size ? *loop.size == 1 : !loop.reason.definite;
  };
  auto hasConstant = [](AffineMap map) {
    return llvm::any_of(map.getResults(), llvm::IsaPred<AffineConstantExpr>);
  };
  return property != "unit-extent" ||
         llvm::any_of(node.space->loops, mayBeUnit) ||
         llvm::any_of(node.space->maps, hasConstant);
}

bool formwork::verifier::mayBeOfKindOf(const Node &vague, const Node &node) {
  if (!node.kind)
    return true;
  if (vague.kind)
    return *vague.kind == *node.kind;
  const AmongFacts &among = *vague.among;
  return (among.kinds.empty() || llvm::is_contained(among.kinds, *node.kind)) &&
         (among.cls.empty() || KindPattern::of(among.cls).matches(*node.kind));
}

bool formwork::verifier::mayBeOfKind(const Node &node,
                                     ArrayRef<KindPattern> kinds) {
  return llvm::any_of(kinds, [&](const KindPattern &kind) {
    if (kind.getForm() == KindPattern::Form::Type)
      return mayHaveType(node, kind);
    StringRef property = kind.getProperty();
    return !node.kind || (kind.matches(*node.kind) &&
                          (property.empty() || mayHave(node, property)));
  });
}

bool formwork::verifier::mayHaveBelow(const Node &node) {
  if (node.hasBelow || node.exact || node.fresh)
    return node.hasBelow;
  return !node.kind || !node.kind->isRegistered() ||
         !node.kind->mightHaveTrait<OpTrait::ZeroRegions>();
}

bool formwork::verifier::isSurelyOfKind(const Node &node,
                                        ArrayRef<KindPattern> kinds) {
  if (node.kind)
    return matchesAnyKind(*node.kind, kinds);
  // Structured ops can be tiled, too.
  if (llvm::is_contained(kinds, node.among->cls) ||
      (node.among->cls == "$structured" &&
       llvm::is_contained(kinds, "$tileable")))
    return true;
  return !node.among->kinds.empty() &&
         llvm::all_of(node.among->kinds, [&](OperationName kind) {
           return matchesAnyKind(kind, kinds);
         });
}

bool formwork::verifier::mayBeAmong(const std::optional<OperationName> &kind,
                                    ArrayRef<KindPattern> kinds) {
  return llvm::any_of(kinds, [&](const KindPattern &pattern) {
    return !kind || pattern.getForm() == KindPattern::Form::Type ||
           pattern.matches(*kind);
  });
}
