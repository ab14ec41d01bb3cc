//===- Establish.cpp - Reaching and checking a form -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Establish.h"

#include "engine/DriverKey.h"
#include "normalforms/IR/NormalFormOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

FormCheck
formwork::normalforms::checkForm(const FormLibrary &library, const Form &form,
                                 Operation *anchor,
                                 const engine::NormalizerOptions &options) {
  FormCheck check;
  check.violations = library.checkPredicates(form, anchor);
  if (form.hasDriver())
    check.irreducibility =
        engine::checkIrreducible(library.getDriver(form), anchor, options);
  return check;
}

FormNormalizer::FormNormalizer(const FormLibrary &library, const Form &form,
                               engine::NormalizerOptions options)
    : hasDriver(form.hasDriver()) {
  if (!hasDriver)
    return;
  MLIRContext *context = form.declaration->getContext();
  if (!options.cache)
    options.cache =
        &context->getOrLoadDialect<NormalFormDialect>()->getNormalCache();
  // Payload that is normal for this form is normal for every refined form.
  options.implied = [this, &library, &form] {
    if (implied.empty())
      for (AtomId atom : library.lattice().closure(form.atom).atoms())
        if (const Form &part = library.getForm(atom); part.hasDriver())
          implied.push_back(engine::computeDriverKey(
              part.descriptors, form.declaration->getContext(), part.greedy,
              part.procedures));
    return ArrayRef(implied);
  };
  normalizer.emplace(library.getDriver(form), std::move(options));
}

engine::Report FormNormalizer::run(Operation *anchor) {
  return hasDriver ? normalizer->run(anchor) : engine::Report();
}

std::string formwork::normalforms::explainReport(const engine::Report &report) {
  switch (report.reason) {
  case engine::StopReason::Fixpoint:
    break;
  case engine::StopReason::Cycle:
    return "the rules undo each other: " + llvm::join(report.cycle, ", ");
  case engine::StopReason::Failed:
    return "procedure '" + report.failed + "' failed";
  case engine::StopReason::FalseSkip:
    return "an anchor that was skipped as normal is not normal";
  case engine::StopReason::Limit:
    break;
  }
  std::vector<engine::RuleFires> fires = report.fires;
  llvm::stable_sort(fires,
                    [](const engine::RuleFires &a, const engine::RuleFires &b) {
                      return a.count > b.count;
                    });
  std::string text;
  for (const engine::RuleFires &rule : fires)
    text += (text.empty() ? "" : ", ") + rule.rule + " x" +
            std::to_string(rule.count);
  if (text.empty())
    text = "constants or operands in another order";
  return text;
}
