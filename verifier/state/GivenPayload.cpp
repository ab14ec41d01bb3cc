//===- GivenPayload.cpp - A payload that several checks read ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/GivenPayload.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// Most schedules have fewer steps than that, and most steps make one node.
static constexpr size_t kRoom = 4096;

static bool mayHoldMemoryBelow(Operation *root) {
  return root
      ->walk([](Operation *op) {
        StringRef dialect = op->getName().getDialectNamespace();
        return dialect == "bufferization" || dialect == "gpu" ||
                       dialect == "memref"
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

GivenPayload::GivenPayload(Operation *root, const FormLibrary &forms)
    : root(root), node(model.addPayload(root)),
      held(forms.getHolding(root, /*asked=*/nullptr)),
      mayHold(mayHoldMemoryBelow(root)) {
  model.settleLive();
  // A match has the nodes sorted by kind, which is kept.
  (void)model.find(
      node, [](const Node &) { return false; },
      [](const std::optional<OperationName> &) { return false; });
}

PayloadModel GivenPayload::copyModel() const {
  return model.copyWithRoom(kRoom);
}
