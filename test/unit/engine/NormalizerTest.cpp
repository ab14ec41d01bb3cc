//===- NormalizerTest.cpp - Fixpoints, skips, cycles, limits ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPayload.h"

#include "engine/Normalizer.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::test;

namespace {

class NormalizerTest : public EngineTest {
protected:
  NormalCache cache;
};

constexpr StringLiteral kLoop = R"(
  func.func @f(%n: index, %m: memref<?xindex>, %x: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %0 = arith.addi %x, %c0 : index
        %1 = arith.muli %x, %n : index
        %2 = arith.muli %0, %n : index
        %3 = arith.addi %1, %2 : index
        memref.store %3, %m[%j] : memref<?xindex>
      }
    }
    return
  })";

uint64_t countFires(const Report &report, StringRef rule) {
  for (const RuleFires &fires : report.fires)
    if (fires.rule == rule)
      return fires.count;
  return 0;
}

TEST_F(NormalizerTest, RulesAndProceduresReachAJointFixpoint) {
  auto module = parse(kLoop);
  Driver driver =
      makeDriver("transform.apply_patterns.canonicalization", {"cse", "licm"});
  Report report = Normalizer(driver).run(findOp(*module, "func.func"));
  EXPECT_TRUE(report.reachedFixpoint());
  EXPECT_TRUE(report.changed);
  EXPECT_EQ(countFires(report, "cse"), 1u);
  EXPECT_EQ(countFires(report, "licm"), 1u);
  EXPECT_GE(countFires(report, "driver.fold"), 1u);
  // Both products are one, computed outside of both loops.
  Operation *product = findOp(*module, "arith.muli");
  EXPECT_TRUE(isa<func::FuncOp>(product->getParentOp()));
  EXPECT_TRUE(verify(*module).succeeded());
}

TEST_F(NormalizerTest, SecondRunChangesNothing) {
  auto module = parse(kLoop);
  Driver driver =
      makeDriver("transform.apply_patterns.canonicalization", {"cse", "licm"});
  Normalizer(driver).run(*module);
  std::string once = print(*module);
  Report again = Normalizer(driver).run(*module);
  EXPECT_FALSE(again.changed);
  EXPECT_TRUE(again.fires.empty());
  EXPECT_EQ(print(*module), once);
}

TEST_F(NormalizerTest, IrreducibilityLeavesThePayloadAlone) {
  auto module = parse(kLoop);
  std::string before = print(*module);
  Driver driver = makeCanonical();
  Report report = checkIrreducible(driver, findOp(*module, "func.func"));
  EXPECT_TRUE(report.changed);
  EXPECT_FALSE(report.fires.empty());
  EXPECT_EQ(print(*module), before);
  Normalizer(driver).run(*module);
  EXPECT_FALSE(checkIrreducible(driver, findOp(*module, "func.func")).changed);
}

TEST_F(NormalizerTest, ARuleThatMakesOpsAndGivesUpChangesNothing) {
  auto module = parse(R"(func.func @f(%a: i32) -> i32 {
    %0 = arith.addi %a, %a {restless} : i32
    return %0 : i32
  })");
  Driver driver =
      makeDriver("\"transform.apply_patterns.test.restless\"() : () -> ()");
  std::string before = print(*module);
  Report report = Normalizer(driver).run(*module);
  EXPECT_TRUE(report.reachedFixpoint());
  EXPECT_FALSE(report.changed);
  EXPECT_EQ(print(*module), before);
}

TEST_F(NormalizerTest, UnchangedScopesAreSkipped) {
  std::string text;
  for (int i = 0; i < 10; ++i)
    text += "func.func @f" + std::to_string(i) +
            R"((%a: i32) -> i32 {
               %c0 = arith.constant 0 : i32
               %0 = arith.addi %a, %c0 : i32
               %1 = arith.muli %0, %a : i32
               return %1 : i32
             })";
  auto module = parse(text);
  Driver driver = makeCanonical();
  NormalizerOptions options;
  options.cache = &cache;
  options.verifySkips = true;
  Report first = Normalizer(driver, options).run(*module);
  EXPECT_TRUE(first.changed);
  Report second = Normalizer(driver, options).run(*module);
  EXPECT_EQ(second.skipped, 10u);
  EXPECT_FALSE(second.changed);

  // One function changes; the others are skipped still.
  Operation *function = findOp(*module, "func.func");
  Operation *product = findOp(function, "arith.muli");
  OpBuilder builder(product);
  Value dead =
      arith::AddIOp::create(builder, product->getLoc(), product->getOperand(0),
                            product->getOperand(0));
  (void)dead;
  Report third = Normalizer(driver, options).run(*module);
  EXPECT_EQ(third.skipped, 9u);
  EXPECT_TRUE(third.changed);
  EXPECT_TRUE(third.reachedFixpoint());
}

TEST_F(NormalizerTest, SkipDependsOnTheDriver) {
  auto module = parse(kLoop);
  NormalizerOptions options;
  options.cache = &cache;
  Driver weak = makeCanonical();
  Normalizer(weak, options).run(*module);
  Driver strong =
      makeDriver("transform.apply_patterns.canonicalization", {"cse", "licm"});
  Report report = Normalizer(strong, options).run(*module);
  EXPECT_EQ(report.skipped, 0u);
  EXPECT_TRUE(report.changed);
}

TEST_F(NormalizerTest, ImpliedDriversAreRemembered) {
  auto module = parse(kLoop);
  NormalizerOptions options;
  options.cache = &cache;
  Driver weak = makeCanonical();
  Driver strong =
      makeDriver("transform.apply_patterns.canonicalization", {"cse", "licm"});
  Fingerprint implied[] = {weak.getKey()};
  options.implied = [&] { return ArrayRef(implied); };
  Normalizer(strong, options).run(*module);
  options.implied = nullptr;
  options.verifySkips = true;
  Report report = Normalizer(weak, options).run(*module);
  EXPECT_EQ(report.skipped, 1u);
  EXPECT_TRUE(report.reachedFixpoint());
}

TEST_F(NormalizerTest, AFalseSkipIsFound) {
  auto module = parse(kLoop);
  Operation *function = findOp(*module, "func.func");
  Driver driver = makeCanonical();
  Fingerprinter fingerprinter;
  cache.remember(fingerprinter.ofAnchor(function), driver.getKey());
  NormalizerOptions options;
  options.cache = &cache;
  options.verifySkips = true;
  EXPECT_EQ(Normalizer(driver, options).run(function).reason,
            StopReason::FalseSkip);
}

TEST_F(NormalizerTest, CycleNamesTheRulesThatTakePart) {
  auto module = parse(R"(
    func.func @f(%a: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %0 = arith.addi %a, %c0 : i32
      %1 = arith.addi %0, %a {turn = true} : i32
      return %1 : i32
    })");
  Driver driver =
      makeDriver("transform.apply_patterns.canonicalization\n"
                 "\"transform.apply_patterns.test.turn\"() : () -> ()",
                 {"cse", "licm"});
  NormalizerOptions options;
  options.limits.baseRewrites = 1000;
  Report report = Normalizer(driver, options).run(*module);
  EXPECT_EQ(report.reason, StopReason::Cycle);
  std::vector<std::string> expected = {
      getRuleName(llvm::getTypeName<TurnForth>()),
      getRuleName(llvm::getTypeName<TurnBack>())};
  llvm::sort(expected);
  EXPECT_EQ(report.cycle, expected);
}

TEST_F(NormalizerTest, GrowthIsALimitNotACycle) {
  auto module = parse(R"(
    func.func @f(%a: i32) -> i32 {
      %0 = arith.addi %a, %a {grow} : i32
      return %0 : i32
    })");
  Driver driver =
      makeDriver("\"transform.apply_patterns.test.grow\"() : () -> ()");
  NormalizerOptions options;
  options.limits.baseRewrites = 500;
  options.limits.rewritesPerOp = 1;
  Report report = Normalizer(driver, options).run(*module);
  EXPECT_EQ(report.reason, StopReason::Limit);
  EXPECT_TRUE(report.cycle.empty());
  EXPECT_GE(countFires(report, "GrowAdd"), 50u);
}

TEST_F(NormalizerTest, ForeignOpsStayAsTheyAre) {
  auto module = parse(R"(
    func.func @keep(%a: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %0 = arith.addi %a, %c0 : i32
      return %0 : i32
    }
    func.func @change(%a: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %0 = arith.addi %a, %c0 : i32
      return %0 : i32
    })");
  NormalizerOptions options;
  options.isForeign = [](Operation *op) {
    return cast<func::FuncOp>(op).getName() == "keep";
  };
  Normalizer(makeCanonical(), options).run(*module);
  auto countOps = [&](StringRef name) {
    Block &body = module->lookupSymbol<func::FuncOp>(name).getBody().front();
    return std::distance(body.begin(), body.end());
  };
  EXPECT_EQ(countOps("keep"), 3);
  EXPECT_EQ(countOps("change"), 1);
}

TEST_F(NormalizerTest, DeepNestingIsLinear) {
  std::string text = "func.func @f(%n: index, %m: memref<?xindex>) {\n"
                     "%c0 = arith.constant 0 : index\n"
                     "%c1 = arith.constant 1 : index\n";
  constexpr int depth = 500;
  for (int i = 0; i < depth; ++i)
    text += "scf.for %i" + std::to_string(i) + " = %c0 to %n step %c1 {\n";
  text += "%0 = arith.muli %n, %n : index\n"
          "memref.store %0, %m[%i0] : memref<?xindex>\n";
  for (int i = 0; i < depth; ++i)
    text += "}\n";
  text += "return }";
  auto module = parse(text);
  Driver driver =
      makeDriver("transform.apply_patterns.canonicalization", {"cse", "licm"});
  Report report = Normalizer(driver).run(*module);
  EXPECT_TRUE(report.reachedFixpoint());
  EXPECT_TRUE(isa<func::FuncOp>(findOp(*module, "arith.muli")->getParentOp()));
}

TEST_F(NormalizerTest, ManyOpsInOneBlock) {
  std::string text =
      "func.func @f(%a: i32) -> i32 {\n%v0 = arith.addi %a, %a : i32\n";
  constexpr int size = 100'000;
  for (int i = 1; i < size; ++i)
    text += "%v" + std::to_string(i) + " = arith.muli %v" +
            std::to_string(i - 1) + ", %a : i32\n";
  text += "return %v" + std::to_string(size - 1) + " : i32 }";
  auto module = parse(text);
  NormalizerOptions options;
  options.cache = &cache;
  Driver driver = makeCanonical();
  EXPECT_TRUE(Normalizer(driver, options).run(*module).reachedFixpoint());
  EXPECT_EQ(Normalizer(driver, options).run(*module).skipped, 1u);
}

} // namespace
