//===- ContractCheck.h - Whether clauses fit the op -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares a contract with the registered op, rule group or pass that it
// describes: indices, handles and parameters, attributes, options, and the
// names of ops and passes in its clauses. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACTCHECK_H
#define FORMWORK_NORMALFORMS_CONTRACTCHECK_H

#include "engine/Diagnostics.h"
#include "normalforms/IR/NormalFormOps.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace formwork::normalforms {

/// The errors in `contract`, which `readContract` has accepted, each at its
/// clause:
///
/// - fw-contract-operand, an error: an operand or result that the op does not
///   have, or a parameter where the clause describes payload, or the reverse;
/// - fw-contract-name, an error: an attribute, option, op, pass or error id
/// that
///   does not exist, a value of an attribute that is only present or absent, or
///   an op that is not a transform op;
/// - fw-contract-unchecked, a warning: a name of a plugin that is not loaded,
/// or
///   an operand or result beyond those that the definition names, if their
///   number is open: neither can be checked.
///
/// Each wrong name comes with the nearest known one; `passes` are the pass
/// names to search. Loads the dialects that the contract names. Cost: builds
/// and verifies some dozen small ops.
engine::Findings checkContract(ContractOp contract,
                               llvm::ArrayRef<llvm::StringRef> passes);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACTCHECK_H
