//===- Collector.cpp - The walk behind ParameterModel -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/Collector.h"

#include "verifier/parameters/KnobDomain.h"
#include "verifier/parameters/SmtRegion.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;
using transform::TransformParamTypeInterface;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

std::optional<IntTerm> Parameter::getSingleTerm() const {
  if (!elements || elements->size() != 1)
    return std::nullopt;
  return elements->front().term;
}

std::string Parameter::explainOpaque() const {
  if (!elements)
    return reason;
  if (elements->size() != 1)
    return "is a list of " + std::to_string(elements->size()) + " values";
  return elements->front().reason;
}

Parameter Collector::getParameter(Value value) const {
  auto it = parameters.find(value);
  if (it != parameters.end())
    return it->second;
  if (Operation *definition = value.getDefiningOp())
    return Parameter::opaque("is a result of '" +
                             definition->getName().getStringRef() + "'");
  return Parameter::opaque("is an argument of a region");
}

void Collector::require(StringRef id, BoolTerm term, Operation *op,
                        StringRef text) {
  BoolTerm guarded = context.implies(guard, term);
  if (!guarded.isTrue())
    problem.addConstraint(id, guarded, op, text);
}

IntTerm Collector::addKnob(Operation *op, StringRef name, solver::Domain domain,
                           std::optional<int64_t> selected) {
  auto known = knobTerms.find(op);
  if (known != knobTerms.end())
    return known->second;
  // Each op is a choice of its own, also when two share a name.
  unsigned number = ++numOfName[name];
  std::string unique =
      number == 1 ? name.str() : (name + "#" + Twine(number)).str();
  IntTerm term = problem.addVariable(unique, std::move(domain));
  knobTerms.try_emplace(op, term);
  model.knobs.push_back({op, term, selected});
  return term;
}

LogicalResult Collector::visitKnob(KnobOp op) {
  FailureOr<std::variant<KnobDomain, OpaqueOptions>> domain =
      readKnobDomain(op);
  if (failed(domain))
    return failure();
  if (auto *opaque = std::get_if<OpaqueOptions>(&*domain)) {
    if (!llvm::is_contained(llvm::map_range(model.opaqueKnobs,
                                            [](auto &knob) { return knob.op; }),
                            op))
      model.opaqueKnobs.push_back({op, opaque->reason});
    parameters[op.getResult()] = Parameter::opaque(opaque->reason);
    return success();
  }
  std::optional<int64_t> selected;
  if (std::optional<Attribute> attribute = op.getSelected()) {
    selected = toInteger(*attribute);
    if (!selected) {
      // A choice that upstream accepts, and that no term stands for.
      parameters[op.getResult()] =
          Parameter::opaque("is selected as something that is no integer");
      return success();
    }
  }
  bool isNew = !knobTerms.contains(op);
  auto &values = std::get<KnobDomain>(*domain);
  IntTerm term = addKnob(op, op.getName(), std::move(values.domain), selected);
  if (isNew)
    for (const KnobCondition &condition : values.conditions)
      problem.addConstraint("knob.domain", condition.getTerm(context, term),
                            op);
  parameters[op.getResult()] = Parameter::single(term);
  return success();
}

LogicalResult Collector::visitAlternatives(AlternativesOp op) {
  int64_t numRegions = op.getAlternatives().size();
  std::optional<IntTerm> choice;
  if (Value selector = op.getSelectedRegionParam()) {
    choice = getParameter(selector).getSingleTerm();
    if (choice)
      require("alternatives.region",
              context.logicalAnd(
                  context.lessEqual(context.constant(0), *choice),
                  context.less(*choice, context.constant(numRegions))),
              op);
  } else if (std::optional<APInt> selected = op.getSelectedRegionAttr()) {
    choice = context.constant(selected->getSExtValue());
  } else {
    choice = addKnob(op, op.getName(), solver::Domain::range(0, numRegions - 1),
                     std::nullopt);
  }
  // An unknown choice may leave any region out.
  if (!choice)
    return visitRegions(*op);

  BoolTerm outer = guard;
  bool touchedBefore = touched, touchedAfter = touched;
  DenseMap<Value, TrackedHandle> handlesBefore = handles;
  for (auto [i, region] : llvm::enumerate(op.getAlternatives())) {
    BoolTerm here = context.equal(*choice, context.constant(i));
    guard = context.logicalAnd(outer, here);
    touched = touchedBefore;
    handles = handlesBefore;
    if (guard.isFalse() || region.empty())
      continue;
    if (failed(visitBlock(region.front())))
      return failure();
    touchedAfter |= touched;
    for (auto [result, yielded] : llvm::zip(
             op.getResults(), region.front().getTerminator()->getOperands())) {
      if (!isa<TransformParamTypeInterface>(result.getType()))
        continue;
      std::optional<IntTerm> value = getParameter(yielded).getSingleTerm();
      std::optional<IntTerm> others = parameters.contains(result)
                                          ? getParameter(result).getSingleTerm()
                                          : value;
      parameters[result] =
          value && others
              ? Parameter::single(context.select(here, *value, *others))
              : Parameter::opaque("depends on the region that is chosen");
    }
  }
  guard = outer;
  touched = touchedAfter;
  handles.clear();
  return success();
}

LogicalResult Collector::visitInclude(transform::IncludeOp op) {
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
          op, op.getTarget());
  if (!callee || callee.isExternal() || !running.insert(callee).second) {
    visitEffects(*op);
    return success();
  }
  Block &body = callee.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op.getOperands())) {
    if (isa<TransformParamTypeInterface>(argument.getType()))
      parameters[argument] = getParameter(operand);
    handles.erase(argument);
    if (const TrackedHandle *handle = lookupHandle(operand)) {
      TrackedHandle copy = *handle;
      handles[argument] = std::move(copy);
    }
  }
  Operation *outer = suppressor;
  if (op.getFailurePropagationMode() ==
      transform::FailurePropagationMode::Suppress)
    suppressor = op;
  LogicalResult visited = visitBlock(body);
  suppressor = outer;
  running.erase(callee);
  if (failed(visited))
    return failure();
  for (auto [result, yielded] :
       llvm::zip(op.getResults(), body.getTerminator()->getOperands())) {
    if (isa<TransformParamTypeInterface>(result.getType()))
      parameters[result] = getParameter(yielded);
    if (const TrackedHandle *handle = lookupHandle(yielded)) {
      TrackedHandle copy = *handle;
      handles[result] = std::move(copy);
    }
  }
  return success();
}

LogicalResult Collector::visitRegions(Operation &op) {
  // How often, and on what, the regions run is not known; nor is what they do
  // to handles from outside.
  handles.clear();
  touched = true;
  Operation *outer = suppressor;
  suppressor = &op;
  for (Region &region : op.getRegions())
    for (Block &block : region)
      if (failed(visitBlock(block)))
        return failure();
  suppressor = outer;
  handles.clear();
  return success();
}

void Collector::visitConstrainParams(ConstrainParamsOp op) {
  Block &body = op.getBody().front();
  SmallVector<SmtValue> arguments;
  for (auto [param, argument] :
       llvm::zip(op.getParams(), body.getArguments())) {
    Parameter parameter = getParameter(param);
    if (std::optional<IntTerm> term = parameter.getSingleTerm())
      arguments.push_back(makeSmtArgument(context, *term, argument.getType()));
    else
      arguments.push_back(Opaque{
          "parameter " + std::to_string(argument.getArgNumber()) +
          " of 'transform.smt.constrain_params' " + parameter.explainOpaque()});
  }
  std::string prefix = "constrain_params." + std::to_string(numRegions++);
  SmtRegion region = translateSmtRegion(body, arguments, problem, prefix);
  for (const SmtAssertion &assertion : region.assertions) {
    if (const auto *opaque = std::get_if<Opaque>(&assertion.condition))
      model.unmodelled.push_back({assertion.op, opaque->reason});
    else if (suppressor)
      model.unmodelled.push_back(
          {assertion.op, "it stands in '" +
                             suppressor->getName().getStringRef().str() +
                             "', where it need not run or may fail"});
    else
      require("constrain.assert", std::get<BoolTerm>(assertion.condition),
              assertion.op);
  }
  ConstrainedParams constrained{op, {}};
  for (auto [result, yielded] : llvm::zip(op.getResults(), region.yielded)) {
    std::optional<IntTerm> term = toParameter(context, yielded);
    constrained.results.push_back(term);
    // A value that is used must be one.
    if (term && !result.use_empty() && !suppressor &&
        term->getNode()->mayBeUndefined())
      require("constrain.defined", context.equal(*term, *term), op,
              llvm::formatv("result {0} does not divide by zero",
                            cast<OpResult>(result).getResultNumber())
                  .str());
    parameters[result] =
        term ? Parameter::single(*term)
             : Parameter::opaque(std::get<Opaque>(yielded).reason);
  }
  model.constrained.push_back(std::move(constrained));
}

void Collector::visitMerge(transform::MergeHandlesOp op) {
  if (!isa<TransformParamTypeInterface>(op.getResult().getType()))
    return;
  Parameter merged{SmallVector<ParameterElement, 1>(), ""};
  for (Value operand : op.getHandles()) {
    Parameter parameter = getParameter(operand);
    if (!parameter.elements || op.getDeduplicate()) {
      merged =
          Parameter::opaque(op.getDeduplicate() ? "is merged without duplicates"
                                                : parameter.reason);
      break;
    }
    llvm::append_range(*merged.elements, *parameter.elements);
  }
  parameters[op.getResult()] = std::move(merged);
}

LogicalResult Collector::visit(Operation &op) {
  if (auto knob = dyn_cast<KnobOp>(op))
    return visitKnob(knob);
  if (auto alternatives = dyn_cast<AlternativesOp>(op))
    return visitAlternatives(alternatives);
  if (auto include = dyn_cast<transform::IncludeOp>(op))
    return visitInclude(include);
  if (auto constrain = dyn_cast<ConstrainParamsOp>(op)) {
    visitConstrainParams(constrain);
    return success();
  }
  if (auto constant = dyn_cast<transform::ParamConstantOp>(op)) {
    std::optional<int64_t> value = toInteger(constant.getValue());
    parameters[constant.getResult()] =
        value
            ? Parameter::single(context.constant(*value))
            : Parameter{{{ParameterElement{
                            std::nullopt, "is a constant that is no integer"}}},
                        ""};
    return success();
  }
  if (auto merge = dyn_cast<transform::MergeHandlesOp>(op)) {
    visitMerge(merge);
    return success();
  }
  if (auto count = dyn_cast<transform::NumAssociationsOp>(op)) {
    if (lookupHandle(count.getHandle()))
      parameters[count.getResult()] = Parameter::single(context.constant(1));
    return success();
  }
  if (isa<transform::MatchOp>(op)) {
    visitMatch(op);
    return success();
  }
  if (auto tile = dyn_cast<transform::TileUsingForOp>(op)) {
    visitTiling(op, tile.getTarget(), tile.getMixedSizes(),
                tile.getTiledLinalgOp(), std::nullopt);
    return success();
  }
  if (auto tile = dyn_cast<transform::TileUsingForallOp>(op)) {
    SmallVector<OpFoldResult> sizes;
    if (!tile.getPackedTileSizes())
      sizes = tile.getMixedTileSizes();
    std::optional<unsigned> mapped;
    if (std::optional<ArrayAttr> mapping = tile.getMapping())
      mapped = mapping->size();
    visitTiling(op, tile.getTarget(), sizes, tile.getTiledOp(), mapped);
    return success();
  }
  if (auto vectorize = dyn_cast<transform::VectorizeOp>(op);
      vectorize && vectorize.getMixedVectorSizes().empty())
    visitVectorize(op, vectorize.getTarget());
  // The patterns that an apply_patterns names are not steps.
  if (op.getNumRegions() != 0 && !isa<transform::ApplyPatternsOp>(op))
    return visitRegions(op);
  visitEffects(op);
  return success();
}

LogicalResult Collector::visitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult Collector::run(transform::NamedSequenceOp entry) {
  running.insert(entry);
  Block &body = entry.getBody().front();
  if (payload && body.getNumArguments() > 0) {
    TrackedHandle root;
    root.payloadOp = payload;
    root.isRoot = true;
    handles[body.getArgument(0)] = std::move(root);
  }
  return visitBlock(body);
}
