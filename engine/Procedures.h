//===- Procedures.h - Rewrites of a whole scope -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites that are not patterns: CSE, LICM, eligible passes. Layer: engine; it
// knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_PROCEDURES_H
#define FORMWORK_ENGINE_PROCEDURES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <optional>
#include <string>

namespace formwork::engine {

/// A rewrite of everything below an anchor.
///
/// Laws: a procedure is hereditary: it runs at every eligible op below the
/// anchor, innermost first. An anchor at its fixpoint therefore has every inner
/// anchor at its fixpoint. A procedure never looks above the anchor beyond what
/// `Fingerprinter::ofAnchor` covers. Symbol DCE, inlining and bufferization are
/// not procedures.
struct Procedure {
  /// Kebab-case, or `pass:NAME` for a registered pass.
  std::string name;
  std::string summary;
  /// Rewrites below `anchor` through `rewriter`; returns whether anything
  /// changed, or failure when it could not run to its end.
  std::function<llvm::FailureOr<bool>(mlir::RewriterBase &rewriter,
                                      mlir::Operation *anchor)>
      run;
  /// Whether it may run on an op that is not isolated from above.
  bool anyAnchor = false;
  /// Whether alternating it with terminating rules, and with other procedures
  /// that set this flag, terminates (tested in GroupsTest).
  bool endsWithRules = false;
  /// Whether it works on a clone. Then every op below the anchor is erased
  /// through the rewriter and replaced by an op of the clone, and no handle
  /// follows.
  bool replacesBody = false;
};

/// Whether a rewrite called `name` is a procedure. A rule group has the name of
/// its op.
inline bool isProcedureName(llvm::StringRef name) {
  return name.starts_with("pass:") || !name.contains('.');
}

/// The built-in procedures, without passes, in a fixed order.
llvm::ArrayRef<Procedure> getBuiltinProcedures();

/// The procedure called `name`. For `pass:NAME`, NAME must be a registered pass
/// (its options may follow in braces) that is known to be eligible. Otherwise
/// returns none, and `why` says what is wrong: unknown, not registered, not
/// eligible. A pass notifies no listener, so it sets `replacesBody`.
std::optional<Procedure> lookupProcedure(llvm::StringRef name,
                                         std::string &why);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_PROCEDURES_H
