//===- Redundancy.h - Enablers that change nothing --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds clean-up that has nothing to do on any payload, because a form that is
// known to hold there consists of at least its rules. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_REDUNDANCY_H
#define FORMWORK_VERIFIER_PLAN_REDUNDANCY_H

#include "normalforms/Libraries.h"
#include "verifier/Verifier.h"

namespace formwork::verifier {

/// The enablers of the entry sequence of `schedule` of which, on any payload,
/// each rule and procedure is one of a form that holds wherever they run: they
/// change nothing, so that all of them can go together. Cost: one propagation.
llvm::SmallVector<mlir::Operation *>
findRedundantEnablers(const ScheduleModel &schedule,
                      const normalforms::Libraries &libraries);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_REDUNDANCY_H
