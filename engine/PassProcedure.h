//===- PassProcedure.h - Registered passes as procedures -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is run on a clone, because no listener hears of it: registered passes
// above all. Layer: engine; it knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_PASSPROCEDURE_H
#define FORMWORK_ENGINE_PASSPROCEDURE_H

#include "engine/Procedures.h"

namespace formwork::engine {

/// The registered pass of `pipeline`, a name that options in braces may follow.
/// A pass that is not known to be eligible needs someone who vouches for it;
/// otherwise there is none, and `why` says so.
std::optional<Procedure> lookupPassProcedure(llvm::StringRef pipeline,
                                             bool isVouched, std::string &why);

/// How upstream's `transform.apply_registered_pass` names one pass.
struct UpstreamPass {
  std::string name;
  /// Names and values, as they are written.
  llvm::SmallVector<std::pair<std::string, std::string>> options;
  /// The one kind of op that it runs on; empty: any.
  std::string anchor;

  /// What it is to be run on: like all that have a choice, on functions.
  std::string getKind() const { return anchor.empty() ? "func.func" : anchor; }
};

/// The pass of the procedure `name`, `pass:NAME{OPTIONS}`, for upstream; none
/// where it is no registered pass, or has an option that is more than a word.
std::optional<UpstreamPass> readUpstreamPass(llvm::StringRef name);

/// Runs `body` on a clone, whose body replaces that of the anchor when it
/// changed.
llvm::FailureOr<bool>
runOnClone(mlir::RewriterBase &rewriter, mlir::Operation *anchor,
           llvm::function_ref<llvm::LogicalResult(mlir::Operation *)> body);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_PASSPROCEDURE_H
