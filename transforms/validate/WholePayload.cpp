//===- WholePayload.cpp - Claims about all of the payload -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/WholePayload.h"

#include <map>

using namespace mlir;
using namespace formwork::transforms;
using namespace formwork::verifier;

namespace {
/// The claimed number of ops, and the actual one.
struct Tally {
  Count claimed = {0, 0};
  int64_t actual = 0;
};
using Tallies = std::map<std::string, Tally>;
} // namespace

static void addClaim(Tally &tally, const Node &node, Certainty place) {
  bool isSure = place == Certainty::Yes && node.present == Certainty::Yes;
  tally.claimed =
      tally.claimed + Count{isSure ? node.count.lo : 0, node.count.hi};
}

static std::optional<OpDifference>
compareTallies(const Tallies &tallies, const Twine &what, uint64_t &numFacts) {
  for (const auto &[name, tally] : tallies) {
    ++numFacts;
    if (tally.claimed.lo <= tally.actual && tally.actual <= tally.claimed.hi)
      continue;
    return OpDifference{stringify(tally.claimed) + (" " + what).str() + " '" +
                            name + "' in the payload",
                        std::to_string(tally.actual)};
  }
  return std::nullopt;
}

std::optional<OpDifference>
formwork::transforms::compareWhole(const PayloadModel &model, NodeId root,
                                   Operation *top, uint64_t &numFacts) {
  MLIRContext *context = top->getContext();
  Tallies kinds, tags;
  top->walk([&](Operation *op) {
    ++kinds[op->getName().getStringRef().str()].actual;
    for (NamedAttribute tag : op->getDiscardableAttrs())
      ++tags[tag.getName().str()].actual;
  });
  auto isKnown = [](const Node &node) { return node.exact && node.kind; };
  SmallVector<std::pair<NodeId, Certainty>> below =
      model.getBelow(root, isKnown);
  below.push_back({root, Certainty::Yes});
  for (auto [id, place] : below) {
    const Node &node = model[id];
    if (!isKnown(node) || model.isGone(id))
      continue;
    addClaim(kinds[node.kind->getStringRef().str()], node, place);
    // An op of which the attributes are not known may have any.
    for (auto &[name, tally] : tags) {
      auto tag = StringAttr::get(context, name);
      bool isOpen = node.tags.isOpen(tag);
      if (isOpen || node.tags.get(tag))
        addClaim(tally, node, isOpen ? Certainty::Maybe : place);
    }
  }
  // Ops that may exist without a node have no limit.
  for (auto &[name, tally] : kinds)
    if (model.mayHide(root, [&, &name = name](const KindSet &hidden) {
          return hidden.contains(KindPattern::of(name));
        }))
      tally.claimed.hi = Count::unbounded;
  for (auto &[name, tally] : tags)
    if (model.mayHideTag(StringAttr::get(context, name)))
      tally.claimed.hi = Count::unbounded;
  if (auto difference = compareTallies(kinds, "ops of kind", numFacts))
    return difference;
  return compareTallies(tags, "ops with the attribute", numFacts);
}
