//===- LoneRun.cpp - A step, tried on a copy of one op ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/LoneRun.h"

#include "normalforms/CopiedOp.h"
#include "verifier/Interpreter.h"
#include "verifier/state/ReadPayload.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// A sequence that does nothing but `step`, with its operands as arguments.
static OwningOpRef<ModuleOp> wrapInSequence(Operation *step) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(step->getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto types = llvm::to_vector(step->getOperandTypes());
  auto sequence = transform::NamedSequenceOp::create(
      builder, step->getLoc(), "alone",
      TypeAttr::get(FunctionType::get(step->getContext(), types, {})),
      /*sym_visibility=*/nullptr, /*arg_attrs=*/nullptr,
      /*res_attrs=*/nullptr);
  Block &body = sequence.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (Value operand : step->getOperands()) {
    BlockArgument argument =
        body.addArgument(operand.getType(), step->getLoc());
    if (!mapping.contains(operand))
      mapping.map(operand, argument);
  }
  builder.clone(*step, mapping);
  transform::YieldOp::create(builder, step->getLoc());
  return module;
}

/// Runs the one step of `sequence` on `target`, below `top`.
static LoneRun run(transform::NamedSequenceOp sequence, Operation *target,
                   Operation *top, ArrayRef<Attribute> params) {
  LoneRun answer;
  std::string message;
  ScopedDiagnosticHandler capture(target->getContext(), [&](Diagnostic &diag) {
    if (message.empty())
      message = diag.str();
    return success();
  });
  auto fail = [&] {
    answer.failure = StringRef(message).split('\n').first.str();
    answer.results.clear();
    return answer;
  };
  Block *block = target->getBlock();
  Region &region = sequence.getBody();
  transform::TransformState state =
      transform::detail::makeTransformStateForTesting(&region, top);
  for (auto [argument, param] :
       llvm::zip_equal(region.getArguments(), params)) {
    transform::MappedValue value =
        param ? transform::MappedValue(param) : transform::MappedValue(target);
    if (failed(state.mapBlockArgument(argument, {value})))
      return fail();
  }
  Operation *step = &region.front().front();
  DiagnosedSilenceableFailure result =
      state.applyTransform(cast<transform::TransformOpInterface>(step));
  answer.silenceable = result.isSilenceableFailure();
  if (answer.silenceable)
    message = result.getMessage();
  bool succeeds = result.succeeded();
  (void)result.silence();
  if (!succeeds)
    return fail();
  for (Value value : step->getResults()) {
    auto &found = answer.results.emplace_back();
    if (!isa<transform::TransformHandleTypeInterface>(value.getType()))
      continue;
    for (Operation *op : state.getPayloadOps(value))
      found.push_back({op->getName(), readSpace(op), op->getBlock() == block});
  }
  if (failed(verify(top)))
    return fail();
  return answer;
}

LoneRun formwork::verifier::runAlone(Operation *step, Operation *target,
                                     ArrayRef<Attribute> params, bool inPlace) {
  OwningOpRef<ModuleOp> schedule = wrapInSequence(step);
  auto sequence = *schedule->getOps<transform::NamedSequenceOp>().begin();
  if (!inPlace) {
    CopiedOp copied(target);
    return run(sequence, copied.get(), copied.getModule(), params);
  }
  Operation *top = target;
  while (top->getParentOp())
    top = top->getParentOp();
  IRMapping mapping;
  OwningOpRef<Operation *> copied(top->clone(mapping));
  return run(sequence, mapping.lookup(target), *copied, params);
}

/// Whether `contract` has `node` refused for its kind.
static bool isRefused(const Contract &contract, unsigned index,
                      const Node &node) {
  return llvm::any_of(contract.operands, [&](const OperandClause &clause) {
    return clause.operand == index && clause.kind == OperandClause::Accepts &&
           !isSurelyOfKind(node, clause.kinds);
  });
}

const LoneRun *Interpreter::runAlone(Operation *op, unsigned index, NodeId id) {
  auto [it, isNew] = loneRuns.try_emplace(id);
  if (!isNew)
    return it->second ? &*it->second : nullptr;
  const PayloadModel &payload = state.payload;
  const Node &node = payload[id];
  bool isPristine = payload.version() == pristine;
  const Contract *contract = contracts.lookup(op->getName().getStringRef());
  if (!node.op || !payload.isUntouched(id) || isRefused(*contract, index, node))
    return nullptr;
  // One target of the step may be changed with another.
  for (NodeId other : lookup(op->getOperand(index)).nodes)
    if (other != id && (payload.isAtOrBelow(id, other) != Certainty::No ||
                        payload.isAtOrBelow(other, id) != Certainty::No))
      return nullptr;
  // What steps do to buffers changes the types of what reads them.
  auto isOnBuffers = [](Operation *inner) {
    return llvm::any_of(inner->getOperandTypes(),
                        llvm::IsaPred<BaseMemRefType>);
  };
  bool readsBuffers = node.op
                          ->walk([&](Operation *inner) {
                            return isOnBuffers(inner) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
                          })
                          .wasInterrupted();
  if (readsBuffers && !isPristine)
    return nullptr;
  SmallVector<Attribute> params(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.getOperandNumber() == index)
      continue;
    Size param = lookup(operand.get()).kind == HandleState::Params &&
                         lookup(operand.get()).params.size() == 1
                     ? getParam(operand.get())
                     : Size();
    if (!param)
      return nullptr;
    params[operand.getOperandNumber()] =
        Builder(op->getContext()).getI64IntegerAttr(*param);
  }
  LoneRun found = verifier::runAlone(op, node.op, params,
                                     /*inPlace=*/false);
  // By itself it may lack what it reads there.
  if (found.failure) {
    if (!isPristine)
      return nullptr;
    found = verifier::runAlone(op, node.op, params, /*inPlace=*/true);
  }
  it = loneRuns.find(id);
  it->second = std::move(found);
  return &*it->second;
}

bool Interpreter::setLoneResult(Operation *op, const Contract &contract,
                                unsigned index) {
  if (loneRuns.empty() || op->getNumOperands() == 0)
    return false;
  const HandleState targets = lookup(op->getOperand(0));
  bool areKnown = llvm::all_of(targets.nodes, [&](NodeId target) {
    auto run = loneRuns.find(target);
    return run != loneRuns.end() && run->second && !run->second->failure;
  });
  if (!areKnown)
    return false;
  auto hasRelation = [&](ResultRelation relation) {
    return llvm::any_of(contract.results, [&](const ResultClause &clause) {
      return clause.isAbout(index) && clause.relation == relation;
    });
  };
  if (hasRelation(ResultRelation::Same))
    return false;
  bool isReplaced = hasRelation(ResultRelation::Replaces);
  NodeList nodes;
  for (NodeId target : targets.nodes) {
    const auto &found = loneRuns[target]->results[index];
    const Node old = state.payload[target];
    if (isReplaced)
      state.payload.edit(target).present = Certainty::No;
    Count count{sureTargets.contains(target), 1};
    for (const LoneResult &one : found) {
      if (!one.isBeside) {
        nodes.push_back(state.payload.addSomewhere(root, UpKind::AtOrInside,
                                                   one.kind, count, op));
        state.payload.edit(nodes.back()).space = one.space;
        continue;
      }
      bool takesPlace = isReplaced && found.size() == 1;
      Node made = makeBeside(old, op, one.kind);
      made.space = one.space;
      made.count = count;
      made.present = Certainty::Yes;
      made.exact = takesPlace && old.exact;
      nodes.push_back(state.payload.add(std::move(made)));
      if (takesPlace)
        state.payload.inheritContents(target, nodes.back());
    }
  }
  setResult(op, index, nodes, targets.ordered);
  return true;
}
