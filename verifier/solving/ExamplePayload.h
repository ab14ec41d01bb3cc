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

#ifndef FORMWORK_VERIFIER_SOLVING_EXAMPLEPAYLOAD_H
#define FORMWORK_VERIFIER_SOLVING_EXAMPLEPAYLOAD_H

#include "verifier/source/ScheduleModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <optional>
#include <string>

namespace formwork::verifier {

/// One function with ops for each `structured.match` of one linalg op whose
/// number of loops is known. It is fixed (a matmul, a convolution), or equal to
/// the rank of the operands (a fill, a copy, a sum, a generic). There is one op
/// for each match, or as many as the handle is split into. An op of the second
/// kind has a loop for each size that the schedule gives for it; a generic
/// reads one operand and is parallel. The ops read arguments of the function,
/// which returns their results. Their types are dynamic: an op stands for any
/// op of its kind.
class ExamplePayload {
public:
  /// None when there is no such match, or when not all have an op of their own:
  /// when two may find the same. `guessFlow`: what the schedule fuses into
  /// loops of another op is what that op reads, as its first operand of that
  /// rank; or, if it is a fill, writes over.
  static std::optional<ExamplePayload>
  create(const ScheduleModel &schedule,
         llvm::function_ref<std::string(mlir::Value)> nameOf, bool guessFlow);

  mlir::ModuleOp getModule() const { return *module; }
  /// `dim(%matmul, 0)`: dimension 0 of the op that `%matmul` holds; empty for
  /// an op without a match. If an op reads the result of another op, the sizes
  /// of that result are sizes of the other op.
  std::string getNameOfSize(mlir::Operation *op, unsigned dim) const;
  /// Whether the number of loops of some op is what sizes are given for.
  bool guessesLoops() const { return areLoopsGuessed; }
  /// Whether some op reads what another makes.
  bool guessesFlow() const { return isFlowGuessed; }

private:
  using Dimension = std::pair<mlir::Operation *, unsigned>;

  void identifySizes(mlir::linalg::LinalgOp producer,
                     mlir::linalg::LinalgOp reader, unsigned operand);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::DenseMap<mlir::Operation *, std::string> handles;
  /// The dimensions of what is read, which have the sizes of those that read.
  llvm::DenseMap<Dimension, Dimension> sameSizes;
  bool areLoopsGuessed = false, isFlowGuessed = false;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOLVING_EXAMPLEPAYLOAD_H
