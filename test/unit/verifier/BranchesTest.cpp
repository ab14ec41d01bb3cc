//===- BranchesTest.cpp - Branches that clean-up may choose -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/Branches.h"
#include "VerifierFixture.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
class BranchesTest : public VerifierTest {
protected:
  /// What is said of each scf.if and scf.for in a function of `body`,
  /// outermost first.
  SmallVector<bool> ask(StringRef body) {
    ModuleOp module =
        parse(("func.func @f(%m: memref<8xindex>, %x: index, %y: index, "
               "%i: i32, %c: i1, %t: tensor<?x8xf32>) {\n"
               "%c0 = arith.constant 0 : index\n"
               "%c3 = arith.constant 3 : index\n" +
               body + "\nreturn }")
                  .str());
    SmallVector<bool> answers;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      if (name == "scf.if")
        answers.push_back(mayBeDecided(op));
      if (name == "scf.for")
        answers.push_back(mayNeverRun(op));
    });
    return answers;
  }

  SmallVector<bool> askOfLoop(StringRef bounds, StringRef code = "") {
    return ask((code + "\nscf.for %j = " + bounds + " step %c3 { }").str());
  }

  SmallVector<bool> askOf(StringRef condition) {
    return ask((condition + "\nscf.if %d { }").str());
  }
};
const SmallVector<bool> yes = {true}, no = {false};
} // namespace

TEST_F(BranchesTest, OnlyARunTellsArgumentsAndWhatIsLoaded) {
  EXPECT_EQ(ask("scf.if %c { }"), no);
  EXPECT_EQ(askOf("%v = memref.load %m[%c0] : memref<8xindex>\n"
                  "%d = arith.cmpi slt, %v, %x : index"),
            no);
}

TEST_F(BranchesTest, SumsOfDifferentValuesAreCompared) {
  EXPECT_EQ(askOf("%p = arith.muli %x, %c3 : index\n"
                  "%s = arith.addi %p, %c3 : index\n"
                  "%d = arith.cmpi slt, %s, %y : index"),
            no);
  EXPECT_EQ(askOf("%d = arith.cmpi sgt, %x, %c3 : index"), no);
  EXPECT_EQ(askOf("%d = arith.cmpi eq, %x, %c0 : index"), no);
}

TEST_F(BranchesTest, OneValueTwiceMayCancel) {
  EXPECT_EQ(askOf("%d = arith.cmpi eq, %x, %x : index"), yes);
  EXPECT_EQ(askOf("%s = arith.subi %x, %x : index\n"
                  "%d = arith.cmpi slt, %s, %y : index"),
            yes);
}

TEST_F(BranchesTest, ConstantsDecide) {
  EXPECT_EQ(askOf("%d = arith.constant true"), yes);
  EXPECT_EQ(askOf("%d = arith.cmpi slt, %c0, %c3 : index"), yes);
  EXPECT_EQ(askOf("%p = arith.muli %x, %c0 : index\n"
                  "%d = arith.cmpi slt, %p, %c3 : index"),
            yes);
  // Nothing is below the least value of a type.
  EXPECT_EQ(askOf("%d = arith.cmpi ult, %x, %c0 : index"), yes);
}

TEST_F(BranchesTest, WhatIsNotFollowedMayBeAnything) {
  EXPECT_EQ(askOf("%r = arith.remsi %x, %y : index\n"
                  "%d = arith.cmpi slt, %r, %c3 : index"),
            yes);
}

TEST_F(BranchesTest, TheConditionOfABranchIsKnownInside) {
  EXPECT_EQ(ask("scf.if %c { scf.if %c { } }"),
            (SmallVector<bool>{false, true}));
  EXPECT_EQ(ask("%d = arith.cmpi slt, %x, %y : index\n"
                "%e = arith.cmpi slt, %i, %i : i32\n"
                "scf.if %c { scf.if %d { } }"),
            (SmallVector<bool>{false, false}));
}

TEST_F(BranchesTest, WhatCleanUpMergesIsOne) {
  EXPECT_EQ(askOf("%v = memref.load %m[%c0] : memref<8xindex>\n"
                  "%w = memref.load %m[%c0] : memref<8xindex>\n"
                  "%d = arith.cmpi slt, %v, %w : index"),
            yes);
  EXPECT_EQ(askOf("%v = gpu.thread_id x\n%w = gpu.thread_id x\n"
                  "%d = arith.cmpi slt, %v, %w : index"),
            yes);
  EXPECT_EQ(askOf("%v = gpu.thread_id x\n%w = gpu.thread_id y\n"
                  "%d = arith.cmpi slt, %v, %w : index"),
            no);
}

TEST_F(BranchesTest, AnOpWithABodyMayGiveAConstant) {
  EXPECT_EQ(askOf("%d = scf.if %c -> i1 {\n"
                  "memref.store %x, %m[%c0] : memref<8xindex>\n"
                  "scf.yield %c : i1 } else { scf.yield %c : i1 }"),
            (SmallVector<bool>{false, true}));
}

TEST_F(BranchesTest, LoopsRunFromBoundsThatDiffer) {
  EXPECT_EQ(askOfLoop("%c0 to %c3"), no);
  EXPECT_EQ(askOfLoop("%c3 to %c0"), yes);
  EXPECT_EQ(askOfLoop("%c0 to %x"), no);
  EXPECT_EQ(askOfLoop("%x to %y"), no);
  EXPECT_EQ(askOfLoop("%x to %x"), yes);
  EXPECT_EQ(askOfLoop("%c0 to %s", "%s = arith.subi %x, %x : index"), yes);
  EXPECT_EQ(askOfLoop("%c0 to %s", "%s = arith.remsi %x, %y : index"), yes);
}

TEST_F(BranchesTest, LoopsRunOverDynamicSizes) {
  auto size = [](StringRef dim, StringRef name) {
    return ("%" + name + " = tensor.dim %t, " + dim + " : tensor<?x8xf32>\n")
        .str();
  };
  EXPECT_EQ(askOfLoop("%c0 to %n", size("%c0", "n")), no);
  EXPECT_EQ(askOfLoop("%n to %o", size("%c0", "n") + size("%c0", "o")), yes);
  // No such dimension.
  EXPECT_EQ(askOfLoop("%c0 to %n", size("%c3", "n")), yes);
}
