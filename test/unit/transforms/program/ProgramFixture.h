//===- ProgramFixture.h - What the tests of programs share ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_TRANSFORMS_PROGRAM_PROGRAMFIXTURE_H
#define FORMWORK_TEST_UNIT_TRANSFORMS_PROGRAM_PROGRAMFIXTURE_H

#include "transforms/program/Program.h"

#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace formwork::transforms {

/// Parses modules and collects every diagnostic, as "message" or "note:
/// message".
class ProgramFixture : public ::testing::Test {
protected:
  ProgramFixture();

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << "unparsable: " << text.str() << "\n"
                        << llvm::join(diagnostics, "\n");
    return module;
  }

  /// Whether one of the diagnostics has `text` in it.
  bool hasDiagnostic(llvm::StringRef text) {
    return llvm::any_of(diagnostics, [&](llvm::StringRef diagnostic) {
      return diagnostic.contains(text);
    });
  }

  mlir::MLIRContext context;
  std::vector<std::string> diagnostics;
};

} // namespace formwork::transforms

#endif // FORMWORK_TEST_UNIT_TRANSFORMS_PROGRAM_PROGRAMFIXTURE_H
