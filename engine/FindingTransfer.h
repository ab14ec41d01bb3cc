//===- FindingTransfer.h - Findings from process to process -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child process sends JSON to its parent: its answer, and findings and
// locations in it. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_FINDINGTRANSFER_H
#define FORMWORK_ENGINE_FINDINGTRANSFER_H

#include "engine/Child.h"
#include "engine/Diagnostics.h"

#include "llvm/Support/JSON.h"

namespace formwork::engine {

/// How a child ended, and its answer, if it gave one.
struct ChildAnswer {
  ChildEnd end;
  std::optional<llvm::json::Object> object;
};

/// Runs `work` in a child that prints nothing; `context` has no threads until
/// it ends. The text of the end has what `work` writes to its stream, which are
/// whole lines, and the answer behind that. No answer of `work` is none of the
/// child. Cost: that of runInChild.
ChildAnswer askChild(
    mlir::MLIRContext &context,
    llvm::function_ref<std::optional<llvm::json::Object>(llvm::raw_ostream &)>
        work,
    const ChildLimits &limits);

/// The message of a finding that was printed, and its id, which stands in
/// brackets behind it; no id for other text.
std::pair<llvm::StringRef, llvm::StringRef> splitId(llvm::StringRef text);

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
