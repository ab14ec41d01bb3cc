//===- State.cpp - What is known at a point of a schedule -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/State.h"

using namespace formwork::verifier;

HandleInvalidation State::getInvalidation(const HandleState &handle) const {
  HandleInvalidation worst;
  if (handle.kind == HandleState::Params)
    return worst;
  if (handle.consumedBy) {
    worst.certainty =
        handle.consumedForSure ? Certainty::Yes : Certainty::Maybe;
    worst.by = handle.consumedBy;
    worst.direct = true;
    return worst;
  }
  for (NodeId node : handle.nodes) {
    Invalidation found = payload.getInvalidation(node, handle.since);
    // Of payload that may not be there, nothing can be invalid for sure.
    const Node &held = payload[node];
    bool wasDoubted =
        held.doubtedSince != 0 && held.doubtedSince < found.event.time;
    if (found.certainty == Certainty::Yes && (held.count.lo == 0 || wasDoubted))
      found.certainty = Certainty::Maybe;
    if (found.certainty > worst.certainty)
      worst = {found.certainty, found.event.by, node, found.event,
               /*direct=*/false};
  }
  return worst;
}
