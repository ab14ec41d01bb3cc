//===- CoverageTest.cpp - Every transform op has a contract -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what MLIR registers with the contracts that are built in: no op, no
// rule group and no conversion pass is without one, and none is of something
// that does not exist.
//
//===----------------------------------------------------------------------===//

#include "normalforms/Coverage.h"
#include "embedded/recordedDefinitions.h"
#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "transforms/Registration.h"
#include "verifier/models/Models.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Parser/Parser.h"
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

// Who loads them takes that for granted.
TEST_F(CoverageTest, BuiltinFilesVerify) {
  ParserConfig config(&context, /*verifyAfterParse=*/true);
  for (const auto &[name, text] : ContractLibrary::getBuiltinFiles())
    EXPECT_TRUE(parseSourceString<ModuleOp>(text, config, name)) << name.str();
}

// Transform ops of every extension, those that do nothing by themselves apart.
TEST_F(CoverageTest, TransformOps) {
  EXPECT_THAT(getMissing<transform::TransformOpInterface>(), IsEmpty());
}

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

// The output that `scripts/contracts definitions` compares is all there is.
TEST_F(CoverageTest, DefinitionsAreRecorded) {
  std::set<std::string> recorded;
  SmallVector<StringRef> lines;
  StringRef(embedded::recordedDefinitions).split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    auto [name, hash] = line.split(' ');
    EXPECT_EQ(hash.size(), 16u) << line.str();
    recorded.insert(name.str());
    EXPECT_TRUE(contracts->lookup(name)) << name.str();
  }
  for (StringRef name : contracts->getOpNames())
    EXPECT_TRUE(name.starts_with("transform.formwork.") ||
                name.starts_with("transform.normalform.") ||
                name.starts_with("pass:formwork-") ||
                recorded.count(name.str()))
        << name.str();
}

TEST_F(CoverageTest, IsMostlyExact) {
  auto claimsOf = [&](StringRef model) {
    return verifier::getModelClaims(model, &context);
  };
  EXPECT_LT(getConservativeShare(*contracts, claimsOf, &context), 15.);
}

// One contract of each kind of statement, counted by hand.
TEST_F(CoverageTest, Counts) {
  auto count = [&](StringRef text) {
    std::string path = ::testing::TempDir() + "/counted.mlir";
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    auto library =
        ContractLibrary::load(&context, *forms, {path}, /*mayReplace=*/true);
    EXPECT_TRUE(succeeded(library));
    auto claimsOf = [](StringRef model) -> ModelClaims {
      static const llvm::StringRef open = "something";
      return model.empty() ? ModelClaims() : ModelClaims{{}, open};
    };
    Coverage coverage =
        getCoverage(*(*library)->lookup("transform.structured.generalize"),
                    claimsOf, &context);
    return std::make_pair(coverage.clauses, coverage.conservative.size());
  };
  std::string head = "normalform.contract \"transform.structured.generalize\" ";
  // The missing claim, and the result of which nothing is said.
  EXPECT_EQ(count(head + "{}"), std::make_pair(2u, size_t(2)));
  EXPECT_EQ(count(head + R"(complete {
    normalform.accepts 0 ["$structured"] otherwise "no"
    normalform.fails "no" when ["not fact 0 is on-tensors"]
    normalform.may_fail "perhaps"
    normalform.result 0 "replaces" of 0 count "per_target"
    normalform.payload "target" introduces ["linalg.*"] rewrites ["*"]
        handles ["may_shrink"]
  })"),
            std::make_pair(7u, size_t(2)));
  EXPECT_EQ(count(head + R"(complete model "generalize" {
    normalform.payload "target"
  })"),
            std::make_pair(3u, size_t(1)));
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
