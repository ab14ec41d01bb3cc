//===- ResultOverlaps.h - Clauses about one result --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two clauses of a contract may describe the same result of a step.
// Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_RESULTOVERLAPS_H
#define FORMWORK_NORMALFORMS_RESULTOVERLAPS_H

#include "engine/Diagnostics.h"
#include "normalforms/IR/NormalFormOps.h"

namespace formwork::normalforms {

/// Reports (`fw-contract-clause`) each clause about a result that another one
/// describes, too, unless their conditions exclude each other: a step has one
/// clause at most for each result.
void checkOverlaps(ContractOp contract, engine::Findings &findings);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_RESULTOVERLAPS_H
