//===- FindingTransfer.h - Findings from process to process ------ -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is made in a child is not in its parent: findings and locations as JSON,
// and back. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_FINDINGTRANSFER_H
#define FORMWORK_ENGINE_FINDINGTRANSFER_H

#include "engine/Diagnostics.h"

#include "llvm/Support/JSON.h"

namespace formwork::engine {

/// Of a location, the place in the text counts.
llvm::json::Value writeLocation(mlir::Location loc);
/// Null and no value are an unknown place.
mlir::Location readLocation(const llvm::json::Value *value,
                            mlir::MLIRContext *context);

/// Without the edits of its notes.
llvm::json::Object writeFinding(const Finding &finding);
Finding readFinding(const llvm::json::Object &object,
                    mlir::MLIRContext *context);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_FINDINGTRANSFER_H
