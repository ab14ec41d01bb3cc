//===- Establish.h - Reaching and checking a form ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Connects a form with the rewriting core: normalizes an anchor to the form,
// and decides whether an anchor is in the form. Layer: normalforms; it knows
// neither handles nor contracts.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_ESTABLISH_H
#define FORMWORK_NORMALFORMS_ESTABLISH_H

#include "normalforms/FormLibrary.h"

#include <optional>

namespace formwork::normalforms {

/// Whether an anchor is in a form (DESIGN §2), and everything that contradicts
/// it.
struct FormCheck {
  llvm::SmallVector<Violation> violations; ///< violated predicate clauses
  /// The driver's report on a clone; `changed` when the anchor is reducible.
  engine::Report irreducibility;

  bool holds() const {
    return violations.empty() && !irreducibility.changed &&
           irreducibility.reachedFixpoint();
  }
};

/// Decides whether `anchor` is in `form`. The payload is not touched. Cost: one
/// normalization, unless the anchor is known to be normal.
FormCheck checkForm(const FormLibrary &library, const Form &form,
                    mlir::Operation *anchor,
                    const engine::NormalizerOptions &options = {});

/// Runs the rules and procedures of a form below one anchor after the other.
/// Uses the context's cache of normal anchors unless `options` has one. Does
/// not check predicates. The library must outlive this object.
class FormNormalizer {
public:
  FormNormalizer(const FormLibrary &library, const Form &form,
                 engine::NormalizerOptions options = {});

  // Not copyable: the normalizer refers to a member.
  FormNormalizer(const FormNormalizer &) = delete;
  FormNormalizer &operator=(const FormNormalizer &) = delete;

  engine::Report run(mlir::Operation *anchor);

private:
  bool hasDriver;
  llvm::SmallVector<engine::Fingerprint> implied;
  std::optional<engine::Normalizer> normalizer;
};

/// Explains in one line why an anchor is reducible: the rules that would fire,
/// with their counts, most frequent first; or why the driver stopped.
std::string explainReport(const engine::Report &report);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_ESTABLISH_H
