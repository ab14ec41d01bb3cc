//===- WarpExchange.cpp - What the lanes of a warp exchange ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Launch.h"

#include "llvm/ADT/STLExtras.h"

namespace formwork::transforms::emulate {

using State = ThreadContext::State;

static constexpr uint32_t warpSize = 32;

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

/// What `thread` gets from an exchange among `lanes`, itself one of them.
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
  default: {
    uint32_t result = lanes.front()->value;
    for (const ThreadContext *lane : lanes.drop_front())
      result = reduce(thread.warpOp, result, lane->value);
    return result;
  }
  }
}

void Launch::releaseWarp(const ThreadContext &thread) {
  llvm::SmallVector<ThreadContext *, warpSize> lanes;
  WarpOp op = thread.warpOp;
  uint32_t mask = thread.mask;
  bool wholeWarp = true;
  for (uint32_t i = thread.warp * warpSize,
                end = std::min<uint32_t>(i + warpSize, threads.size());
       i != end; ++i) {
    ThreadContext &lane = threads[i];
    if (lane.state == State::Done)
      continue;
    if ((mask >> lane.lane & 1) == 0) {
      wholeWarp = false;
      continue;
    }
    if (lane.state != State::InWarp || lane.warpOp != op || lane.mask != mask)
      return;
    lanes.push_back(&lane);
  }
  // A thread outside of its own mask waits forever; the block reports it.
  if (!llvm::is_contained(lanes, &thread))
    return;
  for (ThreadContext *lane : lanes) {
    lane->result = getResult(*lane, lanes);
    if (op == WarpOp::Sync && wholeWarp)
      ++lane->warpEpoch;
  }
  for (ThreadContext *lane : lanes) {
    lane->state = State::Ready;
    if (op == WarpOp::Sync && wholeWarp)
      renewCopies(*lane);
  }
}

} // namespace formwork::transforms::emulate
