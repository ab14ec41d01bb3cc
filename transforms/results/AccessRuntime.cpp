//===- AccessRuntime.cpp - What checked code tells as it runs ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/AccessRuntime.h"

#include "engine/Check.h"
#include "transforms/results/AccessChecks.h"
#include "transforms/results/AccessInstrumentation.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>
#include <cstring>

using namespace formwork::transforms;

/// Bytes in front of and behind a buffer, so that an address that misses one is
/// not in another. One that was not computed from the start of a buffer, and
/// misses by more, meets none, and may end the process.
static constexpr uint64_t zone = 256;

static thread_local AccessRuntime *active = nullptr;

AccessRuntime::AccessRuntime() {
  // Number 0 is no strand.
  makeSet(/*isParallel=*/false);
}
AccessRuntime::~AccessRuntime() = default;

char *AccessRuntime::addBuffer(uint64_t bytes, llvm::StringRef name,
                               llvm::ArrayRef<int64_t> shape,
                               uint64_t elementBytes) {
  uint64_t total = llvm::alignTo(bytes, zone) + 2 * zone;
  auto *memory = static_cast<char *>(std::aligned_alloc(zone, total));
  if (!memory)
    return nullptr;
  char *begin = memory + zone;
  std::memset(begin, freshByte, bytes);
  buffers.insert_or_assign(begin, Buffer{begin,
                                         bytes,
                                         {memory, &std::free},
                                         name.str(),
                                         llvm::SmallVector<int64_t>(shape),
                                         elementBytes,
                                         {}});
  return begin;
}

AccessRuntime::Buffer *AccessRuntime::find(const char *address, uint32_t site) {
  auto meets = [&](const Buffer &buffer) {
    return address >= buffer.begin - zone &&
           address < buffer.begin + buffer.bytes + zone;
  };
  if (site >= lastOfSites.size())
    lastOfSites.resize(site + 1, nullptr);
  Buffer *&last = lastOfSites[site];
  if (last && meets(*last))
    return last;
  auto after = buffers.upper_bound(address + zone);
  if (after == buffers.begin())
    return nullptr;
  Buffer &buffer = std::prev(after)->second;
  if (!meets(buffer))
    return nullptr;
  last = &buffer;
  return last;
}

//===----------------------------------------------------------------------===//
// Strands. Source: Feng, Leiserson, "Efficient detection of determinacy races
// in Cilk programs", SPAA 1997: the sets of iterations that are over are
// parallel to the present one until the loop around them ends.
//===----------------------------------------------------------------------===//

uint32_t AccessRuntime::makeSet(bool isParallel) {
  uint32_t set = sets.size();
  sets.push_back({set, isParallel});
  return set;
}

bool AccessRuntime::isParallel(uint32_t strand) {
  while (sets[strand].parent != strand) {
    sets[strand].parent = sets[sets[strand].parent].parent;
    strand = sets[strand].parent;
  }
  return sets[strand].isParallel;
}

void AccessRuntime::touch(char *address, uint64_t bytes, uint32_t kind,
                          uint32_t site, const char *base) {
  if (bytes == 0)
    return;
  Buffer *buffer = find(base, site);
  if (!buffer)
    buffer = find(address, site);
  if (!buffer)
    return;
  int64_t offset = address - buffer->begin;
  bool writes = kind == accessWrites;
  if (offset < 0 || uint64_t(offset) + bytes > buffer->bytes)
    end({BadAccess::OutOfBounds, site, 0, /*isChecked=*/false, writes, false,
         describe(*buffer, offset < 0
                               ? offset
                               : std::max<int64_t>(offset, buffer->bytes))});
  if (loops.empty() || !findsRaces || kind == accessIsAtomic)
    return;
  if (buffer->shadow.empty())
    buffer->shadow.resize(((buffer->bytes - 1) >> granuleBits) + 1);
  Shadow *first = &buffer->shadow[uint64_t(offset) >> granuleBits],
         *last = &buffer->shadow[(offset + bytes - 1) >> granuleBits];
  auto getOffset = [&](const Shadow &shadow) {
    return (&shadow - buffer->shadow.data()) << granuleBits;
  };
  for (Shadow &shadow : llvm::make_range(first, last + 1)) {
    if (shadow.writer != current && isParallel(shadow.writer))
      end({BadAccess::Race, site, shadow.writerSite, false, writes, true,
           describe(*buffer, getOffset(shadow))});
    if (writes) {
      if (shadow.reader != current && isParallel(shadow.reader))
        end({BadAccess::Race, site, shadow.readerSite, false, true, false,
             describe(*buffer, getOffset(shadow))});
      shadow.writer = current;
      shadow.writerSite = site;
    } else if (shadow.reader != current && !isParallel(shadow.reader)) {
      shadow.reader = current;
      shadow.readerSite = site;
    }
  }
}

std::string AccessRuntime::describe(const Buffer &buffer,
                                    int64_t offset) const {
  int64_t element = offset / int64_t(buffer.elementBytes);
  std::string name =
      buffer.name.empty() ? "a temporary buffer" : "'" + buffer.name + "'";
  if (offset < 0)
    return llvm::formatv("{0} bytes in front of {1}", -offset, name);
  if (uint64_t(offset) >= buffer.bytes)
    return llvm::formatv("{0} bytes after {1}", uint64_t(offset) - buffer.bytes,
                         name);
  if (buffer.name.empty())
    return llvm::formatv("byte {0} of {1}", offset, name);
  llvm::SmallVector<int64_t> indices =
      mlir::delinearize(element, mlir::computeStrides(buffer.shape));
  return llvm::formatv("element [{0:$[, ]}] of {1}",
                       llvm::make_range(indices.begin(), indices.end()), name);
}

void AccessRuntime::end(BadAccess access) {
  found = std::move(access);
  std::longjmp(escape, 1);
}

std::optional<BadAccess> AccessRuntime::run(llvm::function_ref<void()> code) {
  FW_CHECK(!active, "one runtime runs at a time");
  active = this;
  found.reset();
  loops.clear();
  current = 0;
  // The frames that are left behind are those of generated code.
  if (setjmp(escape) == 0)
    code();
  active = nullptr;
  return std::move(found);
}

//===----------------------------------------------------------------------===//
// Functions that checked code calls
//===----------------------------------------------------------------------===//

struct AccessRuntime::Calls {
  static void bounds(int64_t site, int64_t dimension, int64_t index,
                     int64_t extent, int64_t size) {
    if (extent <= 0 || (index >= 0 && index <= size - extent))
      return;
    std::string what = extent == 1 ? llvm::formatv("index {0}", index).str()
                                   : llvm::formatv("indices {0} to {1}", index,
                                                   index + extent - 1)
                                         .str();
    active->end({BadAccess::OutOfBounds, uint32_t(site), 0, /*isChecked=*/true,
                 false, false,
                 llvm::formatv("{0} of dimension {1}, which has {2} elements",
                               what, dimension, size)});
  }
  static void fork(int64_t) {
    AccessRuntime &runtime = *active;
    runtime.loops.emplace_back(runtime.makeSet(/*isParallel=*/true),
                               runtime.current);
  }
  static void strand() {
    AccessRuntime &runtime = *active;
    auto [done, outer] = runtime.loops.back();
    if (runtime.current != outer)
      runtime.sets[runtime.current].parent = done;
    runtime.current = runtime.makeSet(/*isParallel=*/false);
  }
  static void join() {
    AccessRuntime &runtime = *active;
    auto [done, outer] = runtime.loops.back();
    if (runtime.current != outer)
      runtime.sets[runtime.current].parent = done;
    runtime.sets[done].parent = outer;
    runtime.current = outer;
    runtime.loops.pop_back();
  }
  static void touch(char *address, uint64_t bytes, uint32_t kind, uint32_t site,
                    const char *base) {
    // Modules load their kernels before anything runs.
    if (active)
      active->touch(address, bytes, kind, site, base);
  }
  static char *allocate(uint64_t bytes) {
    char *memory = active->addBuffer(bytes, "");
    FW_CHECK(memory, "the process has a limit of memory");
    return memory;
  }
  /// Buffers stay to the end, so that what uses one of them later is seen in
  /// its own memory.
  static void release(char *) {}
};

llvm::orc::SymbolMap
AccessRuntime::getSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported};
  };
  add(access::bounds, &Calls::bounds);
  add(access::fork, &Calls::fork);
  add(access::strand, &Calls::strand);
  add(access::join, &Calls::join);
  add(access::touch, &Calls::touch);
  add("malloc", &Calls::allocate);
  add("free", &Calls::release);
  return symbols;
}
