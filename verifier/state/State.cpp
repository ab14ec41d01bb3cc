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
    // A handle to payload that may not exist cannot be certainly invalid.
    const Node &held = payload[node];
    bool wasDoubted =
        held.doubtedSince != 0 && held.doubtedSince < found.event.time;
    bool isOwn = llvm::any_of(held.consumed, [&](const Consumption &event) {
      return event.time == found.event.time;
    });
    bool isUnasked = found.event.time < handle.unaskedUntil && !isOwn;
    bool isDoubtful = held.count.lo == 0 || wasDoubted || isUnasked ||
                      handle.mayBeForgotten(payload);
    if (found.certainty == Certainty::Yes && isDoubtful)
      found.certainty = Certainty::Maybe;
    if (found.certainty > worst.certainty)
      worst = {found.certainty, found.event.by, node, found.event,
               /*direct=*/false};
  }
  return worst;
}

HandleState &State::setHandle(Value value) {
  auto [mine, isNew] = handles.findOrAdd(value);
  bool wasLetGo = mine.forsaken && !followsForsaken;
  if (isNew || wasLetGo || isSettled(value, mine))
    following.push_back(value);
  if (!isNew)
    mine = HandleState();
  mine.number = ++numHandles;
  return mine;
}

bool State::isSettled(Value value, const HandleState &handle) const {
  return handle.kind == HandleState::Params || handle.consumedBy ||
         (value.use_empty() && llvm::all_of(handle.nodes, [&](NodeId id) {
            return llvm::is_contained(unused, id);
          }));
}

bool State::isDoneWith(Value value) const {
  const HandleState &handle = *handles.find(value);
  return (handle.forsaken && !followsForsaken) || isSettled(value, handle);
}

void State::forEachFollowing(
    llvm::function_ref<bool(Value)> isForsaken,
    llvm::function_ref<void(Value, HandleState &)> fn) {
  llvm::erase_if(following, [&](Value value) {
    if (isDoneWith(value))
      return true;
    HandleState &handle = *handles.find(value);
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

bool HandleState::mayBeForgotten(const PayloadModel &payload) const {
  return kind == Values && !nodes.empty() &&
         llvm::none_of(nodes, [&](NodeId id) {
           const Node &node = payload[id];
           return node.present == Certainty::Yes &&
                  (node.op || !node.kind || !mayBeLoop(node));
         });
}

void HandleState::join(const HandleState &other) {
  since = std::min(since, other.since);
  joinDistinct(other);
  reported |= other.reported;
  forsaken |= other.forsaken;
  if (consumedBy != other.consumedBy) {
    consumedBy = consumedBy ? consumedBy : other.consumedBy;
    consumedForSure = false;
  }
  consumedForSure &= other.consumedForSure;
}

void State::fork() {
  payload.fork();
  handles.fork();
  pathsBefore.push_back(*this);
}

State::Branch State::leave() {
  PathState &path = *this;
  return {payload.leave(), handles.leave(),
          std::exchange(path, pathsBefore.back())};
}

void State::take(Branch &&branch) {
  payload.take(std::move(branch.payload));
  handles.take(std::move(branch.handles));
  static_cast<PathState &>(*this) = std::move(branch.path);
  static_cast<PathContext &>(*this) = getBeforeFork();
}

bool State::dropBuffersOfPath() {
  const WorkgroupMemory &before = getBeforeFork().memory;
  bool allocates = !memory.hasBuffersOf(before);
  memory.uses = before.uses;
  return allocates;
}

void State::endFork() {
  payload.endFork();
  handles.endFork();
  pathsBefore.pop_back();
}

void State::join(Branch &&other, bool inPart) {
  payload.join(std::move(other.payload), inPart);
  handles.join(std::move(other.handles));
  forms.join(other.path.forms);
  static_cast<PathContext &>(*this) = getBeforeFork();
  mayHaveLeft |= other.path.mayHaveLeft;
  for (solver::BoolTerm term : other.path.assumed)
    if (llvm::none_of(assumed, [&](solver::BoolTerm mine) {
          return mine.getNode() == term.getNode();
        }))
      assumed.push_back(term);
  memory.join(std::move(other.path.memory), getBeforeFork().memory, guard);
  vectors.join(other.path.vectors);
  // The nodes of the other path have other numbers.
  unused.clear();
  if (followsForsaken) {
    following.clear();
    handles.forEach(
        [&](Value value, const HandleState &) { following.push_back(value); });
  } else {
    llvm::append_range(following, other.path.following);
  }
  llvm::erase_if(following, [&](Value value) { return isDoneWith(value); });
  // The same order, whichever path was taken first.
  const HandleTable &table = handles;
  llvm::sort(following, [&](Value a, Value b) {
    return table.find(a)->number < table.find(b)->number;
  });
  following.erase(llvm::unique(following), following.end());
}
