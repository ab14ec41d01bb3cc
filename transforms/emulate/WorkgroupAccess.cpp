//===- WorkgroupAccess.cpp - Checked accesses of workgroup memory ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds, alignment and races of accesses; asynchronous copies.
//
// An asynchronous copy writes at some unknown time from its start to its
// thread's wait. It therefore counts as a write by its thread at its start and
// again at the start of each epoch until the wait, and it races with every
// access by its own thread before the wait. Its data arrives at the wait, so
// that a reader who does not wait gets old bytes as well as a report, or, if
// the launch asks for that, at once, so that a writer who comes too early
// destroys what is still being read. The source counts as read at both ends.
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Launch.h"

#include <cstring>

namespace formwork::transforms::emulate {

uint64_t Launch::getBufferBytes(const WorkgroupBuffer &buffer) const {
  return buffer.dynamic ? config.dynamicBytes : buffer.bytes;
}

MemoryLocation Launch::locate(uint64_t offset,
                              std::optional<uint32_t> buffer) const {
  for (uint32_t i = 0; !buffer && i != module.buffers.size(); ++i)
    if (offset - module.buffers[i].offset < getBufferBytes(module.buffers[i]))
      buffer = i;
  if (!buffer)
    return {"", int64_t(offset)};
  return {module.buffers[*buffer].name,
          int64_t(offset - module.buffers[*buffer].offset)};
}

Access Launch::describe(uint32_t thread, uint32_t place, uint64_t bytes) const {
  const PlaceInfo &info = module.places[place];
  return {info.place, info.kind, bytes, threads[thread].thread, epoch};
}

std::byte *Launch::reportOutOfBounds(const ThreadContext &thread,
                                     uint64_t offset, uint64_t bytes,
                                     uint32_t place) {
  report.outOfBounds.add(place, place, [&] {
    return OutOfBounds{describe(thread.index, place, bytes), config.kernel,
                       block, locate(offset, module.places[place].buffer),
                       bounds[place].bytes};
  });
  return getScratch();
}

std::byte *Launch::getScratch() {
  std::memset(scratch.data(), 0xFF, scratch.size());
  return scratch.data();
}

void Launch::reportMisaligned(const ThreadContext &thread, uint64_t bytes,
                              uint32_t place,
                              std::optional<MemoryLocation> where) {
  report.misaligned.add(place, place, [&] {
    return Misaligned{describe(thread.index, place, bytes), config.kernel,
                      block, std::move(where), module.places[place].alignment};
  });
}

void Launch::checkRaces(ThreadContext &thread, uint64_t offset, uint64_t bytes,
                        uint32_t place) {
  const PlaceInfo &info = module.places[place];
  // Only a misaligned access does not cover whole granules.
  uint64_t mask = module.granule - 1;
  uint64_t begin = offset & ~mask, end = (offset + bytes + mask) & ~mask;
  ShadowEvent event{place, thread.warpEpoch, uint16_t(thread.index), info.kind};
  shadow->access(begin, end - begin, event,
                 [&](const ShadowEvent &earlier, uint64_t at) {
                   report.races.add(earlier.place, place, [&] {
                     return Race{describe(earlier.thread, earlier.place,
                                          module.places[earlier.place].bytes),
                                 describe(thread.index, place, bytes),
                                 config.kernel, block, locate(at, info.buffer)};
                   });
                 });
}

void Launch::checkOwnCopies(const ThreadContext &thread, uint64_t offset,
                            uint64_t bytes, uint32_t place) {
  for (const AsyncCopy &copy : thread.copies) {
    uint64_t target = uint64_t(copy.target - workgroup);
    if (target + copy.bytes <= offset || offset + bytes <= target)
      continue;
    report.races.add(copy.place, place, [&] {
      return Race{describe(thread.index, copy.place, copy.bytes),
                  describe(thread.index, place, bytes), config.kernel, block,
                  locate(offset, module.places[place].buffer)};
    });
  }
}

std::byte *Launch::access(ThreadContext &thread, std::byte *address,
                          uint64_t bytes, uint32_t place) {
  const Bounds &allowed = bounds[place];
  if (allowed.throughArgument)
    return accessGlobal(thread, address, bytes, place);
  uint64_t offset = uint64_t(address - workgroup);
  if (bytes > allowed.bytes || offset - allowed.first > allowed.bytes - bytes) {
    bool elsewhere =
        module.places[place].maybeElsewhere && offset >= workgroupBytes;
    return elsewhere || bytes == 0
               ? address
               : reportOutOfBounds(thread, offset, bytes, place);
  }
  if (bytes == 0)
    return address;
  if ((offset & allowed.misalignment) != 0)
    reportMisaligned(thread, bytes, place,
                     locate(offset, module.places[place].buffer));
  checkRaces(thread, offset, bytes, place);
  if (!thread.copies.empty())
    checkOwnCopies(thread, offset, bytes, place);
  return address;
}

void Launch::checkAlignment(ThreadContext &thread, const std::byte *address,
                            uint32_t place) {
  const PlaceInfo &info = module.places[place];
  if (reinterpret_cast<uintptr_t>(address) % info.alignment != 0)
    reportMisaligned(thread, info.bytes, place, std::nullopt);
}

std::byte *Launch::accessSource(ThreadContext &thread, const AsyncCopy &copy) {
  // Where nothing is read, the address can be any.
  if (copy.sourceBytes == 0)
    return copy.source;
  if (!bounds[copy.sourcePlace].throughArgument)
    checkAlignment(thread, copy.source, copy.sourcePlace);
  return access(thread, copy.source, copy.sourceBytes, copy.sourcePlace);
}

static void transfer(const AsyncCopy &copy, const std::byte *source) {
  std::memcpy(copy.target, source, copy.sourceBytes);
  std::memset(copy.target + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
}

void Launch::startCopy(ThreadContext &thread, AsyncCopy copy) {
  std::byte *source = accessSource(thread, copy);
  std::byte *target = access(thread, copy.target, copy.bytes, copy.place);
  if (target != copy.target)
    return;
  if (config.options.earlyCopies)
    transfer(copy, source);
  copy.group = thread.numGroups;
  thread.copies.push_back(copy);
}

void Launch::renewCopies(ThreadContext &thread) {
  for (const AsyncCopy &copy : thread.copies)
    checkRaces(thread, uint64_t(copy.target - workgroup), copy.bytes,
               copy.place);
}

void Launch::finishCopy(ThreadContext &thread, const AsyncCopy &copy) {
  // The source is read at some time up to here, too.
  std::byte *source = accessSource(thread, copy);
  if (!config.options.earlyCopies)
    transfer(copy, source);
}

void Launch::finishCopies(ThreadContext &thread, uint32_t numPending) {
  llvm::erase_if(thread.copies, [&](const AsyncCopy &copy) {
    if (copy.group + numPending >= thread.numGroups)
      return false;
    finishCopy(thread, copy);
    return true;
  });
}

void Launch::finishAllCopies(ThreadContext &thread) {
  for (const AsyncCopy &copy : thread.copies)
    finishCopy(thread, copy);
  thread.copies.clear();
}

} // namespace formwork::transforms::emulate
