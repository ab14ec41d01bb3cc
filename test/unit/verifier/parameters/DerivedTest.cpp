//===- DerivedTest.cpp - Derived constraints against runs -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every derived constraint is compared with what happens: for each value, the
// schedule is run. A refused value must fail and an accepted one succeed; only
// tile.within-extent refuses values that would run, as a larger one.
//
//===----------------------------------------------------------------------===//

#include "ParametersFixture.h"
#include "transforms/schedule/RunSchedule.h"
#include "verifier/solver/Solver.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

static constexpr llvm::StringLiteral kPayload = R"(
func.func @f(%a: tensor<12x8xf32>, %b: tensor<8x6xf32>, %c: tensor<12x6xf32>)
    -> tensor<12x6xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<12x8xf32>, tensor<8x6xf32>)
      outs(%c : tensor<12x6xf32>) -> tensor<12x6xf32>
  return %d : tensor<12x6xf32>
})";

namespace {
class DerivedTest : public ParametersTest {
protected:
  /// Runs the schedule `body`, where X and Y stand for the two knobs' values,
  /// for all values in [-1, 14].
  /// `isNested`: Y tiles, again, what X tiled.
  void compare(StringRef knobs, StringRef body, bool isNested = false);
  /// The constraint that the values violate, or "".
  std::string findViolated(ModuleOp schedule, ModuleOp payload);
  bool succeeds(ModuleOp schedule, ModuleOp payload);

  unsigned numRefused = 0, numAccepted = 0;
};
} // namespace

std::string DerivedTest::findViolated(ModuleOp schedule, ModuleOp payload) {
  FailureOr<ParameterModel> model =
      collectParameters(getEntry(schedule), payload, getLibraries());
  EXPECT_TRUE(succeeded(model));
  solver::Problem problem = model->fixSelected();
  solver::Verdict verdict = solver::Solver(problem).checkSat("test");
  auto *unsat = std::get_if<solver::Unsat>(&verdict);
  if (!unsat) {
    EXPECT_TRUE(std::holds_alternative<solver::Sat>(verdict));
    return "";
  }
  for (solver::ConstraintId id : unsat->core)
    if (problem.getConstraints()[id].id != "knob.selected")
      return problem.getConstraints()[id].id;
  ADD_FAILURE() << "a core without a derived constraint";
  return "";
}

bool DerivedTest::succeeds(ModuleOp schedule, ModuleOp payload) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> clone = payload.clone();
  return succeeded(transforms::runSchedule(*clone, getEntry(schedule)));
}

void DerivedTest::compare(StringRef knobs, StringRef body, bool isNested) {
  OwningOpRef<ModuleOp> payload = parse(kPayload);
  bool two = knobs.contains("%y");
  for (int64_t x = -1; x <= 14; ++x)
    for (int64_t y = -1; y <= (two ? 14 : -1); ++y) {
      std::string text;
      for (StringRef name : {"x", "y"})
        if (name == "x" || two)
          text += llvm::formatv(
                      "%{0} = transform.tune.knob<\"{0}\"> = {1} from options "
                      "= {{} {{formwork.range = [-1, 14]} -> "
                      "!transform.param<i64>\n",
                      name, name == "x" ? x : y)
                      .str();
      text += "%op = transform.structured.match ops{[\"linalg.matmul\"]} in "
              "%root : (!transform.any_op) -> !transform.any_op\n";
      OwningOpRef<ModuleOp> schedule = parse(makeSchedule(text + body.str()));
      std::string violated = findViolated(*schedule, *payload);
      ++(violated.empty() ? numAccepted : numRefused);
      // Upstream does not survive it.
      if (violated == "tile.some-dimension" ||
          (x == 0 && y == 0 && violated == "tile.mapped"))
        continue;
      bool ran = succeeds(*schedule, *payload);
      // Where the dimension is dynamic already, nothing stops upstream from
      // making a loop with a negative step.
      bool hasNegativeStep =
          isNested && violated == "tile.nonnegative" && x > 0 && 12 % x != 0;
      if (violated.empty())
        EXPECT_TRUE(ran) << "accepted " << x << ", " << y;
      else if (violated != "tile.within-extent" && !hasNegativeStep)
        EXPECT_FALSE(ran) << violated << " refused " << x << ", " << y;
    }
}

TEST_F(DerivedTest, TilingALoop) {
  compare("%x, %y", R"(
%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [%x, 0, %y]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op))");
  // [0, 12] x [0, 8].
  EXPECT_EQ(numAccepted, 13u * 9u);
}

TEST_F(DerivedTest, TilingAMappedForall) {
  compare("%x, %y", R"(
%t, %l = transform.structured.tile_using_forall %op tile_sizes [%x, %y]
    (mapping = [#gpu.block<y>, #gpu.block<x>])
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op))");
  EXPECT_EQ(numAccepted, 12u * 6u);
}

TEST_F(DerivedTest, TilingAForallThatIsNotMapped) {
  compare("%x, %y", R"(
%t, %l = transform.structured.tile_using_forall %op tile_sizes [%x, %y]
    : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op))");
  EXPECT_EQ(numAccepted, 13u * 7u - 1u);
}

TEST_F(DerivedTest, TilingATile) {
  compare("%x, %y", R"(
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_for %t tile_sizes [%y]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op))",
          /*isNested=*/true);
  // y <= x, or anything where x leaves the dimension as it is.
  EXPECT_EQ(numAccepted, 13u + (12u * 13u / 2 + 12u));
}

TEST_F(DerivedTest, VectorizingATile) {
  compare("%x", R"(
%t, %l:3 = transform.structured.tile_using_for %op tile_sizes [%x, 2, 4]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op, !transform.any_op,
        !transform.any_op)
transform.structured.vectorize %t : !transform.any_op)");
  // 0 and the divisors of 12.
  EXPECT_EQ(numAccepted, 7u);
}

TEST_F(DerivedTest, VectorizingATileOfATile) {
  compare("%x, %y", R"(
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_for %t tile_sizes [%y]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %u : !transform.any_op)",
          /*isNested=*/true);
  EXPECT_GT(numAccepted, 10u);
  EXPECT_GT(numRefused, 100u);
}

TEST_F(DerivedTest, VectorizingACopyOfATile) {
  compare("%x, %y", R"(
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
%padded, %pads, %none = transform.structured.pad %t {
    padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32],
    padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0],
    copy_back_op = "none"}
    : (!transform.any_op)
    -> (!transform.any_op, !transform.any_op, !transform.any_op)
%copies = transform.structured.rewrite_in_destination_passing_style %pads
    : (!transform.any_op) -> !transform.any_op
%a, %b = transform.split_handle %copies
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%u, %m = transform.structured.tile_using_for %a tile_sizes [%y]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op)
transform.structured.vectorize %u : !transform.any_op
transform.structured.vectorize %padded : !transform.any_op)",
          /*isNested=*/true);
  // x leaves the dimension or divides it, and so does y in what x leaves.
  EXPECT_EQ(numAccepted, 7u + (2u + 3u + 3u + 4u + 5u + 7u));
}

TEST_F(DerivedTest, NothingIsClaimedOfChangedPayload) {
  OwningOpRef<ModuleOp> payload = parse(kPayload);
  auto getIds = [&](StringRef before) {
    OwningOpRef<ModuleOp> schedule = parse(makeSchedule((before + R"(
%x = transform.tune.knob<"x"> options = [-4, 4, 16] -> !transform.param<i64>
%op = transform.structured.match ops{["linalg.matmul"]} in %root
    : (!transform.any_op) -> !transform.any_op
%t, %l = transform.structured.tile_using_for %op tile_sizes [%x]
    : (!transform.any_op, !transform.param<i64>)
    -> (!transform.any_op, !transform.any_op))")
                                                            .str()));
    FailureOr<ParameterModel> model =
        collectParameters(getEntry(*schedule), *payload, getLibraries());
    std::vector<std::string> ids;
    for (const solver::Constraint &constraint :
         model->problem->getConstraints())
      ids.push_back(constraint.id);
    return ids;
  };
  EXPECT_EQ(getIds(""), (std::vector<std::string>{"tile.nonnegative",
                                                  "tile.within-extent"}));
  EXPECT_EQ(getIds("%f = transform.structured.match ops{[\"func.func\"]} in "
                   "%root : (!transform.any_op) -> !transform.any_op\n"
                   "transform.apply_registered_pass "
                   "\"linalg-generalize-named-ops\" to %f : "
                   "(!transform.any_op) -> !transform.any_op"),
            std::vector<std::string>{"tile.nonnegative"});
}
