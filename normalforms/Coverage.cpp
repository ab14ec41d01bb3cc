//===- Coverage.cpp - How much the contracts say ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Coverage.h"

#include "embedded/contractUsage.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

static bool isGroup(StringRef name) {
  return name.starts_with("transform.apply_patterns.") ||
         name.starts_with("transform.apply_conversion_patterns.");
}

/// Whether the verifier follows, op by op, the results of canonicalization.
/// Then `"*"` in `rewrites` stands for these results and is not conservative.
static bool followsFolding(const Contract &contract) {
  StringRef model = contract.model;
  bool isCleanUp =
      contract.opName.starts_with("pass:") && !contract.procedures.empty();
  return isGroup(contract.opName) || isCleanUp || model == "apply-patterns" ||
         model == "apply-cse" || model == "apply-dce";
}

/// Counts `list` if it is not empty; adds `what` if any kind in it is vague.
static void countList(Coverage &coverage, ArrayRef<KindPattern> list,
                      StringRef what) {
  if (list.empty())
    return;
  ++coverage.clauses;
  if (!what.empty() && llvm::is_contained(list, "*"))
    coverage.conservative.push_back((what + " any").str());
}

static void countResults(Coverage &coverage, const Contract &contract,
                         MLIRContext *context) {
  for (const ResultClause &result : contract.results) {
    ++coverage.clauses;
    std::string which = "result " + std::to_string(result.index);
    if (result.relation == ResultRelation::Any)
      coverage.conservative.push_back(which + " anywhere");
    else if (result.count == ResultCount::Unbounded)
      coverage.conservative.push_back(which + " uncounted");
  }
  auto name = RegisteredOperationName::lookup(contract.opName, context);
  if (!name || !contract.model.empty() || !contract.results.empty() ||
      !name->hasInterface<transform::TransformOpInterface>() ||
      name->hasTrait<OpTrait::ZeroResults>())
    return;
  ++coverage.clauses;
  coverage.conservative.push_back("results unknown");
}

Coverage formwork::normalforms::getCoverage(const Contract &contract,
                                            ModelClaimsOf claimsOf,
                                            MLIRContext *context) {
  Coverage coverage;
  StringRef name = contract.opName;
  auto lack = [&](const Twine &what) {
    ++coverage.clauses;
    coverage.conservative.push_back(what.str());
  };
  coverage.clauses += !contract.model.empty();
  if (!isGroup(name) && !contract.complete)
    lack("not complete");
  if (name.starts_with("transform.apply_patterns.") &&
      contract.converges.empty())
    lack("may not end");
  ModelClaims claims = claimsOf(contract.model);
  for (StringRef reason : claims.open)
    lack(reason);
  coverage.clauses += claims.decided.size();
  coverage.clauses += contract.forms.size() + contract.operands.size() +
                      contract.ensures.size() + contract.converges.size();
  for (const FailureClause &failure : contract.failures) {
    ++coverage.clauses;
    if (!failure.always)
      coverage.conservative.push_back(failure.message.str());
  }
  // The forms of one clause count as one statement, and so do the procedures.
  coverage.clauses += !contract.preserves.empty();
  coverage.clauses += !contract.procedures.empty();
  for (const PayloadClause &write : contract.writes) {
    countList(coverage, write.introduces, "introduces");
    countList(coverage, write.rewrites,
              followsFolding(contract) ? "" : "rewrites");
    countList(coverage, write.removes, "removes");
    const HandleEffects &handles = write.handles;
    coverage.clauses += handles.shrinks || handles.retargets || handles.moves ||
                        handles.failsIfUsedLater;
    // An empty clause states that nothing comes or goes, and counts, too.
    coverage.clauses += write.introduces.empty() && write.rewrites.empty() &&
                        write.removes.empty();
  }
  countResults(coverage, contract, context);
  return coverage;
}

llvm::StringMap<Usage> formwork::normalforms::readUsage(StringRef text) {
  llvm::StringMap<Usage> usage;
  for (StringRef line : llvm::split(text, '\n')) {
    SmallVector<StringRef, 4> words;
    line.split(words, ' ');
    Usage one;
    if (words.size() < 3 || line.starts_with("#") ||
        words[1].getAsInteger(10, one.steps) ||
        words[2].getAsInteger(10, one.schedules))
      continue;
    one.isMeasured = words.back() == "measured";
    usage[words.front()] = one;
  }
  return usage;
}

namespace {
struct Sum {
  unsigned contracts = 0;
  unsigned clauses = 0;
  unsigned conservative = 0;
  unsigned steps = 0;
  /// The steps, each weighted by the conservative share of its contract.
  double weighted = 0;

  void add(const Coverage &coverage, const Usage &usage) {
    ++contracts;
    clauses += coverage.clauses;
    conservative += coverage.conservative.size();
    steps += usage.steps;
    if (coverage.clauses)
      weighted +=
          double(usage.steps) * coverage.conservative.size() / coverage.clauses;
  }
  double getShare() const {
    return clauses ? 100. * conservative / clauses : 0;
  }
};
} // namespace

static Sum sumUsed(const ContractLibrary &library, ModelClaimsOf claimsOf,
                   MLIRContext *context) {
  llvm::StringMap<Usage> usage = readUsage(embedded::contractUsage);
  Sum sum;
  for (StringRef name : library.getOpNames())
    if (Usage one = usage.lookup(name); one.isUsed())
      sum.add(getCoverage(*library.lookup(name), claimsOf, context), one);
  return sum;
}

double
formwork::normalforms::getConservativeShare(const ContractLibrary &library,
                                            ModelClaimsOf claimsOf,
                                            MLIRContext *context) {
  return sumUsed(library, claimsOf, context).getShare();
}

/// A table of those of `names` that `isListed` accepts, those that are used
/// most first.
static void printContracts(StringRef title, const ContractLibrary &library,
                           ModelClaimsOf claimsOf, MLIRContext *context,
                           const llvm::StringMap<Usage> &usage,
                           llvm::function_ref<bool(StringRef)> isListed,
                           raw_ostream &os) {
  SmallVector<StringRef> names;
  for (StringRef name : library.getOpNames())
    if (isListed(name))
      names.push_back(name);
  llvm::stable_sort(names, [&](StringRef a, StringRef b) {
    return usage.lookup(a).steps > usage.lookup(b).steps;
  });
  os << "\n## " << title << "\n\n"
     << "| name | used | clauses | conservative | which |\n"
     << "|---|---|---|---|---|\n";
  Sum sum;
  for (StringRef name : names) {
    Usage used = usage.lookup(name);
    Coverage coverage = getCoverage(*library.lookup(name), claimsOf, context);
    sum.add(coverage, used);
    StringRef plain = name;
    if (!plain.consume_front("transform."))
      plain.consume_front("pass:");
    os << "| `" << plain << "` | ";
    if (used.steps)
      os << used.steps << " in " << used.schedules;
    else if (used.isMeasured)
      os << "measured";
    os << " | " << coverage.clauses << " | " << coverage.conservative.size()
       << " | " << llvm::join(coverage.conservative, "; ") << " |\n";
  }
  os << "\n"
     << sum.contracts << " contracts, " << sum.clauses << " clauses, "
     << sum.conservative << " conservative ("
     << llvm::format("%.1f", sum.getShare()) << " %).\n";
}

/// Lists the contracts that hold for more than ordinary payload.
static void printEnvelope(const ContractLibrary &library, raw_ostream &os) {
  os << "\n## Envelope\n\n"
        "The claims of a contract hold for ordinary payload; `formwork "
        "contracts --features` lists\nwhat is not ordinary. These admit "
        "more.\n\n"
        "| name | admits | tried by |\n|---|---|---|\n";
  unsigned numAny = 0;
  for (StringRef name : library.getOpNames())
    for (const Contract::AdmitsClause &clause :
         library.lookup(name)->admitted) {
      if (clause.features == FeatureSet::all()) {
        ++numAny;
        continue;
      }
      os << "| `" << name << "` | "
         << llvm::join(clause.features.getNames(), ", ") << " | "
         << clause.evidence << " |\n";
    }
  os << "\n"
     << numAny << " contracts of steps that only hand payload on admit all.\n";
}

void formwork::normalforms::printCoverage(const ContractLibrary &library,
                                          ModelClaimsOf claimsOf,
                                          MLIRContext *context,
                                          raw_ostream &os) {
  llvm::StringMap<Usage> usage = readUsage(embedded::contractUsage);
  Sum used = sumUsed(library, claimsOf, context);
  os << "# Contracts\n\n"
        "Generated by `formwork contracts --coverage`; a test fails when it is "
        "stale. What the\ncontracts say is printed by `formwork contracts "
        "NAME`.\n\n"
        "A clause is conservative when it says less than the op does: a "
        "`may_fail`, what a model\ndoes not decide whatever it knows of the "
        "payload, a contract that does not cover every\nway to fail, any kind "
        "of op among what comes or goes, and a result of which neither\nplace "
        "nor number is known. A payload clause counts once for each of its "
        "lists; a model\nonce, and once for each id that it reports. Among "
        "what "
        "rule groups and clean-up rewrite,\nany kind stands for what "
        "canonicalization folds, which is followed op by op, and is "
        "not\ncounted "
        "as conservative. \"Used\" counts steps in public schedules, MLIR's "
        "own "
        "tests among\nthem, or says that the measurements behind the design "
        "speak "
        "of it.\n\n"
     << used.contracts << " contracts are used. They have " << used.clauses
     << " clauses; " << used.conservative << " of these ("
     << llvm::format("%.1f", used.getShare())
     << " %) are conservative.\nWeighted by steps, that is "
     << llvm::format("%.1f",
                     used.steps ? 100. * used.weighted / used.steps : 0.)
     << " %.\n";
  auto isPass = [](StringRef name) { return name.starts_with("pass:"); };
  printContracts(
      "Operations", library, claimsOf, context, usage,
      [&](StringRef name) { return !isPass(name) && !isGroup(name); }, os);
  printContracts("Rule groups", library, claimsOf, context, usage, isGroup, os);
  printContracts("Passes", library, claimsOf, context, usage, isPass, os);
  printEnvelope(library, os);
}
