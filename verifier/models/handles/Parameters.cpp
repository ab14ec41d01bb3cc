//===- Parameters.cpp - Models of ops that make parameters ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where parameters come from: constants, knobs, constraints, counts; and what
// steps require of those that are still open (DESIGN §6.3). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/handles/Parameters.h"
#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/step/Step.h"
#include "verifier/step/Walker.h"

#include "verifier/parameters/KnobDomain.h"
#include "verifier/parameters/SmtRegion.h"
#include "verifier/parameters/SymbolicSizes.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/DLTI/TransformOps/DLTITransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

void Step::require(Operation *source, StringRef id, BoolTerm holds,
                   const Twine &text, ConstraintKind kind,
                   bool definite) const {
  if (parameters.isSurely(holds)) {
    ++parameters.numFolded;
    return;
  }
  // A step that may not run, or may fail unseen, excludes no value.
  if (!state.certain || state.suppressed) {
    if (kind == ConstraintKind::Required)
      unprove("may not meet that " + text);
    return;
  }
  if (state.guard)
    holds = terms.implies(*state.guard, holds);
  if (!definite && kind != ConstraintKind::Required)
    return;
  if (!definite)
    kind = ConstraintKind::Conditional;
  parameters.add(id, holds, source, text, kind, op);
}

void formwork::verifier::requireStatic(const Step &step, const Extent &extent,
                                       const Twine &why, bool definite,
                                       bool wanted) {
  const StaticCondition &condition = *extent.condition;
  step.require(condition.tiledBy, "tile.divides", condition.holds,
               describeStatic(condition) + ", because " + why,
               wanted ? ConstraintKind::Wanted : ConstraintKind::Required,
               definite);
}

std::optional<IntTerm> Analysis::getTerm(const Size &size) const {
  return toTerm(*parameters->context, size);
}

bool Analysis::mayBeZero(const Size &size) const {
  if (!size.isSymbolic())
    return size == 0;
  solver::TermContext &terms = *parameters->context;
  return !parameters->isSurely(
      terms.notEqual(size.getTerm(), terms.constant(0)));
}

Size Analysis::getParam(Value value, unsigned index, bool anyWidth) {
  HandleState &handle = lookup(value);
  if (handle.kind != HandleState::Params || index >= handle.params.size())
    return std::nullopt;
  const ParamValue &param = handle.params[index];
  bool isTaken = param.isSize || (anyWidth && param.isSigned);
  return isTaken ? param.size : std::nullopt;
}

void Analysis::setParams(Value value, Operation *origin,
                         ArrayRef<ParamValue> values) {
  bind(value, origin, {}).params.assign(values.begin(), values.end());
}

void Analysis::setOpaqueParam(Value value, Operation *origin,
                              const Twine &reason) {
  bind(value, origin, {}).opaqueReason = reason.str();
}

/// The single attribute of the parameter, if it is an integer with a term.
std::optional<IntTerm> Analysis::getSingleTerm(const HandleState &param,
                                               std::string &reason) const {
  if (param.params.size() == 1) {
    reason = param.params.front().reason;
    return getTerm(param.params.front().size);
  }
  reason =
      param.params.empty()
          ? param.opaqueReason
          : "is a list of " + std::to_string(param.params.size()) + " values";
  if (reason.empty())
    reason = param.origin && param.origin->getNumResults() != 0
                 ? "is a result of '" +
                       param.origin->getName().getStringRef().str() + "'"
                 : std::string("is an argument of a region");
  return std::nullopt;
}

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
    param.reason = "is a constant that is no integer";
  return param;
}

static void propagateParam(const Step &step) {
  auto value = dyn_cast_or_null<TypedAttr>(step.op->getAttr("value"));
  step.analysis.setParams(step.op->getResult(0), step.op, makeParam(value));
  auto type = dyn_cast<transform::ParamType>(step.op->getResult(0).getType());
  if (!type || (value && value.getType() == type.getType()))
    return;
  std::string has = "an attribute without a type";
  if (value) {
    has.clear();
    llvm::raw_string_ostream(has) << value.getType();
  }
  std::string wanted;
  llvm::raw_string_ostream(wanted) << type.getType();
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
  if (number)
    step.analysis.setParams(step.op->getResult(0), step.op,
                            ParamValue{Size(*number)});
  else
    step.analysis.setOpaqueParam(step.op->getResult(0), step.op, "");
}

void formwork::verifier::mergeParams(const Step &step) {
  SmallVector<ParamValue> merged;
  for (Value operand : step.op->getOperands()) {
    HandleState &part = step.lookup(operand);
    std::string reason;
    if (step.op->hasAttr("deduplicate") || part.params.empty()) {
      (void)step.analysis.getSingleTerm(part, reason);
      step.analysis.setOpaqueParam(step.op->getResult(0), step.op,
                                   step.op->hasAttr("deduplicate")
                                       ? "is merged without duplicates"
                                       : reason);
      return;
    }
    llvm::append_range(merged, part.params);
  }
  step.analysis.setParams(step.op->getResult(0), step.op, merged);
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
    bool present = node.present == Certainty::Yes && node.count.lo > 0;
    areKnown &= present && node.count.isExactly(1);
    if (!isSetAsGiven(step.payload, target, step.analysis.payloadRoot)) {
      step.unprove("asks for a key of an op of which the data layout is not "
                   "known");
      areKnown = false;
      continue;
    }
    FailureOr<Attribute> found = dlti::query(node.op, keys);
    auto typed = dyn_cast_or_null<TypedAttr>(found.value_or(nullptr));
    if (failed(found))
      step.report("fw-step-fails",
                  "fails here: '" + node.kind->getStringRef() +
                      "' and the ops around it have no such key",
                  present)
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : step.op->getLoc(),
                "handle " + step.nameOf(query.getTarget()) + " is set here");
    else if (type && (!typed || typed.getType() != type.getType()))
      step.report("fw-kind-mismatch",
                  "requires a parameter of another type than the value has",
                  present,
                  /*silenceable=*/false);
    areKnown &= succeeded(found);
    values.push_back(makeParam(found.value_or(nullptr)));
  }
  if (areKnown)
    step.analysis.setParams(step.op->getResult(0), step.op, values);
  else
    step.analysis.setOpaqueParam(step.op->getResult(0), step.op,
                                 "is asked of a data layout");
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
      step.unprove("is a choice among values that are no integers");
    ParamValue param = selected ? makeParam(*selected) : ParamValue();
    param.isSize &= selected.has_value();
    param.reason = opaque->reason;
    step.analysis.setParams(knob.getResult(), step.op, param);
    return;
  }
  if (selected && !toInteger(*selected)) {
    // A choice that upstream accepts, and that no term stands for.
    step.analysis.setOpaqueParam(knob.getResult(), step.op,
                                 "is selected as something that is no integer");
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

Size Analysis::assign(IntTerm term) const {
  if (options.assignment && term.isVariable()) {
    auto it = options.assignment->find(
        parameters->context->getName(term.getVariable()));
    if (it != options.assignment->end())
      return it->second;
  }
  return Size::of(term);
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
      step.unprove("has a constraint that is not modelled: " + Twine(reason));
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

//===----------------------------------------------------------------------===//
// Tile sizes
//===----------------------------------------------------------------------===//

void formwork::verifier::requireTileSizes(const Step &step, NodeId target,
                                          ArrayRef<Size> sizes,
                                          bool areCounts) {
  const Node &node = step.payload[target];
  solver::TermContext &terms = step.terms;
  StringRef what = areCounts ? "the number of threads " : "the tile size ";
  bool definite = node.present == Certainty::Yes && node.count.lo > 0;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    // Of numbers, there is nothing to require.
    bool isLoopSymbolic = !areCounts && node.space &&
                          dim < node.space->loops.size() &&
                          node.space->loops[dim].size.isSymbolic();
    if (!size.isSymbolic() && !isLoopSymbolic)
      continue;
    std::optional<IntTerm> term = step.analysis.getTerm(size);
    if (!term)
      continue;
    std::string name = solver::toInfix(*term);
    BoolTerm isNonnegative = terms.lessEqual(terms.constant(0), *term);
    if (size.isSymbolic())
      step.require(step.op, "tile.nonnegative", isNonnegative,
                   what + name + " of dimension " + Twine(dim) +
                       " is not negative",
                   ConstraintKind::Required, definite);
    if (!node.space || dim >= node.space->loops.size() || areCounts)
      continue;
    const Extent &loop = node.space->loops[dim];
    std::optional<IntTerm> whole = step.analysis.getTerm(loop.size);
    if (whole && size != 0)
      step.require(step.op, "tile.within-extent",
                   terms.lessEqual(*term, *whole),
                   what + name + " is at most " + solver::toInfix(*whole) +
                       ", the size of dimension " + Twine(dim) + " of '" +
                       node.kind->getStringRef() + "'",
                   ConstraintKind::Canonical, definite);
  }
}

void formwork::verifier::requireTiledLoops(const Step &step,
                                           ArrayRef<Size> sizes,
                                           unsigned numMappings,
                                           bool definite) {
  // Of numbers alone, the model of the step has said what there is to say.
  if (llvm::none_of(sizes, [](const Size &size) { return size.isSymbolic(); }))
    return;
  solver::TermContext &terms = step.terms;
  IntTerm zero = terms.constant(0);
  SmallVector<BoolTerm> areTiled;
  SmallVector<IntTerm> ones;
  unsigned numTiled = 0;
  for (const Size &size : sizes) {
    std::optional<IntTerm> term = step.analysis.getTerm(size);
    if (!term)
      return;
    areTiled.push_back(terms.notEqual(*term, zero));
    ones.push_back(terms.select(areTiled.back(), terms.constant(1), zero));
    numTiled += size != 0;
  }
  if (numMappings == 0) {
    step.require(step.op, "tile.some-dimension", terms.anyOf(areTiled),
                 "some tile size of the forall is not 0",
                 ConstraintKind::Required, definite);
    return;
  }
  if (numMappings != numTiled) {
    step.require(step.op, "tile.mapped",
                 terms.equal(terms.sum(ones), terms.constant(numMappings)),
                 "as many tile sizes are not 0 as there are mappings",
                 ConstraintKind::Required, definite);
    return;
  }
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size.isSymbolic() && step.analysis.mayBeZero(size))
      step.require(step.op, "tile.mapped", areTiled[dim],
                   "the tile size " + solver::toInfix(size.getTerm()) +
                       " of dimension " + Twine(dim) +
                       " is not 0, because the loop is mapped",
                   ConstraintKind::Required, definite);
}

void formwork::verifier::requireVectorSizes(const Step &step, NodeId target,
                                            ArrayRef<Size> sizes) {
  const Node &node = step.payload[target];
  if (!node.space || node.space->loops.size() != sizes.size())
    return;
  solver::TermContext &terms = step.terms;
  bool present = node.present == Certainty::Yes && node.count.lo > 0;
  for (auto [dim, loop] : llvm::enumerate(node.space->loops)) {
    std::optional<IntTerm> vector = step.analysis.getTerm(sizes[dim]);
    if (sizes[dim].isSymbolic())
      step.require(
          step.op, "vector.positive", terms.less(terms.constant(0), *vector),
          "the vector size " + solver::toInfix(*vector) + " is positive",
          ConstraintKind::Required, present);
    // The most that a size is that is not static: that of a full tile.
    const DynamicReason &reason = loop.reason;
    bool isTile = loop.size.isUnknown() && reason.tiledBy && reason.tile != 0 &&
                  reason.tiledBy == node.origin;
    std::optional<IntTerm> size = step.analysis.getTerm(
        isTile ? Size(std::min(reason.tile, reason.size)) : loop.size);
    bool isSymbolic = sizes[dim].isSymbolic() || loop.size.isSymbolic();
    if (!isSymbolic || !vector || !size)
      continue;
    BoolTerm covers = terms.lessEqual(*size, *vector);
    std::string text = "the vector size " + solver::toInfix(*vector) +
                       " is at least " + solver::toInfix(*size) +
                       ", the size of dimension " + std::to_string(dim);
    if (loop.size || loop.condition)
      step.require(step.op, "vector.covers",
                   loop.condition ? terms.implies(loop.condition->holds, covers)
                                  : covers,
                   text + " where it is static", ConstraintKind::Required,
                   present);
    // A size that is not static is masked, however large it may be, and what is
    // behind the vector is left out.
    if (!loop.size)
      step.require(step.op, "vector.covers",
                   loop.condition
                       ? terms.logicalOr(loop.condition->holds, covers)
                       : covers,
                   text, ConstraintKind::Wanted, present);
  }
}

//===----------------------------------------------------------------------===//
// A choice of regions
//===----------------------------------------------------------------------===//

static void propagateTuneAlternatives(const Step &step, Walker &walk) {
  auto alternatives = cast<AlternativesOp>(step.op);
  solver::TermContext &terms = step.terms;
  int64_t numRegions = alternatives.getAlternatives().size();
  std::optional<IntTerm> choice;
  std::string reason = "is not known";
  if (Value selector = alternatives.getSelectedRegionParam()) {
    choice = step.analysis.getSingleTerm(step.lookup(selector), reason);
    if (choice)
      step.require(
          step.op, "alternatives.region",
          terms.logicalAnd(terms.lessEqual(terms.constant(0), *choice),
                           terms.less(*choice, terms.constant(numRegions))),
          "the selected region " + solver::toInfix(*choice) +
              " is one of 0 to " + Twine(numRegions - 1),
          ConstraintKind::Required);
  } else if (std::optional<APInt> selected =
                 alternatives.getSelectedRegionAttr()) {
    choice = terms.constant(selected->getSExtValue());
  } else {
    IntTerm knob = step.parameters.addKnob(
        step.op, alternatives.getName(),
        solver::Domain::range(0, numRegions - 1), std::nullopt);
    choice = toTerm(terms, step.analysis.assign(knob));
  }

  SmallVector<Yields> yields;
  auto visit = [&](unsigned index) {
    walk.visitRegion(alternatives.getAlternatives()[index].front(),
                     {step.op, index});
    yields.push_back(walk.getYields());
  };
  if (choice && choice->isConstant()) {
    int64_t index = choice->getConstant();
    if (index < 0 || index >= numRegions)
      return summarize(step);
    visit(index);
    return setYields(step, yields);
  }

  // Each region starts from the same state, and what holds behind it is what
  // holds behind any of them; parameters are selected by the choice.
  step.unprove(choice ? Twine("is a choice of regions that is open")
                      : "is a choice of regions that " + Twine(reason));
  std::optional<BoolTerm> guard = step.state.guard;
  step.state.fork();
  std::optional<State::Branch> joined;
  SmallVector<BoolTerm> conditions;
  for (int64_t index = 0; index < numRegions; ++index) {
    BoolTerm here = terms.truth(true);
    if (choice) {
      here = terms.equal(*choice, terms.constant(index));
      step.state.guard = guard ? terms.logicalAnd(*guard, here) : here;
    } else {
      step.state.certain = false;
    }
    if (step.state.guard && step.state.guard->isFalse()) {
      step.state.leave();
      continue;
    }
    visit(index);
    conditions.push_back(here);
    if (joined)
      step.state.join(std::move(*joined), /*inPart=*/false);
    joined = step.state.leave();
  }
  if (joined)
    step.state.take(std::move(*joined));
  step.state.endFork();
  setYields(step, yields);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i) {
    HandleState &to = step.lookup(step.op->getResult(i));
    if (to.kind != HandleState::Params)
      continue;
    std::optional<ParamValue> selected;
    to.params.clear();
    to.opaqueReason = "depends on the region that is chosen";
    for (auto [here, path] : llvm::zip_equal(conditions, yields)) {
      std::string why;
      std::optional<IntTerm> mine = step.analysis.getSingleTerm(path[i], why);
      if (!mine || !choice) {
        selected.reset();
        break;
      }
      bool isSize = path[i].params.front().isSize;
      if (!selected)
        selected = ParamValue{Size::of(*mine), isSize};
      else
        selected = ParamValue{
            Size::of(terms.select(here, *mine,
                                  *step.analysis.getTerm(selected->size))),
            isSize && selected->isSize};
    }
    if (selected)
      to.params.push_back(*selected);
  }
}

void formwork::verifier::registerParametersModels(ModelRegistry &models) {
  models.add("param-constant", propagateParam);
  models.add("num-associations", propagateCount);
  models.add("query", propagateQuery, decides{"fw-step-fails"});
  models.add("knob", propagateKnob, decides{"fw-knob-domain"},
             leavesOpen{"is a choice among values that are no integers"});
  models
      .add("constrain-params", propagateConstrainParams,
           leavesOpen{"has a constraint that is not modelled:"})
      .derivesConstraints = true;
  models.add("tune-alternatives", propagateTuneAlternatives)
      .derivesConstraints = true;
}
