//===- ForkTest.cpp - Paths that go on from one point -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"
#include "verifier/state/BranchingVector.h"
#include "verifier/state/PayloadModel.h"

#include <random>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
using Numbers = BranchingVector<int>;

std::vector<int> items(const Numbers &numbers) {
  return llvm::ArrayRef<int>(numbers).vec();
}

TEST(BranchingVectorTest, GoesBackAndAlong) {
  Numbers numbers;
  numbers.push_back(1);
  numbers.push_back(2);
  numbers.fork();
  numbers.write(1) = 3;
  numbers.push_back(4);
  EXPECT_EQ(numbers.getBefore(1), 2);
  Numbers::Branch branch = numbers.leave(/*absent=*/0);
  EXPECT_EQ(items(numbers), (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(numbers.get(branch, 0), 1);
  EXPECT_EQ(numbers.get(branch, 1), 3);
  EXPECT_EQ(numbers.get(branch, 2), 4);
  numbers.write(0) = 5;
  EXPECT_EQ(numbers.get(branch, 0), 1);
  EXPECT_EQ(numbers.getChanged(branch), (SmallVector<unsigned>{0, 1}));
  numbers.leave(/*absent=*/0);
  numbers.take(std::move(branch));
  numbers.endFork();
  EXPECT_EQ(items(numbers), (std::vector<int>{1, 3, 4}));
}

/// Random changes, forks and returns, beside copies of the whole.
TEST(BranchingVectorTest, IsWhatCopiesAre) {
  std::mt19937 random(20261122);
  Numbers numbers;
  std::vector<std::vector<int>> before;
  std::vector<int> now;
  int next = 1;
  for (unsigned step = 0; step < 20000; ++step) {
    switch (random() % 8) {
    case 0:
      if (before.size() > 4)
        break;
      numbers.fork();
      before.push_back(now);
      break;
    case 1: {
      if (before.empty())
        break;
      size_t size = now.size();
      Numbers::Branch branch = numbers.leave(/*absent=*/0);
      for (size_t i = 0; i < size; ++i)
        ASSERT_EQ(numbers.get(branch, i), now[i]);
      std::vector<int> along = std::exchange(now, before.back());
      now.resize(size);
      if (random() % 2) {
        numbers.take(std::move(branch));
        now = along;
      }
      break;
    }
    case 2:
      if (before.empty())
        break;
      for (size_t i = 0; i < before.back().size(); ++i)
        ASSERT_EQ(numbers.getBefore(i), before.back()[i]);
      numbers.endFork();
      before.pop_back();
      break;
    case 3:
      numbers.push_back(int(next));
      now.push_back(next++);
      break;
    default:
      if (now.empty())
        break;
      size_t i = random() % now.size();
      numbers.write(i) = next;
      now[i] = next++;
    }
    ASSERT_EQ(items(numbers), now) << "after step " << step;
  }
}

/// Two functions, with a loop in the first.
class ForkTest : public VerifierTest {
protected:
  ForkTest() {
    ModuleOp payload = parse(getLoopAndFunction());
    model.addPayload(payload);
    model.setGiven();
    payload->walk([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        (function.getSymName() == "f" ? f : g) = model.lookup(op);
      if (isa<memref::StoreOp>(op)) {
        store = model.lookup(op);
        loop = model.lookup(op->getParentOp());
      }
    });
  }

  PayloadModel model;
  NodeId f = 0, g = 0, loop = 0, store = 0;
};

TEST_F(ForkTest, WhatOnePathErasesMayBeThere) {
  model.fork();
  model.tick();
  model.edit(loop).present = Certainty::No;
  EXPECT_TRUE(model.isGone(store));
  PayloadModel::Branch other = model.leave();
  EXPECT_FALSE(model.isGone(store));
  EXPECT_TRUE(model.isAsGiven());
  model.tick();
  model.join(std::move(other), /*inPart=*/false);
  model.endFork();
  EXPECT_EQ(model[loop].present, Certainty::Maybe);
  // So may what it holds, which neither path has changed.
  EXPECT_EQ(model[store].present, Certainty::Maybe);
  EXPECT_EQ(model[g].present, Certainty::Yes);
  EXPECT_FALSE(model.isAsGiven());
}

TEST_F(ForkTest, WhatOnePathMakesMayBeThere) {
  OperationName kind("linalg.fill", &context);
  model.fork();
  NodeId first = model.addFresh(g, kind, nullptr);
  PayloadModel::Branch other = model.leave();
  EXPECT_EQ(model[first].present, Certainty::No);
  EXPECT_TRUE(model.getDirectlyBelow(g).size() == 1);
  NodeId second = model.addFresh(f, kind, nullptr);
  EXPECT_NE(first, second);
  model.join(std::move(other), /*inPart=*/false);
  model.endFork();
  EXPECT_EQ(model[first].present, Certainty::Maybe);
  EXPECT_EQ(model[second].present, Certainty::Maybe);
  EXPECT_EQ(model.isAtOrBelow(first, g), Certainty::Yes);
}

TEST_F(ForkTest, ConsumptionOnOnePathIsUnsure) {
  Time since = model.time();
  model.fork();
  model.tick();
  model.consume(loop, nullptr, /*certain=*/true);
  EXPECT_EQ(model.getInvalidation(store, since).certainty, Certainty::Yes);
  PayloadModel::Branch other = model.leave();
  EXPECT_EQ(model.getInvalidation(store, since).certainty, Certainty::No);
  model.join(std::move(other), /*inPart=*/false);
  model.endFork();
  EXPECT_EQ(model.getInvalidation(store, since).certainty, Certainty::Maybe);
}

TEST_F(ForkTest, InnerForksAreOfTheOuterPath) {
  model.fork();
  model.fork();
  model.edit(loop).present = Certainty::No;
  PayloadModel::Branch inner = model.leave();
  model.take(std::move(inner));
  model.endFork();
  EXPECT_TRUE(model.isGone(store));
  model.leave();
  model.endFork();
  EXPECT_FALSE(model.isGone(store));
  EXPECT_EQ(model[loop].present, Certainty::Yes);
}

/// A look-up on one path says nothing of another one.
TEST_F(ForkTest, WhatAPathFindsIsItsOwn) {
  Time since = model.time();
  auto isClean = [&](NodeId node) {
    return model.getInvalidation(node, since).certainty == Certainty::No;
  };
  OperationName kind("scf.for", &context);
  model.fork();
  model.tick();
  NodeId outer = model.addFresh(loop, kind, nullptr),
         inner = model.addFresh(outer, kind, nullptr);
  model.consume(outer, nullptr, /*certain=*/true);
  EXPECT_FALSE(isClean(inner));
  PayloadModel::Branch first = model.leave();
  model.tick();
  model.consume(g, nullptr, /*certain=*/true);
  EXPECT_TRUE(isClean(store));
  // Asked while they are not there.
  (void)isClean(inner);
  model.edit(loop).present = Certainty::No;
  EXPECT_TRUE(model.isGone(store));
  PayloadModel::Branch second = model.leave();
  EXPECT_FALSE(model.isGone(store));
  model.take(std::move(first));
  EXPECT_FALSE(isClean(inner));
  EXPECT_TRUE(isClean(store));
  EXPECT_FALSE(model.isGone(inner));
  model.leave();
  model.take(std::move(second));
  model.endFork();
  EXPECT_TRUE(model.isGone(store));
  EXPECT_FALSE(isClean(g));
}

/// As above, of consumed ops that were there before.
TEST_F(ForkTest, WhatAPathConsumesIsConsumedAgain) {
  Time since = model.time();
  auto isClean = [&] {
    return model.getInvalidation(store, since).certainty == Certainty::No;
  };
  model.fork();
  model.tick();
  model.consume(loop, nullptr, /*certain=*/true);
  PayloadModel::Branch first = model.leave();
  model.tick();
  model.consume(g, nullptr, /*certain=*/true);
  model.tick();
  EXPECT_TRUE(isClean());
  model.leave();
  model.take(std::move(first));
  EXPECT_FALSE(isClean());
  model.endFork();
}
} // namespace
