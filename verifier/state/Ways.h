//===- Ways.h - Ways up from a node -----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over what lies above a node, in whatever holds nodes by their ids.
// Layer: verifier; internal to the payload model.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_WAYS_H
#define FORMWORK_VERIFIER_STATE_WAYS_H

#include "verifier/state/Node.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

/// Calls `fn` on `node` and on all that lies on its ways up, each once, nearest
/// first; where a way leads is what `next` says. `fn` returns false to stop.
template <typename NodesT, typename NextFn>
void walkWays(const NodesT &nodes, NodeId node,
              llvm::function_ref<bool(NodeId)> fn, NextFn next) {
  // Nearly always there is one way up, which needs no book-keeping.
  while (nodes[node].ups.size() == 1) {
    if (!fn(node))
      return;
    node = next(nodes[node].ups.front());
  }
  if (nodes[node].ups.empty()) {
    fn(node);
    return;
  }
  llvm::SmallSet<NodeId, 16> seen;
  llvm::SmallVector<NodeId> work{node};
  for (size_t i = 0; i < work.size(); ++i) {
    NodeId id = work[i];
    if (!seen.insert(id).second)
      continue;
    if (!fn(id))
      return;
    llvm::append_range(work, llvm::map_range(nodes[id].ups, next));
  }
}

/// As above, on what it is at or inside for sure.
template <typename NodesT>
void walkSureWays(const NodesT &nodes, NodeId node,
                  llvm::function_ref<bool(NodeId)> fn) {
  walkWays(nodes, node, fn, [](const Up &up) { return up.getSure(); });
}

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_WAYS_H
