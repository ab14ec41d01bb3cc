//===- Conditions.h - Clauses that hold under conditions --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which clauses of a contract hold for one op at one point of a schedule, and
// the failures that clauses describe. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_CONDITIONS_H
#define FORMWORK_VERIFIER_CLAUSES_CONDITIONS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The clauses of `contract` that hold for `op` at this point.
const normalforms::Contract &resolve(const Step &step,
                                     const normalforms::Contract &contract);

/// Calls `fn` on each rule group in the body of `op` that has a contract.
void forEachGroup(
    mlir::Operation *op, const normalforms::ContractLibrary &contracts,
    llvm::function_ref<void(mlir::Operation *, const normalforms::Contract &)>
        fn);

/// Whether contracts add to that of an op like `op`: those of the pass, the
/// rule groups or the conversions that it runs.
bool isAssembled(mlir::Operation *op);
/// Whether they do add to that of `op`, which is assembled.
bool needsInstance(mlir::Operation *op,
                   const normalforms::ContractLibrary &contracts);

/// The contract whose effect clauses say what `op` is for: that of its pass, of
/// the first of its rule groups that has such clauses, or else that of `op`.
/// Null without one.
const normalforms::Contract *
getEffectContract(mlir::Operation *op,
                  const normalforms::ContractLibrary &contracts);

/// The contract of this instance: its clauses that hold, with those of the
/// pass that it runs, the forms that its rule groups ask for, and what the
/// conversions that it collects write. `extended` holds it where there is
/// more than the clauses of `contract`.
const normalforms::Contract &
instantiate(const Step &step, const normalforms::Contract &contract,
            std::optional<normalforms::Contract> &extended);

void checkFailureClauses(const Step &step);

void checkAncestors(const Step &step, const normalforms::OperandClause &clause);

/// The contract of the pass that `op` runs, if it runs one that has one; else
/// null.
const normalforms::Contract *getPassContract(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_CONDITIONS_H
