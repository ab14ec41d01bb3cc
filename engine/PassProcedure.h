//===- PassProcedure.h - Registered passes as procedures --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Procedures that run on a clone because they notify no listener: above all
// registered passes. Layer: engine; it knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_PASSPROCEDURE_H
#define FORMWORK_ENGINE_PASSPROCEDURE_H

#include "engine/Procedures.h"

namespace formwork::engine {

/// The procedure for the registered pass of `pipeline`: a name, with optional
/// pass options in braces. A pass that is not on the list of eligible passes
/// needs `isVouched`. Otherwise returns none, and `why` gives the reason.
std::optional<Procedure> lookupPassProcedure(llvm::StringRef pipeline,
                                             bool isVouched, std::string &why);

/// One pass in the form that upstream's `transform.apply_registered_pass`
/// takes.
struct UpstreamPass {
  std::string name;
  /// Option names and values as they are written.
  llvm::SmallVector<std::pair<std::string, std::string>> options;
  /// The op kind that the pass is restricted to; empty: any.
  std::string anchor;

  /// The op kind to run the pass on. Passes that accept any op run on
  /// functions.
  std::string getKind() const { return anchor.empty() ? "func.func" : anchor; }
};

/// Parses the procedure name `pass:NAME{OPTIONS}` for upstream. None if it
/// names no registered pass, or has an option value that is more than a word.
std::optional<UpstreamPass> readUpstreamPass(llvm::StringRef name);

/// Runs `body` on a clone of the anchor. If the clone changed, its body
/// replaces that of the anchor.
llvm::FailureOr<bool>
runOnClone(mlir::RewriterBase &rewriter, mlir::Operation *anchor,
           llvm::function_ref<llvm::LogicalResult(mlir::Operation *)> body);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_PASSPROCEDURE_H
