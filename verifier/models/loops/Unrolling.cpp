//===- Unrolling.cpp - Copies of what a loop holds --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unrolling of a loop of which the steps and the contents are known: it leaves
// so many copies of each op. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/loops/Unrolling.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::verifier;

namespace {
/// The ops in a loop, and copies of them.
class LoopContents {
public:
  LoopContents(PayloadModel &payload, NodeId loop)
      : payload(payload), loop(loop), isKnown(collect(loop)) {}

  /// Whether they are all known, one by one.
  bool areKnown() const { return isKnown; }
  size_t size() const { return inside.size(); }
  /// Whether they are no more than what ends the body.
  bool areNone() const {
    return llvm::all_of(inside, [&](NodeId id) { return endsBody(id); });
  }

  /// Puts a copy of them below `ups`, made by `op`. `isFirst`: it reads what
  /// the loop begins with. `ends`: what ends the body of the loop, too.
  void copyTo(const SmallVector<Up, 1> &ups, Operation *op, bool isFirst,
              bool ends) {
    llvm::DenseMap<NodeId, NodeId> copies;
    for (NodeId id : inside) {
      const Node &old = payload[id];
      if (!ends && endsBody(id))
        continue;
      Node copy = makeBeside(old, op);
      auto above = copies.find(old.ups.front().node);
      copy.ups = above == copies.end()
                     ? ups
                     : SmallVector<Up, 1>{{above->second, UpKind::Inside}};
      copy.body = old.body;
      copy.bodySince = old.bodySince;
      copy.tags = old.tags;
      copy.isCopy = old.isCopy;
      copy.space = old.space;
      copy.loop = old.loop;
      copy.producers = old.producers;
      unsigned numInits = old.space ? old.space->numInits : 0;
      for (auto [i, producer] : llvm::enumerate(copy.producers)) {
        auto copied = copies.find(producer);
        if (copied != copies.end())
          producer = copied->second;
        // Later steps go on from what earlier ones have made.
        else if (!isFirst && i + numInits >= copy.producers.size())
          producer = PayloadModel::universe;
      }
      NodeId made = payload.add(std::move(copy));
      copies[id] = made;
      if (payload[id].space || !payload[id].hasBelow)
        payload.inheritContents(id, made);
      else
        payload.inheritIntroduced(id, made);
    }
  }

private:
  bool endsBody(NodeId id) const {
    const Node &node = payload[id];
    return node.ups.front().node == loop &&
           node.kind->hasTrait<OpTrait::IsTerminator>();
  }

  bool collect(NodeId holder) {
    for (NodeId id : payload.getDirectlyBelow(holder)) {
      const Node &node = payload[id];
      if (node.present == Certainty::No)
        continue;
      // Nodes for ops that have nodes of their own, or that are hidden, become
      // uncertain with the loop.
      if (!node.exact && !node.fresh)
        continue;
      bool isOne = node.exact && node.kind && node.present == Certainty::Yes &&
                   node.count.isExactly(1) && node.ups.size() == 1 &&
                   !node.ups.front().isLoose() &&
                   node.ups.front().kind == UpKind::Inside;
      if (!isOne || inside.size() > maxInside)
        return false;
      inside.push_back(id);
      if (!node.space && node.hasBelow && !collect(id))
        return false;
    }
    return true;
  }

  static constexpr size_t maxInside = 64;
  PayloadModel &payload;
  NodeId loop;
  SmallVector<NodeId> inside;
  bool isKnown;
};
} // namespace

bool formwork::verifier::unrollKnown(const Step &step, NodeId loop,
                                     int64_t factor) {
  PayloadModel &payload = step.payload;
  const Node old = payload[loop];
  bool isKnown = isKind<scf::ForOp>(old) && old.exact &&
                 old.present == Certainty::Yes && old.count.isExactly(1) &&
                 old.loop && old.loop->trips.size() == 1 &&
                 old.loop->trips.front().size && !payload.isGone(loop) &&
                 old.ups.size() == 1 && !old.ups.front().isLoose() &&
                 step.state.memory.isEmpty();
  if (!isKnown)
    return false;
  int64_t trips = *old.loop->trips.front().size;
  if (factor < 1 || trips < 1)
    return false;
  // Without enough steps there is no copy.
  if (trips < factor)
    factor = 1;
  LoopContents contents(payload, loop);
  int64_t rest = trips % factor;
  constexpr int64_t mostCopies = 256;
  bool isCopied = contents.areKnown() && factor < mostCopies &&
                  contents.size() * (factor + 1) <= mostCopies;
  // Upstream leaves a loop alone that holds nothing.
  if (!isCopied || contents.areNone())
    return false;

  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  llvm::append_range(introduces, old.introducedBelow.getPatterns());
  // Upstream goes by constant bounds.
  int64_t stride = old.loop->step, done = stride * (trips - rest);
  bool endsWithRest = rest != 0;
  // A loop of `steps`, or what stands around it where one is left.
  auto addLoop = [&](int64_t steps, int64_t range,
                     int64_t by) -> SmallVector<Up, 1> {
    if (steps == 1)
      return old.ups;
    Node made = makeBeside(old, step.op);
    made.tags = old.tags;
    auto facts = std::make_shared<LoopFacts>(*old.loop);
    facts->trips.front() = Extent();
    facts->trips.front().size = steps;
    facts->range = old.loop->range > 0 ? range : 0;
    facts->step = by;
    facts->endsOpen = false;
    made.loop = std::move(facts);
    NodeId id = payload.add(std::move(made));
    payload.touch(id, introduces, {});
    return {{id, UpKind::Inside}};
  };
  SmallVector<Up, 1> main = addLoop(
      trips / factor, endsWithRest ? done : old.loop->range, stride * factor);
  for (int64_t i = 0; i < factor; ++i)
    contents.copyTo(main, step.op, /*isFirst=*/i == 0,
                    /*ends=*/trips / factor != 1 && i + 1 == factor);
  if (endsWithRest)
    contents.copyTo(addLoop(rest, old.loop->range - done, stride), step.op,
                    /*isFirst=*/false, /*ends=*/rest != 1);
  // Readers of the loop's results now read those of the last iteration.
  for (auto [id, place] : payload.getBelow(loop)) {
    payload.doubt(id);
    payload.forget(id);
  }
  replaceOp(step, loop, PayloadModel::universe);
  applyWriteOf(step, introduces);
  return true;
}
