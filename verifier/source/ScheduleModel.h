//===- ScheduleModel.h - A schedule as the verifier sees it -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transform module, its entry sequence, and where the payload is. Layer:
// verifier; built after libraries were merged, so that every symbol that the
// schedule includes is in one module.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOURCE_SCHEDULEMODEL_H
#define FORMWORK_VERIFIER_SOURCE_SCHEDULEMODEL_H

#include "engine/AnyBelow.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace formwork::verifier {

class ScheduleModel {
public:
  /// The entry point `name` of `module`; looks into nested modules, too, as the
  /// interpreter does. Emits fw-no-entry-point when there is none.
  static llvm::FailureOr<ScheduleModel>
  create(mlir::ModuleOp module,
         llvm::StringRef name =
             mlir::transform::TransformDialect::kTransformEntryPointSymbolName);

  mlir::ModuleOp getModule() const { return module; }
  mlir::transform::NamedSequenceOp getEntry() const { return entry; }

  /// The ops of the module that the result of a check can depend on, in their
  /// order: the entry, the sequences that it names, directly or through others,
  /// and whatever is no sequence.
  llvm::ArrayRef<mlir::Operation *> getReached() const { return reached; }
  /// Whether the module has sequences that the entry does not reach.
  bool hasUnreached() const;
  /// Calls `fn` on each op of a given type, or on each op, at or below those.
  template <typename Fn> void walkReached(Fn fn) const {
    for (mlir::Operation *op : reached)
      op->walk(fn);
  }
  /// Whether `holds`, see engine::anyBelow, is true of one of them.
  template <typename PredT> bool anyReached(PredT holds) const {
    return llvm::any_of(reached, [&](mlir::Operation *op) {
      return engine::anyBelow(op, holds);
    });
  }

  /// Whether one of them is of one of these types.
  template <typename... OpTs> bool hasReached() const {
    return llvm::any_of(reached, engine::holdsAny<OpTs...>);
  }

private:
  ScheduleModel(mlir::ModuleOp module, mlir::transform::NamedSequenceOp entry);

  mutable mlir::ModuleOp module;
  mutable mlir::transform::NamedSequenceOp entry;
  llvm::SmallVector<mlir::Operation *, 4> reached;
};

/// Refuses sequences below `root` that include themselves, be it through others
/// (fw-recursive-sequence): MLIR has no meaning for them. `root` may be IR that
/// was not verified. Cost: linear in the sequences and their includes.
llvm::LogicalResult checkRecursion(mlir::Operation *root);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_SCHEDULEMODEL_H
