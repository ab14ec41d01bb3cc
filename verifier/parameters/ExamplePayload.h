//===- ExamplePayload.h - What a schedule alone may meet --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A payload for a schedule that comes without one, so that what its steps
// require of sizes can be said in terms of the payload's dimensions. Layer:
// verifier; reads a schedule and makes payload of its own.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_EXAMPLEPAYLOAD_H
#define FORMWORK_VERIFIER_PARAMETERS_EXAMPLEPAYLOAD_H

#include "verifier/ScheduleModel.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <optional>
#include <string>

namespace formwork::verifier {

/// One function with an op for each `structured.match` of one named op of
/// linalg that has as many loops whatever its operands are (a matmul, a
/// convolution; not a fill): one, or as many as the handle is split into. They
/// read arguments of the function, which returns their results. Their types are
/// dynamic, and say nothing: an op stands for any of its kind.
class ExamplePayload {
public:
  /// None when there is no such match, or when not all have an op of their own:
  /// when two ask for the same.
  static std::optional<ExamplePayload>
  create(const ScheduleModel &schedule,
         llvm::function_ref<std::string(mlir::Value)> nameOf);

  mlir::ModuleOp getModule() const { return *module; }
  /// `dim(%matmul, 0)`: dimension 0 of the op that `%matmul` is set to; empty
  /// for an op that stands for no match.
  std::string getNameOfSize(mlir::Operation *op, unsigned dim) const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::DenseMap<mlir::Operation *, std::string> handles;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_EXAMPLEPAYLOAD_H
