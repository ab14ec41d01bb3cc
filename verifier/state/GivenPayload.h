//===- GivenPayload.h - A payload that several checks read ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a payload before the first step, which depends on no schedule:
// read once where one schedule after the other is checked, as in an editor.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_GIVENPAYLOAD_H
#define FORMWORK_VERIFIER_STATE_GIVENPAYLOAD_H

#include "normalforms/FormLibrary.h"
#include "verifier/state/PayloadModel.h"

namespace formwork::verifier {

/// The payload outlives it, and stays as it is.
class GivenPayload {
public:
  /// Cost: some walks over `root`.
  GivenPayload(mlir::Operation *root, const normalforms::FormLibrary &forms);

  mlir::Operation *getOp() const { return root; }
  /// The model of the payload, for one check. Cost: a copy.
  PayloadModel copyModel() const;
  /// Of `getOp`, in the model.
  NodeId getNode() const { return node; }
  /// The forms without rules that hold at `getOp`.
  const normalforms::FormSet &getHeld() const { return held; }
  /// Whether some op is of a dialect whose ops allocate memory, or have some.
  bool mayHoldMemory() const { return mayHold; }

private:
  mlir::Operation *root;
  PayloadModel model;
  NodeId node;
  normalforms::FormSet held;
  bool mayHold;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_GIVENPAYLOAD_H
