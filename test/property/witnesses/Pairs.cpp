//===- Pairs.cpp - Payloads and schedules of a case -------------*- C++ -*-===//
//------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/property/witnesses/Pairs.h"

#include "test/property/witnesses/Variants.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::testing;

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
static std::vector<std::string>
getDefaultSteps(StringRef contract, ModuleOp payload, Random &random) {
  bool isPass = contract.consume_front("pass:");
  std::string anchor = isPass ? getAnchor(contract) : "";
  if (anchor.empty()) {
    bool hasFunction = !payload.getOps<FunctionOpInterface>().empty();
    anchor = hasFunction && random.chance(0.5) ? "func.func" : "builtin.module";
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
void WitnessPairs::establish(ModuleOp payload, Random &random,
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
  for (const normalforms::Form &form : forms.getForms())
    if (form.hasDriver())
      driven.push_back(&form);
  if (random.chance(0.35))
    add("normalize", *driven[random.below(driven.size())]);
  bool changed = matched;
  for (const normalforms::Form &form : forms.getForms())
    if (!form.hasDriver() && !changed && random.chance(0.6) &&
        forms.checkPredicates(form, payload).empty())
      add("assert", form);
}

static uint64_t hashOf(StringRef text) {
  uint64_t hash = 14695981039346656037u;
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash << 8;
}

WitnessPair WitnessPairs::make(StringRef contract, const WitnessCase &witness,
                               uint64_t variant) {
  Random random = Random::forStream(seed, hashOf(contract) + variant);
  WitnessPair pair;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    pair.failure = diagnostic.str();
    return success();
  });
  pair.payload =
      variant < 2
          ? parseSourceString<ModuleOp>(witness.payload, ParserConfig(context))
          : makeVariant(context, witness.payload, random,
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
        parseSourceString<ModuleOp>(pair.text, ParserConfig(context));
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
