//===- StagedReads.cpp - Delays reads of workgroup memory -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/StagedReads.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

static bool readsWorkgroupMemory(Operation *op) {
  auto read = dyn_cast<vector::TransferReadOp>(op);
  auto type = read ? dyn_cast<MemRefType>(read.getShapedType()) : MemRefType();
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

static void delayReadsOf(RewriterBase &rewriter, Block &block) {
  // The position of each operation, and the number of operations with an effect
  // in front of it.
  llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> places;
  SmallVector<Operation *> reads;
  unsigned numEffects = 0;
  for (Operation &op : block) {
    places[&op] = {places.size(), numEffects};
    if (readsWorkgroupMemory(&op))
      reads.push_back(&op);
    else if (!isMemoryEffectFree(&op) &&
             !hasSingleEffect<MemoryEffects::Read>(&op))
      ++numEffects;
  }
  for (Operation *read : reads) {
    Operation *first = nullptr;
    for (Operation *user : read->getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (!first || places[here].first < places[first].first)
        first = here;
    }
    if (first && places[first].second == places[read].second)
      rewriter.moveOpBefore(read, first);
  }
}

void formwork::transforms::distribute::delayStagedReads(RewriterBase &rewriter,
                                                        gpu::LaunchOp launch) {
  launch.getBody().walk([&](Block *block) { delayReadsOf(rewriter, *block); });
}
