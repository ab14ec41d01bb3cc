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

static bool mayHoldMemoryBelow(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return mayBeMemory(op->getName()) ? WalkResult::interrupt()
                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

GivenPayload::GivenPayload(Operation *root, const FormLibrary &forms)
    : root(root), node(model.addPayload(root)), held(forms.getHolding(root)),
      mayHold(mayHoldMemoryBelow(root)) {}

PayloadModel GivenPayload::copyModel() const { return model.copyAlone(); }
