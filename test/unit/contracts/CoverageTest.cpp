//===- CoverageTest.cpp - Every transform op has a contract -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MLIR registers, against the contracts that are built in: no op, no rule
// group and no conversion pass is without one, and none is of something that
// does not exist.
//
//===----------------------------------------------------------------------===//

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "transforms/Registration.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Pass/PassRegistry.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using ::testing::IsEmpty;

namespace {

/// The passes of MLIR's Conversion folder.
constexpr llvm::StringLiteral conversionPasses[] = {
#include "ConversionPasses.inc"
};

class CoverageTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() { registerFormworkPasses(); }

  CoverageTest() {
    DialectRegistry registry;
    registerFormwork(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<transform::TransformDialect>();
    forms = FormLibrary::get(&context);
    auto loaded = ContractLibrary::load(&context, *forms);
    EXPECT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
  }

  /// The registered ops that implement `InterfaceTy` and have no contract.
  template <typename InterfaceTy> std::set<std::string> getMissing() {
    std::set<std::string> missing;
    for (RegisteredOperationName name : context.getRegisteredOperations())
      if (name.hasInterface<InterfaceTy>() &&
          !contracts->lookup(name.getStringRef()))
        missing.insert(name.getStringRef().str());
    return missing;
  }

  MLIRContext context;
  const FormLibrary *forms = nullptr;
  std::unique_ptr<ContractLibrary> contracts;
};

TEST_F(CoverageTest, RuleGroups) {
  EXPECT_THAT(getMissing<transform::PatternDescriptorOpInterface>(), IsEmpty());
}

TEST_F(CoverageTest, ConversionGroups) {
  EXPECT_THAT(getMissing<transform::ConversionPatternDescriptorOpInterface>(),
              IsEmpty());
}

TEST_F(CoverageTest, ConversionPasses) {
  ASSERT_GE(std::size(conversionPasses), 60u);
  std::set<std::string> missing;
  for (StringRef name : conversionPasses)
    if (!contracts->lookupPass(name))
      missing.insert(name.str());
  EXPECT_THAT(missing, IsEmpty());
}

TEST_F(CoverageTest, OfNothingElse) {
  std::set<std::string> unknown;
  unsigned passes = 0;
  for (StringRef name : contracts->getOpNames()) {
    if (name.consume_front("pass:")) {
      ++passes;
      if (!PassInfo::lookup(name) && !PassPipelineInfo::lookup(name))
        unknown.insert(name.str());
    } else if (!OperationName(name, &context).isRegistered()) {
      unknown.insert(name.str());
    }
  }
  EXPECT_THAT(unknown, IsEmpty());
  EXPECT_GE(passes, 60u);
}

} // namespace
