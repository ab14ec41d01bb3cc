//===- Kinds.cpp - What ops of a kind are -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/Kinds.h"

#include "engine/AnyBelow.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

bool formwork::verifier::isModule(OperationName kind) {
  return kind.getStringRef() == ModuleOp::getOperationName();
}

bool formwork::verifier::isControlFlow(OperationName kind) {
  return kind.getDialectNamespace() == "scf";
}

bool formwork::verifier::mayBeMemory(OperationName kind) {
  return llvm::is_contained({"bufferization", "gpu", "memref"},
                            kind.getDialectNamespace());
}

bool formwork::verifier::isNeverFolded(OperationName kind) {
  return kind.getStringRef() == gpu::LaunchOp::getOperationName();
}

bool formwork::verifier::isRebuiltByCopy(OperationName kind) {
  return kind.getStringRef() == scf::ParallelOp::getOperationName();
}

ArrayRef<std::pair<KindPattern, KindPattern>>
formwork::verifier::getFoldedKinds() {
  static constexpr std::pair<KindPattern, KindPattern> kinds[] = {
      {"func.call_indirect", "func.call"}};
  return kinds;
}

bool formwork::verifier::isRebuiltBare(OperationName kind) {
  return kind.getStringRef() == scf::ForallOp::getOperationName();
}

bool formwork::verifier::isMoreThanACopy(OperationName kind) {
  return !llvm::is_contained({linalg::BroadcastOp::getOperationName(),
                              linalg::CopyOp::getOperationName(),
                              linalg::GenericOp::getOperationName(),
                              linalg::MapOp::getOperationName(),
                              linalg::TransposeOp::getOperationName()},
                             kind.getStringRef());
}

bool formwork::verifier::foldsIntoReshape(OperationName kind) {
  return kind.getStringRef() == linalg::FillOp::getOperationName();
}

bool formwork::verifier::holdsOnlyScalars(OperationName kind) {
  return kind.getDialectNamespace() == "linalg" ||
         llvm::is_contained({"tensor.pad", "tensor.generate"},
                            kind.getStringRef());
}

ArrayRef<KindPattern> formwork::verifier::getScalarKinds() {
  static constexpr KindPattern kinds[] = {
      "affine.*", "arith.*",      "complex.*", "index.*", "linalg.index",
      "math.*",   "linalg.yield", "memref.*",  "scf.*",   "tensor.*"};
  return kinds;
}

/// Whether ops of kind `holder` have a body that is written out.
static bool hasOwnBody(OperationName holder) {
  return llvm::is_contained({"linalg.generic", "linalg.map", "linalg.reduce",
                             "tensor.generate", "tensor.pad"},
                            holder.getStringRef());
}

/// Whether ops of `kind` may be in such a body, be they scalar code or not.
static bool mayBeInBody(OperationName kind) {
  return !KindPattern("$isolated").matches(kind) &&
         !KindPattern("$structured").matches(kind);
}

static bool isScalarCode(OperationName kind) {
  StringRef dialect = kind.getDialectNamespace();
  StringRef name = kind.getStringRef();
  if (dialect == "linalg")
    return name == "linalg.yield" || name == "linalg.index";
  return !llvm::is_contained({"scf", "func", "gpu", "memref", "builtin"},
                             dialect);
}

bool formwork::verifier::holdsOther(Operation *op) {
  return holdsOnlyScalars(op->getName()) &&
         engine::anyBelow(op, [&](Operation *inner) {
           // What reads a tensor may read a buffer later.
           bool readsTensor =
               inner->getName().getDialectNamespace() == "tensor" &&
               !inner->hasTrait<OpTrait::IsTerminator>();
           return inner != op &&
                  (readsTensor || !isScalarCode(inner->getName()));
         });
}

bool formwork::verifier::mayBeOrHold(OperationName holder, OperationName kind,
                                     Bodies bodies) {
  if (holder == kind)
    return true;
  if (holder.mightHaveTrait<OpTrait::ZeroRegions>())
    return !holder.isRegistered();
  if (holdsOnlyScalars(holder))
    return isScalarCode(kind) ||
           (bodies == Bodies::Any && mayBeInBody(kind) &&
            (hasOwnBody(holder) || kind.getStringRef() == "func.call"));
  return !KindPattern("$isolated").matches(kind) ||
         !llvm::is_contained({"scf", "linalg", "func", "affine"},
                             holder.getDialectNamespace());
}

bool formwork::verifier::mayBeOrHold(OperationName holder, StringRef cls,
                                     Bodies bodies) {
  if (KindPattern::of(cls).matches(holder))
    return true;
  if (holder.mightHaveTrait<OpTrait::ZeroRegions>())
    return !holder.isRegistered();
  if (!holdsOnlyScalars(holder))
    return true;
  return cls == "$loop" ? bodies == Bodies::Any && hasOwnBody(holder)
                        : cls != "$structured";
}

bool formwork::verifier::mayBeInTileable(OperationName kind, Bodies bodies) {
  return KindPattern("$tileable").matches(kind) || isScalarCode(kind) ||
         (bodies == Bodies::Any && mayBeInBody(kind));
}

bool formwork::verifier::canHaveClass(StringRef pattern,
                                      KindPattern::Form cls) {
  StringRef dialect = pattern.split('.').first;
  if (cls == KindPattern::Form::Loop)
    return dialect == "scf" || pattern == "affine.*" || pattern == "affine.for";
  bool mayBeStructured = dialect == "linalg" && pattern != "linalg.yield" &&
                         pattern != "linalg.index";
  if (cls == KindPattern::Form::Structured)
    return mayBeStructured;
  if (cls == KindPattern::Form::Tileable)
    return mayBeStructured || pattern == "tensor.*" || pattern == "tensor.pad";
  return dialect == "func" || dialect == "gpu" || dialect == "builtin";
}

uint64_t formwork::verifier::getDialectsOfClasses() {
  static constexpr uint64_t bits = KindPattern("affine.*").getDialectBits() |
                                   KindPattern("builtin.*").getDialectBits() |
                                   KindPattern("func.*").getDialectBits() |
                                   KindPattern("gpu.*").getDialectBits() |
                                   KindPattern("linalg.*").getDialectBits() |
                                   KindPattern("scf.*").getDialectBits() |
                                   KindPattern("tensor.*").getDialectBits();
  return bits;
}

bool formwork::verifier::mayChangeSlices(ArrayRef<KindPattern> kinds) {
  return llvm::any_of(kinds, [](const KindPattern &kind) {
    return kind.isAny() || kind.getForm() == KindPattern::Form::Type ||
           kind.getForm() == KindPattern::Form::Loop ||
           kind.getKind().starts_with("scf.") ||
           llvm::is_contained({"memref.*", "memref.subview", "tensor.*",
                               "tensor.extract_slice"},
                              kind.getKind());
  });
}

bool formwork::verifier::matchesAnyNamed(StringRef kind,
                                         ArrayRef<KindPattern> patterns) {
  return llvm::any_of(patterns, [&](const KindPattern &pattern) {
    return pattern.names(kind);
  });
}

bool formwork::verifier::mayChangeBounds(ArrayRef<KindPattern> kinds) {
  return matchesAnyNamed("arith.constant", kinds);
}

bool formwork::verifier::mayDropBranches(ArrayRef<KindPattern> kinds) {
  return matchesAnyNamed("scf.if", kinds);
}

bool formwork::verifier::isStoredByAccessors(StringAttr name) {
  // Named structured ops keep their indexing maps there.
  return name.getValue() == "linalg.memoized_indexing_maps";
}
