//===- PhaseKinds.h - Breakage by phases ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations by which a schedule looks for payload in another phase than it did:
// later, without the steps before, or again in a sequence of its own. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_PHASEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_PHASEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Does last what depends on some step.
bool postponeBranch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Starts in the middle, with matches for what the first steps made.
bool skipHead(mlir::transform::NamedSequenceOp entry, Random &random);
/// Ends in a sequence of its own, which matches what it works on.
bool secondPhase(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_PHASEKINDS_H
