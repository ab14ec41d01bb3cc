//===- TiledNodes.h - Nodes that tiling makes ------------------ -*- C++
//-*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds to the payload model what a tiling step makes of an op. Layer: verifier;
// for the models of such steps.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_TILEDNODES_H
#define FORMWORK_VERIFIER_MODELS_TILEDNODES_H

#include "verifier/state/PayloadModel.h"

namespace formwork::verifier {

/// A node like `target` below `parent`, with another space, made by `op`.
NodeId addTiled(PayloadModel &payload, NodeId target, NodeId parent,
                std::shared_ptr<const IterationSpace> space,
                mlir::Operation *op);

/// A loop of the given kind where `target` stands, or below `parent`.
NodeId addLoop(PayloadModel &payload, NodeId target,
               std::optional<NodeId> parent, llvm::StringRef kind,
               std::shared_ptr<const LoopFacts> facts, mlir::Operation *op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_TILEDNODES_H
