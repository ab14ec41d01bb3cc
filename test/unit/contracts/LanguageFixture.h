//===- LanguageFixture.h - Contracts of a test ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context with all of MLIR, and contracts read from text, for tests of the
// contract language.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_CONTRACTS_LANGUAGEFIXTURE_H
#define FORMWORK_TEST_UNIT_CONTRACTS_LANGUAGEFIXTURE_H

#include "normalforms/ContractCheck.h"
#include "normalforms/ContractLibrary.h"
#include "normalforms/ContractReader.h"
#include "normalforms/FormLibrary.h"
#include "normalforms/predicates/Predicates.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace formwork::test {

class LanguageTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() { mlir::registerAllPasses(); }

  LanguageTest() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    normalforms::registerNormalForms(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<mlir::transform::TransformDialect>();
    forms = normalforms::FormLibrary::get(&context);
  }

  /// The built-in contracts.
  const normalforms::ContractLibrary &getBuiltin() {
    if (!builtin) {
      auto loaded = normalforms::ContractLibrary::load(&context, *forms);
      EXPECT_TRUE(llvm::succeeded(loaded));
      builtin = std::move(*loaded);
    }
    return *builtin;
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
    return module;
  }

  /// The built-in contracts of ops and passes of MLIR.
  llvm::SmallVector<normalforms::ContractOp> getUpstreamContracts() {
    llvm::SmallVector<normalforms::ContractOp> found;
    for (normalforms::ContractOp contract : getBuiltin().getDeclarations()) {
      llvm::StringRef name = contract.getOpName();
      if (!name.starts_with("transform.normalform.") &&
          !name.starts_with("transform.formwork.") &&
          !name.starts_with("pass:formwork-"))
        found.push_back(contract);
    }
    return found;
  }

  /// The one contract in `text`, which stays in `file`.
  normalforms::ContractOp declare(llvm::StringRef text) {
    file = parse(text);
    return *file->getOps<normalforms::ContractOp>().begin();
  }

  /// The findings about the contract in `text`, as "id: message".
  std::vector<std::string> check(llvm::StringRef text) {
    std::vector<std::string> found;
    engine::Findings findings =
        normalforms::checkContract(declare(text), {"cse", "canonicalize"});
    for (const engine::Finding &finding : findings.get()) {
      std::string line = finding.id + ": " + finding.message;
      for (const engine::Note &note : finding.notes)
        line += " / " + note.message;
      found.push_back(line);
    }
    return found;
  }

  mlir::MLIRContext context;
  const normalforms::FormLibrary *forms = nullptr;
  std::unique_ptr<normalforms::ContractLibrary> builtin;
  mlir::OwningOpRef<mlir::ModuleOp> file;
};

} // namespace formwork::test

#endif // FORMWORK_TEST_UNIT_CONTRACTS_LANGUAGEFIXTURE_H
