//===- WitnessesTest.cpp - What steps keep, against runs that change ------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Property test: for each contract of a step, rule group or pass that writes
// payload there are runs in which it did change the payload, and behind it all
// that is inferred of every handle, of the payload as a whole and of the forms
// holds. The cases are in witnesses.txt; each is tried as it stands and in
// seeded variants. FORMWORK_TEST_SEED tries others, FORMWORK_TEST_VARIANTS sets
// how many (10 by default), FORMWORK_TEST_ONLY=WORD leaves out contracts.
//
//===----------------------------------------------------------------------===//

#include "embedded/groupsPayload.h"
#include "embedded/witnessCases.h"
#include "engine/Child.h"
#include "engine/Fingerprint.h"
#include "normalforms/Establish.h"
#include "test/property/schedules/Registry.h"
#include "test/property/witnesses/Pairs.h"
#include "transforms/validate/Validate.h"
#include "verifier/state/State.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::testing;
using namespace formwork::transforms;

namespace {
uint64_t getNumber(const char *variable, uint64_t byDefault) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : byDefault;
}

bool isGroup(StringRef contract) {
  return contract.starts_with("transform.apply_patterns.") ||
         contract.starts_with("transform.apply_conversion_patterns.");
}

/// The outcome of a try.
struct Outcome {
  bool ran = false;
  /// The step changed the payload, and what was inferred behind it held.
  bool changed = false;
  uint64_t facts = 0;
  /// Forms of some op that held before the step and, as claimed, behind it.
  uint64_t forms = 0;
  std::string fault;
};

class WitnessesTest : public ::testing::Test {
protected:
  WitnessesTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED),
        seed(getNumber("FORMWORK_TEST_SEED", 20261122)),
        numVariants(getNumber("FORMWORK_TEST_VARIANTS", 10)) {
    context.loadDialect<transform::TransformDialect>();
    context.printOpOnDiagnostic(false);
    EXPECT_TRUE(succeeded(normalforms::FormLibrary::install(&context)));
    forms = normalforms::FormLibrary::get(&context);
    pairs.emplace(&context, *forms, seed);
    auto loaded = normalforms::ContractLibrary::load(&context, *forms);
    EXPECT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
    file = readWitnesses(embedded::witnessCases, embedded::groupsPayload);
    EXPECT_EQ(file.error, "") << "witnesses.txt";
  }

  /// The results of the greedy driver on `payload` without any rules: in
  /// whatever order and however far it goes.
  static std::vector<engine::Fingerprint>
  driveBare(Operation *payload, engine::Fingerprinter &fingerprinter) {
    std::vector<engine::Fingerprint> made;
    FrozenRewritePatternSet none;
    for (bool topDown : {false, true})
      for (bool perFunction : {false, true}) {
        GreedyRewriteConfig config;
        config.setUseTopDownTraversal(topDown);
        OwningOpRef<Operation *> copy = payload->clone();
        if (!perFunction)
          (void)applyPatternsGreedily(*copy, none, config);
        else
          copy->walk([&](FunctionOpInterface function) {
            if (!function.isExternal())
              (void)applyPatternsGreedily(function, none, config);
          });
        made.push_back(fingerprinter.ofBody(*copy));
      }
    return made;
  }

  /// With `byRules`, what the driver does without rules is no change.
  Outcome judge(WitnessPair &pair, bool byRules) {
    Outcome outcome;
    auto model =
        verifier::ScheduleModel::create(*pair.schedule, "__transform_main");
    if (failed(model))
      return outcome;
    engine::Fingerprinter fingerprinter;
    engine::Fingerprint before = fingerprinter.ofBody(*pair.payload);
    std::vector<engine::Fingerprint> bare;
    if (byRules && !pair.step->getPrevNode())
      bare = driveBare(*pair.payload, fingerprinter);
    std::map<verifier::NodeId, normalforms::FormSet> held;
    ValidationOptions options;
    options.observer = [&](const SeenStep &seen) {
      engine::Fingerprint now = fingerprinter.ofBody(seen.payload);
      bool isStep = seen.step == pair.step;
      if (isStep)
        outcome.ran = true;
      if (isStep && seen.inferred) {
        outcome.changed = now != before && !llvm::is_contained(bare, now);
        outcome.facts = seen.numFacts;
      }
      before = now;
      if (byRules && seen.step->getNextNode() == pair.step)
        bare = driveBare(seen.payload, fingerprinter);
      if (!seen.inferred)
        return;
      std::map<verifier::NodeId, normalforms::FormSet> holds;
      for (auto [node, set] : seen.inferred->forms.getEstablished())
        holds.emplace(node, set);
      if (isStep)
        for (auto &[node, set] : holds)
          if (auto it = held.find(node); it != held.end())
            for (normalforms::AtomId atom : set.atoms())
              outcome.forms += it->second.contains(atom);
      held = std::move(holds);
    };
    Validation validation =
        validateSchedule(*model, *pair.payload, {*forms, *contracts}, options);
    for (const engine::Finding &finding : validation.falseFacts.get()) {
      outcome.fault += finding.message;
      for (const engine::Note &note : finding.notes)
        outcome.fault += "; " + note.message;
    }
    failure = validation.failure;
    return outcome;
  }

  struct Row {
    unsigned tried = 0, ran = 0, changed = 0, crashed = 0;
    uint64_t facts = 0, forms = 0;
    std::string firstFailure;
  };

  /// The sanitizers reserve more than any limit.
  static void limitMemory() {
#if !__has_feature(address_sanitizer)
    constexpr rlim_t maxBytes = rlim_t(4) << 30;
    rlimit memory{maxBytes, maxBytes};
    setrlimit(RLIMIT_DATA, &memory);
#endif
  }

  /// Tries all variants of a case in children: one goes on where the last one
  /// crashed.
  void tryCase(StringRef contract, const WitnessCase &witness, Row &row) {
    for (uint64_t next = 0; next < numVariants;) {
      engine::ChildEnd end = engine::runInChild([&](llvm::raw_ostream &os) {
        limitMemory();
        for (uint64_t i = next; i < numVariants; ++i) {
          alarm(5);
          WitnessPair pair = pairs->make(contract, witness, i);
          failure = pair.failure;
          Outcome outcome;
          if (pair.schedule)
            outcome =
                judge(pair, isGroup(contract) || contract.starts_with("pass:"));
          std::string said = outcome.fault.empty() ? failure : outcome.fault;
          llvm::replace(said, '\n', ' ');
          os << outcome.ran << " " << outcome.changed << " " << outcome.facts
             << " " << outcome.forms << " " << !outcome.fault.empty() << " "
             << said << "\n";
          os.flush();
        }
        return true;
      });
      SmallVector<StringRef> lines;
      StringRef(end.text).split(lines, '\n', -1, /*KeepEmpty=*/false);
      for (StringRef line : lines) {
        SmallVector<StringRef> words;
        line.split(words, ' ', 5);
        bool changed = words[1] == "1";
        ++row.tried;
        row.ran += words[0] == "1";
        row.changed += changed;
        uint64_t facts = 0, kept = 0;
        (void)words[2].getAsInteger(10, facts);
        (void)words[3].getAsInteger(10, kept);
        if (changed) {
          row.facts += facts;
          row.forms += kept;
        } else if (row.firstFailure.empty()) {
          row.firstFailure = words[5].str();
        }
        if (words[4] == "1")
          report(contract, witness, next, words[5]);
        ++next;
      }
      if (end.succeeded)
        return;
      ++row.tried;
      ++row.crashed;
      ++next;
    }
  }

  void report(StringRef contract, const WitnessCase &witness, uint64_t variant,
              StringRef fault) {
    WitnessPair pair = pairs->make(contract, witness, variant);
    std::string text;
    llvm::raw_string_ostream(text) << *pair.payload << "\n" << pair.text;
    ADD_FAILURE() << "false fact: " << contract.str()
                  << ", FORMWORK_TEST_SEED=" << seed << ", variant " << variant
                  << ": " << fault.str() << "\n"
                  << text;
  }

  /// Looks for witnesses of all contracts that write, and of which `fits`.
  void tryAll(llvm::function_ref<bool(StringRef)> fits) {
    const char *only = std::getenv("FORMWORK_TEST_ONLY");
    llvm::outs() << llvm::formatv("{0,-66} {1,5} {2,5} {3,7} {4,5} {5,6} {6}\n",
                                  "contract", "tried", "ran", "changed",
                                  "crash", "facts", "forms kept");
    Row sum;
    for (StringRef contract : contracts->getOpNames()) {
      if (contracts->lookup(contract)->writes.empty() || !fits(contract) ||
          (only && !contract.contains(only)))
        continue;
      Row row;
      for (const WitnessCase &witness : file.cases[contract.str()])
        tryCase(contract, witness, row);
      auto reason = file.without.find(contract.str());
      llvm::outs() << llvm::formatv(
          "{0,-66} {1,5} {2,5} {3,7} {4,5} {5,6} {6}\n", contract, row.tried,
          row.ran, row.changed, row.crashed, row.facts, row.forms);
      if (reason == file.without.end())
        EXPECT_GT(row.changed, 0u)
            << contract.str() << " has no witness: "
            << (row.tried ? row.firstFailure : "no case in witnesses.txt");
      else
        EXPECT_EQ(row.changed, 0u)
            << contract.str() << " has a witness, and needs no reason";
      sum.tried += row.tried;
      sum.ran += row.ran;
      sum.changed += row.changed;
      sum.crashed += row.crashed;
      sum.facts += row.facts;
      sum.forms += row.forms;
    }
    llvm::outs() << llvm::formatv("{0,-66} {1,5} {2,5} {3,7} {4,5} {5,6} {6}\n",
                                  "all", sum.tried, sum.ran, sum.changed,
                                  sum.crashed, sum.facts, sum.forms);
  }

  MLIRContext context;
  uint64_t seed, numVariants;
  const normalforms::FormLibrary *forms = nullptr;
  std::unique_ptr<normalforms::ContractLibrary> contracts;
  WitnessFile file;
  std::optional<WitnessPairs> pairs;
  /// The failure that the last run reported.
  std::string failure;
};

TEST_F(WitnessesTest, StepsKeepWhatTheySay) {
  tryAll([](StringRef contract) {
    return !isGroup(contract) && !contract.starts_with("pass:");
  });
}

TEST_F(WitnessesTest, RuleGroupsKeepWhatTheySay) { tryAll(isGroup); }

TEST_F(WitnessesTest, PassesKeepWhatTheySay) {
  tryAll([](StringRef contract) { return contract.starts_with("pass:"); });
}

TEST_F(WitnessesTest, CasesAreOfContractsThatWrite) {
  for (const auto &entry : file.cases) {
    const normalforms::Contract *contract = contracts->lookup(entry.first);
    EXPECT_TRUE(contract && !contract->writes.empty()) << entry.first;
  }
  for (const auto &entry : file.without)
    EXPECT_TRUE(contracts->lookup(entry.first)) << entry.first;
}
} // namespace
