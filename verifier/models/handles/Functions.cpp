//===- Functions.cpp - Models of steps on functions by name -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the function that a step names is there, and has the signature that
// the step expects. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/TransformOps/FuncTransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

namespace {
/// The functions of a module, by name.
struct NamedFunctions {
  /// The one that was asked for; null if there is none.
  func::FuncOp found;
  /// All of them are known.
  bool areKnown = true;
};
} // namespace

/// Looks for `name` among the functions directly in the module of `target`. No
/// step that keeps a function gives it another name.
static NamedFunctions findFunction(const Step &step, NodeId target,
                                   SymbolRefAttr name) {
  const PayloadModel &payload = step.payload;
  NamedFunctions functions;
  auto isThere = [&](NodeId id) {
    return payload[id].exact && payload[id].present == Certainty::Yes;
  };
  functions.areKnown =
      step.analysis.payloadRoot && name.getNestedReferences().empty() &&
      isThere(target) && isKind<ModuleOp>(payload[target]) &&
      !payload.mayHide(target, [](const KindSet &kinds) {
        return kinds.contains(func::FuncOp::getOperationName());
      });
  if (!functions.areKnown)
    return functions;
  llvm::SmallDenseSet<NodeId> given;
  step.analysis.payloadRoot->walk([&](func::FuncOp function) {
    NodeId id = payload.lookup(function);
    given.insert(id);
    if (payload.lookup(function->getParentOp()) != target)
      return;
    functions.areKnown &= isThere(id);
    if (function.getSymNameAttr() == name.getRootReference())
      functions.found = function;
  });
  // Of those that steps made, the names are not known.
  auto mayBeFunction = [](const Node &node) {
    return node.kind ? isKind<func::FuncOp>(node) : node.isUnlisted();
  };
  for (auto [id, place] : payload.find(target, mayBeFunction))
    functions.areKnown &= given.contains(id);
  return functions;
}

/// Reports that the module of `target` has no function `name`.
static void reportMissing(const Step &step, NodeId target, SymbolRefAttr name) {
  step.report("fw-unknown-function",
              "requires a function " + Twine("@") +
                  name.getLeafReference().getValue() + " but " +
                  step.nameOf(step.op->getOperand(0)) + " has none",
              step.payload[target].isSurelyThere(), /*silenceable=*/true);
}

/// Checks that `order` has one number for each of `number` `things` of
/// `function`.
static bool checkOrder(const Step &step, func::FuncOp function,
                       ArrayRef<int32_t> order, unsigned number,
                       StringRef things) {
  llvm::SmallDenseSet<int32_t> seen(order.begin(), order.end());
  bool isPermutation = order.size() == number && seen.size() == number &&
                       llvm::all_of(order, [&](int32_t index) {
                         return index >= 0 && index < int32_t(number);
                       });
  if (isPermutation)
    return true;
  step.report("fw-bad-interchange",
              "requires a permutation of the " + Twine(number) + " " + things +
                  " of @" + function.getSymName() + " but has " +
                  Twine(order.size()) + " numbers",
              /*definite=*/true, /*silenceable=*/true)
      .note(NoteKind::Established, function.getLoc(),
            "the function is defined here");
  return false;
}

/// The function that `step` names, in the one module that it is given, if that
/// is known to be there.
static func::FuncOp requireFunction(const Step &step, SymbolRefAttr name,
                                    StringRef otherwise) {
  const HandleState source = step.lookup(step.op->getOperand(0));
  if (source.nodes.size() != 1) {
    step.unprove(otherwise);
    return nullptr;
  }
  NodeId target = source.nodes.front();
  NamedFunctions functions = findFunction(step, target, name);
  if (functions.areKnown && !functions.found)
    reportMissing(step, target, name);
  else if (!functions.areKnown)
    step.unprove(otherwise);
  // A step may have changed the signature.
  bool isChanged =
      functions.found && !step.payload[step.payload.lookup(functions.found)].op;
  if (functions.areKnown && isChanged)
    step.unprove(otherwise);
  return functions.areKnown && !isChanged ? functions.found : nullptr;
}

static void propagateReplaceSignature(const Step &step) {
  auto replace = cast<transform::ReplaceFuncSignatureOp>(step.op);
  StringRef otherwise = "changes a function of which the signature may not fit";
  func::FuncOp function =
      requireFunction(step, replace.getFunctionName(), otherwise);
  bool fits = function &&
              checkOrder(step, function, replace.getArgsInterchange(),
                         function.getNumArguments(), "arguments") &&
              checkOrder(step, function, replace.getResultsInterchange(),
                         function.getNumResults(), "results");
  if (fits)
    step.unprove(otherwise);
  applyClauses(step);
}

static void propagateDeduplicate(const Step &step) {
  auto deduplicate = cast<transform::DeduplicateFuncArgsOp>(step.op);
  StringRef otherwise = "changes a function that may not be there";
  if (requireFunction(step, deduplicate.getFunctionName(), otherwise))
    step.unprove("changes a function that may have no equal arguments, or not "
                 "one call");
  applyClauses(step);
}

static void propagateCastAndCall(const Step &step) {
  applyClauses(step);
  NodeList targets = step.lookup(step.op->getOperand(0)).nodes;
  if (!llvm::is_contained(targets, step.root))
    return;
  // MLIR puts a call beside the whole payload nowhere.
  step.mayDangle(0);
}

void formwork::verifier::registerFunctionsModels(ModelRegistry &models) {
  models.add("cast-and-call", propagateCastAndCall);
  models.add("replace-signature", propagateReplaceSignature,
             decides{"fw-bad-interchange", "fw-unknown-function"},
             leavesOpen{"changes a function of which the signature may not "
                        "fit"});
  models.add("deduplicate-arguments", propagateDeduplicate,
             decides{"fw-unknown-function"},
             leavesOpen{"changes a function that may not be there",
                        "changes a function that may have no equal arguments, "
                        "or not one call"});
}
