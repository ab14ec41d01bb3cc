//===- ParametersFixture.h - What these tests share -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context with everything registered, and schedules made of a body.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_VERIFIER_PARAMETERS_PARAMETERSFIXTURE_H
#define FORMWORK_TEST_UNIT_VERIFIER_PARAMETERS_PARAMETERSFIXTURE_H

#include "normalforms/Libraries.h"
#include "verifier/solving/ParameterCheck.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

namespace formwork::verifier {

class ParametersTest : public ::testing::Test {
protected:
  ParametersTest();

  /// Parses; the test fails when that does.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);
  /// A module with an entry sequence that has `body`; `%root` is the payload.
  static std::string makeSchedule(llvm::StringRef body);
  static mlir::transform::NamedSequenceOp getEntry(mlir::ModuleOp schedule);

  normalforms::Libraries getLibraries() const { return {*forms, *contracts}; }

  mlir::MLIRContext context;
  std::unique_ptr<normalforms::FormLibrary> forms;
  std::unique_ptr<normalforms::ContractLibrary> contracts;
};

} // namespace formwork::verifier

#endif // FORMWORK_TEST_UNIT_VERIFIER_PARAMETERS_PARAMETERSFIXTURE_H
