//===- Table.cpp - Counts per operation and feature -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Table.h"

#include "normalforms/PayloadFeatures.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork::campaign;
namespace json = llvm::json;

/// The ways to be wrong, as they are listed.
static constexpr Wrong kWrongs[] = {Wrong::ProvedFails, Wrong::RefutedRuns,
                                    Wrong::FalseFact, Wrong::CheckCrashes,
                                    Wrong::CheckHangs};

void Counts::add(const Outcome &outcome, Wrong isWrong) {
  ++tried;
  ran += outcome.truth == Truth::Runs;
  failed += outcome.truth == Truth::Fails || outcome.truth == Truth::Invalid;
  crashed += outcome.truth == Truth::Crashes;
  hung += outcome.truth == Truth::Hangs;
  proved += outcome.claim == Claim::Proved;
  unproved += outcome.claim == Claim::Unproved;
  refuted += outcome.claim == Claim::Refuted;
  wrong += isWrong != Wrong::No;
}

void Table::add(const Outcome &outcome) {
  if (!outcome.rejected.empty()) {
    ++rejected[outcome.rejected];
    ++reasons[outcome.rejected + ": " +
              StringRef(outcome.failure).take_front(60).str()];
    return;
  }
  Wrong wrong = outcome.getWrong();
  ++wrongs[wrong];
  total.add(outcome, wrong);
  for (const std::string &step : outcome.steps)
    steps[step].add(outcome, wrong);
  for (const std::string &attribute : outcome.attributes)
    attributes[attribute].add(outcome, wrong);
  for (const std::string &feature : outcome.features)
    features[feature].add(outcome, wrong);
  for (const std::string &op : outcome.payloadOps)
    payloadOps[op].add(outcome, wrong);
}

uint64_t Table::getWrong(Wrong wrong) const {
  auto it = wrongs.find(wrong);
  return it == wrongs.end() ? 0 : it->second;
}

void Table::addHoles(MLIRContext *context,
                     const normalforms::ContractLibrary &contracts) {
  for (StringRef name : contracts.getOpNames()) {
    StringRef step = name;
    step.consume_front("transform.");
    // They are no steps, none that people write, or none that MLIR runs.
    if (llvm::is_contained({"named_sequence", "yield", "normalform.observe",
                            "smt.constrain_params"},
                           step))
      continue;
    if (!steps.count(step.str()))
      untriedSteps.push_back(step.str());
  }
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if ((name.hasInterface<TilingInterface>() ||
         name.hasInterface<DestinationStyleOpInterface>()) &&
        !payloadOps.count(name.getStringRef().str()))
      untriedOps.push_back(name.getStringRef().str());
  for (const normalforms::PayloadFeature &feature :
       normalforms::getPayloadFeatures())
    if (!features.count(feature.name.str()))
      untriedFeatures.push_back(feature.name.str());
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printRow(llvm::raw_ostream &os, StringRef name,
                     const Counts &counts) {
  os << llvm::formatv("{0,-52} {1,8} {2,8} {3,8} {4,7} {5,6} {6,8} {7,8} "
                      "{8,8} {9,6}\n",
                      name, counts.tried, counts.ran, counts.failed,
                      counts.crashed, counts.hung, counts.proved,
                      counts.unproved, counts.refuted, counts.wrong);
}

static void printRows(llvm::raw_ostream &os, StringRef title,
                      const std::map<std::string, Counts> &rows) {
  os << llvm::formatv("\n{0,-52} {1,8} {2,8} {3,8} {4,7} {5,6} {6,8} {7,8} "
                      "{8,8} {9,6}\n",
                      title, "tried", "ran", "failed", "crashed", "hung",
                      "proved", "unproved", "refuted", "wrong");
  for (const auto &[name, counts] : rows)
    printRow(os, name, counts);
}

static void printNames(llvm::raw_ostream &os, StringRef title,
                       const std::vector<std::string> &names) {
  if (!names.empty())
    os << "\nnever tried, " << title << " (" << names.size()
       << "): " << llvm::join(names, ", ") << "\n";
}

void Table::print(llvm::raw_ostream &os, bool onlyTotals) const {
  if (!onlyTotals) {
    printRows(os, "step", steps);
    printRows(os, "feature of the payload", features);
    printRows(os, "operation of the payload", payloadOps);
    printNames(os, "steps", untriedSteps);
    printNames(os, "features", untriedFeatures);
    printNames(os, "operations that are tiled or have destinations",
               untriedOps);
  }
  printRows(os, "all", {{"comparisons", total}});
  SmallVector<std::pair<uint64_t, StringRef>> common;
  for (const auto &[reason, count] : reasons)
    common.push_back({count, reason});
  llvm::sort(common, std::greater<>());
  for (auto [count, reason] : ArrayRef(common).take_front(onlyTotals ? 0 : 20))
    os << "thrown away " << count << " times: " << reason << "\n";
  for (const auto &[reason, count] : rejected)
    os << "thrown away, " << reason << " not valid: " << count << "\n";
  for (Wrong wrong : kWrongs)
    os << campaign::getName(wrong) << ": " << getWrong(wrong) << "\n";
  os << "wrong once, and right alone: " << unsteady << "\n";
}

static json::Object toJson(const std::map<std::string, Counts> &rows) {
  json::Object object;
  for (const auto &[name, counts] : rows)
    object[name] =
        json::Object{{"tried", counts.tried},       {"ran", counts.ran},
                     {"failed", counts.failed},     {"crashed", counts.crashed},
                     {"hung", counts.hung},         {"proved", counts.proved},
                     {"unproved", counts.unproved}, {"refuted", counts.refuted},
                     {"wrong", counts.wrong}};
  return object;
}

json::Object Table::toJson() const {
  json::Object thrown, wrong;
  for (const auto &[reason, count] : rejected)
    thrown[reason] = count;
  for (Wrong each : kWrongs)
    wrong[campaign::getName(each)] = getWrong(each);
  return json::Object{{"total", ::toJson({{"comparisons", total}})},
                      {"wrong", std::move(wrong)},
                      {"unsteady", unsteady},
                      {"rejected", std::move(thrown)},
                      {"steps", ::toJson(steps)},
                      {"attributes", ::toJson(attributes)},
                      {"features", ::toJson(features)},
                      {"operations", ::toJson(payloadOps)},
                      {"untriedSteps", untriedSteps},
                      {"untriedFeatures", untriedFeatures},
                      {"untriedOperations", untriedOps}};
}
