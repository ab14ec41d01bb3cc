//===- Coverage.h - How much contracts say ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the clauses of contracts, and those of them that are conservative:
// that say less than the op does. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_COVERAGE_H
#define FORMWORK_NORMALFORMS_COVERAGE_H

#include "normalforms/ContractLibrary.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace formwork::normalforms {

/// How often real schedules use an op, a rule group or a pass.
struct Usage {
  unsigned steps = 0;
  unsigned schedules = 0;
  /// The measurements that the design stands on speak of it.
  bool isMeasured = false;

  bool isUsed() const { return steps > 0 || isMeasured; }
};

/// What the model that a contract names says of itself: the ids that it
/// reports, and the reasons that it leaves open whatever it knows.
struct ModelClaims {
  llvm::ArrayRef<llvm::StringRef> decided;
  llvm::ArrayRef<llvm::StringRef> open;
};
/// The claims of the model of a name.
using ModelClaimsOf = llvm::function_ref<ModelClaims(llvm::StringRef)>;

/// How much the contract of one op says.
struct Coverage {
  /// Statements: a clause each, of a `payload` clause one for each of its
  /// lists, one for a model and for each id that it reports, and one for what
  /// is missing.
  unsigned clauses = 0;
  /// Those of them that are conservative: `may_fail`, each reason that the
  /// model leaves open, a contract or a rule group that does not cover every
  /// way to fail, `"*"` in a list, and a result that is anywhere, or of which
  /// there may be any number.
  llvm::SmallVector<std::string> conservative;
};

Coverage getCoverage(const Contract &contract, ModelClaimsOf claimsOf,
                     mlir::MLIRContext *context);

/// The recorded usage, of which `normalforms/library/usage.txt` is the source.
llvm::StringMap<Usage> readUsage(llvm::StringRef text);

/// The coverage of each contract of `library` as Markdown, those that schedules
/// use first, with the sums.
void printCoverage(const ContractLibrary &library, ModelClaimsOf claimsOf,
                   mlir::MLIRContext *context, llvm::raw_ostream &os);

/// The share of conservative clauses, in percent, of what is used.
double getConservativeShare(const ContractLibrary &library,
                            ModelClaimsOf claimsOf, mlir::MLIRContext *context);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_COVERAGE_H
