//===- Parameters.cpp - Models of ops that make parameters ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where parameters come from: constants, counts, data layouts, knobs and the
// constraints of the author (DESIGN §6.3). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/handles/Parameters.h"
#include "verifier/models/Models.h"
#include "verifier/step/Step.h"

#include "verifier/parameters/KnobDomain.h"
#include "verifier/parameters/SmtRegion.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/DLTI/TransformOps/DLTITransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;
using transform::smt::ConstrainParamsOp;
using transform::tune::KnobOp;

//===----------------------------------------------------------------------===//
// Constants and counts
//===----------------------------------------------------------------------===//

/// Whether consumers of sizes take such an attribute.
static bool isSizeAttr(Attribute attribute) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  return integer && integer.getType().isSignlessInteger(64);
}

/// The attribute as a parameter sees it.
static ParamValue makeParam(Attribute attribute) {
  ParamValue param;
  param.size = toInteger(attribute);
  param.isSize = isSizeAttr(attribute);
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  if (integer && !param.isSize)
    param.type = integer.getType();
  param.isSigned =
      param.size && integer.getValue().trySExtValue() == *param.size;
  if (!param.size)
    param.reason = "is a constant that is not an integer";
  param.attribute = attribute;
  return param;
}

static void propagateParam(const Step &step) {
  auto value = dyn_cast_or_null<TypedAttr>(step.op->getAttr("value"));
  step.analysis.setParams(step.op->getResult(0), step.op, makeParam(value));
  auto type = dyn_cast<transform::ParamType>(step.op->getResult(0).getType());
  if (!type || (value && value.getType() == type.getType()))
    return;
  std::string has = value ? debugString(value.getType())
                          : std::string("an attribute without a type");
  std::string wanted = debugString(type.getType());
  step.report("fw-kind-mismatch",
              "requires a parameter of type " + wanted + " but has " + has,
              /*definite=*/true, /*silenceable=*/false);
}

static void propagateCount(const Step &step) {
  HandleState &handle = step.lookup(step.op->getOperand(0));
  std::optional<int64_t> number;
  if (handle.kind != HandleState::Params) {
    Count count = handle.count(step.payload);
    // How many ops an example has says nothing.
    bool isExample =
        step.options.nameOfSize && llvm::any_of(handle.nodes, [&](NodeId node) {
          return node != step.root;
        });
    if (count.isExact() && !isExample)
      number = count.lo;
  } else if (!handle.params.empty()) {
    number = handle.params.size();
  }
  ParamValue count{Size(number)};
  if (!number)
    count.reason =
        ("is a result of '" + step.op->getName().getStringRef() + "'").str();
  step.analysis.setParams(step.op->getResult(0), step.op, count);
}

void formwork::verifier::mergeParams(const Step &step) {
  Value result = step.op->getResult(0);
  if (step.op->hasAttr("deduplicate"))
    return step.analysis.setOpaqueParam(result, step.op,
                                        "is merged without duplicates");
  constexpr StringLiteral kOfOpenLists = "is merged from lists of open length";
  SmallVector<ParamValue> merged;
  bool isOpen = false, isTooLong = false;
  for (Value operand : step.op->getOperands()) {
    HandleState &part = step.lookup(operand);
    isOpen |= part.params.empty();
    // Such lists may double many times, too.
    isTooLong |= part.params.empty() && part.opaqueReason == kOfOpenLists;
    isTooLong |= merged.size() + part.params.size() > maxListed;
    if (isTooLong) {
      step.unprove(kTooLong.str());
      return step.analysis.setOpaqueParam(result, step.op, kTooLong.str());
    }
    llvm::append_range(merged, part.params);
  }
  if (isOpen)
    return step.analysis.setOpaqueParam(result, step.op, kOfOpenLists);
  step.analysis.setParams(result, step.op, merged);
}

//===----------------------------------------------------------------------===//
// Data layouts
//===----------------------------------------------------------------------===//

/// Whether no step has changed `node`, or an op around it.
static bool isSetAsGiven(const PayloadModel &payload, NodeId node,
                         Operation *root) {
  for (Operation *op = payload[node].op; op; op = op->getParentOp()) {
    if (payload[payload.lookup(op)].op != op)
      return false;
    if (op == root)
      return true;
  }
  return false;
}

static void propagateQuery(const Step &step) {
  auto query = cast<transform::QueryOp>(step.op);
  HandleState source = step.lookup(query.getTarget());
  SmallVector<DataLayoutEntryKey> keys;
  for (auto key : query.getKeys().getAsRange<StringAttr>())
    keys.push_back(key);
  auto type = dyn_cast<transform::ParamType>(step.op->getResult(0).getType());
  SmallVector<ParamValue> values;
  bool areKnown = source.ordered && !source.nodes.empty();
  for (NodeId target : source.nodes) {
    const Node &node = step.payload[target];
    bool present = node.isSurelyThere();
    areKnown &= present && node.count.isExactly(1);
    if (!isSetAsGiven(step.payload, target, step.analysis.payloadRoot)) {
      step.unprove("asks for a key of an op whose data layout is not known");
      areKnown = false;
      continue;
    }
    FailureOr<Attribute> found = dlti::query(node.op, keys);
    auto typed = dyn_cast_or_null<TypedAttr>(found.value_or(nullptr));
    if (failed(found))
      step.reportOf(query.getTarget(), "fw-step-fails",
                    "fails here: '" + node.kind->getStringRef() +
                        "' and the ops around it have no such key",
                    present);
    else if (type && (!typed || typed.getType() != type.getType()))
      step.report("fw-kind-mismatch",
                  "requires a result of the type of the value but has another",
                  present,
                  /*silenceable=*/false);
    areKnown &= succeeded(found);
    values.push_back(makeParam(found.value_or(nullptr)));
  }
  if (areKnown)
    step.analysis.setParams(step.op->getResult(0), step.op, values);
  else
    step.analysis.setOpaqueParam(step.op->getResult(0), step.op,
                                 "comes from a data layout");
}

//===----------------------------------------------------------------------===//
// Knobs
//===----------------------------------------------------------------------===//

static void propagateKnob(const Step &step) {
  auto knob = cast<KnobOp>(step.op);
  // Upstream takes any attribute for the options, and looks at none of them
  // where a value is selected: then there is nothing to choose.
  bool isFixed =
      knob.getSelected() && !isa<ArrayAttr>(knob.getOptions()) &&
      llvm::none_of(
          ArrayRef{kKnobRange, kKnobMultipleOf, kKnobPowerOfTwo, kKnobDivides},
          [&](StringRef name) { return knob->hasAttr(name); });
  if (isFixed) {
    step.analysis.setParams(knob.getResult(), step.op,
                            makeParam(*knob.getSelected()));
    return;
  }
  FailureOr<std::variant<KnobDomain, OpaqueOptions>> domain =
      readKnobDomain(knob, [&](const Twine &message) {
        step.report("fw-knob-domain", message, /*definite=*/true,
                    /*silenceable=*/false);
      });
  if (failed(domain)) {
    step.analysis.setOpaqueParam(knob.getResult(), step.op, "has no domain");
    return;
  }
  std::optional<Attribute> selected = knob.getSelected();
  if (auto *opaque = std::get_if<OpaqueOptions>(&*domain)) {
    if (!llvm::is_contained(
            llvm::map_range(step.parameters.opaqueKnobs,
                            [](const OpaqueKnob &old) { return old.op; }),
            knob))
      step.parameters.opaqueKnobs.push_back({knob, opaque->reason});
    if (!selected)
      step.unprove("chooses among values that are not integers");
    ParamValue param = selected ? makeParam(*selected) : ParamValue();
    param.isSize &= selected.has_value();
    param.reason = opaque->reason;
    step.analysis.setParams(knob.getResult(), step.op, param);
    return;
  }
  if (selected && !toInteger(*selected)) {
    // A choice that upstream accepts, and that no term stands for.
    step.analysis.setOpaqueParam(knob.getResult(), step.op,
                                 "has a selected value that is not an integer");
    return;
  }
  if (selected && !step.options.knobsAreOpen) {
    step.analysis.setParams(knob.getResult(), step.op, makeParam(*selected));
    return;
  }

  auto &values = std::get<KnobDomain>(*domain);
  unsigned known = step.parameters.knobs.size();
  std::optional<int64_t> value;
  if (selected)
    value = toInteger(*selected);
  IntTerm term = step.parameters.addKnob(step.op, knob.getName(),
                                         std::move(values.domain), value);
  if (step.parameters.knobs.size() != known)
    for (const KnobCondition &condition : values.conditions) {
      BoolTerm holds = condition.getTerm(step.terms, term);
      step.parameters.add("knob.domain", holds, step.op, solver::toInfix(holds),
                          ConstraintKind::Author);
    }
  ParamValue param{step.analysis.assign(term)};
  auto options = dyn_cast<ArrayAttr>(knob.getOptions());
  auto type = dyn_cast<transform::ParamType>(knob.getResult().getType());
  param.isSize = options ? llvm::all_of(options, isSizeAttr)
                         : type && type.getType().isSignlessInteger(64);
  step.analysis.setParams(knob.getResult(), step.op, param);
}

static void propagateConstrainParams(const Step &step) {
  auto constrain = cast<ConstrainParamsOp>(step.op);
  solver::TermContext &terms = step.terms;
  Block &body = constrain.getBody().front();
  SmallVector<SmtValue> arguments;
  for (auto [param, argument] :
       llvm::zip(constrain.getParams(), body.getArguments())) {
    std::string reason;
    if (std::optional<IntTerm> term =
            step.analysis.getSingleTerm(step.lookup(param), reason))
      arguments.push_back(makeSmtArgument(terms, *term, argument.getType()));
    else
      arguments.push_back(
          Opaque{"parameter " + std::to_string(argument.getArgNumber()) +
                 " of 'transform.smt.constrain_params' " + reason});
  }
  std::string prefix =
      "constrain_params." + std::to_string(step.parameters.constrained.size());
  SmtRegion region = translateSmtRegion(
      body, arguments, *step.parameters.problem, prefix, [&](IntTerm declared) {
        Size size = step.analysis.assign(declared);
        return size ? terms.constant(*size) : declared;
      });
  bool runs = step.state.certain && !step.state.suppressed;
  for (const SmtAssertion &assertion : region.assertions) {
    const auto *opaque = std::get_if<Opaque>(&assertion.condition);
    if (opaque || !runs) {
      std::string reason =
          opaque ? opaque->reason
                 : "it stands in '" +
                       step.op->getParentOp()->getName().getStringRef().str() +
                       "', where it need not run or may fail";
      Operation *cause = opaque ? opaque->op : nullptr;
      step.parameters.unmodelled.push_back({assertion.op, reason, cause});
      step.unprove("has a constraint that is not supported: " + Twine(reason));
      if (auto &reasons = step.analysis.outcome.result.verdict.reasons;
          cause && !reasons.empty() && reasons.back().op == step.op)
        reasons.back().part = cause;
      continue;
    }
    BoolTerm holds = std::get<BoolTerm>(assertion.condition);
    step.require(assertion.op, "constrain.assert", holds,
                 solver::toInfix(holds), ConstraintKind::Author);
  }
  ConstrainedParams constrained{constrain, {}};
  for (auto [result, yielded] :
       llvm::zip(constrain.getResults(), region.yielded)) {
    std::optional<IntTerm> term = toParameter(terms, yielded);
    constrained.results.push_back(term);
    if (!term) {
      step.analysis.setOpaqueParam(result, step.op,
                                   std::get<Opaque>(yielded).reason);
      continue;
    }
    // A value that is used must be one.
    if (!result.use_empty() && runs && term->getNode()->mayBeUndefined())
      step.require(step.op, "constrain.defined", terms.equal(*term, *term),
                   "result " + Twine(cast<OpResult>(result).getResultNumber()) +
                       " does not divide by zero",
                   ConstraintKind::Author);
    auto type = dyn_cast<transform::ParamType>(result.getType());
    ParamValue param{Size::of(*term)};
    param.isSize = type && type.getType().isSignlessInteger(64);
    step.analysis.setParams(result, step.op, param);
  }
  step.parameters.constrained.push_back(std::move(constrained));
}

void formwork::verifier::registerParametersModels(ModelRegistry &models) {
  models.add("param-constant", propagateParam);
  models.add("num-associations", propagateCount);
  models.add("query", propagateQuery, decides{"fw-step-fails"});
  models.add("knob", propagateKnob, decides{"fw-knob-domain"},
             leavesOpen{"chooses among values that are not integers"});
  models
      .add("constrain-params", propagateConstrainParams,
           leavesOpen{"has a constraint that is not supported:"})
      .derivesConstraints = true;
}
