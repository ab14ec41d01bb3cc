//===- ModelNames.h - Models that contracts of others name ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of the models that a tool or a plugin registers for its own
// operations, for contracts that name them. Layer: normalforms; it does not
// know what a model is.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_MODELNAMES_H
#define FORMWORK_NORMALFORMS_IR_MODELNAMES_H

#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/StringRef.h"

namespace formwork::normalforms {

/// Attached to the `normalform` dialect by the first who registers a model. The
/// type has no id of its own, so that all libraries of a process find it.
class ModelNames : public mlir::DialectInterface::Base<ModelNames> {
public:
  ModelNames(mlir::Dialect *dialect, uint64_t layout)
      : Base(dialect), layout(layout) {}

  /// The name of the model that is registered for the transform op `opName`;
  /// empty without one.
  virtual llvm::StringRef lookupName(llvm::StringRef opName) const = 0;

  /// Differs where the models were compiled against other headers.
  const uint64_t layout;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_IR_MODELNAMES_H
