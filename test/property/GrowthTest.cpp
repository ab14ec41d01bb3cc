//===- GrowthTest.cpp - Time grows with payload, not faster -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large blocks and deep nests: normalizing, asserting and skipping take time in
// proportion to the payload, and no walk of ours overflows the stack. What is
// compared is processor time within one run.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "normalforms/Establish.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <ctime>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;

namespace {

class GrowthTest : public PropertyTest {
protected:
  /// `size` additions in one block, in a chain.
  static std::string makeBlock(unsigned size) {
    std::string text = "func.func @f(%a: i32) -> i32 {\n"
                       "%v0 = arith.muli %a, %a : i32\n";
    for (unsigned i = 1; i < size; ++i)
      text += llvm::formatv("%v{0} = arith.muli %v{1}, %a : i32\n", i, i - 1);
    return text + llvm::formatv("return %v{0} : i32 }", size - 1).str();
  }

  /// `depth` loops in each other, with an invariant to move out of all of them.
  static std::string makeNest(unsigned depth) {
    std::string text = "func.func @f(%n: index, %m: memref<?xindex>) {\n"
                       "%c0 = arith.constant 0 : index\n"
                       "%c1 = arith.constant 1 : index\n";
    for (unsigned i = 0; i < depth; ++i)
      text += llvm::formatv("scf.for %i{0} = %c0 to %n step %c1 {{\n", i);
    text += "%0 = arith.muli %n, %n : index\n"
            "memref.store %0, %m[%i0] : memref<?xindex>\n";
    text.append(depth, '}');
    return text + "\nreturn }";
  }

  /// Processor seconds of one call.
  static double measure(llvm::function_ref<void()> run) {
    std::clock_t start = std::clock();
    run();
    return double(std::clock() - start) / double(CLOCKS_PER_SEC);
  }

  struct Times {
    double stock; ///< MLIR's canonicalization, CSE and LICM, one after other
    double normalize; ///< to the form, and a check that it is there
    double look;      ///< fingerprint and predicates, some times over
  };
  Times measureAll(const Form &form, StringRef text) {
    Times times;
    auto stock = parse(text);
    PassManager manager(&context);
    EXPECT_TRUE(succeeded(parsePassPipeline("func.func(canonicalize,cse,"
                                            "loop-invariant-code-motion)",
                                            manager)));
    times.stock = measure([&] { EXPECT_TRUE(succeeded(manager.run(*stock))); });

    auto module = parse(text);
    engine::NormalCache cache;
    engine::NormalizerOptions options;
    options.cache = &cache;
    FormNormalizer normalizer(getLibrary(), form, options);
    times.normalize = measure([&] {
      EXPECT_TRUE(normalizer.run(*module).reachedFixpoint());
      EXPECT_TRUE(checkForm(getLibrary(), form, *module).holds());
    });
    times.look = measure([&] {
      for (int i = 0; i < 30; ++i) {
        EXPECT_EQ(normalizer.run(*module).skipped, 1u);
        EXPECT_TRUE(getLibrary().checkPredicates(form, *module).empty());
      }
    });
    return times;
  }

  /// Four times the payload: looking at it is linear, and normalizing grows as
  /// MLIR does, whose own recursion is not linear on deep nests.
  void expectLinear(StringRef name, std::string (*make)(unsigned),
                    unsigned size) {
    const Form *form = getLibrary().lookup(name);
    ASSERT_TRUE(form);
    Times small = measureAll(*form, make(size / 4));
    Times large = measureAll(*form, make(size));
    EXPECT_LT(large.look, 9 * small.look + 0.05) << name.str();
    EXPECT_LT(large.normalize / small.normalize,
              2.5 * std::max(4.0, large.stock / small.stock))
        << name.str();
  }
};

TEST_F(GrowthTest, ManyOpsInOneBlock) {
  expectLinear("tensor.bufferizable", makeBlock, 100'000);
}

TEST_F(GrowthTest, DeepNests) {
  for (StringRef name : {"canonical", "loops.perfect_nest",
                         "tensor.bufferizable", "memref.allocations_hoisted"})
    expectLinear(name, makeNest, 1000);
}

} // namespace
