//===- State.cpp - What is known at a point of a schedule -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/State.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork::verifier;

HandleState::Kind formwork::verifier::kindOfHandle(Type type) {
  if (isa<transform::TransformValueHandleTypeInterface>(type))
    return HandleState::Values;
  return isa<transform::TransformHandleTypeInterface>(type)
             ? HandleState::Ops
             : HandleState::Params;
}

HandleInvalidation State::getInvalidation(const HandleState &handle) const {
  HandleInvalidation worst;
  if (handle.kind == HandleState::Params)
    return worst;
  if (handle.consumedBy) {
    worst.certainty =
        handle.consumedForSure ? Certainty::Yes : Certainty::Maybe;
    worst.by = handle.consumedBy;
    worst.direct = true;
    return worst;
  }
  for (NodeId node : handle.nodes) {
    Invalidation found = payload.getInvalidation(node, handle.since);
    // Of payload that may not be there, nothing can be invalid for sure.
    const Node &held = payload[node];
    bool wasDoubted =
        held.doubtedSince != 0 && held.doubtedSince < found.event.time;
    bool isOwn = llvm::any_of(held.consumed, [&](const Consumption &event) {
      return event.time == found.event.time;
    });
    bool isUnasked = found.event.time < handle.unaskedUntil && !isOwn;
    if (found.certainty == Certainty::Yes &&
        (held.count.lo == 0 || wasDoubted || isUnasked))
      found.certainty = Certainty::Maybe;
    if (found.certainty > worst.certainty)
      worst = {found.certainty, found.event.by, node, found.event,
               /*direct=*/false};
  }
  return worst;
}

HandleState &State::setHandle(Value value, HandleState handle) {
  auto [it, isNew] = handles.try_emplace(value);
  bool wasLetGo = it->second.forsaken && !followsForsaken;
  if (isNew || wasLetGo || isSettled(value, it->second))
    following.push_back(value);
  it->second = std::move(handle);
  it->second.number = ++numHandles;
  return it->second;
}

bool State::isSettled(Value value, const HandleState &handle) const {
  return handle.kind == HandleState::Params || handle.consumedBy ||
         (value.use_empty() && llvm::all_of(handle.nodes, [&](NodeId id) {
            return llvm::is_contained(unused, id);
          }));
}

void State::forEachFollowing(
    llvm::function_ref<bool(Value)> isForsaken,
    llvm::function_ref<void(Value, HandleState &)> fn) {
  llvm::erase_if(following, [&](Value value) {
    HandleState &handle = handles.find(value)->second;
    if (isSettled(value, handle))
      return true;
    handle.forsaken = handle.forsaken || isForsaken(value);
    if (handle.forsaken && !followsForsaken)
      return true;
    fn(value, handle);
    return false;
  });
}

NodeId State::addUnused(Node node) {
  for (NodeId id : unused) {
    const Node &old = payload[id];
    if (old.kind != node.kind || old.present != node.present ||
        old.ups.size() != 1 || old.ups.front().node != node.ups.front().node ||
        old.ups.front().kind != node.ups.front().kind ||
        old.count.hi != node.count.hi || !old.consumed.empty())
      continue;
    payload.edit(id).createdAt = payload.time();
    return id;
  }
  unused.push_back(payload.add(std::move(node)));
  return unused.back();
}

void State::join(const State &before, const State &other, bool inPart) {
  payload.join(before.payload, other.payload, inPart);
  forms.join(other.forms);
  // The nodes of the other path have other numbers.
  unused.clear();
  for (const auto &[value, theirs] : other.handles) {
    auto [it, isNew] = handles.try_emplace(value, theirs);
    if (isNew)
      continue;
    HandleState &mine = it->second;
    mine.since = std::min(mine.since, theirs.since);
    mine.joinDistinct(theirs);
    mine.reported |= theirs.reported;
    mine.forsaken |= theirs.forsaken;
    if (mine.consumedBy != theirs.consumedBy) {
      mine.consumedBy = mine.consumedBy ? mine.consumedBy : theirs.consumedBy;
      mine.consumedForSure = false;
    }
    mine.consumedForSure &= theirs.consumedForSure;
  }
  numHandles = std::max(numHandles, other.numHandles);
  following.clear();
  for (const auto &[value, handle] : handles)
    if (!handle.forsaken || followsForsaken)
      following.push_back(value);
  // Not in the order of addresses.
  llvm::sort(following, [&](Value a, Value b) {
    return handles.find(a)->second.number < handles.find(b)->second.number;
  });
}
