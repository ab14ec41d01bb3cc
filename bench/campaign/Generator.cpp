//===- Generator.cpp - Pairs by number ------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Payloads.h"
#include "bench/campaign/Schedules.h"

#include "embedded/campaignGroups.h"
#include "embedded/campaignWitnesses.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork::campaign;

Generator::Generator(Judge &judge, uint64_t seed, bool grows)
    : judge(judge), seed(seed), grows(grows),
      witnesses(testing::readWitnesses(embedded::campaignWitnesses,
                                       embedded::campaignGroups)) {
  if (!witnesses.error.empty())
    llvm::report_fatal_error(StringRef("witnesses.txt: " + witnesses.error));
  for (const auto &[contract, cases] : witnesses.cases)
    contracts.push_back(contract);
  for (StringRef name : judge.getContracts().getOpNames()) {
    // Calls the compiler of a target, which takes seconds.
    bool isSlow = name == "pass:gpu-module-to-binary" ||
                  name == "pass:gpu-lower-to-nvvm-pipeline";
    if (name.starts_with("pass:") && !isSlow)
      passes.push_back(name.drop_front(5).str());
    else if (name.ends_with("unroll_vectors_subgroup_mma"))
      groups.push_back(name.str() + " [16, 16, 16]");
    else if (name.starts_with("transform.apply_patterns."))
      groups.push_back(name.str());
    else if (name.starts_with("transform.apply_conversion_patterns."))
      conversions.push_back(name.str());
  }
  conversions.push_back("transform.apply_conversion_patterns.dialect_to_llvm "
                        "\"math\"");
}

/// The steps of a rule group or pass that a case only names.
static std::vector<std::string>
getDefaultSteps(StringRef contract, StringRef payload, Random &random) {
  std::vector<std::string> steps;
  std::string target = "%module";
  StringRef anchor = payload.contains("gpu.module") && random.chance(0.7)
                         ? "gpu.module"
                         : "func.func";
  if (random.chance(0.5)) {
    target = "%target";
    steps.push_back("%target = transform.structured.match ops{[\"" +
                    anchor.str() +
                    "\"]} in %module : (!transform.any_op) -> "
                    "!transform.any_op");
  }
  if (contract.consume_front("pass:"))
    steps.push_back("%result = transform.apply_registered_pass \"" +
                    contract.str() + "\" to " + target +
                    " : (!transform.any_op) -> !transform.any_op");
  else
    steps.push_back("transform.apply_patterns to " + target + " {\n      " +
                    contract.str() + "\n    } : !transform.any_op");
  return steps;
}

Pair Generator::make(uint64_t number) {
  Random random = Random::forStream(seed, number);
  Pair pair;
  std::vector<std::string> steps;
  unsigned length = random.chance(0.55) ? 1 : random.between(2, 5);
  double edges = 0.25;
  unsigned kind = random.below(100);
  if (kind < 45) {
    pair.payload = makeStructuredPayload(random);
  } else if (kind < 63) {
    pair.payload = makeTemplatePayload(random);
  } else if (kind < 93) {
    const std::string &contract = contracts[random.below(contracts.size())];
    const auto &cases = witnesses.cases.at(contract);
    const testing::WitnessCase &one = cases[random.below(cases.size())];
    pair.payload = one.payload;
    steps = one.steps.empty() ? getDefaultSteps(contract, pair.payload, random)
                              : one.steps;
    length = random.chance(0.6) ? 0 : random.between(1, 3);
    edges = 0.55;
    if (random.chance(0.65))
      pair.payload = varyText(pair.payload, random);
  } else {
    pair.payload = makeGeneratedPayload(judge.getContext(), random);
  }
  pair.payload = addSurroundings(std::move(pair.payload), random);
  Vocabulary vocabulary{passes, groups, conversions, {}, {}};
  if (OwningOpRef<ModuleOp> payload = judge.parse(pair.payload))
    vocabulary.read(*payload);
  if (grows) {
    pair.withoutPayload = random.chance(0.05);
    pair.schedule = writeSchedule(
        steps, random.between(2, 7), vocabulary, random,
        [&](StringRef schedule) {
          return judge.claim({pair.payload, schedule.str(),
                              pair.withoutPayload}) == Claim::Proved;
        });
    return pair;
  }
  pair.schedule = writeSchedule(steps, length, vocabulary, random);
  pair.withoutPayload = random.chance(0.05);
  if (random.chance(edges))
    if (OwningOpRef<ModuleOp> schedule = judge.parse(pair.schedule)) {
      for (unsigned i = random.between(1, 2); i > 0; --i)
        changeAttribute(*schedule, random);
      // Invalid IR cannot always be printed.
      ScopedDiagnosticHandler quiet(judge.getContext(), [](Diagnostic &) {});
      if (failed(verify(*schedule)))
        return pair;
      pair.schedule.clear();
      llvm::raw_string_ostream os(pair.schedule);
      // Some values crash the printer of their op.
      schedule->print(os, OpPrintingFlags().printGenericOpForm());
    }
  return pair;
}
