//===- Redundancy.cpp - Enablers that change nothing ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Redundancy.h"

#include "verifier/plan/Enablers.h"
#include "verifier/walk/Interpreter.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// Whether everything that `op` runs is a part of `form`.
static bool isPartOf(Operation *op, const Form &form,
                     const ContractLibrary &contracts) {
  auto hasProcedure = [&](StringRef name) {
    return llvm::is_contained(form.procedures, name);
  };
  if (auto patterns = dyn_cast<transform::ApplyPatternsOp>(op)) {
    if (!form.greedy || (patterns.getApplyCse() && !hasProcedure("cse")))
      return false;
    return llvm::all_of(
        patterns.getPatterns().front(), [&](Operation &descriptor) {
          return llvm::any_of(form.descriptors, [&](Operation *other) {
            return other->getName() == descriptor.getName() &&
                   other->getAttrDictionary() == descriptor.getAttrDictionary();
          });
        });
  }
  if (op->getName().getStringRef() == "transform.normalform.normalize")
    return op->getAttrOfType<FlatSymbolRefAttr>("form").getValue() == form.name;
  const Contract *contract = contracts.lookup(op->getName().getStringRef());
  return contract && !contract->procedures.empty() &&
         llvm::all_of(contract->procedures, [&](const auto &claim) {
           return hasProcedure(claim.what);
         });
}

namespace {
/// Watches enablers at each visit.
class RedundancyPolicy : public FormPolicy {
public:
  explicit RedundancyPolicy(const ContractLibrary &contracts)
      : contracts(contracts) {}

  SmallVector<VirtualStep> getSteps(Operation *op,
                                    const Analysis &analysis) override {
    if (isEnabler(op, contracts) && op->getNumOperands() != 0 &&
        op->use_empty()) {
      bool &changesNothing = found.insert({op, true}).first->second;
      changesNothing &= isRedundant(op, analysis);
    }
    return {};
  }
  void reportUnmet(const FormNeed &, const Analysis &) override {}

  llvm::MapVector<Operation *, bool> found;

private:
  bool isRedundant(Operation *op, const Analysis &analysis) const;

  const ContractLibrary &contracts;
};
} // namespace

bool RedundancyPolicy::isRedundant(Operation *op,
                                   const Analysis &analysis) const {
  const State &state = analysis.state;
  const HandleState *handle = state.handles.find(op->getOperand(0));
  if (!handle || !analysis.isUsable(op->getOperand(0)))
    return false;
  const FormLibrary &forms = analysis.forms;
  return llvm::all_of(handle->nodes, [&](NodeId node) {
    // Only what was normalized: clean-up by hand need not have come to an end.
    FormSet held = state.forms.get(state.payload, node);
    return llvm::any_of(held.atoms(), [&](AtomId atom) {
      return isPartOf(op, forms.getForm(atom), contracts);
    });
  });
}

SmallVector<Operation *> formwork::verifier::findRedundantEnablers(
    const ScheduleModel &schedule, const normalforms::Libraries &libraries) {
  RedundancyPolicy policy(*libraries.contracts);
  CheckOptions options;
  (void)Interpreter(schedule, libraries, options, &policy)
      .run(/*payload=*/nullptr);
  SmallVector<Operation *> redundant;
  for (auto [op, changesNothing] : policy.found)
    if (changesNothing)
      redundant.push_back(op);
  return redundant;
}
