//===- Launch.cpp - The execution of one launch ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks, fibers and barriers. The exchange between lanes of a warp is in
// WarpExchange.cpp, and workgroup memory in WorkgroupAccess.cpp.
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Launch.h"
#include "transforms/emulate/Warp.h"

#include "engine/Progress.h"

#include "llvm/Support/MathExtras.h"

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <numeric>
#include <random>
#include <set>

namespace formwork::transforms::emulate {

using State = ThreadContext::State;
namespace fcontext = boost::context::detail;

Launch::Launch(const ModuleInfo &module, const LaunchConfig &config,
               Entry entry, void *const *arguments)
    : module(module), kernel(module.kernels.find(config.kernel)->second),
      config(config), entry(entry), arguments(arguments),
      workgroupBytes(
          llvm::alignTo(module.staticBytes + config.dynamicBytes, 16)),
      workgroupMemory(workgroupBytes + module.workgroupAlignment),
      scratch(module.largestAccess),
      samples(config.options.sampledBlocks != 0 &&
              config.kernel == config.options.sampledKernel) {
  workgroup = reinterpret_cast<std::byte *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(workgroupMemory.data()),
                    module.workgroupAlignment));
  if (workgroupBytes != 0)
    shadow.emplace(workgroupBytes, module.granule, kernel.syncsWarps);

  for (const PlaceInfo &place : module.places) {
    Bounds all{0, module.staticBytes + config.dynamicBytes,
               place.alignment - 1};
    if (place.buffer) {
      const WorkgroupBuffer &buffer = module.buffers[*place.buffer];
      all = {buffer.offset, getBufferBytes(buffer), all.misalignment};
    }
    all.throughArgument = place.argument.has_value();
    all.onlyReads = place.kind == AccessKind::Read;
    bounds.push_back(all);
  }
  bindArguments();

  const Dim3 &size = config.block;
  threads.resize(size.count());
  for (uint32_t i = 0; i != threads.size(); ++i) {
    ThreadContext &thread = threads[i];
    thread.thread = getPosition(i, size);
    thread.blockSize = size;
    thread.gridSize = config.grid;
    thread.lane = i % warpSize;
    thread.warp = i / warpSize;
    thread.numWarps = llvm::divideCeil(threads.size(), warpSize);
    thread.dynamicBytes = config.dynamicBytes;
    thread.workgroup = workgroup;
    thread.launch = this;
    thread.index = i;
  }
  warps.resize(llvm::divideCeil(threads.size(), warpSize));
  if (module.profile) {
    blockCounters.resize(module.profile->blocks.size());
    accessCounters.resize(module.profile->accesses.size());
    for (size_t warp = 0; warp != warps.size(); ++warp)
      replays.emplace_back(*module.profile, blockCounters, accessCounters);
  }
  order.resize(threads.size());
  std::iota(order.begin(), order.end(), 0);
}

llvm::Error Launch::run() {
  if (kernel.waits) {
    // The stack of a thread besides its variables: spilled registers, and the
    // frames of the runtime and of called functions.
    constexpr uint64_t reserve = 256 * 1024;
    llvm::Expected<FiberStacks> mapped =
        FiberStacks::map(threads.size(), reserve + 2 * module.localBytes);
    if (!mapped)
      return mapped.takeError();
    stacks.emplace(std::move(*mapped));
  }
  std::mt19937_64 random(config.options.shuffleSeed.value_or(0));
  std::vector<uint64_t> sample;
  if (samples)
    sample = sampleBlocks(config.grid, config.options.sampledBlocks);
  report.numBlocks = samples ? sample.size() : config.grid.count();
  engine::Progress progress("emulating '" + config.kernel + "'",
                            report.numBlocks, "blocks");
  for (uint64_t i = 0; i != report.numBlocks; ++i) {
    block = getPosition(samples ? sample[i] : i, config.grid);
    if (config.options.shuffleSeed)
      std::shuffle(order.begin(), order.end(), random);
    startBlock();
    runBlock();
    if (!report.divergences.empty())
      break;
    progress.advance();
  }
  report.workgroupBytes = kernel.workgroupBytes + config.dynamicBytes;
  if (module.profile)
    report.profile = summarize(*module.profile, blockCounters, accessCounters);
  return llvm::Error::success();
}

std::vector<uint64_t> sampleBlocks(const Dim3 &grid, uint64_t count) {
  std::set<uint64_t> chosen;
  auto getIndex = [&](uint64_t x, uint64_t y, uint64_t z) {
    return (z * grid.y + y) * grid.x + x;
  };
  for (uint32_t z : {0u, grid.z - 1})
    for (uint32_t y : {0u, grid.y - 1})
      for (uint32_t x : {0u, grid.x - 1})
        chosen.insert(getIndex(x, y, z));
  uint64_t total = grid.count();
  if (count >= total)
    for (uint64_t i = 0; i != total; ++i)
      chosen.insert(chosen.end(), i);
  std::mt19937_64 random(0);
  while (chosen.size() < std::min(count, total))
    chosen.insert(random() % total);
  return {chosen.begin(), chosen.end()};
}

void Launch::startBlock() {
  epoch = 0;
  if (shadow) {
    shadow->advanceEpoch();
    // Whatever reads memory that nobody wrote gets a NaN, or -1.
    std::memset(workgroup, 0xFF, workgroupBytes);
  }
  llvm::fill(warps, WarpState());
  for (ThreadContext &thread : threads) {
    thread.block = block;
    thread.state = State::Ready;
    thread.warpEpoch = 0;
    thread.numGroups = 0;
    thread.copies.clear();
    thread.trace = LaneTrace();
  }
  for (auto [i, replay] : llvm::enumerate(replays))
    replay.start(std::min<size_t>(threads.size() - i * warpSize, warpSize));
}

void Launch::countWarp(size_t warp) {
  llvm::SmallVector<LaneTrace *, warpSize> lanes;
  for (ThreadContext &lane : getWarp(threads[warp * warpSize])) {
    lane.trace.done = lane.state == State::Done;
    lanes.push_back(&lane.trace);
  }
  replays[warp].advance(
      lanes, {reinterpret_cast<uintptr_t>(workgroup), workgroupBytes});
}

void Launch::countBlock() {
  for (size_t warp = 0; warp != replays.size(); ++warp)
    countWarp(warp);
}

namespace {
/// The arguments of a new fiber.
struct FiberStart {
  ThreadContext &thread;
  Launch::Entry entry;
  void *const *arguments;
  void **scheduler;
};
} // namespace

static void fiberMain(fcontext::transfer_t transfer) {
  FiberStart start = *static_cast<FiberStart *>(transfer.data);
  *start.scheduler = transfer.fctx;
  start.entry(&start.thread, start.arguments);
  // A finished fiber is left for good: its stack holds nothing to clean up.
  fcontext::jump_fcontext(*start.scheduler, nullptr);
}

void Launch::runBlock() {
  if (!kernel.waits) {
    for (auto [i, index] : llvm::enumerate(order)) {
      entry(&threads[index], arguments);
      // Without an order of its own, warp by warp: traces can be long.
      if (!replays.empty() && !config.options.shuffleSeed &&
          (i % warpSize == warpSize - 1 || i + 1 == order.size()))
        countWarp(i / warpSize);
    }
    countBlock();
    return;
  }
  for (ThreadContext &thread : threads)
    thread.fiber = nullptr;
  // One warp after the other, as far as each comes, keeps few stacks at work.
  const size_t together = config.options.shuffleSeed ? order.size() : warpSize;
  do {
    for (llvm::ArrayRef<uint32_t> rest = order; !rest.empty();
         rest = rest.drop_front(std::min(together, rest.size())))
      while (runReady(rest.take_front(together)))
        continue;
    if (llvm::all_of(threads, [](const ThreadContext &thread) {
          return thread.state == State::AtBarrier ||
                 thread.state == State::Done;
        }))
      countBlock();
  } while (releaseActiveLanes() || releaseBarrier());
}

bool Launch::runReady(llvm::ArrayRef<uint32_t> indices) {
  bool ran = false;
  for (uint32_t index : indices) {
    if (threads[index].state != State::Ready)
      continue;
    resume(threads[index]);
    ran = true;
  }
  return ran;
}

void Launch::resume(ThreadContext &thread) {
  FiberStart start{thread, entry, arguments, &scheduler};
  void *data = nullptr;
  if (!thread.fiber) {
    thread.fiber = fcontext::make_fcontext(stacks->getTop(thread.index),
                                           stacks->getBytes(), fiberMain);
    data = &start;
  }
  thread.fiber = fcontext::jump_fcontext(thread.fiber, data).fctx;
  WarpState &warp = warps[thread.warp];
  if (thread.state == State::InWarp) {
    warp.waiting |= uint32_t(1) << thread.lane;
    releaseWarp(thread);
  } else if (thread.state == State::Done) {
    // A lane that left does not keep its warp waiting any longer.
    warp.done |= uint32_t(1) << thread.lane;
    for (const ThreadContext &lane : getWarp(thread))
      if (lane.state == State::InWarp)
        releaseWarp(lane);
  }
}

void Launch::suspend(ThreadContext &thread) {
  scheduler = fcontext::jump_fcontext(scheduler, nullptr).fctx;
}

void Launch::failAssertion(ThreadContext &thread, uint32_t place) {
  report.failedAssertions.add(place, place, [&] {
    const PlaceInfo &info = module.places[place];
    return FailedAssertion{info.place, info.message, thread.thread,
                           config.kernel, block};
  });
}

void Launch::exit(ThreadContext &thread, uint32_t place) {
  finishAllCopies(thread);
  thread.state = State::Done;
  thread.place = place;
}

uint32_t Launch::waitAtBarrier(ThreadContext &thread, uint32_t barrier,
                               BarrierOp op, uint32_t value, uint32_t place) {
  thread.state = State::AtBarrier;
  thread.place = place;
  thread.barrier = barrier;
  thread.barrierOp = op;
  thread.value = value;
  suspend(thread);
  return thread.result;
}

void Launch::reportDivergence(BarrierDivergence::Kind kind,
                              const ThreadContext &waiting,
                              const ThreadContext &other) {
  report.divergences.add(waiting.place, other.place, [&] {
    return BarrierDivergence{kind,
                             module.places[waiting.place].place,
                             module.places[other.place].place,
                             waiting.thread,
                             other.thread,
                             config.kernel,
                             block};
  });
}

/// Whether the two wait for the same thing.
static bool meet(const ThreadContext &a, const ThreadContext &b) {
  if (a.state != b.state)
    return false;
  if (a.state == State::AtBarrier)
    return a.barrier == b.barrier && a.barrierOp == b.barrierOp;
  return a.warp == b.warp && a.warpOp == b.warpOp && a.mask == b.mask &&
         (a.warpOp != WarpOp::Matrix || a.place == b.place);
}

bool Launch::releaseBarrier() {
  const ThreadContext *waiting = nullptr, *done = nullptr, *apart = nullptr;
  for (const ThreadContext &thread : threads) {
    if (thread.state == State::Done)
      done = done ? done : &thread;
    else if (!waiting)
      waiting = &thread;
    else if (!meet(*waiting, thread))
      apart = apart ? apart : &thread;
  }
  if (!waiting)
    return false;
  if (waiting->state == State::InWarp && waiting->warpOp == WarpOp::Matrix) {
    llvm::ArrayRef<ThreadContext> warp = getWarp(*waiting);
    const ThreadContext *left = llvm::find_if(
        warp, [](auto &lane) { return lane.state == State::Done; });
    if (warp.size() != warpSize || left != warp.end()) {
      bool partial = warp.size() != warpSize;
      reportDivergence(partial ? BarrierDivergence::Kind::PartialWarp
                               : BarrierDivergence::Kind::Exited,
                       *waiting, partial ? *waiting : *left);
      return false;
    }
  }
  if (apart || waiting->state != State::AtBarrier) {
    reportDivergence(BarrierDivergence::Kind::DifferentBarrier, *waiting,
                     apart ? *apart : *waiting);
    return false;
  }
  if (done) {
    reportDivergence(BarrierDivergence::Kind::Exited, *waiting, *done);
    return false;
  }
  uint32_t count = 0;
  for (const ThreadContext &thread : threads) {
    const ThreadContext &first = threads[thread.warp * warpSize];
    if (thread.place != first.place && module.places[thread.place].aligned) {
      reportDivergence(BarrierDivergence::Kind::DifferentBarrier, first,
                       thread);
      return false;
    }
    count += thread.value != 0;
  }
  ++epoch;
  if (shadow)
    shadow->advanceEpoch();
  for (ThreadContext &thread : threads) {
    thread.state = State::Ready;
    switch (thread.barrierOp) {
    case BarrierOp::Sync:
      break;
    case BarrierOp::Popc:
      thread.result = count;
      break;
    case BarrierOp::And:
      thread.result = count == threads.size();
      break;
    case BarrierOp::Or:
      thread.result = count != 0;
      break;
    }
    renewCopies(thread);
  }
  return true;
}

} // namespace formwork::transforms::emulate
