//===- PlacesTest.cpp - One scope and many nodes --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Property test: on seeded models, `Places` gives for each pair of nodes the
// answer that `PayloadModel::isAtOrBelow` gives by itself, and `getBelow` lists
// those nodes that it gives.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Places.h"
#include "VerifierFixture.h"

#include <random>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
class PlacesTest : public VerifierTest {
protected:
  NodeId below(uint32_t limit) { return random() % limit; }

  /// Nodes of all sorts below nodes that were there before, of which some move.
  PayloadModel makeModel() {
    static constexpr StringLiteral names[] = {
        "func.func",   "scf.for",       "scf.forall",
        "linalg.fill", "linalg.matmul", "arith.constant"};
    PayloadModel model;
    for (unsigned i = 0; i < 40; ++i) {
      model.tick();
      Node node;
      if (below(8) != 0)
        node.kind = OperationName(names[below(std::size(names))], &context);
      if (node.kind && node.kind->getDialectNamespace() == "scf")
        node.loop = std::make_shared<LoopFacts>();
      if (node.kind && node.kind->getDialectNamespace() == "linalg")
        node.space = std::make_shared<IterationSpace>();
      node.exact = below(3) != 0;
      node.fresh = below(2) == 0;
      node.apart = below(2) == 0;
      node.count = Count::exactly(1 + below(2));
      auto pickUp = [&]() -> Up {
        NodeId above = below(model.size());
        return {above, static_cast<UpKind>(below(3))};
      };
      node.ups.push_back(pickUp());
      if (below(5) == 0)
        node.ups.push_back(pickUp());
      NodeId made = model.add(std::move(node));
      if (below(6) == 0)
        model.loosen(below(model.size()));
      if (below(8) == 0)
        model.mayDissolve(1 + below(model.size() - 1));
      if (below(8) == 0)
        model.setUps(made, {pickUp()});
      if (below(10) == 0)
        model.blur(1 + below(model.size() - 1), PayloadModel::universe);
    }
    return model;
  }

  std::mt19937 random{20261122};
};

TEST_F(PlacesTest, AreThoseOfTheModel) {
  unsigned numUnsure = 0;
  for (unsigned i = 0; i < 60; ++i) {
    PayloadModel model = makeModel();
    for (NodeId scope = 0; scope < model.size(); ++scope) {
      Places places(model, scope);
      llvm::SmallVector<std::pair<NodeId, Certainty>> expected;
      for (NodeId node = 0; node < model.size(); ++node) {
        Certainty place = model.isAtOrBelow(node, scope);
        EXPECT_EQ(places.get(node), place)
            << "model " << i << ", node " << node << " in " << scope;
        numUnsure += place == Certainty::Maybe;
        if (node != PayloadModel::universe && node != scope &&
            place != Certainty::No && model[node].present != Certainty::No)
          expected.push_back({node, place});
      }
      EXPECT_EQ(model.getBelow(scope), expected)
          << "model " << i << ", in " << scope;
    }
  }
  EXPECT_GT(numUnsure, 1000u);
}

/// Sets, kinds and what lies below are looked up; that comes to the same as to
/// look at all nodes, also of what has changed since the last time.
TEST_F(PlacesTest, FindTheNodesOfASet) {
  auto isNest = [](const std::optional<OperationName> &kind) {
    return !kind || kind->getStringRef().starts_with("scf.");
  };
  unsigned numFound = 0;
  for (unsigned i = 0; i < 60; ++i) {
    PayloadModel model = makeModel();
    for (NodeId scope = 0; scope < model.size(); ++scope) {
      for (bool exact : {false, true}) {
        llvm::SmallVector<std::pair<NodeId, Certainty>> expected, ofKind;
        for (auto [id, place] : model.getBelow(scope)) {
          const Node &node = model[id];
          bool isIn = exact ? node.exact : node.present == Certainty::Maybe;
          if (!isIn)
            continue;
          expected.push_back({id, place});
          if (isNest(node.kind))
            ofKind.push_back({id, place});
        }
        NodeSet set = exact ? NodeSet::Exact : NodeSet::Doubted;
        EXPECT_EQ(model.getBelow(scope, set), expected)
            << "model " << i << ", in " << scope;
        EXPECT_EQ(model.getBelow(scope, set, nullptr, isNest), ofKind)
            << "model " << i << ", in " << scope;
        numFound += expected.size();
      }
      if (scope == PayloadModel::universe)
        continue;
      llvm::SmallVector<NodeId> directly;
      for (NodeId id : model.getPresent())
        if (llvm::any_of(model[id].ups,
                         [&](const Up &up) { return up.node == scope; }))
          directly.push_back(id);
      EXPECT_EQ(llvm::ArrayRef<NodeId>(model.getDirectlyBelow(scope)),
                llvm::ArrayRef<NodeId>(directly));
      // Some go, some become sure, and some come back.
      if (below(3) == 0)
        model.edit(scope).present = static_cast<Certainty>(below(3));
      if (below(5) == 0)
        model.edit(scope).exact = below(2) == 0;
    }
  }
  EXPECT_GT(numFound, 1000u);
}

/// A loop comes and goes from the bottom with what is right inside of it.
TEST_F(PlacesTest, FindTheLoopsAtTheBottom) {
  unsigned numAtBottom = 0, numAbove = 0;
  for (unsigned i = 0; i < 60; ++i) {
    PayloadModel model = makeModel();
    for (NodeId changed = 2; changed < model.size(); ++changed) {
      llvm::DenseSet<NodeId> holders;
      for (NodeId id : model.getPresent()) {
        const Node &node = model[id];
        if ((node.loop || node.space) && node.ups.size() == 1 &&
            !node.ups.front().isLoose())
          holders.insert(node.ups.front().node);
      }
      llvm::SmallVector<NodeId> expected, found;
      for (NodeId id : model.getPresent()) {
        bool isAbove = model[id].exact && holders.contains(id);
        if (model[id].loop && !isAbove)
          expected.push_back(id);
        numAbove += model[id].loop && isAbove;
      }
      for (auto [id, place] :
           model.getBelow(PayloadModel::universe, NodeSet::Bottom))
        found.push_back(id);
      EXPECT_EQ(found, expected) << "model " << i << ", at " << changed;
      numAtBottom += expected.size();
      switch (below(5)) {
      case 0:
        model.edit(changed).present = static_cast<Certainty>(below(3));
        break;
      case 1:
        model.edit(changed).loop = nullptr;
        break;
      case 2:
        model.setUps(changed, {{below(model.size()), UpKind::Inside}});
        break;
      case 3:
        model.edit(changed).exact = below(2) == 0;
        break;
      default:
        model.loosen(changed);
      }
    }
  }
  EXPECT_GT(numAtBottom, 1000u);
  EXPECT_GT(numAbove, 1000u);
}
} // namespace
