//===- VerifierFixture.h - What the verifier's tests share ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context with all of upstream's dialects, the loaded libraries, and the
// batch matmul that the tests vary.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_VERIFIER_VERIFIERFIXTURE_H
#define FORMWORK_TEST_UNIT_VERIFIER_VERIFIERFIXTURE_H

#include "verifier/Verifier.h"

#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

namespace formwork::verifier {

/// The payload: fill and batch matmul on tensors, 128x80x32 * 128x32x320.
llvm::StringRef getBatchMatmul();
/// Its schedule, without enablers.
llvm::StringRef getBatchMatmulSchedule();

/// A matmul on tensors, 128x64 * 64x96, and the body of a schedule that stages
/// its operands through workgroup memory, without enablers.
llvm::StringRef getStagedMatmul();
llvm::StringRef getStagedMatmulBody();

/// A function @f with a loop that stores to a buffer, and an empty one, @g.
llvm::StringRef getLoopAndFunction();

class VerifierTest : public ::testing::Test {
protected:
  VerifierTest();

  /// Parses; the test fails when that does.
  mlir::ModuleOp parse(llvm::StringRef text);
  /// A schedule whose entry has `body`; `%module` is the payload.
  std::string makeSchedule(llvm::StringRef body) const;

  /// Checks `schedule` (a whole file) on `payload`; empty: on none.
  CheckResult check(llvm::StringRef schedule, llvm::StringRef payload,
                    const CheckOptions &options = {});

  /// The ids of the findings of one severity, sorted, each once.
  static std::vector<std::string> getIds(const CheckResult &result,
                                         mlir::DiagnosticSeverity severity);
  static std::vector<std::string> getErrors(const CheckResult &result) {
    return getIds(result, mlir::DiagnosticSeverity::Error);
  }
  static std::vector<std::string> getWarnings(const CheckResult &result) {
    return getIds(result, mlir::DiagnosticSeverity::Warning);
  }
  static std::vector<std::string> getRemarks(const CheckResult &result) {
    return getIds(result, mlir::DiagnosticSeverity::Remark);
  }

  /// Runs `schedule` on a clone of `payload` with expensive checks; failure is
  /// that of the interpreter, with what it said in `messages`.
  llvm::LogicalResult runForReal(llvm::StringRef schedule,
                                 llvm::StringRef payload,
                                 std::string &messages);

  mlir::MLIRContext context;
  std::unique_ptr<normalforms::FormLibrary> forms;
  std::unique_ptr<normalforms::ContractLibrary> contracts;

private:
  bool runHere(llvm::StringRef schedule, llvm::StringRef payload,
               llvm::function_ref<void(const std::string &)> say);

  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

} // namespace formwork::verifier

#endif // FORMWORK_TEST_UNIT_VERIFIER_VERIFIERFIXTURE_H
