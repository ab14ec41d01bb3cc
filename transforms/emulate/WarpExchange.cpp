//===- WarpExchange.cpp - What the lanes of a warp exchange ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Launch.h"
#include "transforms/emulate/TensorCore.h"
#include "transforms/emulate/Warp.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace formwork::transforms::emulate {

using State = ThreadContext::State;

uint64_t Launch::waitInWarp(ThreadContext &thread, WarpOp op, uint32_t mask,
                            uint32_t value, uint32_t b, uint32_t c,
                            uint32_t place) {
  thread.state = State::InWarp;
  thread.place = place;
  thread.warpOp = op;
  thread.mask = mask;
  thread.value = value;
  thread.b = b;
  thread.c = c;
  suspend(thread);
  return thread.result;
}

void Launch::waitForMatrix(ThreadContext &thread, uint32_t op,
                           uint32_t *fragment, uint32_t place) {
  thread.fragment = fragment;
  waitInWarp(thread, WarpOp::Matrix, ~uint32_t(0), op, 0, 0, place);
}

/// Lane 8 i + r has the address of row r of matrix i.
static bool hasRow(const ThreadContext &thread, uint32_t op) {
  return thread.lane < 8u * MatrixOp::decode(op).count;
}
static constexpr uint64_t rowBytes = 16;

void Launch::loadMatrix(ThreadContext &thread, std::byte *address, uint32_t op,
                        uint32_t *fragment, uint32_t place) {
  // Only a race can change the row until the other lanes are here.
  if (hasRow(thread, op))
    std::memcpy(fragment, access(thread, address, rowBytes, place), rowBytes);
  waitForMatrix(thread, op, fragment, place);
}

void Launch::storeMatrix(ThreadContext &thread, std::byte *address, uint32_t op,
                         uint32_t *fragment, uint32_t place) {
  waitForMatrix(thread, op, fragment, place);
  if (hasRow(thread, op))
    std::memcpy(access(thread, address, rowBytes, place), fragment, rowBytes);
}

/// The lane whose value a shuffle gives to `thread`, and whether it lies in the
/// segment that the operand `c` describes.
/// Source: PTX ISA, shfl.sync.
static std::pair<uint32_t, bool> getShuffleSource(const ThreadContext &thread) {
  uint32_t lane = thread.lane, b = thread.b & 31;
  uint32_t clamp = thread.c & 31, segment = thread.c >> 8 & 31;
  uint32_t maxLane = (lane & segment) | (clamp & ~segment);
  switch (thread.warpOp) {
  case WarpOp::ShuffleUp: {
    int source = int(lane) - int(b);
    return {source, source >= int(maxLane)};
  }
  case WarpOp::ShuffleDown:
    return {lane + b, lane + b <= maxLane};
  case WarpOp::ShuffleBfly:
    return {lane ^ b, (lane ^ b) <= maxLane};
  default: {
    uint32_t source = (lane & segment) | (b & ~segment);
    return {source, source <= maxLane};
  }
  }
}

static uint32_t reduce(WarpOp op, uint32_t a, uint32_t b) {
  switch (op) {
  case WarpOp::ReduceAdd:
    return a + b;
  case WarpOp::ReduceAnd:
    return a & b;
  case WarpOp::ReduceOr:
    return a | b;
  case WarpOp::ReduceXor:
    return a ^ b;
  case WarpOp::ReduceMin:
    return std::min<int32_t>(a, b);
  case WarpOp::ReduceMax:
    return std::max<int32_t>(a, b);
  case WarpOp::ReduceUMin:
    return std::min(a, b);
  default:
    return std::max(a, b);
  }
}

static uint64_t getMatchValue(const ThreadContext &thread) {
  return thread.value | uint64_t(thread.b) << 32;
}

/// The result for `thread` of an exchange among `lanes`, which include it.
static uint64_t getResult(const ThreadContext &thread,
                          llvm::ArrayRef<ThreadContext *> lanes) {
  auto isTrue = [](const ThreadContext *lane) { return lane->value != 0; };
  switch (thread.warpOp) {
  case WarpOp::Sync:
    return 0;
  case WarpOp::ShuffleIdx:
  case WarpOp::ShuffleUp:
  case WarpOp::ShuffleDown:
  case WarpOp::ShuffleBfly: {
    auto [source, inside] = getShuffleSource(thread);
    if (!inside)
      return thread.value;
    uint64_t predicate = uint64_t(1) << 32;
    for (const ThreadContext *lane : lanes)
      if (lane->lane == source)
        return predicate | lane->value;
    // The value of a lane that takes no part is undefined: make it visible.
    return predicate | ~uint32_t(0);
  }
  case WarpOp::VoteAll:
    return llvm::all_of(lanes, isTrue);
  case WarpOp::VoteAny:
    return llvm::any_of(lanes, isTrue);
  case WarpOp::VoteUni:
    return llvm::all_of(lanes, isTrue) || llvm::none_of(lanes, isTrue);
  case WarpOp::VoteBallot: {
    uint32_t ballot = 0;
    for (const ThreadContext *lane : lanes)
      ballot |= uint32_t(isTrue(lane)) << lane->lane;
    return ballot;
  }
  case WarpOp::MatchAny:
  case WarpOp::MatchAll: {
    uint32_t equal = 0, all = 0;
    for (const ThreadContext *lane : lanes) {
      all |= uint32_t(1) << lane->lane;
      if (getMatchValue(*lane) == getMatchValue(thread))
        equal |= uint32_t(1) << lane->lane;
    }
    if (thread.warpOp == WarpOp::MatchAny)
      return equal;
    return equal == all ? uint64_t(1) << 32 | all : 0;
  }
  default: {
    uint32_t result = lanes.front()->value;
    for (const ThreadContext *lane : lanes.drop_front())
      result = reduce(thread.warpOp, result, lane->value);
    return result;
  }
  }
}

llvm::MutableArrayRef<ThreadContext>
Launch::getWarp(const ThreadContext &thread) {
  llvm::MutableArrayRef<ThreadContext> from(threads);
  from = from.drop_front(thread.warp * warpSize);
  return from.take_front(warpSize);
}

void Launch::releaseWarp(const ThreadContext &thread) {
  llvm::MutableArrayRef<ThreadContext> warp = getWarp(thread);
  WarpState &state = warps[thread.warp];
  WarpOp op = thread.warpOp;
  uint32_t mask = thread.mask;
  uint32_t all =
      warp.size() == warpSize ? ~uint32_t(0) : (uint32_t(1) << warp.size()) - 1;
  uint32_t expected = mask & all;
  // Nobody left may be missing from a matrix instruction.
  if (op != WarpOp::Matrix)
    expected &= ~state.done;
  // A thread outside of its own mask waits forever; the block reports it.
  if (op == WarpOp::ActiveMask || (expected & ~state.waiting) != 0 ||
      (expected >> thread.lane & 1) == 0 ||
      (op == WarpOp::Matrix && warp.size() != warpSize))
    return;
  llvm::SmallVector<ThreadContext *, warpSize> lanes;
  for (ThreadContext &lane : warp) {
    if ((expected >> lane.lane & 1) == 0)
      continue;
    if (lane.warpOp != op || lane.mask != mask ||
        (op == WarpOp::Matrix && lane.place != thread.place))
      return;
    lanes.push_back(&lane);
  }
  state.waiting &= ~expected;
  if (op == WarpOp::Matrix) {
    Fragments fragments;
    for (ThreadContext *lane : lanes)
      fragments[lane->lane] = lane->fragment;
    applyMatrixOp(MatrixOp::decode(thread.value), fragments);
    for (ThreadContext *lane : lanes)
      lane->state = State::Ready;
    return;
  }
  bool ordersWarp = op == WarpOp::Sync && expected == (all & ~state.done);
  for (ThreadContext *lane : lanes) {
    lane->result = getResult(*lane, lanes);
    if (ordersWarp)
      ++lane->warpEpoch;
  }
  for (ThreadContext *lane : lanes) {
    lane->state = State::Ready;
    if (ordersWarp)
      renewCopies(*lane);
  }
}

bool Launch::releaseActiveLanes() {
  auto asks = [](const ThreadContext &thread) {
    return thread.state == State::InWarp && thread.warpOp == WarpOp::ActiveMask;
  };
  bool released = false;
  for (ThreadContext &thread : threads) {
    if (!asks(thread))
      continue;
    released = true;
    llvm::SmallVector<ThreadContext *, warpSize> lanes;
    uint32_t active = 0;
    for (ThreadContext &lane : getWarp(thread)) {
      if (!asks(lane) || lane.place != thread.place)
        continue;
      lanes.push_back(&lane);
      active |= uint32_t(1) << lane.lane;
    }
    warps[thread.warp].waiting &= ~active;
    for (ThreadContext *lane : lanes) {
      lane->result = active;
      lane->state = State::Ready;
    }
  }
  return released;
}

} // namespace formwork::transforms::emulate
