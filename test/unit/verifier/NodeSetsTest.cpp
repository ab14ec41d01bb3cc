//===- NodeSetsTest.cpp - Sets of nodes, kept from any time on ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two models that the same happens to say the same, though one is asked for all
// sets of nodes from the start, and the other one now and then: with few nodes,
// and when these have become many.
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"
#include "verifier/state/PayloadModel.h"

#include <array>
#include <random>

using namespace mlir;
using namespace formwork::verifier;

namespace {
constexpr StringLiteral kindNames[] = {"scf.for", "scf.forall", "linalg.matmul",
                                       "arith.constant", "memref.load"};

class NodeSetsTest : public VerifierTest {
protected:
  NodeSetsTest() {
    ModuleOp payload = parse(getLoopAndFunction());
    for (PayloadModel *model : {&asked, &spared})
      model->addPayload(payload);
  }

  unsigned pick(size_t size) { return random() % size; }
  /// A node of both, but for those that stand for no op.
  NodeId pickNode() { return 2 + pick(asked.size() - 2); }

  static SmallVector<NodeId> getBelow(const PayloadModel &model, NodeId scope,
                                      NodeSet set) {
    return llvm::map_to_vector(model.getBelow(scope, set),
                               [](auto one) { return one.first; });
  }
  static NodeSet getSet(size_t number) { return static_cast<NodeSet>(number); }

  template <typename Fn> void both(Fn fn) {
    for (PayloadModel *model : {&asked, &spared})
      fn(*model);
  }

  void change() {
    NodeId node = pickNode();
    OperationName kind(kindNames[pick(std::size(kindNames))], &context);
    NodeId producer = pickNode();
    bool isLoop = kind.getStringRef().starts_with("scf");
    switch (pick(9)) {
    case 0:
    case 1:
      return both([&](PayloadModel &model) {
        NodeId made = model.addFresh(node, kind, nullptr);
        if (isLoop)
          model.edit(made).loop = std::make_shared<LoopFacts>();
        else if (kind.getStringRef() == "linalg.matmul")
          model.edit(made).space = std::make_shared<IterationSpace>();
      });
    case 2:
      return both([&](PayloadModel &model) {
        model.addSomewhere(node, UpKind::AtOrInside, kind, Count(), nullptr);
      });
    case 3:
      return both([&](PayloadModel &model) { model.doubt(node); });
    case 4:
      return both([&](PayloadModel &model) {
        model.edit(node).present = Certainty::No;
      });
    case 5:
      return both([&](PayloadModel &model) {
        model.edit(node).producers.push_back(producer);
      });
    case 6:
      return both([&](PayloadModel &model) {
        if (model[node].exact)
          model.makeVague(node);
      });
    case 7:
      return both([&](PayloadModel &model) {
        Node &edited = model.edit(node);
        edited.loop = nullptr;
        edited.producers.clear();
      });
    default:
      return both([&](PayloadModel &model) { model.tick(); });
    }
  }

  void compare() {
    for (size_t set = 0; set < NodeIndex::numSets; ++set)
      (void)getBelow(asked, PayloadModel::universe, getSet(set));
    if (pick(3) != 0)
      return;
    NodeId scope = pick(2) ? 2 : pickNode();
    // Each set is asked for first by some seed alone.
    NodeSet set = getSet(pick(NodeIndex::numSets));
    ASSERT_EQ(getBelow(asked, scope, set), getBelow(spared, scope, set))
        << "set " << static_cast<int>(set) << " below " << scope;
    // However the nodes below are found, none is left out.
    SmallVector<NodeId> below = getBelow(spared, scope, NodeSet::Present);
    for (NodeId id = 2; id < spared.size(); ++id) {
      bool isBelow = id != scope && spared[id].present != Certainty::No &&
                     spared.isAtOrBelow(id, scope) != Certainty::No;
      ASSERT_EQ(llvm::is_contained(below, id), isBelow)
          << id << " below " << scope;
    }
    NodeId node = pickNode();
    bool isRead = llvm::any_of(spared.getReaders(), [&](NodeId reader) {
      return llvm::is_contained(spared[reader].producers, node);
    });
    if (isRead)
      ASSERT_TRUE(spared.mayBeRead(node));
  }

  void run(unsigned numSteps, unsigned depth) {
    for (unsigned i = 0; i < numSteps && !HasFatalFailure(); ++i) {
      if (depth == 0 || pick(12) != 0) {
        change();
        compare();
        continue;
      }
      both([](PayloadModel &model) { model.fork(); });
      run(pick(12), depth - 1);
      SmallVector<PayloadModel::Branch, 2> branches;
      both([&](PayloadModel &model) { branches.push_back(model.leave()); });
      run(pick(8), depth - 1);
      bool inPart = pick(2), joins = pick(3) != 0;
      std::array<PayloadModel *, 2> models = {&asked, &spared};
      for (auto [model, branch] : llvm::zip_equal(models, branches)) {
        if (joins) {
          model->join(std::move(branch), inPart);
        } else {
          (void)model->leave();
          model->take(std::move(branch));
        }
        model->endFork();
      }
      compare();
    }
  }

  std::mt19937 random;
  PayloadModel asked, spared;
};

class NodeSetsSeedTest : public NodeSetsTest,
                         public testing::WithParamInterface<unsigned> {};

TEST_P(NodeSetsSeedTest, DoNotDependOnWhenTheyAreKept) {
  random.seed(GetParam());
  run(300, /*depth=*/2);
  EXPECT_GT(asked.size(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, NodeSetsSeedTest, testing::Range(0u, 40u));
} // namespace
