//===- GlobalShadow.cpp - Happens-before on global memory -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/GlobalShadow.h"
#include "transforms/emulate/Warp.h"

#include "llvm/Support/MathExtras.h"

namespace formwork::transforms::emulate {

GlobalShadow::GlobalShadow(uint64_t bytes, uint32_t granule, bool warpsInStep)
    : cells(static_cast<Cell *>(
          std::calloc(llvm::divideCeil(bytes, granule) + 1, sizeof(Cell)))),
      settled(static_cast<bool *>(
          std::calloc(llvm::divideCeil(bytes, granule) + 1, sizeof(bool)))),
      granuleLog2(llvm::Log2_32(granule)), warpsInStep(warpsInStep) {}

bool GlobalShadow::isRace(const GlobalEvent &a, const GlobalEvent &b) const {
  if (!a || a.isSameThread(b) || (a.atomic && b.atomic))
    return false;
  if (a.block != b.block)
    return true;
  if (warpsInStep && a.thread / warpSize == b.thread / warpSize)
    return false;
  return a.epoch == b.epoch;
}

void GlobalShadow::addRead(Cell &cell, const GlobalEvent &event) {
  GlobalEvent &first = cell.reads[0], &second = cell.reads[1];
  if (!first || (first.block == event.block && first.epoch != event.epoch &&
                 (!second || second.block == event.block))) {
    first = event;
    second = GlobalEvent();
    return;
  }
  if (hasTwoBlocks(cell) || first.isSameThread(event))
    return;
  if (!second || first.block != event.block)
    second = event;
}

void GlobalShadow::access(
    uint64_t offset, uint64_t bytes, const GlobalEvent &event,
    llvm::function_ref<void(const GlobalEvent &, uint64_t)> onRace) {
  bool reported = false;
  auto compare = [&](const GlobalEvent &earlier, uint64_t cell) {
    if (reported || !isRace(earlier, event))
      return;
    onRace(earlier, cell << granuleLog2);
    reported = true;
  };
  for (uint64_t i = offset >> granuleLog2,
                end = ((offset + bytes - 1) >> granuleLog2) + 1;
       i != end; ++i) {
    Cell &cell = cells[i];
    compare(cell.write, i);
    if (!event.write) {
      addRead(cell, event);
      settled[i] = !cell.write && hasTwoBlocks(cell);
      continue;
    }
    compare(cell.reads[0], i);
    compare(cell.reads[1], i);
    cell = {event, {}};
    settled[i] = false;
  }
}

} // namespace formwork::transforms::emulate
