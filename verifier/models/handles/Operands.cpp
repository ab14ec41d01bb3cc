//===- Operands.cpp - Models of ops that follow values ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the operands and results of ops, and the ops that define or use them.
// Ops that a step has changed are not followed: their operands are no longer
// those of the payload as it was given. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Models.h"
#include "verifier/models/handles/Producers.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// How many operands or results a structured op has that tiling made.
static std::optional<int64_t> getNumMade(const Node &node, bool areOperands) {
  if (!node.space || !node.kind ||
      !KindPattern("$structured").matches(*node.kind))
    return std::nullopt;
  if (areOperands)
    return node.space->maps.size();
  return node.space->onTensors ? node.space->numInits : 0;
}

static void propagateValues(const Step &step) {
  auto getOperand = dyn_cast<transform::GetOperandOp>(step.op);
  auto getResult = dyn_cast<transform::GetResultOp>(step.op);
  ArrayRef<int64_t> raw = getOperand ? getOperand.getRawPositionList()
                                     : getResult.getRawPositionList();
  bool isInverted =
      getOperand ? getOperand.getIsInverted() : getResult.getIsInverted();
  bool isAll = getOperand ? getOperand.getIsAll() : getResult.getIsAll();
  // The positions among `number`; none where one is not there, or twice, of
  // which upstream's message is `problem`.
  auto select = [&](int64_t number, std::string &problem) {
    std::optional<SmallVector<int64_t>> positions(std::in_place);
    DiagnosedSilenceableFailure selected = transform::expandTargetSpecification(
        step.op->getLoc(), isAll, isInverted, raw, number, *positions);
    if (selected.isSilenceableFailure()) {
      problem = StringRef(selected.getMessage()).rtrim().str();
      positions.reset();
    }
    (void)selected.silence();
    return positions;
  };
  HandleState source = step.lookup(step.op->getOperand(0));
  NodeList values;
  bool hasArguments = false;
  for (NodeId target : source.nodes) {
    const Node &node = step.payload[target];
    std::optional<int64_t> made = getNumMade(node, getOperand != nullptr);
    std::string problem;
    std::optional<SmallVector<int64_t>> ofMade;
    if (made)
      ofMade = select(*made, problem);
    if (!node.op) {
      bool isSure = node.present == Certainty::Yes;
      // One position each, when they are counted from the front.
      bool counts = ofMade || (!isInverted && !isAll);
      int64_t number = ofMade ? ofMade->size() : raw.size();
      if (!ofMade && !isAll)
        step.unprove(
            "selects positions among an unknown number of operands or results");
      Count count;
      if (ofMade)
        count = node.count * number;
      else if (counts)
        count.lo = number * node.count.lo;
      if (!isSure)
        count.lo = 0;
      std::optional<OperationName> kind;
      if (getOperand && ofMade && number == 1)
        kind = getMadeProducer(step.payload, target, ofMade->front(),
                               step.op->getContext());
      values.push_back(getResult && counts && number == 1
                           ? target
                           : step.payload.addSomewhere(getAround(step, target),
                                                       UpKind::AtOrInside, kind,
                                                       count, step.op));
      hasArguments |= !getResult && !kind;
      continue;
    }
    int64_t number =
        getOperand ? node.op->getNumOperands() : node.op->getNumResults();
    std::optional<SmallVector<int64_t>> positions = select(number, problem);
    if (!positions) {
      step.reportOf(step.op->getOperand(0), "fw-no-such-position",
                    "requires positions of the " + Twine(number) +
                        (getOperand ? " operands" : " results") + " of '" +
                        node.kind->getStringRef() + "', each once, but has " +
                        llvm::interleaved_array(raw).str(),
                    node.isSurelyThere())
          .note(NoteKind::Evidence, step.op->getLoc(), problem);
      step.setOpaque(0);
      return;
    }
    for (int64_t position : *positions) {
      if (getResult) {
        values.push_back(target);
        continue;
      }
      Value value = node.op->getOperand(position);
      Operation *owner = value.getDefiningOp();
      bool isArgument = !owner;
      if (isArgument)
        owner = cast<BlockArgument>(value).getOwner()->getParentOp();
      NodeId defining = step.payload.lookup(owner);
      bool isThere = step.payload[defining].op &&
                     step.payload[defining].present == Certainty::Yes;
      hasArguments |= isArgument || (!isThere && !staysDefined(owner));
      // The replacement of a producer that a step changed is another op.
      if (!isThere)
        defining = step.payload.addSomewhere(getAround(step, target),
                                             UpKind::AtOrInside, std::nullopt,
                                             Count::exactly(1), step.op);
      values.push_back(defining);
    }
  }
  HandleState &handle = step.setResult(0, values, source.ordered);
  handle.mayHoldArguments = hasArguments;
}

static void propagateDefining(const Step &step) {
  HandleState source = step.lookup(step.op->getOperand(0));
  if (source.mayHoldArguments && source.count(step.payload).hi != 0)
    step.unprove("may be given a block argument, which no op defines");
  step.setResult(0, source.nodes, source.ordered);
}

/// How many results the op has at least.
static int64_t getFewestResults(const Node &node) {
  if (node.space &&
      isSurelyOfKind(node, normalforms::KindPattern("$structured")))
    return node.space->onTensors ? node.space->numInits : 0;
  if (node.loop)
    return node.loop->hasResults ? 1 : 0;
  auto hasOne = [](OperationName kind) {
    return kind.hasTrait<OpTrait::OneResult>();
  };
  bool isOne = node.kind ? hasOne(*node.kind)
                         : !node.among->kinds.empty() &&
                               llvm::all_of(node.among->kinds, hasOne);
  return isOne ? 1 : 0;
}

/// The ops of the payload that read result `number` of `id`, which was put in
/// the place of an op of which no step has changed a reader. None when there
/// may be others.
static std::optional<NodeList> getGivenReaders(const PayloadModel &payload,
                                               NodeId id, int64_t number) {
  NodeId at = id;
  if (payload.mayHaveMerged(payload[id].createdAt))
    return std::nullopt;
  while (payload[at].replaces != PayloadModel::universe)
    at = payload[at].replaces;
  Operation *given = payload[at].body;
  if (at == id || payload[at].fresh || !given || payload.lookup(given) != at ||
      number < 0 || number >= given->getNumResults())
    return std::nullopt;
  NodeList readers;
  for (Operation *user : given->getResult(number).getUsers()) {
    NodeId reader = payload.lookup(user);
    if (!payload[reader].op || payload[reader].present != Certainty::Yes)
      return std::nullopt;
    readers.push_back(reader);
  }
  return readers;
}

static void propagateConsumers(const Step &step) {
  auto getConsumers = cast<transform::GetConsumersOfResult>(step.op);
  HandleState source = step.lookup(getConsumers.getTarget());
  Count count = source.count(step.payload);
  if (count.hi == 0)
    return step.setEmpty();
  if (count.lo > 1) {
    step.reportOf(getConsumers.getTarget(), "fw-cardinality",
                  "requires at most one payload op but " +
                      step.nameOf(getConsumers.getTarget()) + " has " +
                      (count.isExact() ? "" : "at least ") + Twine(count.lo),
                  /*definite=*/true, /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "handle must be mapped to exactly one payload op");
    return step.setOpaque(0);
  }
  if (count.hi > 1)
    step.unprove("requires at most one payload op, and the number of ops in "
                 "the handle is not known");
  // Who reads a value is where that is.
  NodeId target = source.nodes.front();
  auto setAnyReader = [&] {
    NodeId around =
        source.nodes.size() == 1 ? getAround(step, target) : step.root;
    step.setResult(0,
                   step.payload.addSomewhere(around, UpKind::Inside,
                                             std::nullopt, Count(), step.op),
                   /*ordered=*/false);
  };
  Operation *payload =
      source.nodes.size() == 1 ? step.payload[target].op : nullptr;
  NodeId unpack =
      getUnpackOf(step.payload, target, getConsumers.getResultNumber());
  if (source.nodes.size() == 1 && unpack != PayloadModel::universe)
    return (void)step.setResult(0, unpack);
  NodeId reader = step.payload[target].reader->only;
  if (!payload && !step.payload[target].pack && source.nodes.size() == 1 &&
      count.hi == 1 && getConsumers.getResultNumber() == 0 &&
      reader != PayloadModel::universe &&
      step.payload[reader].present == Certainty::Yes &&
      !step.payload.mayHaveResliced(step.payload[reader].createdAt))
    return (void)step.setResult(0, reader);
  int64_t wanted = getConsumers.getResultNumber();
  bool isOne = source.nodes.size() == 1 && count.isExactly(1) &&
               step.payload[target].present == Certainty::Yes;
  if (!payload && isOne)
    if (std::optional<NodeList> readers =
            getGivenReaders(step.payload, target, wanted))
      return (void)step.setResult(0, *readers,
                                  /*ordered=*/readers->size() <= 1);
  if (!payload) {
    bool areEnough = llvm::all_of(source.nodes, [&](NodeId node) {
      return getFewestResults(step.payload[node]) > wanted;
    });
    if (wanted < 0 || !areEnough)
      step.unprove(
          "asks for a result of an op whose number of results is not known");
    return setAnyReader();
  }
  if (wanted < 0) {
    step.unprove("asks for a result with a negative number, on which MLIR "
                 "reads invalid memory");
    return setAnyReader();
  }
  if (wanted >= payload->getNumResults()) {
    step.report("fw-no-such-position",
                "requires a result of '" + payload->getName().getStringRef() +
                    "', which has " + Twine(payload->getNumResults()) +
                    ", but asks for result " + Twine(wanted),
                step.payload[target].present == Certainty::Yes && count.lo > 0,
                /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(), "result number overflow");
    return step.setOpaque(0);
  }
  NodeList users;
  for (Operation *user : payload->getResult(wanted).getUsers()) {
    NodeId node = step.payload.lookup(user);
    // The ops that a step made of a user may use the result any number of
    // times.
    if (!step.payload[node].op || step.payload[node].present != Certainty::Yes)
      return setAnyReader();
    users.push_back(node);
  }
  step.setResult(0, users, /*ordered=*/users.size() <= 1);
}

void formwork::verifier::registerOperandsModels(ModelRegistry &models) {
  models.add("get-values", propagateValues, decides{"fw-no-such-position"});
  models.add("get-defining-op", propagateDefining);
  models.add("get-consumers", propagateConsumers,
             decides{"fw-cardinality", "fw-no-such-position"});
}
