//===- Procedures.h - Rewrites of a whole scope -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrites that are no patterns: CSE, LICM, eligible passes. Layer: engine;
// it knows nothing of forms.
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
/// Laws: hereditary (run at every eligible op below, innermost first, so that
/// an anchor in fixpoint has every inner anchor in fixpoint), and it never
/// looks above the anchor beyond what `Fingerprinter::ofAnchor` covers.
/// Symbol-dce, inlining and bufferization are no procedures.
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
  /// Whether it comes to an end in turns with rules that do, and with the other
  /// procedures of which this is so (GroupsTest).
  bool endsWithRules = false;
  /// Whether it changes a clone: every op below the anchor is erased through
  /// the rewriter and replaced by what the clone holds, which no handle
  /// follows.
  bool replacesBody = false;
};

/// The procedures that are built in, without passes; in a fixed order.
llvm::ArrayRef<Procedure> getBuiltinProcedures();

/// The procedure called `name`. For `pass:NAME`, NAME must be a registered pass
/// (its options may follow in braces) that is known to be eligible; otherwise
/// none, and `why` says what is wrong: unknown, not registered, not eligible.
/// A pass tells no listener what it does, so it `replacesBody`.
std::optional<Procedure> lookupProcedure(llvm::StringRef name,
                                         std::string &why);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_PROCEDURES_H
