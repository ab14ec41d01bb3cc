//===- SchedulesTest.cpp - The verifier on generated schedules ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Property test: on seeded schedules over generated payload, no inferred fact
// is false, what is proved runs, and what is refuted fails; truth is the stock
// interpreter with expensive checks and includes inlined. FORMWORK_TEST_SEED
// repeats a run or tries others, FORMWORK_TEST_SCHEDULES sets how many: 50 by
// default, 1000 and more for the slow suite. What fails is shrunk.
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleGenerator.h"
#include "test/lib/schedules/Trial.h"
#include "test/property/schedules/Registry.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace formwork;
using namespace formwork::testing;

namespace {
uint64_t getNumber(const char *variable, uint64_t byDefault) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : byDefault;
}

class SchedulesTest : public ::testing::Test {
protected:
  SchedulesTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadDialect<transform::TransformDialect>();
    EXPECT_TRUE(succeeded(normalforms::FormLibrary::install(&context)));
    forms = normalforms::FormLibrary::get(&context);
    auto loaded = normalforms::ContractLibrary::load(&context, *forms);
    EXPECT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
  }

  Trial judge(ModuleOp schedule, ModuleOp payload) {
    TrialOptions options;
    options.checkUses = false;
    options.validate = true;
    return tryPair(
        schedule,
        schedule.lookupSymbol<transform::NamedSequenceOp>("__transform_main"),
        payload, {*forms, *contracts}, options);
  }

  /// The fault of what was said of a schedule; empty if there is none.
  static std::string getFault(const Trial &trial) {
    if (trial.checkCrashed)
      return "the check crashed";
    if (!trial.falseFact.empty())
      return "false fact: " + trial.falseFact;
    if (trial.claim == Claim::Proved && trial.truth != Truth::Runs)
      return "proved, but fails: " + trial.failure;
    // What is refused for some choice runs with another.
    bool isOfAChoice = llvm::all_of(trial.errors, [](const std::string &id) {
      return id == "fw-param-refuted";
    });
    if (trial.claim == Claim::Refuted && trial.truth == Truth::Runs &&
        !isOfAChoice)
      return "refused, but runs";
    return "";
  }

  /// Leaves out steps as long as something is wrong.
  ScheduleText shrink(ScheduleText text, ModuleOp payload) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = text.steps.size(); i-- > 0;) {
        ScheduleText smaller = text;
        smaller.steps.erase(smaller.steps.begin() + i);
        OwningOpRef<ModuleOp> schedule = parseSchedule(&context, smaller);
        if (!schedule || getFault(judge(*schedule, payload)).empty())
          continue;
        text = std::move(smaller);
        changed = true;
      }
    }
    return text;
  }

  MLIRContext context;
  const normalforms::FormLibrary *forms = nullptr;
  std::unique_ptr<normalforms::ContractLibrary> contracts;
};

TEST_F(SchedulesTest, NothingFalseIsSaidOfGeneratedSchedules) {
  uint64_t seed = getNumber("FORMWORK_TEST_SEED", 20260101);
  uint64_t wanted = getNumber("FORMWORK_TEST_SCHEDULES", 50);
  unsigned table[3][4] = {};
  uint64_t facts = 0;
  for (uint64_t i = 0; i < wanted; ++i) {
    SCOPED_TRACE("FORMWORK_TEST_SEED=" + std::to_string(seed) + ", schedule " +
                 std::to_string(i));
    GeneratedPair pair = generatePair(&context, seed * 1000003 + i);
    Trial trial = judge(*pair.schedule, *pair.payload);
    ++table[static_cast<int>(trial.claim)][static_cast<int>(trial.truth)];
    facts += trial.numFacts;
    if (getFault(trial).empty())
      continue;
    ScheduleText text = shrink(pair.text, *pair.payload);
    OwningOpRef<ModuleOp> smallest = parseSchedule(&context, text);
    std::string shown;
    llvm::raw_string_ostream os(shown);
    os << getFault(judge(*smallest, *pair.payload)) << "\n"
       << *pair.payload << "\n"
       << *smallest;
    ADD_FAILURE() << shown;
  }
  llvm::outs() << "verdict   runs  invalid  fails  crashes\n";
  static const char *const names[] = {"proved ", "unproved", "refuted"};
  for (auto [i, name] : llvm::enumerate(names))
    llvm::outs() << llvm::formatv("{0,-8} {1,5} {2,8} {3,6} {4,8}\n", name,
                                  table[i][0], table[i][1], table[i][2],
                                  table[i][3]);
  llvm::outs() << facts << " facts\n";
  // The generator must reach what it is for, or the test says nothing.
  unsigned runs = table[0][0] + table[1][0] + table[2][0];
  EXPECT_GT(runs * 4, wanted);
  EXPECT_GT(table[0][0], 0u);
  EXPECT_GT(table[2][1] + table[2][2], 0u);
  EXPECT_GT(facts, wanted * 20);
}
} // namespace
