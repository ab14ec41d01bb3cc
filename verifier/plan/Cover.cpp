//===- Cover.cpp - Cheapest sets that cover everything ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Cover.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <optional>
#include <tuple>

using namespace llvm;
using namespace formwork::verifier;

namespace {
/// The values that are compared before the order of the sets.
struct Cost {
  uint64_t count = 0, weight = 0, points = 0;

  Cost operator+(const CoverSet &set) const {
    return {count + 1, weight + set.weight, points + set.point};
  }
  bool operator<(const Cost &other) const {
    return std::tuple(count, weight, other.points) <
           std::tuple(other.count, other.weight, points);
  }
};

/// The elements that are joined by sets, with those sets.
class Component {
public:
  Component(ArrayRef<CoverSet> all, SmallVector<unsigned> elements,
            SmallVector<unsigned> sets)
      : all(all), elements(std::move(elements)), sets(std::move(sets)) {
    dropDominated();
    for (unsigned set : this->sets)
      for (unsigned element : all[set].elements)
        holders[element].push_back(set);
  }

  /// Adds the least cover to `cover`.
  void solve(Cover &cover, unsigned maxNodes);

private:
  void dropDominated();
  /// Sets and weight that the elements not covered cost at least.
  std::pair<uint64_t, uint64_t> boundRest() const;
  void search(const Cost &cost);
  void solveGreedily();
  void take(unsigned set, int by) {
    for (unsigned element : all[set].elements)
      covered[element] += by;
  }
  bool isBetter(const Cost &cost) const;

  ArrayRef<CoverSet> all;
  SmallVector<unsigned> elements, sets;
  std::map<unsigned, SmallVector<unsigned>> holders;
  std::map<unsigned, int> covered;
  SmallVector<unsigned> chosen;
  SmallVector<unsigned> excluded;
  std::optional<Cost> bestCost;
  SmallVector<unsigned> best;
  unsigned nodesLeft = 0;
};
} // namespace

void Component::dropDominated() {
  // A set that another replaces in every cover, which is then cheaper.
  auto isDominated = [&](unsigned set) {
    return any_of(sets, [&](unsigned other) {
      const CoverSet &a = all[set], &b = all[other];
      return other != set &&
             std::tuple(b.weight, a.point, other) <
                 std::tuple(a.weight, b.point, set) &&
             std::includes(b.elements.begin(), b.elements.end(),
                           a.elements.begin(), a.elements.end());
    });
  };
  SmallVector<unsigned> kept;
  copy_if(sets, std::back_inserter(kept),
          [&](unsigned set) { return !isDominated(set); });
  sets = std::move(kept);
}

std::pair<uint64_t, uint64_t> Component::boundRest() const {
  // Elements of which no two are in one set need a set each.
  uint64_t count = 0, weight = 0;
  SmallDenseSet<unsigned> used;
  for (unsigned element : elements) {
    auto it = covered.find(element);
    if (it != covered.end() && it->second != 0)
      continue;
    const SmallVector<unsigned> &sets = holders.at(element);
    if (any_of(sets, [&](unsigned set) { return used.contains(set); }))
      continue;
    used.insert(sets.begin(), sets.end());
    ++count;
    uint64_t least = all[sets.front()].weight;
    for (unsigned set : sets)
      least = std::min(least, all[set].weight);
    weight += least;
  }
  return {count, weight};
}

bool Component::isBetter(const Cost &cost) const {
  if (!bestCost || cost < *bestCost)
    return true;
  if (*bestCost < cost)
    return false;
  SmallVector<unsigned> ordered(chosen);
  sort(ordered);
  return ordered < best;
}

void Component::search(const Cost &cost) {
  if (nodesLeft == 0)
    return;
  --nodesLeft;
  auto [restCount, restWeight] = boundRest();
  if (restCount == 0) {
    if (isBetter(cost)) {
      bestCost = cost;
      best = chosen;
      sort(best);
    }
    return;
  }
  if (bestCost && std::pair(cost.count + restCount, cost.weight + restWeight) >
                      std::pair(bestCost->count, bestCost->weight))
    return;
  // The element that leaves the fewest choices.
  SmallVector<unsigned> choices;
  bool found = false;
  for (unsigned element : elements) {
    if (covered[element] != 0)
      continue;
    SmallVector<unsigned> open;
    copy_if(holders[element], std::back_inserter(open),
            [&](unsigned set) { return !is_contained(excluded, set); });
    if (!found || open.size() < choices.size())
      choices = std::move(open);
    found = true;
  }
  size_t numExcluded = excluded.size();
  for (unsigned set : choices) {
    chosen.push_back(set);
    take(set, 1);
    search(cost + all[set]);
    take(set, -1);
    chosen.pop_back();
    // The branch that takes the set was searched.
    excluded.push_back(set);
  }
  excluded.resize(numExcluded);
}

void Component::solveGreedily() {
  covered.clear();
  chosen.clear();
  auto countNew = [&](unsigned set) {
    return count_if(all[set].elements,
                    [&](unsigned element) { return covered[element] == 0; });
  };
  for (;;) {
    std::optional<unsigned> next;
    for (unsigned set : sets)
      if (countNew(set) != 0 && (!next || countNew(set) > countNew(*next)))
        next = set;
    if (!next)
      break;
    chosen.push_back(*next);
    take(*next, 1);
  }
  for (size_t i = 0; i < chosen.size();) {
    unsigned set = chosen[i];
    if (all_of(all[set].elements,
               [&](unsigned element) { return covered[element] > 1; })) {
      take(set, -1);
      chosen.erase(chosen.begin() + i);
    } else {
      ++i;
    }
  }
  Cost cost;
  for (unsigned set : chosen)
    cost = cost + all[set];
  if (isBetter(cost)) {
    bestCost = cost;
    best = chosen;
  }
}

void Component::solve(Cover &cover, unsigned maxNodes) {
  unsigned bound = boundRest().first;
  nodesLeft = maxNodes;
  search(Cost());
  bool exact = nodesLeft != 0;
  if (!exact)
    solveGreedily();
  cover.exact &= exact;
  cover.lowerBound += exact ? best.size() : bound;
  cover.chosen.append(best);
}

Cover formwork::verifier::solveCover(unsigned numElements,
                                     ArrayRef<CoverSet> sets,
                                     unsigned maxNodes) {
  Cover cover;
  EquivalenceClasses<unsigned> joined;
  for (const CoverSet &set : sets)
    for (unsigned element : set.elements)
      joined.unionSets(set.elements.front(), element);
  std::map<unsigned, std::pair<SmallVector<unsigned>, SmallVector<unsigned>>>
      components;
  for (unsigned element = 0; element < numElements; ++element) {
    auto leader = joined.findLeader(element);
    if (leader == joined.member_end())
      cover.uncoverable.push_back(element);
    else
      components[*leader].first.push_back(element);
  }
  for (unsigned set = 0; set < sets.size(); ++set)
    if (!sets[set].elements.empty())
      components[*joined.findLeader(sets[set].elements.front())]
          .second.push_back(set);
  for (auto &[leader, parts] : components)
    Component(sets, std::move(parts.first), std::move(parts.second))
        .solve(cover, maxNodes);
  sort(cover.chosen);
  return cover;
}
