//===- SourcePlaceTest.cpp - Tests of places of locations -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/SourcePlace.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::engine;

namespace {
class SourcePlaceTest : public testing::Test {
protected:
  Location at(StringRef file, unsigned line) {
    return FileLineColLoc::get(&context, file, line, 1);
  }
  std::string find(Location loc) {
    FileLineColLoc place = findSourcePlace(loc);
    return place ? place.getFilename().str() + ":" +
                       std::to_string(place.getLine())
                 : "";
  }
  MLIRContext context;
};

constexpr StringLiteral kBindings =
    "venv/lib/python3.11/site-packages/mlir/dialects/transform.py";
} // namespace

TEST_F(SourcePlaceTest, OrdinaryLocationsAreTheirFirstPlace) {
  EXPECT_EQ(find(at("f.mlir", 3)), "f.mlir:3");
  EXPECT_EQ(find(UnknownLoc::get(&context)), "");
  EXPECT_EQ(find(FusedLoc::get(&context, {at("f.mlir", 3), at("g.mlir", 4)})),
            "f.mlir:3");
  // An inlined call: the callee is what the reader looks for.
  EXPECT_EQ(find(CallSiteLoc::get(at("callee.mlir", 1), at("caller.mlir", 2))),
            "callee.mlir:1");
}

TEST_F(SourcePlaceTest, LibraryCallsArePassedOver) {
  Location call = CallSiteLoc::get(
      CallSiteLoc::get(at(kBindings, 9), at("a.py", 4)), at("main.py", 7));
  EXPECT_EQ(find(call), "a.py:4");
  // The inner one of two programs' lines.
  EXPECT_EQ(find(CallSiteLoc::get(at(kBindings, 9), call)), "a.py:4");
}

TEST_F(SourcePlaceTest, LibraryCallsAloneAreShown) {
  EXPECT_EQ(find(CallSiteLoc::get(at(kBindings, 9), at("<frozen run>", 1))),
            kBindings.str() + ":9");
}

TEST_F(SourcePlaceTest, CallsHaveTheirNames) {
  auto name = [&](StringRef text, Location loc) -> Location {
    return NameLoc::get(StringAttr::get(&context, text), loc);
  };
  SmallVector<CallFrame> frames = getCallFrames(CallSiteLoc::get(
      name("MatchOp.match", at(kBindings, 9)), name("build", at("a.py", 4))));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].name, "MatchOp.match");
  EXPECT_EQ(frames[1].name, "build");
  EXPECT_EQ(frames[1].place.getLine(), 4u);
}

// Parts that are shared make exponentially many paths.
TEST_F(SourcePlaceTest, SharedPartsEnd) {
  Location loc = at("a.py", 1);
  for (int i = 0; i < 64; ++i)
    loc = CallSiteLoc::get(loc, loc);
  EXPECT_LE(getCallFrames(loc).size(), 256u);
}

TEST_F(SourcePlaceTest, OpsWithoutLocation) {
  OwningOpRef<ModuleOp> outer = ModuleOp::create(at("a.mlir", 3));
  OpBuilder builder = OpBuilder::atBlockBegin(outer->getBody());
  auto inner = ModuleOp::create(builder, UnknownLoc::get(&context));
  EXPECT_EQ(getNearestLoc(inner), outer->getLoc());
  inner->setLoc(at("a.mlir", 7));
  EXPECT_EQ(getNearestLoc(inner), inner->getLoc());
  outer->getOperation()->setLoc(UnknownLoc::get(&context));
  EXPECT_EQ(getNearestLoc(*outer), outer->getLoc());
}

TEST_F(SourcePlaceTest, LibraryFiles) {
  EXPECT_TRUE(isLibraryFile(kBindings));
  EXPECT_TRUE(isLibraryFile("/usr/lib/python3.11/runpy.py"));
  EXPECT_TRUE(isLibraryFile("/usr/lib/python3/dist-packages/numpy/core.py"));
  EXPECT_FALSE(isLibraryFile("/home/me/schedules/site-packages.py"));
  EXPECT_FALSE(isLibraryFile("schedule.mlir"));
}
