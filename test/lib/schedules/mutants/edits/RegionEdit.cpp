//===- RegionEdit.cpp - Steps that move into regions ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

NamedAttribute formwork::testing::getFailureMode(MLIRContext *context,
                                                 bool suppress) {
  return {StringAttr::get(context, "failure_propagation_mode"),
          transform::FailurePropagationModeAttr::get(
              context, suppress
                           ? transform::FailurePropagationMode::Suppress
                           : transform::FailurePropagationMode::Propagate)};
}

NamedSequenceOp formwork::testing::getCallee(transform::IncludeOp include) {
  return SymbolTable::lookupNearestSymbolFrom<NamedSequenceOp>(
      include, include.getTarget());
}

transform::IncludeOp formwork::testing::pickInclude(NamedSequenceOp entry,
                                                    Random &random) {
  return pickStep<transform::IncludeOp>(entry, random, [](auto include) {
    NamedSequenceOp callee = getCallee(include);
    return callee && !callee.isExternal();
  });
}

Operation *formwork::testing::insertInclude(Operation *place, StringRef target,
                                            ValueRange operands,
                                            TypeRange results, bool suppress) {
  MLIRContext *context = place->getContext();
  OperationState state(place->getLoc(),
                       transform::IncludeOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(results);
  state.addAttribute("target", FlatSymbolRefAttr::get(context, target));
  NamedAttribute mode = getFailureMode(context, suppress);
  state.addAttribute(mode.getName(), mode.getValue());
  return OpBuilder(place).create(state);
}

Values formwork::testing::getResultsUsedElsewhere(ArrayRef<Operation *> steps) {
  Values used;
  auto isInside = [&](Operation *user) {
    return llvm::any_of(
        steps, [&](Operation *step) { return step->isAncestor(user); });
  };
  for (Operation *step : steps)
    for (Value result : step->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        used.push_back(result);
  return used;
}

Values formwork::testing::getReadFromOutside(ArrayRef<Operation *> steps) {
  llvm::SetVector<Value> read;
  auto isInside = [&](Value value) {
    return llvm::any_of(steps, [&](Operation *step) {
      return step == value.getDefiningOp() ||
             step->isAncestor(value.getParentBlock()->getParentOp());
    });
  };
  for (Operation *step : steps)
    step->walk([&](Operation *op) {
      for (Value value : op->getOperands())
        if (!isInside(value))
          read.insert(value);
    });
  return Values(read.begin(), read.end());
}

Ops formwork::testing::pickRun(NamedSequenceOp entry, Random &random,
                               unsigned most) {
  Ops run;
  Operation *step = pickStep(getSteps(entry), random);
  for (unsigned i = 0, e = random.between(1, most);
       step && i < e && isa<transform::TransformOpInterface>(step) &&
       !step->hasTrait<OpTrait::IsTerminator>();
       ++i, step = step->getNextNode())
    run.push_back(step);
  return run;
}

CopiedRun formwork::testing::copyForOther(NamedSequenceOp entry,
                                          Random &random) {
  Ops run = pickRun(entry, random, 6);
  if (run.empty() || run.front()->getNumOperands() == 0 ||
      !isOpHandle(run.front()->getOperand(0)))
    return {};
  Value handle = run.front()->getOperand(0);
  StringRef kind = guessKind(handle);
  bool any = random.chance(0.2);
  Operation *place = random.chance(0.5)
                         ? run.back()->getNextNode()
                         : run.back()->getBlock()->getTerminator();
  Value other = pickVisible(place, random, [&](StringRef fits) {
    return any ||
           (isStructuredKind(kind) ? isStructuredKind(fits) : fits == kind);
  });
  if (!other || other == handle || other.getType() != handle.getType())
    return {};
  IRMapping mapping;
  mapping.map(handle, other);
  Ops copies;
  for (Operation *step : run)
    copies.push_back(OpBuilder(place).clone(*step, mapping));
  return {run, copies};
}

Values formwork::testing::moveIntoRegion(ArrayRef<Operation *> steps,
                                         ValueRange bound,
                                         OperationState &state) {
  Location loc = steps.front()->getLoc();
  Values used = getResultsUsedElsewhere(steps);
  auto *body = new Block();
  state.addRegion()->push_back(body);
  for (Value value : bound)
    body->addArgument(value.getType(), loc);
  for (Operation *step : steps)
    step->moveBefore(body, body->end());
  OpBuilder builder(steps.front()->getContext());
  builder.setInsertionPointToEnd(body);
  transform::YieldOp::create(builder, loc, used);
  for (auto [value, argument] : llvm::zip_equal(bound, body->getArguments()))
    value.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return body->findAncestorOpInBlock(*use.getOwner());
    });
  return used;
}

void formwork::testing::swapYielded(Operation *yield, unsigned first) {
  if (first + 1 >= yield->getNumOperands())
    return;
  Value one = yield->getOperand(first), two = yield->getOperand(first + 1);
  if (one.getType() != two.getType())
    return;
  yield->setOperand(first, two);
  yield->setOperand(first + 1, one);
}

void formwork::testing::readResults(Values used, Operation *wrapper,
                                    Block &body) {
  for (auto [value, result] : llvm::zip_equal(used, wrapper->getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !body.findAncestorOpInBlock(*use.getOwner());
    });
}

transform::ForeachOp
formwork::testing::moveIntoForeach(ArrayRef<Operation *> steps, Value over) {
  OpBuilder builder(steps.back()->getNextNode());
  OperationState state(steps.front()->getLoc(),
                       transform::ForeachOp::getOperationName());
  state.addOperands(over);
  Values used = moveIntoRegion(steps, over, state);
  state.addTypes(ValueRange(used).getTypes());
  auto loop = cast<transform::ForeachOp>(builder.create(state));
  readResults(used, loop, loop.getBody().front());
  return loop;
}

transform::SequenceOp
formwork::testing::moveIntoInnerSequence(ArrayRef<Operation *> steps,
                                         ValueRange bound, ValueRange handed,
                                         bool suppress) {
  OpBuilder builder(steps.back()->getNextNode());
  OperationState state(steps.front()->getLoc(),
                       transform::SequenceOp::getOperationName());
  state.addOperands(handed);
  NamedAttribute mode = getFailureMode(builder.getContext(), suppress);
  state.addAttribute(mode.getName(), mode.getValue());
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr(
                         {1, static_cast<int32_t>(handed.size()) - 1}));
  Values used = moveIntoRegion(steps, bound, state);
  state.addTypes(ValueRange(used).getTypes());
  auto sequence = cast<transform::SequenceOp>(builder.create(state));
  readResults(used, sequence, sequence.getBody().front());
  return sequence;
}

transform::IncludeOp
formwork::testing::moveIntoSequence(NamedSequenceOp entry,
                                    ArrayRef<Operation *> steps, StringRef name,
                                    bool suppress) {
  Values bound = getReadFromOutside(steps);
  // The annotations say what the steps do; each is known before they move.
  OpBuilder builder(entry);
  SmallVector<Attribute> annotations;
  for (Value value : bound) {
    bool isConsumed = llvm::any_of(
        steps, [&](Operation *step) { return consumes(step, value); });
    StringRef mark = isConsumed
                         ? transform::TransformDialect::kArgConsumedAttrName
                         : transform::TransformDialect::kArgReadOnlyAttrName;
    annotations.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(mark, builder.getUnitAttr())));
  }
  Operation *next = steps.back()->getNextNode();
  OperationState callee(entry.getLoc(), NamedSequenceOp::getOperationName());
  Values used = moveIntoRegion(steps, bound, callee);
  callee.addAttribute("sym_name", builder.getStringAttr(name));
  callee.addAttribute("function_type", TypeAttr::get(builder.getFunctionType(
                                           ValueRange(bound).getTypes(),
                                           ValueRange(used).getTypes())));
  callee.addAttribute("arg_attrs", builder.getArrayAttr(annotations));
  Operation *sequence = builder.create(callee);
  Operation *include =
      insertInclude(next, name, bound, ValueRange(used).getTypes(), suppress);
  readResults(used, include, sequence->getRegion(0).front());
  return cast<transform::IncludeOp>(include);
}
