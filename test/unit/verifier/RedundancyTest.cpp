//===- RedundancyTest.cpp - Clean-up that changes nothing -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which clean-up a form that holds already makes superfluous.
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Redundancy.h"
#include "VerifierFixture.h"
#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "gmock/gmock.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

class RedundancyTest : public VerifierTest {
protected:
  RedundancyTest() {
    DialectRegistry registry;
    transforms::registerFormworkExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  /// The names of the superfluous steps of a schedule that matches a function
  /// as %f, and goes on with `body`.
  std::vector<std::string> findRedundant(StringRef body) {
    ModuleOp module = parse(makeSchedule(
        ("%f = transform.structured.match ops{[\"func.func\"]} in %module : "
         "(!transform.any_op) -> !transform.any_op\n" +
         body)
            .str()));
    FailureOr<ScheduleModel> model = ScheduleModel::create(module);
    EXPECT_TRUE(succeeded(model));
    std::vector<std::string> names;
    for (Operation *op : findRedundantEnablers(*model, {*forms, *contracts}))
      names.push_back(op->getName().getStringRef().str());
    return names;
  }

  static constexpr StringLiteral canonicalize =
      "transform.apply_patterns to %f { "
      "transform.apply_patterns.canonicalization } : !transform.any_op\n";
  static constexpr StringLiteral cse =
      "transform.apply_cse to %f : !transform.any_op\n";
};

std::string normalize(StringRef form) {
  return ("transform.normalform.normalize %f to @" + form +
          " : !transform.any_op\n")
      .str();
}

TEST_F(RedundancyTest, NothingIsKnownAtTheBeginning) {
  EXPECT_THAT(findRedundant(canonicalize.str() + cse.str()), IsEmpty());
}

TEST_F(RedundancyTest, CleanUpByHandNeedNotHaveComeToAnEnd) {
  EXPECT_THAT(findRedundant(canonicalize.str() + canonicalize.str()),
              IsEmpty());
}

TEST_F(RedundancyTest, CleanUpThatIsPartOfTheFormChangesNothing) {
  EXPECT_THAT(findRedundant(normalize("canonical") + canonicalize.str()),
              ElementsAre("transform.apply_patterns"));
}

TEST_F(RedundancyTest, AFormIsPartOfItself) {
  EXPECT_THAT(findRedundant(normalize("canonical") + normalize("canonical")),
              ElementsAre("transform.normalform.normalize"));
}

TEST_F(RedundancyTest, OtherCleanUpStays) {
  EXPECT_THAT(
      findRedundant(normalize("canonical") +
                    "transform.apply_patterns to %f { "
                    "transform.apply_patterns.vector.lower_transpose } : "
                    "!transform.any_op\n"),
      IsEmpty());
}

TEST_F(RedundancyTest, AStepThatWritesMakesItNecessaryAgain) {
  EXPECT_THAT(
      findRedundant(normalize("canonical") +
                    "%a = transform.structured.match ops{[\"linalg.matmul\"]} "
                    "in %f : (!transform.any_op) -> !transform.any_op\n"
                    "%t, %l = transform.structured.tile_using_for %a "
                    "tile_sizes [8] : (!transform.any_op) -> "
                    "(!transform.any_op, !transform.any_op)\n" +
                    canonicalize.str()),
      IsEmpty());
}

} // namespace
