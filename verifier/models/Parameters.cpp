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

#include "verifier/Interpreter.h"

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

void Interpreter::require(Operation *op, Operation *source, StringRef id,
                          BoolTerm holds, const Twine &text,
                          ConstraintKind kind, bool definite) {
  if (parameters->isSurely(holds)) {
    ++parameters->numFolded;
    return;
  }
  // A step that may not run, or may fail unseen, excludes no value.
  if (!state.certain || state.suppressed) {
    if (kind == ConstraintKind::Required)
      unprove(op, "may not meet that " + text);
    return;
  }
  if (state.guard)
    holds = parameters->context->implies(*state.guard, holds);
  if (!definite && kind != ConstraintKind::Required)
    return;
  if (!definite)
    kind = ConstraintKind::Conditional;
  parameters->add(id, holds, source, text, kind, op);
}

void Interpreter::requireStatic(Operation *op, const Extent &extent,
                                const Twine &why, bool definite, bool wanted) {
  const StaticCondition &condition = *extent.condition;
  require(op, condition.tiledBy, "tile.divides", condition.holds,
          describeStatic(condition) + ", because " + why,
          wanted ? ConstraintKind::Wanted : ConstraintKind::Required, definite);
}

std::optional<IntTerm> Interpreter::getTerm(const Size &size) const {
  return toTerm(*parameters->context, size);
}

bool Interpreter::mayBeZero(const Size &size) const {
  if (!size.isSymbolic())
    return size == 0;
  solver::TermContext &terms = *parameters->context;
  return !parameters->isSurely(
      terms.notEqual(size.getTerm(), terms.constant(0)));
}

Size Interpreter::getParam(Value value, unsigned index, bool anyWidth) {
  HandleState &handle = lookup(value);
  if (handle.kind != HandleState::Params || index >= handle.params.size())
    return std::nullopt;
  const ParamValue &param = handle.params[index];
  bool isTaken = param.isSize || (anyWidth && param.isSigned);
  return isTaken ? param.size : std::nullopt;
}

void Interpreter::setParams(Value value, Operation *origin,
                            ArrayRef<ParamValue> values) {
  bind(value, origin, {}).params.assign(values.begin(), values.end());
}

void Interpreter::setOpaqueParam(Value value, Operation *origin,
                                 const Twine &reason) {
  bind(value, origin, {}).opaqueReason = reason.str();
}

/// The single attribute of the parameter, if it is an integer with a term.
std::optional<IntTerm> Interpreter::getSingleTerm(const HandleState &param,
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
  param.isSigned =
      param.size && integer.getValue().trySExtValue() == *param.size;
  if (!param.size)
    param.reason = "is a constant that is no integer";
  return param;
}

void Interpreter::paramModel(Operation *op, const Contract &contract) {
  auto value = dyn_cast_or_null<TypedAttr>(op->getAttr("value"));
  setParams(op->getResult(0), op, makeParam(value));
  auto type = dyn_cast<transform::ParamType>(op->getResult(0).getType());
  if (!type || (value && value.getType() == type.getType()))
    return;
  std::string has = "an attribute without a type";
  if (value) {
    has.clear();
    llvm::raw_string_ostream(has) << value.getType();
  }
  std::string wanted;
  llvm::raw_string_ostream(wanted) << type.getType();
  report(op, "fw-kind-mismatch",
         "requires a parameter of type " + wanted + " but has " + has,
         /*definite=*/true, /*silenceable=*/false);
}

void Interpreter::countModel(Operation *op, const Contract &contract) {
  HandleState &handle = lookup(op->getOperand(0));
  std::optional<int64_t> number;
  if (handle.kind != HandleState::Params) {
    Count count = handle.count(state.payload);
    // How many ops an example has says nothing.
    bool isExample =
        options.nameOfSize &&
        llvm::any_of(handle.nodes, [&](NodeId node) { return node != root; });
    if (count.isExact() && !isExample)
      number = count.lo;
  } else if (!handle.params.empty()) {
    number = handle.params.size();
  }
  if (number)
    setParams(op->getResult(0), op, ParamValue{Size(*number)});
  else
    setOpaqueParam(op->getResult(0), op, "");
}

void Interpreter::mergeParams(Operation *op) {
  SmallVector<ParamValue> merged;
  for (Value operand : op->getOperands()) {
    HandleState &part = lookup(operand);
    std::string reason;
    if (op->hasAttr("deduplicate") || part.params.empty()) {
      (void)getSingleTerm(part, reason);
      setOpaqueParam(op->getResult(0), op,
                     op->hasAttr("deduplicate") ? "is merged without duplicates"
                                                : reason);
      return;
    }
    llvm::append_range(merged, part.params);
  }
  setParams(op->getResult(0), op, merged);
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

void Interpreter::queryModel(Operation *op, const Contract &contract) {
  auto query = cast<transform::QueryOp>(op);
  HandleState source = lookup(query.getTarget());
  SmallVector<DataLayoutEntryKey> keys;
  for (auto key : query.getKeys().getAsRange<StringAttr>())
    keys.push_back(key);
  auto type = dyn_cast<transform::ParamType>(op->getResult(0).getType());
  SmallVector<ParamValue> values;
  bool areKnown = source.ordered && !source.nodes.empty();
  for (NodeId target : source.nodes) {
    const Node &node = state.payload[target];
    bool present = node.present == Certainty::Yes && node.count.lo > 0;
    areKnown &= present && node.count.isExactly(1);
    if (!isSetAsGiven(state.payload, target, payloadRoot)) {
      unprove(op, "asks for a key of an op of which the data layout is not "
                  "known");
      areKnown = false;
      continue;
    }
    FailureOr<Attribute> found = dlti::query(node.op, keys);
    auto typed = dyn_cast_or_null<TypedAttr>(found.value_or(nullptr));
    if (failed(found))
      report(op, "fw-step-fails",
             "fails here: '" + node.kind->getStringRef() +
                 "' and the ops around it have no such key",
             present)
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : op->getLoc(),
                "handle " + nameOf(query.getTarget()) + " is set here");
    else if (type && (!typed || typed.getType() != type.getType()))
      report(op, "fw-kind-mismatch",
             "requires a parameter of another type than the value has", present,
             /*silenceable=*/false);
    areKnown &= succeeded(found);
    values.push_back(makeParam(found.value_or(nullptr)));
  }
  if (areKnown)
    setParams(op->getResult(0), op, values);
  else
    setOpaqueParam(op->getResult(0), op, "is asked of a data layout");
}

//===----------------------------------------------------------------------===//
// Knobs
//===----------------------------------------------------------------------===//

void Interpreter::knobModel(Operation *op, const Contract &contract) {
  auto knob = cast<KnobOp>(op);
  // Upstream takes any attribute for the options, and looks at none of them
  // where a value is selected: then there is nothing to choose.
  bool isFixed =
      knob.getSelected() && !isa<ArrayAttr>(knob.getOptions()) &&
      llvm::none_of(
          ArrayRef{kKnobRange, kKnobMultipleOf, kKnobPowerOfTwo, kKnobDivides},
          [&](StringRef name) { return knob->hasAttr(name); });
  if (isFixed) {
    setParams(knob.getResult(), op, makeParam(*knob.getSelected()));
    return;
  }
  FailureOr<std::variant<KnobDomain, OpaqueOptions>> domain =
      readKnobDomain(knob, [&](const Twine &message) {
        report(op, "fw-knob-domain", message, /*definite=*/true,
               /*silenceable=*/false);
      });
  if (failed(domain)) {
    setOpaqueParam(knob.getResult(), op, "has no domain");
    return;
  }
  std::optional<Attribute> selected = knob.getSelected();
  if (auto *opaque = std::get_if<OpaqueOptions>(&*domain)) {
    if (!llvm::is_contained(
            llvm::map_range(parameters->opaqueKnobs,
                            [](const OpaqueKnob &old) { return old.op; }),
            knob))
      parameters->opaqueKnobs.push_back({knob, opaque->reason});
    if (!selected)
      unprove(op, "is a choice among values that are no integers");
    ParamValue param = selected ? makeParam(*selected) : ParamValue();
    param.isSize &= selected.has_value();
    param.reason = opaque->reason;
    setParams(knob.getResult(), op, param);
    return;
  }
  if (selected && !toInteger(*selected)) {
    // A choice that upstream accepts, and that no term stands for.
    setOpaqueParam(knob.getResult(), op,
                   "is selected as something that is no integer");
    return;
  }
  if (selected && !options.knobsAreOpen) {
    setParams(knob.getResult(), op, makeParam(*selected));
    return;
  }

  auto &values = std::get<KnobDomain>(*domain);
  unsigned known = parameters->knobs.size();
  std::optional<int64_t> value;
  if (selected)
    value = toInteger(*selected);
  IntTerm term =
      parameters->addKnob(op, knob.getName(), std::move(values.domain), value);
  if (parameters->knobs.size() != known)
    for (const KnobCondition &condition : values.conditions) {
      BoolTerm holds = condition.getTerm(*parameters->context, term);
      parameters->add("knob.domain", holds, op, solver::toInfix(holds),
                      ConstraintKind::Author);
    }
  ParamValue param{assign(term)};
  auto options = dyn_cast<ArrayAttr>(knob.getOptions());
  auto type = dyn_cast<transform::ParamType>(knob.getResult().getType());
  param.isSize = options ? llvm::all_of(options, isSizeAttr)
                         : type && type.getType().isSignlessInteger(64);
  setParams(knob.getResult(), op, param);
}

Size Interpreter::assign(IntTerm term) const {
  if (options.assignment && term.isVariable()) {
    auto it = options.assignment->find(
        parameters->context->getName(term.getVariable()));
    if (it != options.assignment->end())
      return it->second;
  }
  return Size::of(term);
}

void Interpreter::constrainParamsModel(Operation *op,
                                       const Contract &contract) {
  auto constrain = cast<ConstrainParamsOp>(op);
  solver::TermContext &terms = *parameters->context;
  Block &body = constrain.getBody().front();
  SmallVector<SmtValue> arguments;
  for (auto [param, argument] :
       llvm::zip(constrain.getParams(), body.getArguments())) {
    std::string reason;
    if (std::optional<IntTerm> term = getSingleTerm(lookup(param), reason))
      arguments.push_back(makeSmtArgument(terms, *term, argument.getType()));
    else
      arguments.push_back(
          Opaque{"parameter " + std::to_string(argument.getArgNumber()) +
                 " of 'transform.smt.constrain_params' " + reason});
  }
  std::string prefix =
      "constrain_params." + std::to_string(parameters->constrained.size());
  SmtRegion region = translateSmtRegion(
      body, arguments, *parameters->problem, prefix, [&](IntTerm declared) {
        Size size = assign(declared);
        return size ? terms.constant(*size) : declared;
      });
  bool runs = state.certain && !state.suppressed;
  for (const SmtAssertion &assertion : region.assertions) {
    const auto *opaque = std::get_if<Opaque>(&assertion.condition);
    if (opaque || !runs) {
      std::string reason =
          opaque ? opaque->reason
                 : "it stands in '" +
                       op->getParentOp()->getName().getStringRef().str() +
                       "', where it need not run or may fail";
      Operation *cause = opaque ? opaque->op : nullptr;
      parameters->unmodelled.push_back({assertion.op, reason, cause});
      unprove(op, "has a constraint that is not modelled: " + Twine(reason));
      if (auto &reasons = result.verdict.reasons;
          cause && !reasons.empty() && reasons.back().op == op)
        reasons.back().part = cause;
      continue;
    }
    BoolTerm holds = std::get<BoolTerm>(assertion.condition);
    require(op, assertion.op, "constrain.assert", holds, solver::toInfix(holds),
            ConstraintKind::Author);
  }
  ConstrainedParams constrained{constrain, {}};
  for (auto [result, yielded] :
       llvm::zip(constrain.getResults(), region.yielded)) {
    std::optional<IntTerm> term = toParameter(terms, yielded);
    constrained.results.push_back(term);
    if (!term) {
      setOpaqueParam(result, op, std::get<Opaque>(yielded).reason);
      continue;
    }
    // A value that is used must be one.
    if (!result.use_empty() && runs && term->getNode()->mayBeUndefined())
      require(op, op, "constrain.defined", terms.equal(*term, *term),
              "result " + Twine(cast<OpResult>(result).getResultNumber()) +
                  " does not divide by zero",
              ConstraintKind::Author);
    auto type = dyn_cast<transform::ParamType>(result.getType());
    ParamValue param{Size::of(*term)};
    param.isSize = type && type.getType().isSignlessInteger(64);
    setParams(result, op, param);
  }
  parameters->constrained.push_back(std::move(constrained));
}

//===----------------------------------------------------------------------===//
// Tile sizes
//===----------------------------------------------------------------------===//

void Interpreter::requireTileSizes(Operation *op, NodeId target,
                                   ArrayRef<Size> sizes, bool areCounts) {
  const Node &node = state.payload[target];
  solver::TermContext &terms = *parameters->context;
  StringRef what = areCounts ? "the number of threads " : "the tile size ";
  bool definite = node.present == Certainty::Yes && node.count.lo > 0;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    // Of numbers, there is nothing to require.
    bool isLoopSymbolic = !areCounts && node.space &&
                          dim < node.space->loops.size() &&
                          node.space->loops[dim].size.isSymbolic();
    if (!size.isSymbolic() && !isLoopSymbolic)
      continue;
    std::optional<IntTerm> term = getTerm(size);
    if (!term)
      continue;
    std::string name = solver::toInfix(*term);
    BoolTerm isNonnegative = terms.lessEqual(terms.constant(0), *term);
    if (size.isSymbolic())
      require(op, op, "tile.nonnegative", isNonnegative,
              what + name + " of dimension " + Twine(dim) + " is not negative",
              ConstraintKind::Required, definite);
    if (!node.space || dim >= node.space->loops.size() || areCounts)
      continue;
    const Extent &loop = node.space->loops[dim];
    std::optional<IntTerm> whole = getTerm(loop.size);
    if (whole && size != 0)
      require(op, op, "tile.within-extent", terms.lessEqual(*term, *whole),
              what + name + " is at most " + solver::toInfix(*whole) +
                  ", the size of dimension " + Twine(dim) + " of '" +
                  node.kind->getStringRef() + "'",
              ConstraintKind::Canonical, definite);
  }
}

void Interpreter::requireTiledLoops(Operation *op, ArrayRef<Size> sizes,
                                    unsigned numMappings, bool definite) {
  // Of numbers alone, the model of the step has said what there is to say.
  if (llvm::none_of(sizes, [](const Size &size) { return size.isSymbolic(); }))
    return;
  solver::TermContext &terms = *parameters->context;
  IntTerm zero = terms.constant(0);
  SmallVector<BoolTerm> areTiled;
  SmallVector<IntTerm> ones;
  unsigned numTiled = 0;
  for (const Size &size : sizes) {
    std::optional<IntTerm> term = getTerm(size);
    if (!term)
      return;
    areTiled.push_back(terms.notEqual(*term, zero));
    ones.push_back(terms.select(areTiled.back(), terms.constant(1), zero));
    numTiled += size != 0;
  }
  if (numMappings == 0) {
    require(op, op, "tile.some-dimension", terms.anyOf(areTiled),
            "some tile size of the forall is not 0", ConstraintKind::Required,
            definite);
    return;
  }
  if (numMappings != numTiled) {
    require(op, op, "tile.mapped",
            terms.equal(terms.sum(ones), terms.constant(numMappings)),
            "as many tile sizes are not 0 as there are mappings",
            ConstraintKind::Required, definite);
    return;
  }
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size.isSymbolic() && mayBeZero(size))
      require(op, op, "tile.mapped", areTiled[dim],
              "the tile size " + solver::toInfix(size.getTerm()) +
                  " of dimension " + Twine(dim) +
                  " is not 0, because the loop is mapped",
              ConstraintKind::Required, definite);
}

void Interpreter::requireVectorSizes(Operation *op, NodeId target,
                                     ArrayRef<Size> sizes) {
  const Node &node = state.payload[target];
  if (!node.space || node.space->loops.size() != sizes.size())
    return;
  solver::TermContext &terms = *parameters->context;
  bool present = node.present == Certainty::Yes && node.count.lo > 0;
  for (auto [dim, loop] : llvm::enumerate(node.space->loops)) {
    std::optional<IntTerm> vector = getTerm(sizes[dim]);
    if (sizes[dim].isSymbolic())
      require(op, op, "vector.positive", terms.less(terms.constant(0), *vector),
              "the vector size " + solver::toInfix(*vector) + " is positive",
              ConstraintKind::Required, present);
    // The most that a size is that is not static: that of a full tile.
    const DynamicReason &reason = loop.reason;
    bool isTile = loop.size.isUnknown() && reason.tiledBy && reason.tile != 0 &&
                  reason.tiledBy == node.origin;
    std::optional<IntTerm> size =
        getTerm(isTile ? Size(std::min(reason.tile, reason.size)) : loop.size);
    bool isSymbolic = sizes[dim].isSymbolic() || loop.size.isSymbolic();
    if (!isSymbolic || !vector || !size)
      continue;
    BoolTerm covers = terms.lessEqual(*size, *vector);
    std::string text = "the vector size " + solver::toInfix(*vector) +
                       " is at least " + solver::toInfix(*size) +
                       ", the size of dimension " + std::to_string(dim);
    if (loop.size || loop.condition)
      require(op, op, "vector.covers",
              loop.condition ? terms.implies(loop.condition->holds, covers)
                             : covers,
              text + " where it is static", ConstraintKind::Required, present);
    // A size that is not static is masked, however large it may be, and what is
    // behind the vector is left out.
    if (!loop.size)
      require(op, op, "vector.covers",
              loop.condition ? terms.logicalOr(loop.condition->holds, covers)
                             : covers,
              text, ConstraintKind::Wanted, present);
  }
}

//===----------------------------------------------------------------------===//
// A choice of regions
//===----------------------------------------------------------------------===//

void Interpreter::tuneAlternativesModel(Operation *op,
                                        const Contract &contract) {
  auto alternatives = cast<AlternativesOp>(op);
  solver::TermContext &terms = *parameters->context;
  int64_t numRegions = alternatives.getAlternatives().size();
  std::optional<IntTerm> choice;
  std::string reason = "is not known";
  if (Value selector = alternatives.getSelectedRegionParam()) {
    choice = getSingleTerm(lookup(selector), reason);
    if (choice)
      require(op, op, "alternatives.region",
              terms.logicalAnd(terms.lessEqual(terms.constant(0), *choice),
                               terms.less(*choice, terms.constant(numRegions))),
              "the selected region " + solver::toInfix(*choice) +
                  " is one of 0 to " + Twine(numRegions - 1),
              ConstraintKind::Required);
  } else if (std::optional<APInt> selected =
                 alternatives.getSelectedRegionAttr()) {
    choice = terms.constant(selected->getSExtValue());
  } else {
    IntTerm knob = parameters->addKnob(op, alternatives.getName(),
                                       solver::Domain::range(0, numRegions - 1),
                                       std::nullopt);
    choice = toTerm(terms, assign(knob));
  }

  SmallVector<Yields> yields;
  auto visit = [&](unsigned index) {
    visitRegion(alternatives.getAlternatives()[index].front(), {op, index});
    yields.push_back(getYields());
  };
  if (choice && choice->isConstant()) {
    int64_t index = choice->getConstant();
    if (index < 0 || index >= numRegions)
      return summarize(op);
    visit(index);
    return setYields(op, yields);
  }

  // Each region starts from the same state, and what holds behind it is what
  // holds behind any of them; parameters are selected by the choice.
  unprove(op, choice ? Twine("is a choice of regions that is open")
                     : "is a choice of regions that " + Twine(reason));
  bool certain = state.certain;
  std::optional<BoolTerm> guard = state.guard;
  state.fork();
  std::optional<State::Branch> joined;
  SmallVector<BoolTerm> conditions;
  for (int64_t index = 0; index < numRegions; ++index) {
    BoolTerm here = terms.truth(true);
    if (choice) {
      here = terms.equal(*choice, terms.constant(index));
      state.guard = guard ? terms.logicalAnd(*guard, here) : here;
    } else {
      state.certain = false;
    }
    if (state.guard && state.guard->isFalse()) {
      state.leave();
      continue;
    }
    visit(index);
    conditions.push_back(here);
    state.guard = guard;
    state.certain = certain;
    if (joined)
      state.join(std::move(*joined), /*inPart=*/false);
    joined = state.leave();
  }
  if (joined)
    state.take(std::move(*joined));
  state.endFork();
  setYields(op, yields);
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    HandleState &to = lookup(op->getResult(i));
    if (to.kind != HandleState::Params)
      continue;
    std::optional<ParamValue> selected;
    to.params.clear();
    to.opaqueReason = "depends on the region that is chosen";
    for (auto [here, path] : llvm::zip_equal(conditions, yields)) {
      std::string why;
      std::optional<IntTerm> mine = getSingleTerm(path[i], why);
      if (!mine || !choice) {
        selected.reset();
        break;
      }
      bool isSize = path[i].params.front().isSize;
      if (!selected)
        selected = ParamValue{Size::of(*mine), isSize};
      else
        selected = ParamValue{
            Size::of(terms.select(here, *mine, *getTerm(selected->size))),
            isSize && selected->isSize};
    }
    if (selected)
      to.params.push_back(*selected);
  }
}
