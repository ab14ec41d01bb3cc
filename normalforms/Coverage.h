//===- Coverage.h - How much the contracts say ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the clauses of contracts and how many of them are conservative, that
// is, say less than the op does. Layer: normalforms.
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
  /// Whether the measurements in the design cover it.
  bool isMeasured = false;

  bool isUsed() const { return steps > 0 || isMeasured; }
};

/// The claims of the model that a contract names: the ids that it reports, and
/// the reasons why it can leave a step undecided.
struct ModelClaims {
  llvm::ArrayRef<llvm::StringRef> decided;
  llvm::ArrayRef<llvm::StringRef> open;
};
/// Maps the name of a model to its claims.
using ModelClaimsOf = llvm::function_ref<ModelClaims(llvm::StringRef)>;

/// How much the contract of one op says.
struct Coverage {
  /// The number of statements. A clause counts as one, a `payload` clause as
  /// one for each of its lists. A model, each id that the model reports, and
  /// the note that a contract is incomplete count as one each.
  unsigned clauses = 0;
  /// The conservative statements: `may_fail`; each reason that the model leaves
  /// open; an incomplete contract or rule group; `"*"` in a list; a result
  /// whose place or number is unbounded.
  llvm::SmallVector<std::string> conservative;
};

Coverage getCoverage(const Contract &contract, ModelClaimsOf claimsOf,
                     mlir::MLIRContext *context);

/// The recorded usage; the source is `normalforms/library/usage.txt`.
llvm::StringMap<Usage> readUsage(llvm::StringRef text);

/// Prints the coverage of each contract of `library` as Markdown, the most used
/// first, with the sums.
void printCoverage(const ContractLibrary &library, ModelClaimsOf claimsOf,
                   mlir::MLIRContext *context, llvm::raw_ostream &os);

/// The share of conservative clauses, in percent, among the contracts in use.
double getConservativeShare(const ContractLibrary &library,
                            ModelClaimsOf claimsOf, mlir::MLIRContext *context);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_COVERAGE_H
