//===- TriedSteps.cpp - Steps that depend on a kernel's code --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/TriedSteps.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/solver/TermPrinter.h"

#include "engine/FileAccess.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

static constexpr StringLiteral kNoPayload =
    "depends on the code of a kernel, and no payload is given";
static constexpr StringLiteral kOpen =
    "depends on the code of a kernel, which open knobs decide";
static constexpr StringLiteral kInRegion =
    "depends on the code of a kernel, and is not a step of the main sequence";

static constexpr StringLiteral kHarmful =
    "depends on the code of a kernel, in a schedule that may open a file";

leavesOpen formwork::verifier::getUntriedReasons() {
  return leavesOpen{kNoPayload, kOpen, kInRegion, kHarmful};
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

SmallVector<MixedNumber> formwork::verifier::getMixedNumbers(Operation *op,
                                                             StringRef name,
                                                             unsigned segment) {
  auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(name);
  auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!numbers)
    return {};
  // Without segments, each operand in front of the list is one.
  unsigned next = sizes ? 0 : segment;
  if (sizes)
    for (int32_t size : sizes.asArrayRef().take_front(segment))
      next += size;
  SmallVector<MixedNumber> list;
  for (int64_t number : numbers.asArrayRef())
    if (ShapedType::isDynamic(number))
      list.push_back(op->getOperand(next++));
    else
      list.push_back(number);
  return list;
}

SmallVector<Size> formwork::verifier::getNumbers(const Step &step,
                                                 ArrayRef<MixedNumber> list,
                                                 unsigned target) {
  SmallVector<Size> sizes;
  for (const MixedNumber &entry : list) {
    if (const int64_t *number = std::get_if<int64_t>(&entry)) {
      sizes.push_back(*number);
      continue;
    }
    Value value = std::get<Value>(entry);
    unsigned numValues = step.lookup(value).params.size();
    sizes.push_back(step.getParam(value, numValues == 1 ? 0 : target,
                                  /*anyWidth=*/true));
  }
  return sizes;
}

unsigned formwork::verifier::checkNumberOfValues(const Step &step,
                                                 ArrayRef<MixedNumber> list,
                                                 Count targets, StringRef id) {
  unsigned most = 1;
  for (const MixedNumber &entry : list) {
    const Value *value = std::get_if<Value>(&entry);
    if (!value)
      continue;
    const HandleState handle = step.lookup(*value);
    int64_t numValues = handle.params.size();
    if (handle.kind != HandleState::Params || numValues == 0) {
      step.unprove("takes a parameter that is not known");
      continue;
    }
    for (const ParamValue &param : handle.params)
      if (param.size.isUnknown())
        step.unprove("takes a parameter whose value is not known");
    if (numValues == 1)
      continue;
    if (!targets.isExact()) {
      step.unprove(
          "may have more or fewer targets than a parameter has values");
      continue;
    }
    if (targets.lo == numValues)
      most = std::max<unsigned>(most, numValues);
    else if (targets.lo > 0)
      step.report(id,
                  "requires a parameter of one value, or of one for each of " +
                      Twine(targets.lo) + " targets, but " +
                      step.nameOf(*value) + " has " + Twine(numValues),
                  /*definite=*/true, /*silenceable=*/false);
  }
  return most;
}

bool formwork::verifier::requireAtLeast(const Step &step, const Size &size,
                                        int64_t least, StringRef id,
                                        StringRef constraint, const Twine &what,
                                        bool definite, bool silenceable) {
  std::optional<solver::IntTerm> term = step.analysis.getTerm(size);
  if (!term)
    return true;
  Requirement need{
      constraint,
      (what + ", " + solver::toInfix(*term) + ", is at least " + Twine(least))
          .str(),
      definite};
  return require(
      step, need, step.terms.lessEqual(step.terms.constant(least), *term), [&] {
        // Where there may be no target, a trial tells.
        if (definite)
          step.report(id,
                      "requires " + what + " of at least " + Twine(least) +
                          " but has " + solver::toInfix(*term),
                      /*definite=*/true, silenceable);
      });
}

std::optional<solver::IntTerm>
formwork::verifier::requireThreads(const Step &step, ArrayRef<Size> sizes,
                                   int64_t factor, StringRef constraint,
                                   StringRef what, bool definite) {
  solver::TermContext &terms = step.terms;
  solver::IntTerm threads = terms.constant(factor);
  bool isKnown = true;
  for (const Size &size : sizes) {
    isKnown &= requireAtLeast(step, size, 1, "fw-bad-threads", constraint, what,
                              definite, /*silenceable=*/false) &&
               !size.isUnknown();
    if (isKnown)
      threads = terms.mul(threads, *step.analysis.getTerm(size));
  }
  if (!isKnown)
    return std::nullopt;
  int64_t most = Target::maxThreadsPerBlock;
  if (definite && threads.isConstant() && threads.getConstant() > most)
    step.report("fw-bad-threads",
                "requires at most " + Twine(most) +
                    " threads per block but has " +
                    Twine(threads.getConstant()),
                /*definite=*/true, /*silenceable=*/false);
  else if (!threads.isConstant())
    step.require(step.op, "threads.limit",
                 terms.lessEqual(threads, terms.constant(most)),
                 "the number of threads, " + solver::toInfix(threads) +
                     ", is at most " + Twine(most) +
                     ", the most that a block can have",
                 ConstraintKind::Required, definite);
  return threads;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// The step, behind those that run it, outermost first.
static SmallVector<Operation *> getWay(const Step &step) {
  SmallVector<Operation *> way = step.analysis.running;
  if (way.empty() || way.back() != step.op)
    way = {step.op};
  return way;
}

/// Why the step cannot be tried; none where it can.
static std::optional<StringRef> whyUntried(const Step &step) {
  const Analysis &analysis = step.analysis;
  Block &main = analysis.schedule.getEntry().getBody().front();
  if (!analysis.payloadRoot)
    return kNoPayload;
  if (analysis.hasKnobs)
    return kOpen;
  SmallVector<Operation *> way = getWay(step);
  if (way.front()->getBlock() != &main || main.getNumArguments() != 1 ||
      !llvm::all_of(ArrayRef(way).drop_back(), canReplayInside) ||
      !step.state.certain || step.state.survivesFailures())
    return kInRegion;
  // A trial runs all steps up to this one.
  if (!llvm::all_of(analysis.schedule.getReached(), isKnownHarmless))
    return kHarmful;
  return std::nullopt;
}

/// The result of `step`, which can be tried, after the steps before it.
static Replay replay(const Step &step) {
  std::shared_ptr<ReplaySession> &replays = step.analysis.replays;
  if (!replays)
    replays = std::make_shared<ReplaySession>(
        &step.analysis.schedule.getEntry().getBody().front(),
        step.analysis.firstPayload, step.options.deadline);
  return replays->replayTo(getWay(step));
}

bool formwork::verifier::succeedsInTrial(const Step &step) {
  const Analysis &analysis = step.analysis;
  if (analysis.outcome.result.findings.hasErrors() || whyUntried(step) ||
      analysis.isTrial || analysis.policy)
    return false;
  Replay done = replay(step);
  return done.unknown.empty() && !done.failure;
}

std::optional<Replay> formwork::verifier::tryStep(const Step &step) {
  const Analysis &analysis = step.analysis;
  // The schedule does not come to this step.
  if (analysis.outcome.result.findings.hasErrors())
    return std::nullopt;
  if (std::optional<StringRef> reason = whyUntried(step)) {
    step.unprove(*reason);
    return std::nullopt;
  }
  // A planner asks for forms, of which a trial says nothing.
  if (analysis.isTrial || analysis.policy)
    return std::nullopt;
  Replay done = replay(step);
  if (!done.unknown.empty()) {
    step.unprove(done.unknown);
    return std::nullopt;
  }
  if (!done.failure)
    return done;
  if (done.id.empty()) {
    step.unprove("fails when the schedule runs: " + *done.failure);
    return std::nullopt;
  }
  Finding &finding = step.report(done.id, *done.failure, /*definite=*/true,
                                 done.isSilenceable);
  if (done.note)
    finding.note(NoteKind::Evidence, done.note->first, done.note->second);
  return std::nullopt;
}

void formwork::verifier::countTriedBytes(const Step &step,
                                         ArrayRef<NodeId> targets,
                                         const Replay &replay) {
  std::string what = "'" + step.op->getName().getStringRef().str() + "'";
  // Where a node stands for several targets, each kernel has no more than all.
  bool isOneEach = targets.size() == replay.bytes.size();
  int64_t sum = 0;
  for (auto [index, bytes] : llvm::enumerate(replay.bytes)) {
    sum += bytes;
    if (isOneEach && bytes != 0)
      countWorkgroupBytes(step, targets[index], Size(bytes), what,
                          Count::exactly(1));
  }
  if (!isOneEach && sum != 0 && !targets.empty())
    countWorkgroupBytes(step, targets.front(), Size(sum), what, Count{0, 1});
}
