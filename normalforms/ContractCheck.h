//===- ContractCheck.h - Whether clauses fit the op -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares a contract with the registered op, rule group or pass that it is of:
// indices, handles and parameters, attributes, options, and the names of ops
// and passes in its clauses. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACTCHECK_H
#define FORMWORK_NORMALFORMS_CONTRACTCHECK_H

#include "engine/Diagnostics.h"
#include "normalforms/IR/NormalFormOps.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace formwork::normalforms {

/// What is wrong with `contract`, which `readContract` has accepted, each at
/// its clause:
///
/// - fw-contract-operand, an error: an operand or result that the op does not
///   have, or a parameter where the clause speaks of payload, or the reverse;
/// - fw-contract-name, an error: an attribute, option, op or pass that is not
///   there, or an op that is no transform op;
/// - fw-contract-unchecked, a warning: something of a plugin that is not
///   loaded, so that nothing tells whether it is right.
///
/// Names are followed by the nearest one. `passes` are names of passes to look
/// for it among. Loads the dialects that the contract names. Cost: some dozen
/// small ops, built and verified.
engine::Findings checkContract(ContractOp contract,
                               llvm::ArrayRef<llvm::StringRef> passes);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACTCHECK_H
