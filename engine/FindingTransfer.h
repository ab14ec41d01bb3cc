//===- FindingTransfer.h - Findings from process to process -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes findings and locations as JSON and reads them back, so that a child
// process can send them to its parent. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_FINDINGTRANSFER_H
#define FORMWORK_ENGINE_FINDINGTRANSFER_H

#include "engine/Diagnostics.h"

#include "llvm/Support/JSON.h"

namespace formwork::engine {

/// Keeps the calls of `loc`; see `getCallFrames`.
llvm::json::Value writeLocation(mlir::Location loc);
/// A list without calls or a missing value becomes an unknown location.
mlir::Location readLocation(const llvm::json::Value *value,
                            mlir::MLIRContext *context);

/// Writes the finding without the edits of its notes.
llvm::json::Object writeFinding(const Finding &finding);
Finding readFinding(const llvm::json::Object &object,
                    mlir::MLIRContext *context);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_FINDINGTRANSFER_H
