//===- CheckPair.cpp - The check that users see -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/CheckPair.h"

#include "transforms/schedule/Prepare.h"
#include "verifier/report/Reasons.h"
#include "verifier/source/SourceNames.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

FailureOr<verifier::CheckResult> formwork::transforms::checkPair(
    const ScheduleInput &input, Operation *payload,
    const normalforms::Libraries &libraries, verifier::CheckOptions options,
    const verifier::solver::SolverOptions &solver, Shown shown) {
  FailureOr<verifier::ScheduleModel> model = getModel(input);
  if (failed(model))
    return failure();
  options.nameOf = [&](Value value) { return input.getName(value); };
  options.holdsSchedule = payload && !input.isSeparate;
  std::optional<verifier::SourceNames> names = input.getNames();
  options.source = names && shown.edits ? &*names : nullptr;
  verifier::CheckResult result =
      verifier::checkParameters(*model, payload, libraries, options, solver);
  if (shown.reasons)
    verifier::addReasons(result);
  result.findings.sort();
  return result;
}
