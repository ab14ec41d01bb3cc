//===- GlobalAccess.cpp - Checked accesses of global memory ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds, alignment and races of what a kernel accesses through its arguments.
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Launch.h"

namespace formwork::transforms::emulate {

void Launch::bindArguments() {
  if (!config.memory)
    return;
  for (auto [place, allowed] : llvm::zip_equal(module.places, bounds)) {
    // The places of all kernels of the module are in one table.
    if (!place.argument || place.place.function != config.kernel)
      continue;
    auto *pointer =
        *static_cast<std::byte *const *>(arguments[*place.argument]);
    allowed.global = config.memory->find(pointer);
    if (!allowed.global)
      continue;
    allowed.bytes = allowed.global->bytes;
    if (samples)
      allowed.global->written.resize(allowed.bytes);
    GlobalShadow &races =
        globalShadows
            .try_emplace(allowed.global, allowed.bytes, module.globalGranule,
                         kernel.syncsWarps)
            .first->second;
    allowed.races = races.isAllocated() ? &races : nullptr;
  }
}

void Launch::checkGlobalRaces(const ThreadContext &thread, uint64_t offset,
                              uint64_t bytes, uint32_t place) {
  const GlobalBuffer &buffer = *bounds[place].global;
  const PlaceInfo &info = module.places[place];
  GlobalEvent event;
  event.block = uint32_t(
      (uint64_t(block.z) * config.grid.y + block.y) * config.grid.x + block.x);
  event.place = place + 1;
  event.epoch = uint32_t(epoch);
  event.thread = thread.index;
  event.atomic = info.kind == AccessKind::Atomic;
  event.write = info.kind != AccessKind::Read;
  bounds[place].races->access(
      offset, bytes, event, [&](const GlobalEvent &earlier, uint64_t at) {
        uint32_t other = earlier.place - 1;
        report.globalRaces.add(other, place, [&] {
          Access first =
              describe(earlier.thread, other, module.places[other].bytes);
          first.epoch = earlier.epoch;
          return GlobalRace{
              first,         describe(thread.index, place, bytes),
              config.kernel, getPosition(earlier.block, config.grid),
              block,         {buffer.name, int64_t(at)}};
        });
      });
}

std::byte *Launch::accessGlobal(ThreadContext &thread, std::byte *address,
                                uint64_t bytes, uint32_t place) {
  const Bounds &allowed = bounds[place];
  if ((reinterpret_cast<uintptr_t>(address) & allowed.misalignment) != 0)
    reportMisaligned(thread, bytes, place, std::nullopt);
  if (!allowed.global || bytes == 0)
    return address;
  uint64_t offset = uint64_t(address - allowed.global->begin);
  if (bytes > allowed.bytes || offset > allowed.bytes - bytes) {
    report.globalOutOfBounds.add(place, place, [&] {
      return OutOfBounds{describe(thread.index, place, bytes),
                         config.kernel,
                         block,
                         {allowed.global->name, int64_t(offset)},
                         allowed.bytes};
    });
    return getScratch();
  }
  if (samples && !allowed.onlyReads)
    allowed.global->written.set(offset, offset + bytes);
  if (allowed.races &&
      !(allowed.onlyReads && allowed.races->isSettled(offset, bytes)))
    checkGlobalRaces(thread, offset, bytes, place);
  return address;
}

} // namespace formwork::transforms::emulate
