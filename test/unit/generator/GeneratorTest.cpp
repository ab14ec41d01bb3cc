//===- GeneratorTest.cpp - What generated payload promises ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/PayloadGenerator.h"
#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <ctime>
#include <set>

using namespace mlir;
using namespace formwork::testing;

namespace {

constexpr std::pair<Level, const char *> levels[] = {
    {Level::Linalg, "Linalg"}, {Level::Loops, "Loops"},
    {Level::Vector, "Vector"}, {Level::Buffers, "Buffers"},
    {Level::Mixed, "Mixed"},
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Options that vary with the seed, so that a loop over seeds meets them all.
GeneratorOptions getVaried(Level level, uint64_t seed) {
  GeneratorOptions options;
  options.level = level;
  options.functions = 1 + seed % 3;
  options.ops = 20 + seed % 50;
  options.depth = seed % 5;
  options.spine = seed % 7 == 0;
  options.affine = seed % 2;
  options.executable = seed % 3 == 0;
  options.dynamic = (seed % 4) * 0.3;
  if (seed % 11 == 0)
    options.elements = {Element::F16, Element::BF16, Element::I8, Element::I16,
                        Element::I64};
  if (seed % 13 == 0)
    options.elements = {Element::F32};
  return options;
}

class GeneratorLevel
    : public ::testing::TestWithParam<std::pair<Level, const char *>> {};

TEST_P(GeneratorLevel, verifiesAndRoundTrips) {
  for (uint64_t seed = 0; seed < 330; ++seed) {
    GeneratorOptions options = getVaried(GetParam().first, seed);
    SCOPED_TRACE(getArguments(seed, options));
    MLIRContext context(MLIRContext::Threading::DISABLED);
    OwningOpRef<ModuleOp> module = generatePayload(&context, seed, options);
    ASSERT_TRUE(succeeded(verify(*module)));
    std::string text = print(*module);
    OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(print(*parsed), text);
  }
}

TEST_P(GeneratorLevel, everyFamilyOccurs) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  GeneratorOptions options;
  options.level = GetParam().first;
  options.affine = true;
  options.functions = 4;
  options.ops = 150;
  llvm::StringMap<uint64_t> families;
  for (uint64_t seed = 0; seed < 60; ++seed)
    generatePayload(&context, seed, options, &families);
  SmallVector<StringRef> expected = getFamilies(options);
  EXPECT_GT(expected.size(), 25u);
  for (StringRef family : expected)
    EXPECT_GT(families.lookup(family), 0u) << family.str();
  EXPECT_EQ(families.size(), expected.size());
}

TEST_P(GeneratorLevel, keepsToItsDialects) {
  static constexpr StringLiteral foreign[][4] = {
      {"memref", "vector", "gpu", "affine"},
      {"linalg", "vector", "gpu", "affine"},
      {"linalg", "gpu", "affine", "affine"},
      {"tensor", "vector", "gpu", "affine"},
      {"gpu", "affine", "gpu", "affine"},
  };
  MLIRContext context(MLIRContext::Threading::DISABLED);
  GeneratorOptions options;
  options.level = GetParam().first;
  options.functions = 2;
  for (uint64_t seed = 0; seed < 50; ++seed)
    generatePayload(&context, seed, options)->walk([&](Operation *op) {
      StringRef dialect = op->getName().getDialectNamespace();
      EXPECT_FALSE(llvm::is_contained(
          foreign[static_cast<unsigned>(options.level)], dialect))
          << seed << ": " << op->getName().getStringRef().str();
    });
}

TEST_P(GeneratorLevel, obeysNumbers) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  GeneratorOptions options;
  options.level = GetParam().first;
  options.functions = 3;
  options.ops = 100;
  for (unsigned depth : {0u, 1u, 4u}) {
    options.depth = depth;
    for (uint64_t seed = 0; seed < 30; ++seed) {
      OwningOpRef<ModuleOp> module = generatePayload(&context, seed, options);
      EXPECT_EQ(llvm::range_size(module->getOps<func::FuncOp>()), 3);
      unsigned ops = 0, deepest = 0;
      module->walk([&](Operation *op) {
        ++ops;
        unsigned loops = 0;
        for (Operation *parent = op->getParentOp(); parent;
             parent = parent->getParentOp())
          loops += isa<LoopLikeOpInterface, scf::IfOp>(parent);
        deepest = std::max(deepest, loops);
      });
      EXPECT_LE(deepest, depth) << seed;
      EXPECT_GE(ops, 300u) << seed;
      EXPECT_LE(ops, 900u) << seed;
    }
  }
}

/// Checks what can be seen of `executable` without running anything.
TEST_P(GeneratorLevel, executableIsDefined) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  for (uint64_t seed = 0; seed < 150; ++seed) {
    GeneratorOptions options = getVaried(GetParam().first, seed);
    options.executable = true;
    OwningOpRef<ModuleOp> module = generatePayload(&context, seed, options);
    SCOPED_TRACE(getArguments(seed, options));
    module->walk([&](Operation *op) {
      EXPECT_FALSE(isa<arith::FPToSIOp>(op));
      if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
              arith::FloorDivSIOp, arith::ShLIOp, arith::ShRSIOp,
              arith::ShRUIOp>(op)) {
        std::optional<int64_t> rhs = getConstantIntValue(op->getOperand(1));
        EXPECT_TRUE(rhs && *rhs > 0 && *rhs < 8);
      }
      if (auto empty = dyn_cast<tensor::EmptyOp>(op))
        for (OpOperand &use : empty->getUses()) {
          auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
          EXPECT_TRUE(isa<tensor::DimOp>(use.getOwner()) ||
                      isa<tensor::CastOp>(use.getOwner()) ||
                      (user && user.isDpsInit(&use)));
        }
      auto function = dyn_cast<func::FuncOp>(op);
      if (!function)
        return;
      for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
        auto shaped = dyn_cast<ShapedType>(type);
        if (shaped && !shaped.hasStaticShape())
          EXPECT_TRUE(function.getArgAttr(i, "formwork.shape"));
        if (type.isIndex())
          EXPECT_TRUE(function.getArgAttr(i, "formwork.value"));
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, GeneratorLevel, ::testing::ValuesIn(levels),
                         [](auto &info) { return info.param.second; });

TEST(Generator, randomIsTheReferenceAlgorithm) {
  // From an implementation in another language, of the published algorithms.
  Random random(42);
  EXPECT_EQ(random.next(), 0x15780b2e0c2ec716u);
  EXPECT_EQ(random.next(), 0x6104d9866d113a7eu);
  EXPECT_EQ(random.next(), 0xae17533239e499a1u);
  EXPECT_EQ(random.next(), 0xecb8ad4703b360a1u);
}

TEST(Generator, sameSeedSameText) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    GeneratorOptions options = getVaried(Level::Mixed, seed);
    MLIRContext first, second;
    EXPECT_EQ(print(*generatePayload(&first, seed, options)),
              print(*generatePayload(&second, seed, options)));
  }
}

TEST(Generator, differentSeedsDiffer) {
  MLIRContext context;
  std::set<std::string> texts;
  for (uint64_t seed = 0; seed < 200; ++seed)
    texts.insert(print(*generatePayload(&context, seed)));
  EXPECT_EQ(texts.size(), 200u);
}

TEST(Generator, moreFunctionsKeepTheFirst) {
  MLIRContext context;
  GeneratorOptions options;
  options.functions = 2;
  OwningOpRef<ModuleOp> two = generatePayload(&context, 5, options);
  options.functions = 4;
  OwningOpRef<ModuleOp> four = generatePayload(&context, 5, options);
  auto longer = four->getOps<func::FuncOp>().begin();
  for (func::FuncOp function : two->getOps<func::FuncOp>()) {
    std::string expected, actual;
    llvm::raw_string_ostream(expected) << function;
    llvm::raw_string_ostream(actual) << *longer++;
    EXPECT_EQ(actual, expected);
  }
}

TEST(Generator, densityZeroIsNever) {
  MLIRContext context;
  GeneratorOptions options;
  options.densities = {.fold = 0,
                       .duplicate = 0,
                       .invariant = 0,
                       .selfCopy = 0,
                       .dead = 0,
                       .slice = 0,
                       .empty = 0,
                       .forall = 0,
                       .tileable = 0,
                       .unitDim = 0};
  llvm::StringMap<uint64_t> families;
  for (uint64_t seed = 0; seed < 50; ++seed)
    generatePayload(&context, seed, options, &families)
        ->walk([](Operation *op) {
          EXPECT_FALSE((isa<tensor::EmptyOp, scf::ForallOp>(op)));
        });
  for (StringRef name :
       {"fold.constants", "cse.duplicate", "licm.invariant", "copy.tensor",
        "dce.dead", "tensor.extract_slice", "memref.subview", "linalg.matmul",
        "tensor.reshape-unit"})
    EXPECT_EQ(families.lookup(name), 0u) << name.str();
  EXPECT_GT(families.lookup("tensor.insert"), 0u);
}

TEST(Generator, densityRaisesTheShare) {
  MLIRContext context;
  auto countDuplicates = [&](double density) {
    GeneratorOptions options;
    options.densities.duplicate = density;
    llvm::StringMap<uint64_t> families;
    for (uint64_t seed = 0; seed < 40; ++seed)
      generatePayload(&context, seed, options, &families);
    return families.lookup("cse.duplicate");
  };
  EXPECT_GT(countDuplicates(5), 2 * countDuplicates(1));
}

TEST(Generator, argumentsRoundTrip) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    GeneratorOptions options =
        getVaried(levels[seed % std::size(levels)].first, seed);
    options.densities.fold = seed * 0.1;
    std::string text = getArguments(seed, options);
    uint64_t readSeed = 0;
    GeneratorOptions readOptions;
    for (StringRef argument : llvm::split(text, ' ')) {
      std::string error;
      EXPECT_TRUE(parseArgument(argument, readSeed, readOptions, error))
          << error;
    }
    EXPECT_EQ(readSeed, seed);
    EXPECT_EQ(getArguments(readSeed, readOptions), text);
  }
}

TEST(Generator, badArguments) {
  static constexpr std::pair<const char *, const char *> cases[] = {
      {"seed", "expected an option but got 'seed'"},
      {"--sed=1", "unknown option '--sed'"},
      {"--seed=x", "bad value 'x' for option '--seed': decides every choice"},
      {"--level=high", "bad value 'high' for option '--level': linalg, loops, "
                       "vector, buffers or mixed"},
      {"--elements=",
       "bad value '' for option '--elements': comma-separated: f16, bf16, f32, "
       "f64, i8, i16, i32, i64"},
      {"--max-dim=0",
       "bad value '0' for option '--max-dim': largest size of a dimension"},
      {"--dynamic=2", "bad value '2' for option '--dynamic': probability that "
                      "a size is hidden"},
      {"--dead=-1", "bad value '-1' for option '--dead': density of dead ops"},
  };
  for (auto [argument, message] : cases) {
    uint64_t seed = 7;
    GeneratorOptions options;
    std::string before = getArguments(seed, options), error;
    EXPECT_FALSE(parseArgument(argument, seed, options, error)) << argument;
    EXPECT_EQ(error, message);
    EXPECT_EQ(getArguments(seed, options), before);
  }
}

TEST(Generator, reproducerIsAModuleBelowItsCommand) {
  MLIRContext context;
  GeneratorOptions options;
  OwningOpRef<ModuleOp> module = generatePayload(&context, 3, options);
  std::string text;
  llvm::raw_string_ostream os(text);
  printReproducer(os, *module, 3, options);
  EXPECT_TRUE(StringRef(text).starts_with("// formwork-generate " +
                                          getArguments(3, options) + "\n"));
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(print(*parsed), print(*module));
}

TEST(Generator, deepNesting) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  GeneratorOptions options;
  options.level = Level::Loops;
  options.depth = 1000;
  options.spine = true;
  options.ops = 0;
  OwningOpRef<ModuleOp> module = generatePayload(&context, 1, options);
  unsigned loops = 0;
  module->walk([&](scf::ForOp) { ++loops; });
  EXPECT_EQ(loops, 1000u);
  std::string text = print(*module);
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(print(*parsed), text);
}

TEST(Generator, timeIsLinear) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  // Processor time, and the best of three: other work on the machine must not
  // decide. Quadratic would be a factor of 64.
  auto measure = [&](unsigned ops) {
    GeneratorOptions options;
    options.depth = 0;
    options.ops = ops;
    std::clock_t best = std::numeric_limits<std::clock_t>::max();
    for (uint64_t seed = 0; seed < 3; ++seed) {
      std::clock_t start = std::clock();
      generatePayload(&context, seed, options);
      best = std::min(best, std::clock() - start);
    }
    return std::max<std::clock_t>(best, 1);
  };
  measure(1000);
  std::clock_t small = measure(10000), large = measure(80000);
  EXPECT_LT(large, 24 * small);
}

} // namespace
