//===- LoneSteps.h - Steps that were tried on a copy ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the result of a step on a copy of one payload op for its own. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_LONESTEPS_H
#define FORMWORK_VERIFIER_CLAUSES_LONESTEPS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The result of `op` on a copy of the payload op of `id`, which its operand
/// `index` holds; null if it is not known.
const LoneRun *runAlone(const Step &step, unsigned index, NodeId id);

/// Reports that a step fails in `run`, which ran it on a copy: `fw-step-fails`
/// in upstream's words, or what an operation of ours says. `mayBeMended`: the
/// step succeeds, and a later one may mend what it leaves. A failure that is
/// suppressed is no certain one if it leaves what is not valid.
engine::Finding &reportTrial(const Step &step, const LoneRun &run,
                             bool mayBeMended);

/// The result of a rewrite of what is below the payload op of `id`, its only
/// operand, on a copy of what was given; null if it is not known. Only some
/// steps of a schedule are tried, on payload of a moderate size.
const LoneRun *tryRewrite(const Step &step, NodeId id);

/// Records that the step finds nothing to do: the payload, which was as it was
/// given before the step, is so behind it.
void stayAsGiven(const Step &step);

/// Whether `tryRewrite` says of all payload of the step's first operand that
/// the step finds nothing to do. If so, and the payload was as it was given, it
/// stays that.
bool stayAsGivenIfIdle(const Step &step);

/// Sets the result to what it was for each target by itself; false when that
/// is not known.
bool setLoneResult(const Step &step, unsigned index);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_LONESTEPS_H
