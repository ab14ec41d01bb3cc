//===- ValueNames.h - What the values of a schedule are called --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names that MLIR prints for values, for diagnostics. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_VALUENAMES_H
#define FORMWORK_VERIFIER_STEP_VALUENAMES_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace formwork::verifier {

/// The names of values of verified IR that does not change meanwhile. Cost: the
/// values of an isolated op are numbered once.
class ValueNames {
public:
  std::string get(mlir::Value value) {
    mlir::Operation *scope = value.getParentBlock()->getParentOp();
    while (!scope->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>() &&
           scope->getParentOp())
      scope = scope->getParentOp();
    std::unique_ptr<mlir::AsmState> &numbered = scopes[scope];
    if (!numbered)
      numbered = std::make_unique<mlir::AsmState>(
          scope, mlir::OpPrintingFlags().useLocalScope().assumeVerified());
    std::string name;
    llvm::raw_string_ostream os(name);
    value.printAsOperand(os, *numbered);
    return name;
  }

private:
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<mlir::AsmState>> scopes;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_VALUENAMES_H
