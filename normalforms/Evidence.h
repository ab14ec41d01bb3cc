//===- Evidence.h - Trying the claims of a form library ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries the unproved claims of a form library on payload: its rules terminate,
// they have one result whatever their order, a form implies the forms that it
// refines, and it preserves the forms that it declares. Rules are opaque C++,
// so the result is "no counterexample in N", or the smallest witness found.
// Layer: normalforms.
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
  Idempotent,       ///< a second normalization changes nothing
  OrderIndependent, ///< shuffled rules and both traversals: one result, up to
                    ///< the order of ops without effects
  Refines,          ///< payload in a form is in the forms that it refines
  Preserves,        ///< normalizing keeps the forms it declares to preserve
  Restricts         ///< a predicate that holds at an anchor holds inside
};
llvm::StringRef stringifyClaim(Claim claim);

/// A claim that some payload refutes.
struct Refutation {
  Claim claim;
  AtomId form;
  std::optional<AtomId> other; ///< the refined or preserved form
  std::string message;
  std::string witness; ///< minimized payload as text
};

struct EvidenceOptions {
  /// The number of shuffles of the rules for each payload.
  unsigned shuffles = 4;
  uint64_t seed = 1;
  /// How many times minimizing tries to leave out an op of a witness.
  unsigned minimizeSteps = 200;
  /// Selects the claims to try; all when empty. The last argument is the
  /// refined or preserved form, or null.
  std::function<bool(Claim, const Form &, const Form *)> filter;
};

/// The number of trials for each claim, and the refutations found.
struct Evidence {
  std::map<std::pair<Claim, AtomId>, unsigned> tried;
  std::vector<Refutation> refutations;

  unsigned getTotal() const;
};

/// Tries all claims of `library` on each of `payloads`, with their functions as
/// anchors. The payload is not changed. Cost: forms × payloads × shuffles
/// normalizations.
Evidence collectEvidence(const FormLibrary &library,
                         llvm::ArrayRef<mlir::ModuleOp> payloads,
                         const EvidenceOptions &options = {});

/// Prints `N tried, no counterexample` for each claim, then every refutation.
void printEvidence(const FormLibrary &library, const Evidence &evidence,
                   llvm::raw_ostream &os);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_EVIDENCE_H
