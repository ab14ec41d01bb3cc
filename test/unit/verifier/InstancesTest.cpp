//===- InstancesTest.cpp - Contracts of single steps ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which steps run something that has a contract of its own, what that adds to
// the contract of the step, and which steps state a decision.
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"
#include "verifier/clauses/Conditions.h"
#include "verifier/walk/StaticEffects.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {

class InstancesTest : public VerifierTest {
protected:
  /// The first op called `name` in a schedule with `body`.
  Operation *parseStep(StringRef name, StringRef body) {
    Operation *found = nullptr;
    schedule = parse(makeSchedule(body));
    schedule->walk([&](Operation *op) {
      if (!found && op->getName().getStringRef() == name)
        found = op;
    });
    EXPECT_TRUE(found) << body.str();
    return found;
  }
  Operation *parseGroup(StringRef group) {
    return parseStep("transform.apply_patterns",
                     ("transform.apply_patterns to %module { " + group +
                      " } : !transform.any_op")
                         .str());
  }
  Operation *parsePass(StringRef pass) {
    return parseStep(
        "transform.apply_registered_pass",
        ("transform.apply_registered_pass \"" + pass +
         "\" to %module : (!transform.any_op) -> !transform.any_op")
            .str());
  }
  Operation *parseMatch() {
    return parseStep("transform.structured.match",
                     "%a = transform.structured.match ops{[\"func.func\"]} in "
                     "%module : (!transform.any_op) -> !transform.any_op");
  }
  /// Calls `fn` with a step of the schedule that was parsed last.
  void withStep(Operation *op, llvm::function_ref<void(const Step &)> fn) {
    FailureOr<ScheduleModel> model = ScheduleModel::create(schedule);
    ASSERT_TRUE(succeeded(model));
    normalforms::Libraries libraries(*forms, *contracts);
    CheckOptions options;
    Analysis analysis(*model, libraries, options, /*policy=*/nullptr);
    fn(analysis.at(op));
  }

  ModuleOp schedule;
};

constexpr StringLiteral canonicalization =
    "transform.apply_patterns.canonicalization";
constexpr StringLiteral lowerContraction =
    "transform.apply_patterns.vector.lower_contraction";

TEST_F(InstancesTest, StepsThatRunOthersAreAssembled) {
  EXPECT_TRUE(isAssembled(parseGroup(canonicalization)));
  EXPECT_TRUE(isAssembled(parsePass("canonicalize")));
  EXPECT_FALSE(isAssembled(parseMatch()));
}

TEST_F(InstancesTest, GroupsAddToTheContractWhereTheyAskForForms) {
  EXPECT_FALSE(needsInstance(parseGroup(canonicalization), *contracts));
  EXPECT_TRUE(needsInstance(parseGroup(lowerContraction), *contracts));
  EXPECT_TRUE(needsInstance(parsePass("canonicalize"), *contracts));
}

TEST_F(InstancesTest, AnInstanceHasTheFormsOfItsGroups) {
  Operation *op = parseGroup(lowerContraction);
  const normalforms::Contract *own =
      contracts->lookup("transform.apply_patterns");
  ASSERT_TRUE(own);
  withStep(op, [&](const Step &step) {
    std::optional<normalforms::Contract> extended;
    const normalforms::Contract &instance = instantiate(step, *own, extended);
    EXPECT_EQ(instance.forms.size(), own->forms.size() + 1);
    ASSERT_FALSE(instance.forms.empty());
    EXPECT_EQ(forms->getForm(instance.forms.back().form).name,
              "vector.plain_contracts");
  });
}

TEST_F(InstancesTest, AnInstanceOfAnotherStepIsItsOwnContract) {
  Operation *op = parseMatch();
  const normalforms::Contract *own =
      contracts->lookup("transform.structured.match");
  ASSERT_TRUE(own);
  withStep(op, [&](const Step &step) {
    std::optional<normalforms::Contract> extended;
    EXPECT_EQ(&instantiate(step, *own, extended), own);
    EXPECT_FALSE(extended);
  });
}

TEST_F(InstancesTest, OnlyPassesHaveTheContractOfAPass) {
  withStep(parsePass("canonicalize"), [&](const Step &step) {
    EXPECT_TRUE(getPassContract(step));
    EXPECT_TRUE(step.analysis.outcome.withoutContract.empty());
  });
  withStep(parseMatch(), [&](const Step &step) {
    EXPECT_FALSE(getPassContract(step));
    EXPECT_TRUE(step.analysis.outcome.withoutContract.empty());
  });
}

TEST_F(InstancesTest, APassWithoutAContractIsRemembered) {
  withStep(parsePass("no-such-pass"), [&](const Step &step) {
    EXPECT_FALSE(getPassContract(step));
    EXPECT_TRUE(
        step.analysis.outcome.withoutContract.contains("pass:no-such-pass"));
  });
}

TEST_F(InstancesTest, DecisionsAreWhatIsNoCleanUp) {
  EXPECT_TRUE(isDecision(
      parseStep("transform.structured.tile_using_for",
                "%a = transform.structured.match ops{[\"linalg.matmul\"]} in "
                "%module : (!transform.any_op) -> !transform.any_op\n"
                "%t, %l = transform.structured.tile_using_for %a tile_sizes "
                "[8] : (!transform.any_op) -> (!transform.any_op, "
                "!transform.any_op)"),
      *contracts));
  // A step that moves one kind of op is a decision, though it cleans up, too.
  EXPECT_TRUE(isDecision(
      parseStep("transform.structured.hoist_redundant_vector_transfers",
                "%a = transform.structured.hoist_redundant_vector_transfers "
                "%module : (!transform.any_op) -> !transform.any_op"),
      *contracts));
  EXPECT_FALSE(isDecision(
      parseStep("transform.apply_cse",
                "transform.apply_cse to %module : !transform.any_op"),
      *contracts));
  EXPECT_FALSE(isDecision(parsePass("canonicalize"), *contracts));
  // A sequence is no step.
  EXPECT_FALSE(isDecision(schedule, *contracts));
}

} // namespace
