//===- PlanOracleTest.cpp - Plans against brute force -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On generated schedules, the plan is compared with the best of all sets of
// insertions at all places, in all orders. Contracts and forms of the test's
// own give cheap ops needs of all kinds. FORMWORK_TEST_SEED and
// FORMWORK_TEST_PLANS choose other schedules.
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"
#include "verifier/plan/Search.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
/// The later one of two forms has to be established first.
constexpr llvm::StringLiteral formText = R"(
normalform.form @test.last summary "keeps the other" refines [@canonical]
    preserves [@test.first] {
  transform.apply_patterns.scf.for_loop_canonicalization
}
normalform.form @test.first summary "is kept" refines [@canonical] {
  transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
}
)";

/// Needs that overlap, need that establish one form lose another, and steps
/// that lose everything or a part.
constexpr llvm::StringLiteral contractText = R"(
normalform.contract "transform.print" complete {
  normalform.requires @test.first of 0 otherwise "print"
  normalform.wants @test.last of 0 otherwise "print"
}
normalform.contract "transform.verify" complete {
  normalform.wants @tensor.hoisted of 0 otherwise "verify"
}
normalform.contract "transform.debug.emit_remark_at" complete {
  normalform.wants @tensor.no_empty of 0 otherwise "remark"
}
normalform.contract "transform.num_associations" complete {
  normalform.requires @canonical of 0 otherwise "count"
}
normalform.contract "transform.annotate" complete {
  normalform.preserves [@canonical]
  normalform.payload "target"
}
normalform.contract "transform.apply_dce" complete {
  normalform.payload "target"
}
)";

constexpr llvm::StringLiteral payloadText = R"(
module {
  func.func @a(%t: tensor<8xf32>, %s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    return %0, %1 : tensor<8xf32>, tensor<8xf32>
  }
  func.func @b(%t: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%t, %t : tensor<8x8xf32>, tensor<8x8xf32>)
        outs(%t : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
})";

class PlanOracleTest : public VerifierTest {
protected:
  void SetUp() override {
    int file;
    SmallString<128> path, formPath;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("contracts", "mlir", file, path));
    llvm::FileRemover remover(path);
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << contractText;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("forms", "mlir", file, formPath));
    llvm::FileRemover formRemover(formPath);
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << formText;
    auto library =
        normalforms::FormLibrary::load(&context, {formPath.str().str()});
    ASSERT_TRUE(succeeded(library));
    forms = std::move(*library);
    auto loaded = normalforms::ContractLibrary::load(
        &context, *forms, {path.str().str()}, /*mayReplace=*/true);
    ASSERT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
  }

  unsigned pick(size_t n) { return random() % n; }

  /// A statement on one of the handles of `names`.
  std::string makeStep(ArrayRef<std::string> names, unsigned id) {
    const std::string &handle = names[pick(names.size())];
    std::string on = handle + " : !transform.any_op\n";
    switch (pick(7)) {
    case 0:
      return "transform.print " + on;
    case 1:
      return "transform.verify " + on;
    case 2:
      return "transform.debug.emit_remark_at " + handle +
             ", \"here\" : !transform.any_op\n";
    case 3:
      return "%n" + std::to_string(id) + " = transform.num_associations " +
             handle + " : (!transform.any_op) -> !transform.param<i64>\n";
    case 4:
      return "transform.annotate " + handle + " \"here\" : !transform.any_op\n";
    case 5:
      return "transform.apply_dce to " + on;
    default:
      return "transform.apply_cse to " + on;
    }
  }

  std::string makeSteps(ArrayRef<std::string> names, unsigned count,
                        unsigned &id) {
    std::string steps;
    for (unsigned i = 0; i < count; ++i)
      steps += makeStep(names, ++id);
    return steps;
  }

  /// A schedule of a few steps, perhaps with a loop, a shared sequence, and a
  /// positional split that merging would break.
  std::string generate() {
    unsigned id = 0;
    bool shares = pick(4) == 0;
    std::string text = "module attributes {transform.with_named_sequence} {\n";
    if (shares)
      text += "transform.named_sequence @shared(%h: !transform.any_op "
              "{transform.readonly}) {\n" +
              makeSteps({"%h"}, 1 + pick(2), id) + "transform.yield\n}\n";
    text += "transform.named_sequence @__transform_main(%module: "
            "!transform.any_op {transform.consumed}) {\n";
    std::vector<std::string> names = {"%module"};
    auto match = [&](StringRef name, StringRef kind) {
      text += (name + " = transform.structured.match ops{[\"" + kind +
               "\"]} in %module : (!transform.any_op) -> "
               "!transform.any_op\n")
                  .str();
      names.push_back(name.str());
    };
    if (pick(3) != 0)
      match("%funcs", "func.func");
    if (pick(4) == 0)
      match("%product", "linalg.matmul");
    bool splits = pick(4) == 0;
    if (splits)
      match("%fills", "linalg.fill");
    text += makeSteps(names, 1 + pick(3), id);
    if (shares)
      for (unsigned i = 0, n = 1 + pick(2); i < n; ++i)
        text += "transform.include @shared failures(propagate) (" +
                names[pick(names.size())] + ") : (!transform.any_op) -> ()\n";
    if (splits)
      text += "%one, %two = transform.split_handle %fills : "
              "(!transform.any_op) -> (!transform.any_op, "
              "!transform.any_op)\n";
    if (pick(4) == 0)
      text += "transform.foreach " + names.back() +
              " : !transform.any_op {\n^bb0(%each: !transform.any_op):\n" +
              makeSteps({"%each"}, 1 + pick(2), id) + "}\n";
    text += makeSteps(names, pick(2), id);
    return text + "transform.yield\n}\n}\n";
  }

  std::mt19937 random;
};

/// One line an insertion.
std::string print(ArrayRef<Candidate> candidates, ArrayRef<unsigned> set,
                  const normalforms::FormLibrary &forms) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (unsigned index : set) {
    const Candidate &candidate = candidates[index];
    os << "@" << forms.getForm(candidate.form).name << " of ";
    candidate.handle.print(os);
    os << (candidate.viaIsolatedParent ? " via parent" : "") << " before "
       << *candidate.before << "\n";
  }
  return text;
}

std::string print(const Objective &o) {
  return llvm::formatv("broken {0}, required {1}, doubted {2}, wanted {3}, "
                       "insertions {4}, weight {5}, earliness {6}",
                       o.broken, o.unmetRequired, o.doubted, o.unmetWanted,
                       o.insertions, o.weight, o.earliness)
      .str();
}

unsigned getNumber(const char *variable, unsigned byDefault) {
  const char *text = std::getenv(variable);
  return text ? std::strtoul(text, nullptr, 10) : byDefault;
}

TEST_F(PlanOracleTest, NoSetOfInsertionsIsBetter) {
  unsigned seed = getNumber("FORMWORK_TEST_SEED", 7);
  unsigned wanted = getNumber("FORMWORK_TEST_PLANS", 500);
  size_t maxCandidates = 12;
  SCOPED_TRACE("FORMWORK_TEST_SEED=" + std::to_string(seed));
  random.seed(seed);
  ModuleOp payload = parse(payloadText);
  unsigned made = 0, planned = 0, unmet = 0, conflicts = 0, reordered = 0;
  unsigned bySize[13] = {}, inOrder = 0;
  while (made < wanted) {
    std::string text = generate();
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(module) << text;
    auto model = ScheduleModel::create(*module);
    ASSERT_TRUE(succeeded(model));
    PlanOptions options;
    if (pick(3) == 0)
      options.check.goal = forms->lattice().lookup("canonical");
    if (pick(5) == 0)
      options.includeWants = false;
    PlanProblem everywhere(*model, payload, {*forms, *contracts}, options,
                           /*everywhere=*/true);
    ArrayRef<Candidate> all = everywhere.getCandidates();
    if (all.empty() || all.size() > maxCandidates)
      continue;
    ++made;
    ++bySize[all.size()];

    CandidateSet best;
    Objective least = everywhere.getBase().objective;
    // In all orders before each op.
    auto evaluate = [&](ArrayRef<unsigned> set) {
      SmallVector<std::pair<size_t, size_t>> groups;
      for (auto [i, index] : llvm::enumerate(set))
        if (i != 0 && all[set[i - 1]].before == all[index].before)
          ++groups.back().second;
        else
          groups.push_back({i, i + 1});
      CandidateSet order(set);
      auto next = [&] {
        return llvm::any_of(llvm::reverse(groups), [&](const auto &group) {
          return std::next_permutation(order.begin() + group.first,
                                       order.begin() + group.second);
        });
      };
      Objective found = everywhere.evaluateInOrder(order).objective;
      while (next()) {
        Objective other = everywhere.evaluateInOrder(order).objective;
        reordered += other < found;
        found = std::min(found, other);
      }
      return found;
    };
    for (unsigned bits = 1; bits < 1u << all.size(); ++bits) {
      CandidateSet set;
      for (unsigned i = 0; i < all.size(); ++i)
        if (bits >> i & 1)
          set.push_back(i);
      // Not where it would not be best even with nothing unmet.
      Objective possible;
      possible.insertions = set.size();
      for (unsigned index : set) {
        possible.weight += all[index].getWeight(*forms);
        possible.earliness -= all[index].point;
      }
      if (std::pair(least, best) < std::pair(possible, set))
        continue;
      Objective found = evaluate(set);
      if (std::pair(found, set) < std::pair(least, best)) {
        least = found;
        best = set;
      }
    }

    PlanProblem problem(*model, payload, {*forms, *contracts}, options);
    SearchResult result = searchPlan(problem);
    std::string expected = print(all, best, *forms);
    std::string actual = print(problem.getCandidates(), result.set, *forms);
    inOrder += !llvm::is_sorted(result.outcome.order);
    EXPECT_TRUE(result.exact);
    EXPECT_EQ(print(result.outcome.objective), print(least))
        << text << "planned:\n"
        << actual << "best:\n"
        << expected;
    EXPECT_EQ(actual, expected) << text;
    EXPECT_LE(result.lowerBound,
              result.set.size() + result.outcome.unmet.size());
    planned += !result.set.empty();
    unmet += !result.outcome.unmet.empty();
    conflicts += least.doubted != 0;
    if (HasFailure())
      break;
  }
  llvm::outs() << llvm::formatv("schedules {0}, with insertions {1}, with "
                                "unmet needs {2}, with doubts {3}, in another "
                                "order {4}, sets that are better so {5}\n",
                                made, planned, unmet, conflicts, inOrder,
                                reordered);
  for (auto [size, count] : llvm::enumerate(bySize))
    if (count)
      llvm::outs() << llvm::formatv("candidates {0,2}: {1,4}\n", size, count);
  // The generator must reach what the search is for.
  EXPECT_GT(planned, made / 2);
  EXPECT_GT(unmet + conflicts, 0u);
  EXPECT_GT(inOrder, 0u);
}

} // namespace
