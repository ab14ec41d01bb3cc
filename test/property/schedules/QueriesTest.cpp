//===- QueriesTest.cpp - Who only looks changes nothing -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Property test: a step that only looks at payload, put anywhere into a
// schedule, changes nothing of what is said of the other steps.
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Random.h"
#include "test/lib/schedules/ScheduleGenerator.h"
#include "test/property/schedules/Registry.h"

#include "verifier/Verifier.h"
#include "verifier/source/ScheduleModel.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace mlir;
using namespace formwork;
using namespace formwork::testing;
using ::testing::IsEmpty;

namespace {

/// A step that looks at what `handle` holds, and cannot fail.
Operation *look(OpBuilder &builder, Value handle, Random &random) {
  Location where = NameLoc::get(builder.getStringAttr("query"));
  auto any = transform::AnyOpType::get(builder.getContext());
  auto getParent = [&](StringRef kind, bool isIsolated, unsigned nth) {
    return transform::GetParentOp::create(
        builder, where, any, handle, isIsolated, /*allow_empty_results=*/true,
        kind.empty() ? StringAttr() : builder.getStringAttr(kind),
        /*deduplicate=*/random.chance(0.5), nth);
  };
  switch (random.below(6)) {
  case 0:
    return getParent("scf.for", /*isIsolated=*/false, 1);
  case 1:
    return getParent("", /*isIsolated=*/true, 1);
  case 2:
    return getParent("", /*isIsolated=*/false, 2);
  case 3:
    return transform::NumAssociationsOp::create(
        builder, where,
        transform::ParamType::get(builder.getContext(), builder.getI64Type()),
        handle);
  case 4:
    return transform::SelectOp::create(builder, where, any, handle,
                                       "linalg.matmul");
  default:
    return transform::MergeHandlesOp::create(builder, where,
                                             ValueRange{handle, handle},
                                             /*deduplicate=*/true);
  }
}

class QueriesTest : public ::testing::Test {
protected:
  QueriesTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadDialect<transform::TransformDialect>();
    EXPECT_TRUE(succeeded(normalforms::FormLibrary::install(&context)));
    forms = normalforms::FormLibrary::get(&context);
    auto loaded = normalforms::ContractLibrary::load(&context, *forms);
    EXPECT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
  }

  /// All that is said of the steps that do not only look: place, id, words.
  struct Said {
    std::multiset<std::string> lines;
    /// Nothing is said of those that only look.
    bool isQuiet = true;
  };
  Said check(ModuleOp schedule, ModuleOp payload,
             const llvm::DenseMap<Value, std::string> &names) {
    verifier::CheckOptions options;
    options.nameOf = [&](Value value) { return names.lookup(value); };
    FailureOr<verifier::ScheduleModel> model =
        verifier::ScheduleModel::create(schedule);
    Said said;
    if (failed(model)) {
      ADD_FAILURE() << "no entry";
      return said;
    }
    verifier::CheckResult result =
        verifier::checkSchedule(*model, payload, {*forms, *contracts}, options);
    auto add = [&](Location where, const llvm::Twine &text) {
      if (isa<NameLoc>(where)) {
        said.isQuiet = false;
        return;
      }
      std::string line;
      llvm::raw_string_ostream(line) << where << ": " << text;
      said.lines.insert(line);
    };
    for (const engine::Finding &finding : result.findings.get())
      add(finding.loc, finding.id + ": " + finding.message);
    for (const verifier::Unproved &reason : result.verdict.reasons)
      add(reason.op->getLoc(), reason.reason);
    return said;
  }

  MLIRContext context;
  const normalforms::FormLibrary *forms = nullptr;
  std::unique_ptr<normalforms::ContractLibrary> contracts;
};

TEST_F(QueriesTest, ChangeNothingOfWhatIsSaidOfOthers) {
  constexpr uint64_t firstSeed = 20261124;
  constexpr unsigned numSchedules = 1000;
  unsigned numCompared = 0, numWithQueries = 0;
  for (unsigned i = 0; i < numSchedules; ++i) {
    GeneratedPair pair = generatePair(&context, firstSeed + i);
    Random random(firstSeed + i);
    IRMapping mapping;
    OwningOpRef<ModuleOp> more =
        cast<ModuleOp>((*pair.schedule)->clone(mapping));
    // Values are called alike on both sides.
    llvm::DenseMap<Value, std::string> names;
    auto name = [&](Value value) {
      std::string text = "%" + std::to_string(names.size());
      names[value] = text;
      names[mapping.lookup(value)] = text;
    };
    pair.schedule->walk([&](Operation *op) {
      llvm::for_each(op->getResults(), name);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), name);
    });
    // One that keeps all handles valid fails where a query has one more.
    bool keepsHandles = false;
    pair.schedule->walk([&](transform::ApplyConversionPatternsOp apply) {
      keepsHandles |= apply.getPreserveHandles();
    });
    if (keepsHandles)
      continue;
    // The operands of a step are there to be looked at before.
    SmallVector<Operation *> steps;
    for (Operation &op : pair.entry.getBody().front().without_terminator())
      steps.push_back(mapping.lookup(&op));
    bool hasQuery = false;
    for (Operation *step : steps) {
      if (step->getNumOperands() == 0 ||
          !isa<transform::TransformHandleTypeInterface>(
              step->getOperand(0).getType()) ||
          !random.chance(0.4))
        continue;
      OpBuilder builder(step);
      Operation *query = look(builder, step->getOperand(0), random);
      names[query->getResult(0)] = "%query";
      hasQuery = true;
    }
    numWithQueries += hasQuery;
    if (!hasQuery)
      continue;
    Said before = check(*pair.schedule, *pair.payload, names);
    Said after = check(*more, *pair.payload, names);
    // Where a query is refused because of what comes to it, that is said there.
    if (!after.isQuiet)
      continue;
    ++numCompared;
    std::vector<std::string> lost, won;
    std::ranges::set_difference(before.lines, after.lines,
                                std::back_inserter(lost));
    std::ranges::set_difference(after.lines, before.lines,
                                std::back_inserter(won));
    std::string shown;
    if (!lost.empty() || !won.empty())
      llvm::raw_string_ostream(shown) << "seed " << firstSeed + i << "\n"
                                      << *pair.payload << "\n"
                                      << *more;
    EXPECT_THAT(lost, IsEmpty()) << shown;
    EXPECT_THAT(won, IsEmpty());
  }
  // The test says nothing if it hardly compares.
  EXPECT_GT(numCompared * 2, numWithQueries);
  EXPECT_GT(numCompared, numSchedules / 3);
}
} // namespace
