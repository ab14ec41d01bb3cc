//===- BankConflicts.h - Findings about counted conflicts -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds kernels whose accesses of workgroup memory wait for each other, from
// the counts of a run with a profile. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_BANKCONFLICTS_H
#define FORMWORK_TRANSFORMS_EMULATE_BANKCONFLICTS_H

#include "transforms/emulate/EmulationFindings.h"

namespace formwork::transforms::emulate {

/// Adds fw-slow-bank-conflicts for each kernel that reads, or writes, workgroup
/// memory in at least 1.5 times the wavefronts that its bytes need, if those
/// too many are at least a twentieth of the cycles in which its instructions
/// are issued, four a cycle. It stands at the place of the payload with the
/// most of them. Launches of `device` without a profile have none.
void findBankConflicts(const EmulatedDevice &device, mlir::Location fallback,
                       engine::Findings &findings);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_BANKCONFLICTS_H
