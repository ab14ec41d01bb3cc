//===- ParametersFixture.cpp - What these tests share -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParametersFixture.h"

#include "transforms/Registration.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

ParametersTest::ParametersTest() {
  DialectRegistry registry;
  registerFormwork(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  auto loadedForms = normalforms::FormLibrary::load(&context);
  EXPECT_TRUE(succeeded(loadedForms));
  forms = std::move(*loadedForms);
  auto loadedContracts = normalforms::ContractLibrary::load(&context, *forms);
  EXPECT_TRUE(succeeded(loadedContracts));
  contracts = std::move(*loadedContracts);
}

OwningOpRef<ModuleOp> ParametersTest::parse(StringRef text) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  EXPECT_TRUE(module) << text.str();
  return module;
}

std::string ParametersTest::makeSchedule(StringRef body) {
  return ("module attributes {transform.with_named_sequence} {\n"
          "transform.named_sequence @__transform_main(%root: !transform.any_op "
          "{transform.readonly}) {\n" +
          body + "\ntransform.yield\n}\n}\n")
      .str();
}

transform::NamedSequenceOp ParametersTest::getEntry(ModuleOp schedule) {
  return *schedule.getOps<transform::NamedSequenceOp>().begin();
}
