//===- PayloadModelTest.cpp - Places and invalidation -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"
#include "VerifierFixture.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
/// A function with two nested loops and an op in the inner one; a second
/// function beside it.
class PayloadModelTest : public VerifierTest {
protected:
  PayloadModelTest() {
    ModuleOp payload = parse(R"(
func.func @f(%m: memref<8x8xf32>, %z: f32) {
  scf.forall (%i) in (8) {
    scf.forall (%j) in (4) {
      memref.store %z, %m[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
func.func @g() {
  return
})");
    root = model.addPayload(payload);
    payload->walk([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        (function.getSymName() == "f" ? f : g) = model.lookup(op);
      if (isa<memref::StoreOp>(op)) {
        store = model.lookup(op);
        inner = model.lookup(op->getParentOp());
        outer = model.lookup(op->getParentOp()->getParentOp());
      }
    });
  }

  OperationName kind(StringRef name) { return {name, &context}; }

  Certainty isDead(NodeId node, Time since) {
    return model.getInvalidation(node, since).certainty;
  }

  PayloadModel model;
  NodeId root = 0, f = 0, g = 0, outer = 0, inner = 0, store = 0;
};

TEST_F(PayloadModelTest, PlacesOfExactNodes) {
  EXPECT_EQ(model.isAtOrBelow(store, outer), Certainty::Yes);
  EXPECT_EQ(model.isAtOrBelow(store, store), Certainty::Yes);
  EXPECT_EQ(model.isAtOrBelow(outer, store), Certainty::No);
  EXPECT_EQ(model.isAtOrBelow(g, f), Certainty::No);
  EXPECT_EQ(model.getAncestor(store, /*proper=*/true, {"$isolated"}), f);
  EXPECT_EQ(model.getAncestor(store, /*proper=*/true, {"$loop"}), inner);
  EXPECT_EQ(model.getAncestor(root, /*proper=*/true, {"*"}), std::nullopt);
}

TEST_F(PayloadModelTest, WhatADoubtedOpHoldsIsRewrittenWithIt) {
  ModuleOp payload = parse(R"(
func.func @h(%m: memref<8xf32>, %z: f32, %i: index, %c: i1) {
  scf.if %c {
    memref.store %z, %m[%i] : memref<8xf32>
  }
  return
})");
  PayloadModel other;
  NodeId scope = other.addPayload(payload);
  NodeId branch = 0, held = 0;
  payload->walk([&](Operation *op) {
    if (isa<memref::StoreOp>(op)) {
      held = other.lookup(op);
      branch = other.lookup(op->getParentOp());
    }
  });
  other.touch(scope, {}, {"tensor.*"});
  other.forget(branch);
  other.doubt(branch);
  EXPECT_EQ(other[held].present, Certainty::Yes);
  other.touch(scope, {}, {"scf.if"});
  EXPECT_EQ(other[held].present, Certainty::Maybe);
}

TEST_F(PayloadModelTest, FactsOfLoops) {
  ASSERT_TRUE(model[outer].loop);
  EXPECT_EQ(model[outer].loop->trips.front().size, 8);
  EXPECT_FALSE(model[outer].loop->hasResults);
}

TEST_F(PayloadModelTest, WhatIsLiveIsSettledBeforeThePayloadChanges) {
  ModuleOp payload = parse(R"(
func.func @h(%m: memref<8xindex>, %i: index) {
  %unread = arith.addi %i, %i : index
  %read = arith.muli %i, %i : index
  memref.store %read, %m[%i] : memref<8xindex>
  return
})");
  PayloadModel other;
  other.addPayload(payload);
  NodeId unread = 0, read = 0;
  Operation *last = nullptr;
  payload->walk([&](Operation *op) {
    if (isa<arith::AddIOp>(op))
      unread = other.lookup(op);
    if (isa<arith::MulIOp>(op))
      read = other.lookup(op);
    if (isa<memref::StoreOp>(op))
      last = op;
  });
  PayloadModel copy = other;
  last->erase();
  for (const PayloadModel *model : {&other, &copy}) {
    EXPECT_FALSE((*model)[unread].live);
    EXPECT_TRUE((*model)[read].live);
  }
}

TEST_F(PayloadModelTest, SetsAreKeptFromTheFirstTimeOn) {
  auto getBelow = [&](NodeSet set) {
    SmallVector<NodeId> below;
    for (auto [id, place] : model.getBelow(f, set))
      below.push_back(id);
    return below;
  };
  // Nobody has asked for either before.
  model.doubt(inner);
  EXPECT_EQ(getBelow(NodeSet::Doubted), SmallVector<NodeId>{inner});
  EXPECT_EQ(getBelow(NodeSet::Loops), (SmallVector<NodeId>{outer, inner}));
  EXPECT_EQ(getBelow(NodeSet::Bottom), SmallVector<NodeId>{inner});
  // And now they are kept.
  model.doubt(outer);
  model.edit(inner).present = Certainty::No;
  EXPECT_EQ(getBelow(NodeSet::Doubted), SmallVector<NodeId>{outer});
  EXPECT_EQ(getBelow(NodeSet::Loops), SmallVector<NodeId>{outer});
  EXPECT_EQ(getBelow(NodeSet::Bottom), SmallVector<NodeId>{outer});
}

TEST_F(PayloadModelTest, WhatIsWantedTwiceIsFoundOnce) {
  auto isInner = [&](const Node &node) { return &node == &model[inner]; };
  EXPECT_EQ(model.getBelow(f, {{NodeSet::Loops}, {NodeSet::Bottom}}),
            (NodeList{outer, inner}));
  EXPECT_EQ(model.getBelow(f, {{NodeSet::Loops, isInner}, {NodeSet::Bottom}}),
            NodeList{inner});
  EXPECT_EQ(model.getBelow(inner, {{NodeSet::Loops}, {NodeSet::Bottom}}),
            NodeList());
  // The nodes below the scope, in the order in which they were added.
  NodeList all;
  for (auto [id, place] : model.getBelow(f))
    all.push_back(id);
  EXPECT_EQ(model.getBelow(f, {{NodeSet::Bottom}, {NodeSet::Present}}), all);
}

TEST_F(PayloadModelTest, KindsThatWereThereAreRemembered) {
  EXPECT_TRUE(model.hadNode("scf.for"));
  EXPECT_FALSE(model.hadNode("gpu.launch"));
  NodeId launch = model.addFresh(f, kind("gpu.launch"), nullptr);
  model.edit(launch).present = Certainty::No;
  EXPECT_TRUE(model.hadNode("gpu.launch"));
  // A node without a kind may be of any.
  EXPECT_FALSE(model.hadNode("vector.mask"));
  model.addSomewhere(f, UpKind::Inside, std::nullopt, Count(), nullptr);
  EXPECT_TRUE(model.hadNode("vector.mask"));
}

TEST_F(PayloadModelTest, ReadersAreToldAsSoonAsTheyAreMade) {
  EXPECT_FALSE(model.mayBeRead(store));
  NodeId reader = model.addFresh(inner, kind("memref.load"), nullptr);
  model.edit(reader).producers.push_back(store);
  EXPECT_TRUE(model.mayBeRead(store));
  EXPECT_EQ(model.getReaders(), ArrayRef<NodeId>{reader});
  model.edit(reader).producers.clear();
  EXPECT_TRUE(model.getReaders().empty());
}

TEST_F(PayloadModelTest, ConsumptionReachesDownNotUp) {
  model.tick();
  model.consume(outer, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(store, 0), Certainty::Yes);
  EXPECT_EQ(isDead(outer, 0), Certainty::Yes);
  EXPECT_EQ(isDead(f, 0), Certainty::No);
  EXPECT_EQ(isDead(g, 0), Certainty::No);
  // A handle that was set later is not concerned.
  EXPECT_EQ(isDead(store, model.time() + 1), Certainty::No);
}

TEST_F(PayloadModelTest, ConsumptionOnAPathIsUnsure) {
  model.tick();
  model.consume(outer, nullptr, /*certain=*/false);
  EXPECT_EQ(isDead(store, 0), Certainty::Maybe);
}

TEST_F(PayloadModelTest, OpsOfUnknownPlace) {
  NodeId somewhere = model.addSomewhere(f, UpKind::Inside, kind("scf.forall"),
                                        {1, 1}, nullptr);
  EXPECT_EQ(model.isAtOrBelow(somewhere, f), Certainty::Yes);
  EXPECT_EQ(model.isAtOrBelow(somewhere, g), Certainty::No);
  model.tick();
  model.consume(outer, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(somewhere, 0), Certainty::Maybe);
  Time before = model.tick();
  model.consume(somewhere, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(inner, before), Certainty::Maybe);
  EXPECT_EQ(isDead(f, before), Certainty::No);
  EXPECT_EQ(isDead(g, before), Certainty::No);
}

TEST_F(PayloadModelTest, NothingComesToLieInItself) {
  // A node that moves from `outer` into `inner` leaves `inner` and its holder.
  model.reparent(outer, inner);
  model.setUps(f, {{store, UpKind::Inside}});
  model.tick();
  model.consume(outer, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(store, 0), Certainty::Yes);
  EXPECT_NE(isDead(f, 0), Certainty::Yes);
}

TEST_F(PayloadModelTest, KindsTellApart) {
  NodeId fill = model.addSomewhere(f, UpKind::Inside, kind("linalg.fill"),
                                   {1, 1}, nullptr);
  NodeId matmul = model.addSomewhere(f, UpKind::Inside, kind("linalg.matmul"),
                                     {1, 1}, nullptr);
  model.tick();
  model.consume(fill, nullptr, /*certain=*/true);
  // A structured op holds scalar code only.
  EXPECT_EQ(isDead(matmul, 0), Certainty::No);
  EXPECT_EQ(isDead(outer, 0), Certainty::No);
}

TEST_F(PayloadModelTest, ElementsOfASet) {
  NodeId set = model.addSomewhere(f, UpKind::Inside, kind("scf.forall"), {2, 2},
                                  nullptr);
  NodeId a = model.addSomewhere(set, UpKind::Element, kind("scf.forall"),
                                {1, 1}, nullptr);
  NodeId b = model.addSomewhere(set, UpKind::Element, kind("scf.forall"),
                                {1, 1}, nullptr);
  NodeId below =
      model.addSomewhere(set, UpKind::Inside, kind("scf.for"), {1, 1}, nullptr);
  model.tick();
  model.consume(a, nullptr, /*certain=*/true);
  // The set has a dead element; another element is another op; what is in some
  // element may have been in the dead one.
  EXPECT_EQ(isDead(set, 0), Certainty::Yes);
  EXPECT_NE(isDead(b, 0), Certainty::No);
  EXPECT_EQ(isDead(below, 0), Certainty::Maybe);
  Time before = model.tick();
  model.consume(set, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(b, before), Certainty::Yes);
  EXPECT_EQ(isDead(below, before), Certainty::Yes);
}

TEST_F(PayloadModelTest, InvariantsMayLeaveTheirLoop) {
  model.tick();
  model.loosen(f);
  model.tick();
  model.consume(inner, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(store, 0), Certainty::Maybe);
  model.consume(f, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(store, 0), Certainty::Yes);
}

TEST_F(PayloadModelTest, FreshOpsHoldNothingOlder) {
  NodeId old = model.addSomewhere(f, UpKind::Inside, kind("scf.forall"), {1, 1},
                                  nullptr);
  model.tick();
  NodeId loop = model.addFresh(f, kind("scf.for"), nullptr);
  model.tick();
  model.consume(loop, nullptr, /*certain=*/true);
  EXPECT_EQ(isDead(old, 0), Certainty::No);
}

TEST_F(PayloadModelTest, FindSeesWhatIsLeft) {
  auto isForall = [](const Node &node) {
    return node.kind && node.kind->getStringRef() == "scf.forall";
  };
  EXPECT_EQ(model.find(root, isForall).size(), 2u);
  EXPECT_EQ(model.find(g, isForall).size(), 0u);
  model.touch(f, {"scf.*"}, {"scf.forall"});
  auto found = model.find(root, isForall);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.front().second, Certainty::Maybe);
  auto mayBeForall = [](const KindSet &kinds) {
    return kinds.contains("scf.forall");
  };
  EXPECT_TRUE(model.mayHide(root, mayBeForall));
  EXPECT_TRUE(model.mayHide(outer, mayBeForall));
  EXPECT_FALSE(model.mayHide(g, mayBeForall));
}

TEST_F(PayloadModelTest, FunctionsCoverTheirModule) {
  EXPECT_TRUE(model.isCoveredBy(root, {f, g}));
  EXPECT_FALSE(model.isCoveredBy(root, {f}));
  EXPECT_TRUE(model.isCoveredBy(store, {f}));
  model.touch(root, {"func.func"}, {});
  EXPECT_FALSE(model.isCoveredBy(root, {f, g}));
}
} // namespace
