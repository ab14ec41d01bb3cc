//===- FormsTest.h - A context with forms and all payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of the tests of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_NORMALFORMS_FORMSTEST_H
#define FORMWORK_TEST_UNIT_NORMALFORMS_FORMSTEST_H

#include "normalforms/FormLibrary.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>

namespace formwork::test {

/// All dialects, extensions and passes of MLIR, and those of forms; with the
/// transform ops, because the corpus is in files that have a schedule, too.
void registerEverything(mlir::DialectRegistry &registry);

class FormsTest : public ::testing::Test {
protected:
  FormsTest() {
    mlir::DialectRegistry registry;
    registerEverything(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<mlir::transform::TransformDialect>();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    EXPECT_TRUE(module) << text.str();
    return module;
  }

  /// The built-in forms and those of `text`, or null with errors emitted.
  std::unique_ptr<normalforms::FormLibrary> loadWith(llvm::StringRef text);

  static std::string print(mlir::Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os);
    return text;
  }

  mlir::MLIRContext context;
};

} // namespace formwork::test

#endif // FORMWORK_TEST_UNIT_NORMALFORMS_FORMSTEST_H
