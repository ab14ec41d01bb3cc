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
#include "test/property/witnesses/Cases.h"
#include "test/property/witnesses/Variants.h"
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

/// What is tried: a payload and a schedule for it, as text.
struct Pair {
  OwningOpRef<ModuleOp> payload, schedule;
  std::string text;
  /// Of the schedule: the step that the contract is about.
  Operation *step = nullptr;
};

/// What came of a try.
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
    auto loaded = normalforms::ContractLibrary::load(&context, *forms);
    EXPECT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
    file = readWitnesses(embedded::witnessCases, embedded::groupsPayload);
    EXPECT_EQ(file.error, "") << "witnesses.txt";
  }

  /// The op that a pass runs on; empty for any.
  static std::string getAnchor(StringRef pass) {
    OpPassManager passes;
    if (failed(parsePassPipeline(pass, passes, llvm::nulls())))
      return "";
    for (Pass &each : passes)
      if (std::optional<StringRef> name = each.getOpName())
        return name->str();
    return "";
  }

  static bool mayTakeModule(StringRef contract) {
    return contract.starts_with("pass:") ||
           contract.starts_with("transform.apply_");
  }

  /// The steps that run a rule group or a pass.
  std::vector<std::string> getDefaultSteps(StringRef contract, ModuleOp payload,
                                           Random &random) const {
    bool isPass = contract.consume_front("pass:");
    std::string anchor = isPass ? getAnchor(contract) : "";
    if (anchor.empty()) {
      bool hasFunction = !payload.getOps<FunctionOpInterface>().empty();
      anchor =
          hasFunction && random.chance(0.5) ? "func.func" : "builtin.module";
    }
    std::vector<std::string> steps;
    std::string target = "%target";
    bool isInner = payload
                       .walk([](ModuleOp op) {
                         return op->hasAttr("witness.scope")
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
    if (anchor != "builtin.module")
      steps.push_back("%target = transform.structured.match ops{[\"" + anchor +
                      "\"]} in %module : (!transform.any_op) -> "
                      "!transform.any_op");
    else if (isInner)
      steps.push_back("%target = transform.structured.match attributes"
                      "{witness.scope} in %module : (!transform.any_op) -> "
                      "!transform.any_op");
    else
      target = "%module";
    if (isPass)
      steps.push_back("%result = transform.apply_registered_pass \"" +
                      contract.str() + "\" to " + target +
                      " : (!transform.any_op) -> !transform.any_op");
    else
      steps.push_back("transform.apply_patterns to " + target + " {\n      " +
                      contract.str() + "\n    } : !transform.any_op");
    return steps;
  }

  /// The first variant is the case as it stands, and nothing else is looked at;
  /// in the second, everything is.
  Pair makePair(StringRef contract, const WitnessCase &witness,
                uint64_t variant) {
    Random random = Random::forStream(seed, hashOf(contract) + variant);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      failure = diagnostic.str();
      return success();
    });
    Pair pair;
    pair.payload = variant < 2 ? parseSourceString<ModuleOp>(
                                     witness.payload, ParserConfig(&context))
                               : makeVariant(&context, witness.payload, random,
                                             mayTakeModule(contract));
    if (!pair.payload)
      return pair;

    std::vector<std::string> before, after;
    watch(*pair.payload,
          variant == 0   ? 0
          : variant == 1 ? 1
                         : 0.4,
          random, before, after);
    if (variant != 0)
      establish(*pair.payload, random, before);
    std::vector<std::string> steps =
        witness.steps.empty() ? getDefaultSteps(contract, *pair.payload, random)
                              : witness.steps;
    size_t index = before.size() + steps.size() - 1;
    for (bool consumes : {false, true}) {
      pair.text = "module attributes {transform.with_named_sequence} {\n"
                  "  transform.named_sequence @__transform_main(%module: "
                  "!transform.any_op {transform.";
      pair.text += consumes ? "consumed}) {\n" : "readonly}) {\n";
      for (const auto &list : {before, steps, after})
        for (const std::string &step : list)
          pair.text += "    " + step + "\n";
      pair.text += "    transform.yield\n  }\n}\n";
      pair.schedule =
          parseSourceString<ModuleOp>(pair.text, ParserConfig(&context));
      if (pair.schedule)
        break;
    }
    if (!pair.schedule)
      return pair;
    Block &body =
        pair.schedule
            ->lookupSymbol<transform::NamedSequenceOp>("__transform_main")
            .getBody()
            .front();
    // Constants of parameters and the like are steps, too: one op a step.
    pair.step = &*std::next(body.begin(), index);
    return pair;
  }

  /// Handles to ops of each kind, to what is around them and to their results,
  /// that are used at the end.
  static void watch(ModuleOp payload, double share, Random &random,
                    std::vector<std::string> &before,
                    std::vector<std::string> &after) {
    llvm::SetVector<OperationName> kinds;
    payload.walk([&](Operation *op) { kinds.insert(op->getName()); });
    auto use = [&](StringRef handle) {
      after.push_back(("transform.num_associations " + handle +
                       " : (!transform.any_op) -> !transform.param<i64>")
                          .str());
    };
    for (auto [i, kind] : llvm::enumerate(kinds)) {
      if (!random.chance(share))
        continue;
      std::string name = "%w" + std::to_string(i);
      before.push_back(name + " = transform.structured.match ops{[\"" +
                       kind.getStringRef().str() +
                       "\"]} in %module : (!transform.any_op) -> "
                       "!transform.any_op");
      // An early handle with a late use keeps the interpreter at it.
      if (random.chance(0.8))
        use(name);
      if (random.chance(0.25)) {
        before.push_back(name + "p = transform.get_parent_op " + name +
                         " {allow_empty_results, deduplicate} : "
                         "(!transform.any_op) -> !transform.any_op");
        use(name + "p");
      }
      if (random.chance(0.15)) {
        before.push_back(name + "v = transform.get_result " + name +
                         "[all] : (!transform.any_op) -> "
                         "!transform.any_value");
        after.push_back("transform.num_associations " + name +
                        "v : (!transform.any_value) -> "
                        "!transform.param<i64>");
      }
    }
  }

  /// Asserts the forms that the payload is in anyway, and at times brings it to
  /// one that has rules.
  void establish(ModuleOp payload, Random &random,
                 std::vector<std::string> &steps) const {
    std::vector<const normalforms::Form *> driven;
    bool matched = false;
    auto add = [&](StringRef verb, const normalforms::Form &form) {
      if (!matched)
        steps.push_back("%functions = transform.structured.match ops{["
                        "\"func.func\"]} in %module : (!transform.any_op) -> "
                        "!transform.any_op");
      matched = true;
      std::string target =
          form.anchor == normalforms::AnchorKind::Isolated && random.chance(0.5)
              ? "%functions"
              : "%module";
      steps.push_back(("transform.normalform." + verb + " " + target +
                       (verb == "assert" ? " is @" : " to @") + form.name +
                       " : !transform.any_op")
                          .str());
    };
    for (const normalforms::Form &form : forms->getForms())
      if (form.hasDriver())
        driven.push_back(&form);
    if (random.chance(0.35))
      add("normalize", *driven[random.below(driven.size())]);
    bool changed = matched;
    for (const normalforms::Form &form : forms->getForms())
      if (!form.hasDriver() && !changed && random.chance(0.6) &&
          forms->checkPredicates(form, payload).empty())
        add("assert", form);
  }

  static uint64_t hashOf(StringRef text) {
    uint64_t hash = 14695981039346656037u;
    for (char c : text)
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash << 8;
  }

  /// What the greedy driver makes of `payload` without any rules: in whatever
  /// order and however far it goes.
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
  Outcome judge(Pair &pair, bool byRules) {
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

  static void limitMemory() {
    constexpr rlim_t maxBytes = rlim_t(4) << 30;
    rlimit memory{maxBytes, maxBytes};
    setrlimit(RLIMIT_DATA, &memory);
  }

  /// Tries all variants of a case in children: one goes on where the last one
  /// crashed.
  void tryCase(StringRef contract, const WitnessCase &witness, Row &row) {
    for (uint64_t next = 0; next < numVariants;) {
      engine::ChildEnd end = engine::runInChild([&](llvm::raw_ostream &os) {
        limitMemory();
        for (uint64_t i = next; i < numVariants; ++i) {
          alarm(5);
          Pair pair = makePair(contract, witness, i);
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
    Pair pair = makePair(contract, witness, variant);
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
  /// What the last run said.
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
