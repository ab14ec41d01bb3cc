//===- Trials.cpp - What refutes a contract -------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/contracts/Trials.h"
#include "bench/campaign/Batches.h"

#include "embedded/violations.h"
#include "engine/AnyBelow.h"
#include "normalforms/DiagnosticIds.h"
#include "transforms/schedule/FatalInput.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/validate/Validate.h"

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::mistakes;
namespace json = llvm::json;

Trials::Trials(campaign::Judge &judge, const TrialOptions &options)
    : judge(judge), options(options), generator(judge, options.seed),
      witnessPairs(judge.getContext(), judge.getForms(), options.seed),
      violations(readViolations(embedded::violations)),
      functions(readFunctions(judge.getContext())) {
  campaign::runInChildren(
      0, options.pairs, options.pairs, {},
      [&](uint64_t number, llvm::raw_ostream &os) {
        campaign::Pair pair = generator.make(number);
        os << json::Value(json::Array{json::fixUTF8(pair.payload),
                                      json::fixUTF8(pair.schedule)})
           << "\n";
      },
      [&](StringRef text) {
        campaign::readLines(text, [&](const json::Value &value) {
          const json::Array &pair = *value.getAsArray();
          campaignPairs.push_back(
              {pair[0].getAsString()->str(), pair[1].getAsString()->str()});
        });
        return true;
      });
}

SmallVector<StringRef> Trials::getKinds(StringRef name) const {
  // The kinds of ops that most steps make or take away.
  SmallVector<StringRef> kinds = {"affine.apply",
                                  "affine.min",
                                  "arith.constant",
                                  "linalg.fill",
                                  "linalg.generic",
                                  "linalg.copy",
                                  "linalg.matmul",
                                  "linalg.transpose",
                                  "memref.alloc",
                                  "memref.subview",
                                  "scf.for",
                                  "scf.forall",
                                  "scf.if",
                                  "tensor.extract_slice",
                                  "tensor.insert_slice",
                                  "tensor.empty",
                                  "tensor.pad",
                                  "tensor.expand_shape",
                                  "vector.contract",
                                  "vector.transfer_read",
                                  "vector.transfer_write"};
  if (const normalforms::Contract *contract = judge.getContracts().lookup(name))
    for (const normalforms::PayloadClause &write : contract->writes)
      for (StringRef kind : write.introduces)
        if (kind.contains('.') && !kind.contains('*') && !kind.contains('?') &&
            !llvm::is_contained(kinds, kind))
          kinds.push_back(kind);
  return kinds;
}

std::vector<Trials::Trial> Trials::makeWitnesses(StringRef name) {
  std::vector<Trial> trials;
  const std::vector<Violation> own = violations.lookup(name);
  for (const Violation &violation : own)
    trials.push_back({violation.payload, violation.schedule, Twin::Same, 0,
                      violation.clause, violation.leaves});
  // A violation of a clause of another op may violate the same clause of this
  // one: in other conditions.
  for (const auto &entry : violations)
    for (const Violation &other : entry.second)
      for (const Violation &violation : own)
        if (other.clause == violation.clause &&
            other.payload != violation.payload &&
            trials.size() < own.size() + 12)
          trials.push_back({other.payload, violation.schedule});
  const testing::WitnessFile &witnesses = generator.getWitnesses();
  if (auto cases = witnesses.cases.find(name.str());
      cases != witnesses.cases.end())
    for (const testing::WitnessCase &witness : cases->second)
      for (unsigned variant = 0; variant < options.variants; ++variant) {
        testing::WitnessPair pair = witnessPairs.make(name, witness, variant);
        if (pair.schedule)
          trials.push_back({campaign::print(*pair.payload),
                            campaign::print(*pair.schedule)});
      }
  return trials;
}

std::vector<Trials::Trial> Trials::makeTrials(StringRef name) {
  std::vector<Trial> trials = makeWitnesses(name);
  StringRef original = name;
  // As a schedule spells it, and no longer name.
  std::string spelled = name.str();
  if (name.consume_front("pass:"))
    spelled = "\"" + name.str() + "\"";
  unsigned taken = 0;
  for (const Trial &pair : campaignPairs) {
    if (taken == options.perContract)
      break;
    size_t at = pair.schedule.find(spelled);
    size_t end = at + spelled.size();
    bool isWhole = at != std::string::npos &&
                   (end == pair.schedule.size() ||
                    (!llvm::isAlnum(pair.schedule[end]) &&
                     pair.schedule[end] != '_' && pair.schedule[end] != '.'));
    if (!isWhole)
      continue;
    trials.push_back(pair);
    ++taken;
  }
  size_t number = trials.size();
  auto add = [&](size_t index, Twin twin, unsigned which = 0) {
    trials.push_back(
        {trials[index].payload, trials[index].schedule, twin, which});
  };
  for (Twin twin : {Twin::Matches, Twin::Suppressed})
    for (size_t i = 0; i < number; ++i)
      add(i, twin);
  for (size_t i = 0; i < std::min(number, options.perTwin); ++i) {
    add(i, Twin::Watched);
    add(i, Twin::Doubled);
    for (unsigned which = 0; which < functions.size(); ++which)
      add(i, Twin::Beside, which);
  }
  for (size_t i = 0; i < number; ++i)
    if (!trials[i].violated.empty()) {
      trials.push_back(trials[i]);
      trials.back().twin = Twin::Mended;
    }
  size_t numValues = 2 * getAttributeConditions(original).size();
  for (size_t i = 0; i < std::min(number, options.perTwin); ++i)
    for (unsigned which = 0; which < numValues; ++which)
      add(i, Twin::Attribute, which);
  return trials;
}

std::vector<normalforms::Condition>
Trials::getAttributeConditions(StringRef name) const {
  std::vector<normalforms::Condition> found;
  const normalforms::Contract *contract = judge.getContracts().lookup(name);
  if (!contract)
    return found;
  // Asked of no clause in particular: which conditions there are.
  (void)contract->decide(
      [&](const normalforms::Condition &condition) -> std::optional<bool> {
        bool isKnown = llvm::any_of(found, [&](const auto &other) {
          return other.name == condition.name &&
                 other.value == condition.value &&
                 other.comparison == condition.comparison &&
                 other.number == condition.number;
        });
        if (condition.subject == normalforms::Condition::Attribute && !isKnown)
          found.push_back(condition);
        return true;
      });
  return found;
}

llvm::ArrayRef<Trials::Trial> Trials::getTrials(StringRef name) {
  auto it = known.find(name);
  if (it != known.end())
    return it->second;
  std::vector<Trial> made = makeTrials(name), right;
  tryAll(name, made, judge.getContracts(),
         [&](size_t number, const Said &said) {
           if (!said.refuted.empty())
             return true;
           right.push_back(std::move(made[number]));
           right.back().said = said;
           return true;
         });
  return known[name.str()] = std::move(right);
}

void Trials::tryRight(
    llvm::function_ref<void(StringRef, StringRef, StringRef)> report) {
  auto tryThese = [&](StringRef name, ArrayRef<Trial> these) {
    tryAll(name, these, judge.getContracts(),
           [&](size_t number, const Said &said) {
             if (!said.refuted.empty())
               report(these[number].payload, these[number].schedule,
                      said.refuted);
             return true;
           });
  };
  for (const auto &entry : generator.getWitnesses().cases)
    tryThese(entry.first, makeWitnesses(entry.first));
  for (const auto &entry : violations)
    if (!generator.getWitnesses().cases.contains(entry.first().str()))
      tryThese(entry.first(), makeWitnesses(entry.first()));
  tryThese("", campaignPairs);
}

/// Whether `text` is among the reasons and findings of `check`.
static bool names(const verifier::CheckResult &check, StringRef text) {
  auto holds = [&](const engine::Finding &finding) {
    return StringRef(finding.message).contains(text) ||
           llvm::any_of(finding.notes, [&](const engine::Note &note) {
             return StringRef(note.message).contains(text);
           });
  };
  return llvm::any_of(check.findings.get(), holds) ||
         llvm::any_of(check.verdict.reasons,
                      [&](const verifier::Unproved &unproved) {
                        return StringRef(unproved.reason).contains(text);
                      });
}

/// The only clause of the contract called `name` that asks for a form and says
/// `text` otherwise, or begins with it; null if there is none.
static const normalforms::FormClause *
findFormClause(const normalforms::ContractLibrary &contracts, StringRef name,
               StringRef text) {
  const normalforms::FormClause *found = nullptr;
  if (const normalforms::Contract *contract = contracts.lookup(name))
    for (const normalforms::FormClause &clause : contract->forms)
      if (clause.otherwise.starts_with(text)) {
        if (found)
          return nullptr;
        found = &clause;
      }
  return found;
}

/// Whether a run of `entry` fails with `text`, or leaves what is called
/// `leaves`, if anything. Changes `payload`.
static bool isStillViolated(StringRef text, StringRef leaves,
                            const transforms::Validation &validation,
                            ModuleOp payload,
                            transform::NamedSequenceOp entry) {
  if (!validation.ran)
    return StringRef(validation.failure).contains(text);
  return !leaves.empty() &&
         succeeded(transforms::runSchedule(payload, entry)) &&
         StringRef(campaign::print(payload)).contains(leaves);
}

std::optional<Trials::Said>
Trials::tryOne(StringRef name, const Trial &trial,
               const normalforms::ContractLibrary &contracts) {
  OwningOpRef<ModuleOp> payload = judge.parse(trial.payload);
  OwningOpRef<ModuleOp> schedule = judge.parse(trial.schedule);
  if (!payload || !schedule)
    return std::nullopt;
  ScopedDiagnosticHandler quiet(judge.getContext(), [](Diagnostic &) {});
  // No run makes a choice that is open.
  if (engine::holdsAny<transform::tune::KnobOp,
                       transform::tune::AlternativesOp>(*schedule))
    return std::nullopt;
  const normalforms::FormClause *mended = nullptr;
  if (trial.twin == Twin::Mended) {
    mended = findFormClause(contracts, name, trial.violated);
    if (!mended)
      return std::nullopt;
  }
  if (trial.twin == Twin::Doubled)
    duplicateOps(*payload);
  else if (trial.twin == Twin::Beside)
    addFunction(*payload, *functions[trial.number]);
  else if (trial.twin == Twin::Attribute &&
           !meetCondition(*schedule, name,
                          getAttributeConditions(name)[trial.number / 2],
                          trial.number % 2))
    return std::nullopt;
  if (failed(verify(*payload)))
    return std::nullopt;
  auto model = verifier::ScheduleModel::create(*schedule);
  if (failed(model) || model->getEntry().getBody().empty() ||
      model->getEntry().getNumArguments() != 1 ||
      failed(transforms::checkSizeLists(*schedule->getBody())) ||
      failed(transforms::checkSteps(model->getEntry())))
    return std::nullopt;
  if (trial.twin == Twin::Matches)
    matchBehind(model->getEntry(), getKinds(name));
  else if (trial.twin == Twin::Suppressed)
    suppressFailures(model->getEntry());
  else if (trial.twin == Twin::Watched || trial.twin == Twin::Doubled)
    watchKinds(model->getEntry(), *payload);
  else if (mended)
    normalizeBefore(model->getEntry(),
                    judge.getForms().getForm(mended->form).name);
  if (failed(verify(*schedule)))
    return std::nullopt;
  transforms::Validation validation = transforms::validateSchedule(
      *model, *payload, {judge.getForms(), contracts});
  Said said;
  said.verdict = validation.check.verdict.kind;
  for (const engine::Finding &finding : validation.check.findings.get()) {
    bool isDoubt = finding.severity == DiagnosticSeverity::Warning &&
                   (finding.id == "fw-unproved" ||
                    llvm::is_contained(normalforms::getErrorIds(), finding.id));
    std::string key = finding.id;
    llvm::raw_string_ostream(key) << finding.loc;
    if (!isDoubt)
      key += finding.message;
    (isDoubt ? said.doubts : said.claims).push_back(llvm::xxh3_64bits(key));
  }
  for (std::vector<uint64_t> *keys : {&said.claims, &said.doubts}) {
    llvm::sort(*keys);
    keys->erase(llvm::unique(*keys), keys->end());
  }
  said.numFacts = validation.numFacts;
  said.namesClause =
      !trial.violated.empty() && names(validation.check, trial.violated);
  if (!validation.falseFacts.empty())
    said.refuted = validation.falseFacts.get().front().message;
  else if (mended && isStillViolated(trial.violated, trial.leaves, validation,
                                     *payload, model->getEntry()))
    said.refuted = ("expected '" + trial.violated + "' to be gone in form '@" +
                    judge.getForms().getForm(mended->form).name + "'");
  return said;
}

void Trials::tryAll(StringRef name, llvm::ArrayRef<Trial> trials,
                    const normalforms::ContractLibrary &contracts,
                    llvm::function_ref<bool(size_t, const Said &)> report,
                    unsigned seconds) {
  if (seconds == 0)
    seconds = options.seconds;
  auto read = [&](StringRef text) {
    bool goesOn = true;
    campaign::readLines(text, [&](const json::Value &value) {
      size_t index = 0;
      Said said;
      json::Path::Root root;
      json::ObjectMapper map(value, root);
      if (goesOn && map && map.map("index", index) &&
          map.map("verdict", said.verdict) && map.map("claims", said.claims) &&
          map.map("doubts", said.doubts) && map.map("facts", said.numFacts) &&
          map.map("names", said.namesClause) &&
          map.map("refuted", said.refuted))
        goesOn = report(index, said);
    });
    return goesOn;
  };
  campaign::runInChildren(
      0, trials.size(), trials.size(), campaign::getPairLimits(),
      [&](uint64_t number, llvm::raw_ostream &os) {
        campaign::limitTime(seconds);
        std::optional<Said> said = tryOne(name, trials[number], contracts);
        campaign::limitTime(0);
        if (!said)
          return;
        llvm::replace(said->refuted, '\n', ' ');
        os << json::Value(
                  json::Object{{"index", number},
                               {"verdict", said->verdict},
                               {"claims", said->claims},
                               {"doubts", said->doubts},
                               {"facts", said->numFacts},
                               {"names", said->namesClause},
                               {"refuted", json::fixUTF8(said->refuted)}})
           << "\n";
      },
      read);
}

std::string Trials::describe(const Said &before, const Said &said,
                             const Trial &trial) {
  return llvm::formatv(
      "verdict {0} -> {1}, claims {2} -> {3}, doubts {4} -> {5}, facts {6} -> "
      "{7}, twin {8}, {9}\n{10}// -----\n{11}",
      before.verdict, said.verdict, before.claims.size(), said.claims.size(),
      before.doubts.size(), said.doubts.size(), before.numFacts, said.numFacts,
      int(trial.twin), trial.number, trial.payload, trial.schedule);
}

bool Trials::isLess(const Said &said, const Said &before) {
  // Behind a step that is not refuted any more, the check goes on.
  if (said.verdict == verifier::Verdict::Unknown &&
      before.verdict != verifier::Verdict::Unknown)
    return true;
  return said.verdict == before.verdict && said.numFacts <= before.numFacts &&
         llvm::includes(before.claims, said.claims) &&
         llvm::includes(said.doubts, before.doubts);
}

/// How much longer a check may take that took too long.
static constexpr unsigned kLongTime = 6;

Consequence
Trials::tryContracts(StringRef name,
                     const normalforms::ContractLibrary &contracts) {
  Consequence consequence;
  auto add = [&](Consequence::Kind kind) {
    consequence.kind = std::max(consequence.kind, kind);
  };
  llvm::ArrayRef<Trial> trials = getTrials(name);
  std::vector<bool> ended(trials.size());
  auto judgeOne = [&](size_t number, const Said &said) {
    const Said &before = trials[number].said;
    ended[number] = true;
    if (!said.refuted.empty()) {
      consequence = {Consequence::False, said.refuted};
      return false;
    }
    if (before.namesClause && !said.namesClause) {
      consequence = {Consequence::False,
                     "does not say '" + trials[number].violated +
                         "' of payload that is recorded as a violation of it"};
      return false;
    }
    bool isSame =
        said.verdict == before.verdict && said.claims == before.claims &&
        said.doubts == before.doubts && said.numFacts == before.numFacts;
    if (!isSame) {
      bool isPart = isLess(said, before);
      add(isPart ? Consequence::Less : Consequence::Other);
      if (!isPart && consequence.other.empty())
        consequence.other = describe(before, said, trials[number]);
    }
    return true;
  };
  tryAll(name, trials, contracts, judgeOne);
  // On a busy machine, a check may take longer the second time.
  for (size_t i = 0; i < trials.size(); ++i)
    if (!ended[i] && consequence.kind != Consequence::False)
      tryAll(
          name, trials.slice(i, 1), contracts,
          [&](size_t, const Said &said) { return judgeOne(i, said); },
          kLongTime * options.seconds);
  // A check that does not come to an end says nothing, and is a fault.
  if (consequence.kind != Consequence::False &&
      llvm::is_contained(ended, false)) {
    add(Consequence::Other);
    if (consequence.other.empty())
      consequence.other = "a trial does not come to an end";
  }
  return consequence;
}
