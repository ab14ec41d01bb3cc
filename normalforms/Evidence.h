//===- Evidence.h - Trying the claims of a form library ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form library claims things that nothing proves: that its rules end, in one
// result whatever their order, that a form has what it refines, that it keeps
// what it says it preserves. Here they are tried on payload. Rules are opaque
// C++, so what comes out is "no counterexample in N", or the smallest witness
// found. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_EVIDENCE_H
#define FORMWORK_NORMALFORMS_EVIDENCE_H

#include "normalforms/FormLibrary.h"

#include <functional>
#include <map>

namespace formwork::normalforms {

enum class Claim {
  Terminates,       ///< normalization reaches a fixpoint
  Idempotent,       ///< a second one changes nothing
  OrderIndependent, ///< shuffled rules and both traversals: one result, up to
                    ///< the order of ops without effects
  Refines,          ///< payload in a form is in what the form refines
  Preserves,        ///< normalizing keeps what the form says it does
  Restricts         ///< a predicate that holds at an anchor holds inside
};
llvm::StringRef stringifyClaim(Claim claim);

/// A claim that some payload refutes.
struct Refutation {
  Claim claim;
  AtomId form;
  std::optional<AtomId> other; ///< what is refined or preserved
  std::string message;
  std::string witness; ///< payload, minimized, as text
};

struct EvidenceOptions {
  /// How many shuffles of the rules are tried on each payload.
  unsigned shuffles = 4;
  uint64_t seed = 1;
  /// How often an op is left out in search of a smaller witness.
  unsigned minimizeSteps = 200;
  /// Which claims are tried; all of them when empty. The last argument is what
  /// is refined or preserved, else null.
  std::function<bool(Claim, const Form &, const Form *)> filter;
};

/// What was tried, and what came out.
struct Evidence {
  std::map<std::pair<Claim, AtomId>, unsigned> tried;
  std::vector<Refutation> refutations;

  unsigned getTotal() const;
};

/// Tries all claims of `library` on each of `payloads`, whose functions are the
/// anchors. The payload is not changed. Cost: forms × payloads × shuffles
/// normalizations.
Evidence collectEvidence(const FormLibrary &library,
                         llvm::ArrayRef<mlir::ModuleOp> payloads,
                         const EvidenceOptions &options = {});

/// `N tried, no counterexample` for each claim, then every refutation.
void printEvidence(const FormLibrary &library, const Evidence &evidence,
                   llvm::raw_ostream &os);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_EVIDENCE_H
