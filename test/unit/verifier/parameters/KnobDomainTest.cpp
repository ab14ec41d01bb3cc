//===- KnobDomainTest.cpp - What a knob may be ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/KnobDomain.h"

#include "ParametersFixture.h"
#include "verifier/solver/Evaluator.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using transform::tune::KnobOp;

namespace {
class KnobDomainTest : public ParametersTest {
protected:
  /// The domain of a knob with these options and attributes, as text; with "+N"
  /// for N further conditions, "opaque", or "invalid".
  std::string read(StringRef rest) {
    OwningOpRef<ModuleOp> module = parse(
        makeSchedule(("%k = transform.tune.knob<\"k\"> options = " + rest +
                      " -> !transform.any_param")
                         .str()));
    std::string text;
    module->walk([&](KnobOp knob) {
      FailureOr<std::variant<KnobDomain, OpaqueOptions>> domain =
          readKnobDomain(knob, [](const Twine &) {});
      if (failed(domain)) {
        text = "invalid";
      } else if (auto *values = std::get_if<KnobDomain>(&*domain)) {
        text = values->domain.toString();
        if (!values->conditions.empty())
          text += "+" + std::to_string(values->conditions.size());
      } else {
        text = "opaque";
      }
    });
    return text;
  }
};
} // namespace

TEST_F(KnobDomainTest, ReadsOptions) {
  EXPECT_EQ(read("[4, 2, 2]"), "{2, 4}");
  EXPECT_EQ(read("[false, true]"), "{0, 1}");
  EXPECT_EQ(read("[-1 : i8, 7 : i32, 9 : index]"), "{-1, 7, 9}");
  EXPECT_EQ(read("[1, \"x\"]"), "opaque");
  EXPECT_EQ(read("[100000000000000000000000 : i128]"), "opaque");
  EXPECT_EQ(read("[]"), "none");
}

TEST_F(KnobDomainTest, MeetsAllAttributes) {
  EXPECT_EQ(read("{} {formwork.range = [8, 64, 8]}"), "8 to 64 step 8");
  EXPECT_EQ(read("{} {formwork.range = [0, 3]}"), "0 to 3");
  EXPECT_EQ(read("{} {formwork.range = [3, 40], formwork.power_of_two}"),
            "{4, 8, 16, 32}");
  EXPECT_EQ(read("{} {formwork.divides = 12}"), "{1, 2, 3, 4, 6, 12}");
  EXPECT_EQ(read("{} {formwork.divides = 12, formwork.multiple_of = 2}"),
            "{2, 4, 6, 12}");
  EXPECT_EQ(read("{} {formwork.range = [5, 30], formwork.multiple_of = 10}"),
            "10 to 30 step 10");
  EXPECT_EQ(read("[3, 4, 6] {formwork.multiple_of = 3}"), "{3, 6}");
  // The step counts from the start of the range.
  EXPECT_EQ(read("{} {formwork.range = [1, 20, 3], formwork.multiple_of = 5}"),
            "{10}");
  EXPECT_EQ(read("{} {formwork.range = [-9, 9], formwork.divides = 4}"),
            "{1, 2, 4}");
}

TEST_F(KnobDomainTest, KeepsWhatIsTooLargeToListAsConditions) {
  std::string text = read("{} {formwork.range = [1, 1000000000000, 3], "
                          "formwork.multiple_of = 5}");
  EXPECT_EQ(text.substr(text.size() - 2), "+2");
}

TEST_F(KnobDomainTest, RefusesWhatHasNoBoundOrMakesNoSense) {
  EXPECT_EQ(read("{}"), "invalid");
  EXPECT_EQ(read("{} {formwork.multiple_of = 4}"), "invalid");
  EXPECT_EQ(read("{} {formwork.divides = 0}"), "invalid");
  EXPECT_EQ(read("{} {formwork.multiple_of = -4, formwork.divides = 8}"),
            "invalid");
  EXPECT_EQ(read("{} {formwork.range = [1]}"), "invalid");
  EXPECT_EQ(read("{} {formwork.range = [1, 2, 0]}"), "invalid");
  EXPECT_EQ(read("{} {formwork.range = [1, \"x\"]}"), "invalid");
  EXPECT_EQ(read("{} {formwork.range = 4}"), "invalid");
}

TEST_F(KnobDomainTest, ConditionsSayTheSameAsTheirTerms) {
  solver::TermContext terms;
  solver::IntTerm knob = terms.variable("k");
  for (KnobCondition condition :
       {KnobCondition{KnobCondition::MultipleOf, 3},
        KnobCondition{KnobCondition::Divides, 12},
        KnobCondition{KnobCondition::PowerOfTwo},
        KnobCondition{KnobCondition::InRange, -4, 11, 5}}) {
    solver::BoolTerm term = condition.getTerm(terms, knob);
    for (int64_t value = -20; value <= 20; ++value) {
      solver::Assignment assignment;
      assignment.set(knob.getVariable(), value);
      EXPECT_EQ(solver::decide(term, assignment) == solver::TruthValue::True,
                condition.holds(value))
          << "kind " << condition.kind << ", value " << value;
    }
  }
}
