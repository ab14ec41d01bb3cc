//===- Evidence.cpp - Trying the claims of a form library -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Evidence.h"

#include "engine/ContextClone.h"
#include "normalforms/Establish.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

StringRef formwork::normalforms::stringifyClaim(Claim claim) {
  static constexpr StringLiteral names[] = {"terminates",        "idempotent",
                                            "order-independent", "refines",
                                            "preserves",         "restricts"};
  return names[static_cast<unsigned>(claim)];
}

unsigned Evidence::getTotal() const {
  unsigned total = 0;
  for (const auto &[key, count] : tried)
    total += count;
  return total;
}

static std::string toText(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

namespace {
/// The result of trying one claim on one anchor: a message when it is refuted,
/// none when it holds. `applies` is false when there was nothing to try.
struct Trial {
  bool applies = true;
  std::optional<std::string> refuted;
};

/// Tries the claims of one library.
class Trials {
public:
  Trials(const FormLibrary &library, const EvidenceOptions &options)
      : library(library), options(options) {}

  Trial tryClaim(Claim claim, const Form &form, const Form *other,
                 Operation *anchor);

private:
  engine::Report normalize(const engine::Driver &driver, Operation *anchor,
                           bool topDown = false) {
    engine::NormalizerOptions normalizer;
    normalizer.topDown = topDown;
    return engine::Normalizer(driver, normalizer).run(anchor);
  }
  Trial tryOrders(const Form &form, Operation *anchor);
  /// Whether `anchor` is in `form`.
  Trial tryForm(const Form &form, Operation *anchor);

  const FormLibrary &library;
  const EvidenceOptions &options;
};
} // namespace

/// Sorts the pure ops of each block into the order in which other ops use them.
/// The driver leaves new ops and constants in the order in which it meets their
/// users, and no form says anything about that order.
static void sortPureOps(Operation *root) {
  root->walk([](Block *block) {
    SmallVector<Operation *> order;
    llvm::DenseSet<Operation *> seen;
    SmallVector<std::pair<Operation *, bool>> stack;
    auto place = [&](Operation *op) {
      stack.emplace_back(op, false);
      while (!stack.empty()) {
        auto [next, isReady] = stack.pop_back_val();
        if (isReady) {
          order.push_back(next);
          continue;
        }
        if (!seen.insert(next).second)
          continue;
        stack.emplace_back(next, true);
        size_t first = stack.size();
        next->walk<WalkOrder::PreOrder>([&](Operation *user) {
          for (Value operand : user->getOperands())
            if (Operation *def = operand.getDefiningOp())
              if (def->getBlock() == block)
                stack.emplace_back(def, false);
        });
        std::reverse(stack.begin() + first, stack.end());
      }
    };
    for (Operation &op : *block)
      if (op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op))
        place(&op);
    for (Operation &op : *block)
      place(&op);
    for (Operation *op : order)
      op->moveBefore(block, block->end());
  });
}

Trial Trials::tryOrders(const Form &form, Operation *anchor) {
  engine::Driver driver = library.getDriver(form);
  engine::ContextClone first(anchor);
  if (!normalize(driver, first.getAnchor()).reachedFixpoint())
    return {/*applies=*/false, std::nullopt};
  sortPureOps(first.getAnchor());
  engine::Fingerprinter fingerprinter;
  engine::Fingerprint expected = fingerprinter.ofBody(first.getAnchor());

  auto differs = [&](const engine::Driver &other, bool topDown) {
    engine::ContextClone clone(anchor);
    normalize(other, clone.getAnchor(), topDown);
    sortPureOps(clone.getAnchor());
    return fingerprinter.ofBody(clone.getAnchor()) != expected;
  };
  if (differs(driver, /*topDown=*/true))
    return {true, "top-down traversal has another result"};
  for (unsigned i = 0; i < options.shuffles; ++i) {
    engine::Driver shuffled = driver;
    shuffled.rules = driver.rules->shuffled(options.seed + i);
    if (differs(shuffled, /*topDown=*/false))
      return {true, "rules shuffled with seed " +
                        std::to_string(options.seed + i) +
                        " have another result"};
  }
  return {};
}

Trial Trials::tryForm(const Form &form, Operation *anchor) {
  FormCheck check = checkForm(library, form, anchor);
  if (check.holds())
    return {};
  return {true, check.violations.empty() ? explainReport(check.irreducibility)
                                         : check.violations.front().message};
}

Trial Trials::tryClaim(Claim claim, const Form &form, const Form *other,
                       Operation *anchor) {
  engine::ContextClone clone(anchor);
  Operation *copy = clone.getAnchor();
  switch (claim) {
  case Claim::Terminates: {
    engine::Report report = normalize(library.getDriver(form), copy);
    if (report.reachedFixpoint())
      return {};
    return {true, explainReport(report)};
  }
  case Claim::Idempotent: {
    if (!normalize(library.getDriver(form), copy).reachedFixpoint())
      return {/*applies=*/false, std::nullopt};
    engine::Report again =
        engine::checkIrreducible(library.getDriver(form), copy);
    if (!again.changed)
      return {};
    return {true, "a second run changes it: " + explainReport(again)};
  }
  case Claim::OrderIndependent:
    return tryOrders(form, anchor);
  case Claim::Refines: {
    if (form.hasDriver() &&
        !normalize(library.getDriver(form), copy).reachedFixpoint())
      return {/*applies=*/false, std::nullopt};
    if (!library.checkPredicates(form, copy).empty())
      return {/*applies=*/false, std::nullopt};
    return tryForm(*other, copy);
  }
  case Claim::Preserves: {
    // The payload must be in the other form, and normalizing must change it:
    // only a change can test a claim about preserving.
    if (other->hasDriver() &&
        !normalize(library.getDriver(*other), copy).reachedFixpoint())
      return {/*applies=*/false, std::nullopt};
    if (!library.checkPredicates(*other, copy).empty() || !form.hasDriver() ||
        !normalize(library.getDriver(form), copy).changed)
      return {/*applies=*/false, std::nullopt};
    return tryForm(*other, copy);
  }
  case Claim::Restricts: {
    if (!library.checkPredicates(form, copy).empty())
      return {/*applies=*/false, std::nullopt};
    std::optional<std::string> refuted;
    copy->walk([&](Operation *inner) {
      if (inner != copy && isAnchor(inner, form.anchor)) {
        SmallVector<Violation> inside = library.checkPredicates(form, inner);
        if (!inside.empty() && !refuted)
          refuted = inside.front().message;
      }
    });
    return {true, refuted};
  }
  }
  llvm_unreachable("all claims are covered");
}

/// Leaves ops out of a copy of `anchor` as long as `isWitness` stays true.
/// Returns the smallest text reached.
static std::string minimize(Operation *anchor, unsigned steps,
                            llvm::function_ref<bool(Operation *)> isWitness) {
  auto best = std::make_unique<engine::ContextClone>(anchor);
  for (unsigned index = 0, step = 0; step < steps; ++step) {
    auto smaller = std::make_unique<engine::ContextClone>(best->getAnchor());
    // Last to first, so that users go before their operands.
    SmallVector<Operation *> ops;
    smaller->getAnchor()->walk([&](Operation *op) {
      if (op != smaller->getAnchor() && !op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(op);
    });
    if (index >= ops.size())
      break;
    Operation *victim = ops[ops.size() - 1 - index];
    // A used result can be replaced by an operand of the same type.
    bool removable = true;
    for (Value result : victim->getResults()) {
      if (result.use_empty())
        continue;
      auto sameType = llvm::find_if(victim->getOperands(), [&](Value v) {
        return v.getType() == result.getType();
      });
      if (sameType == victim->operand_end()) {
        removable = false;
        break;
      }
      result.replaceAllUsesWith(*sameType);
    }
    if (removable) {
      victim->erase();
      ScopedDiagnosticHandler quiet(anchor->getContext(), [](Diagnostic &) {});
      if (succeeded(verify(smaller->getAnchor())) &&
          isWitness(smaller->getAnchor())) {
        best = std::move(smaller);
        continue;
      }
    }
    ++index;
  }
  return toText(best->getAnchor());
}

Evidence
formwork::normalforms::collectEvidence(const FormLibrary &library,
                                       ArrayRef<ModuleOp> payloads,
                                       const EvidenceOptions &options) {
  Evidence evidence;
  Trials trials(library, options);
  auto run = [&](Claim claim, const Form &form, const Form *other,
                 Operation *anchor) {
    if (options.filter && !options.filter(claim, form, other))
      return;
    Trial trial = trials.tryClaim(claim, form, other, anchor);
    if (!trial.applies)
      return;
    ++evidence.tried[{claim, form.atom}];
    if (!trial.refuted)
      return;
    // One witness for each claim is enough.
    std::optional<AtomId> otherAtom;
    if (other)
      otherAtom = other->atom;
    if (llvm::any_of(evidence.refutations, [&](const Refutation &r) {
          return r.claim == claim && r.form == form.atom &&
                 r.other == otherAtom;
        }))
      return;
    std::string witness =
        minimize(anchor, options.minimizeSteps, [&](Operation *smaller) {
          return trials.tryClaim(claim, form, other, smaller)
              .refuted.has_value();
        });
    evidence.refutations.push_back(
        {claim, form.atom, otherAtom, *trial.refuted, std::move(witness)});
  };

  for (ModuleOp payload : payloads) {
    SmallVector<Operation *> anchors;
    for (Operation &op : *payload.getBody())
      if (op.getNumRegions() && !op.getRegion(0).empty() &&
          op.hasTrait<OpTrait::IsIsolatedFromAbove>())
        anchors.push_back(&op);
    for (Operation *anchor : anchors)
      for (const Form &form : library.getForms()) {
        if (!isAnchor(anchor, form.anchor))
          continue;
        if (form.hasDriver()) {
          run(Claim::Terminates, form, nullptr, anchor);
          run(Claim::Idempotent, form, nullptr, anchor);
          run(Claim::OrderIndependent, form, nullptr, anchor);
        }
        run(Claim::Restricts, form, nullptr, anchor);
        for (AtomId other : library.lattice().closure(form.atom).atoms())
          if (other != form.atom)
            run(Claim::Refines, form, &library.getForm(other), anchor);
        for (AtomId other : form.preserves)
          run(Claim::Preserves, form, &library.getForm(other), anchor);
      }
  }
  return evidence;
}

void formwork::normalforms::printEvidence(const FormLibrary &library,
                                          const Evidence &evidence,
                                          raw_ostream &os) {
  std::map<Claim, unsigned> tried;
  for (const auto &[key, count] : evidence.tried)
    tried[key.first] += count;
  for (const auto &[claim, count] : tried) {
    unsigned refuted = llvm::count_if(
        evidence.refutations,
        [&, wanted = claim](const Refutation &r) { return r.claim == wanted; });
    os << stringifyClaim(claim) << ": " << count << " tried, ";
    if (refuted)
      os << refuted << " refuted\n";
    else
      os << "no counterexample\n";
  }
  for (const Refutation &r : evidence.refutations) {
    os << "\nrefuted: @" << library.getForm(r.form).name << " "
       << stringifyClaim(r.claim);
    if (r.other)
      os << " @" << library.getForm(*r.other).name;
    os << ": " << r.message << "\n" << r.witness << "\n";
  }
}
