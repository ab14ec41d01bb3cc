//===- WorkgroupMemory.cpp - Memory that a block shares ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/WorkgroupMemory.h"

using namespace llvm;
using namespace formwork::verifier;

using Guard = std::optional<solver::BoolTerm>;

bool WorkgroupMemory::hasBuffersOf(const WorkgroupMemory &other) const {
  return uses.size() == other.uses.size() &&
         llvm::all_of(uses, [&](const auto &entry) {
           auto found = other.uses.find(entry.first);
           return found != other.uses.end() &&
                  found->second.buffers.size() == entry.second.buffers.size();
         });
}

/// A fact of one path only; `guardBefore` is the guard at the fork.
static void doubt(WorkgroupBuffer &buffer, const Guard &guardBefore) {
  if (buffer.guard == guardBefore)
    buffer.times.lo = 0;
}

static void doubt(BufferGrowth &growth, const Guard &guardBefore) {
  if (growth.guard == guardBefore)
    growth.factor.lo = 1;
}

/// One buffer of which `mine` and `theirs` say what two paths made of it;
/// `numBefore` of its growths are older than the fork.
static void join(WorkgroupBuffer &mine, WorkgroupBuffer &theirs,
                 size_t numBefore, const Guard &guardBefore) {
  mine.times.lo = std::min(mine.times.lo, theirs.times.lo);
  auto since = [&](WorkgroupBuffer &buffer) {
    auto growths = MutableArrayRef(buffer.growths).drop_front(numBefore);
    for (BufferGrowth &growth : growths)
      doubt(growth, guardBefore);
    return growths;
  };
  (void)since(mine);
  llvm::append_range(mine.growths, since(theirs));
}

static void join(WorkgroupUse &mine, WorkgroupUse &&theirs,
                 const WorkgroupUse &before, const Guard &guardBefore) {
  mine.isReported |= theirs.isReported;
  size_t common = before.buffers.size();
  // On one path, a launch took them.
  if (mine.buffers.size() < common || theirs.buffers.size() < common) {
    if (mine.buffers.size() < theirs.buffers.size())
      mine.buffers = std::move(theirs.buffers);
    for (WorkgroupBuffer &buffer : mine.buffers)
      buffer.times.lo = 0;
    return;
  }
  for (size_t i = 0; i < common; ++i)
    join(mine.buffers[i], theirs.buffers[i], before.buffers[i].growths.size(),
         guardBefore);
  for (WorkgroupUse *use : {&mine, &theirs})
    for (WorkgroupBuffer &buffer : drop_begin(use->buffers, common))
      doubt(buffer, guardBefore);
  llvm::append_range(mine.buffers, drop_begin(theirs.buffers, common));
}

void WorkgroupMemory::join(WorkgroupMemory &&other,
                           const WorkgroupMemory &before,
                           const Guard &guardBefore) {
  for (auto &[kernel, use] : uses)
    ::join(use, std::move(other.uses[kernel]), before.uses.lookup(kernel),
           guardBefore);
  for (auto &[kernel, use] : other.uses)
    if (!uses.contains(kernel))
      ::join(uses[kernel], std::move(use), /*before=*/{}, guardBefore);
  llvm::append_range(
      multibufferings,
      drop_begin(other.multibufferings, before.multibufferings.size()));
  predicatedCopies.insert(other.predicatedCopies.begin(),
                          other.predicatedCopies.end());
}
