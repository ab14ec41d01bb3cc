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

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
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

private:
  ScheduleModel(mlir::ModuleOp module, mlir::transform::NamedSequenceOp entry)
      : module(module), entry(entry) {}

  mutable mlir::ModuleOp module;
  mutable mlir::transform::NamedSequenceOp entry;
};

/// Refuses sequences below `root` that include themselves, be it through others
/// (fw-recursive-sequence): MLIR has no meaning for them. `root` may be IR that
/// was not verified. Cost: linear in the sequences and their includes.
llvm::LogicalResult checkRecursion(mlir::Operation *root);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_SCHEDULEMODEL_H
