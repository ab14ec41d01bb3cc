//===- WorkgroupLimits.cpp - Workgroup memory of targets --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Certain allocations beyond the limit are an error. Possible ones keep the
// schedule from being proved. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/memory/WorkgroupLimits.h"
#include "engine/AnyBelow.h"
#include "verifier/models/gpu/DynamicMemory.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::IntTerm;
using solver::TermContext;

//===----------------------------------------------------------------------===//
// The limits
//===----------------------------------------------------------------------===//

/// The least that any architecture allows, when none is given.
static int64_t getStaticLimit(const CheckOptions &options) {
  return options.target ? options.target->staticWorkgroupBytes
                        : getTargets().front().staticWorkgroupBytes;
}

/// The least that any architecture gives a launch that asks for it, when no
/// target is given.
static int64_t getOptInLimit(const CheckOptions &options) {
  return options.target ? options.target->optInWorkgroupBytes
                        : getTargets().front().optInWorkgroupBytes;
}

/// Whether some step takes buffers from the launch: what is too much for a
/// kernel to declare may be that step's in the end.
static bool mayBecomeDynamic(const Analysis &analysis) {
  return analysis.schedule.anyReached([](Operation *op) {
    return op->getName().getStringRef() ==
           "transform.formwork.use_dynamic_workgroup_memory";
  });
}

/// Whether some step may give several buffers the same bytes.
static bool mayReuseMemory(const Analysis &analysis) {
  return analysis.schedule.anyReached(reusesWorkgroupMemory);
}

int64_t formwork::verifier::getStagedLimit(const Analysis &analysis) {
  return mayBecomeDynamic(analysis) ? getOptInLimit(analysis.options)
                                    : getStaticLimit(analysis.options);
}

static std::string onTarget(const CheckOptions &options) {
  return options.target ? (" on " + options.target->name).str() : "";
}

/// Whether the growth is part of what there is: at most, or at least.
static bool isPart(const BufferGrowth &growth, bool most) {
  return most || growth.factor.lo > 1;
}

/// "4 * tile bytes for the result of 'linalg.matmul'", and what steps made of
/// it; with `most`, what they may have made of it.
static std::string describe(TermContext &terms, const WorkgroupBuffer &buffer,
                            bool most) {
  int64_t times = most && buffer.times.hi != Count::unbounded ? buffer.times.hi
                                                              : buffer.times.lo;
  std::string text =
      solver::toInfix(terms.mul(buffer.bytes, terms.constant(times))) +
      " bytes for " + buffer.what;
  for (const BufferGrowth &growth : buffer.growths)
    if (isPart(growth, most))
      text += ", " + growth.text;
  return text;
}

static void noteBuffers(Finding &finding, TermContext &terms,
                        const WorkgroupUse &use, bool most) {
  for (const WorkgroupBuffer &buffer : use.buffers) {
    if (!most && buffer.times.lo == 0)
      continue;
    finding.note(NoteKind::Evidence, buffer.source->getLoc(),
                 describe(terms, buffer, most));
    for (const BufferGrowth &growth : buffer.growths)
      if (isPart(growth, most))
        finding.note(NoteKind::Evidence, growth.step->getLoc(),
                     (most ? "this may be " : "this is ") + growth.text);
  }
}

//===----------------------------------------------------------------------===//
// The need of a kernel against them
//===----------------------------------------------------------------------===//

void formwork::verifier::checkSureMemory(const Step &step, WorkgroupUse &use) {
  TermContext &terms = step.terms;
  // Buffers that are never in use at the same time may need no more than one.
  bool mayReuse = mayReuseMemory(step.analysis);
  int64_t sum = 0;
  for (const WorkgroupBuffer &buffer : use.buffers)
    if (IntTerm least = buffer.getLeast(terms); least.isConstant())
      sum = mayReuse ? std::max(sum, least.getConstant())
                     : sum + least.getConstant();
  int64_t limit = getStagedLimit(step.analysis);
  if (sum <= limit)
    return;
  use.isReported = true;
  Finding &finding = step.report("fw-workgroup-memory",
                                 "requires at most " + Twine(limit) +
                                     " bytes of workgroup memory per block" +
                                     onTarget(step.options) +
                                     " but the schedule has " + Twine(sum),
                                 /*definite=*/step.options.target != nullptr);
  noteBuffers(finding, terms, use, /*most=*/false);
  bool areSeveral =
      llvm::any_of(use.buffers, [](const WorkgroupBuffer &buffer) {
        return llvm::any_of(buffer.growths, [](const BufferGrowth &growth) {
          return isPart(growth, /*most=*/false);
        });
      });
  finding.note(NoteKind::FixIt, step.op->getLoc(),
               areSeveral ? "use smaller tiles, or fewer buffers"
                          : "use smaller tiles, or promote fewer operands");
}

static void checkLaunchMemory(Analysis &analysis) {
  if (!analysis.payloadRoot)
    return;
  analysis.payloadRoot->walk([&](gpu::LaunchOp launch) {
    Value asked = launch.getDynamicSharedMemorySize();
    std::optional<int64_t> dynamic =
        asked ? getConstantIntValue(asked) : std::nullopt;
    NodeId node = analysis.state.payload.lookup(launch);
    if (!dynamic || analysis.state.payload[node].present != Certainty::Yes)
      return;
    // Besides, what steps have put into the kernel.
    TermContext &terms = *analysis.parameters->context;
    IntTerm bytes = terms.constant(*dynamic);
    SmallVector<std::pair<Operation *, std::string>> steps;
    for (auto &[kernel, use] : analysis.state.memory.uses) {
      if (analysis.state.payload.isAtOrBelow(kernel, node) != Certainty::Yes)
        continue;
      for (const WorkgroupBuffer &buffer : use.buffers) {
        if (buffer.times.lo == 0)
          continue;
        bytes = terms.add(bytes, buffer.getLeast(terms));
        steps.push_back(
            {buffer.source, describe(terms, buffer, /*most=*/false)});
      }
    }
    Operation *source = steps.empty()
                            ? analysis.schedule.getEntry().getOperation()
                            : steps.back().first;
    int64_t limit = analysis.options.target->optInWorkgroupBytes;
    std::string parts =
        std::to_string(*dynamic) + " bytes of dynamic memory for the launch";
    for (const auto &[step, text] : steps)
      parts += ", " + text;
    if (!bytes.isConstant()) {
      analysis.parameters->add("workgroup.opt-in",
                               terms.lessEqual(bytes, terms.constant(limit)),
                               source,
                               "the workgroup memory of a block, with the "
                               "dynamic memory of its launch, is at most " +
                                   Twine(limit) + " bytes on " +
                                   analysis.options.target->name + ": " + parts,
                               ConstraintKind::Required);
      return;
    }
    if (bytes.getConstant() <= limit)
      return;
    Finding &finding = analysis.at(source).report(
        "fw-workgroup-memory", "requires at most " + Twine(limit) +
                                   " bytes of workgroup memory per block, with "
                                   "the dynamic memory of its launch, on " +
                                   analysis.options.target->name +
                                   " but there are " +
                                   Twine(bytes.getConstant()));
    finding.note(NoteKind::Evidence, launch.getLoc(),
                 Twine(*dynamic) + " bytes of dynamic memory for the launch");
    for (const auto &[step, text] : steps)
      finding.note(NoteKind::Evidence, step->getLoc(), text);
    finding.note(NoteKind::FixIt, launch.getLoc(), "ask for less");
  });
}

static void requireGrownMemory(Analysis &analysis, NodeId kernel,
                               const WorkgroupUse &use) {
  TermContext &terms = *analysis.parameters->context;
  IntTerm limit = terms.constant(getStaticLimit(analysis.options));
  IntTerm least = terms.constant(0), most = terms.constant(0);
  std::string parts;
  Operation *step = nullptr;
  for (const auto &[other, part] : analysis.state.memory.uses) {
    // A buffer around the kernel may belong to it.
    if (other != kernel &&
        (other != PayloadModel::universe &&
         analysis.state.payload.isAtOrBelow(kernel, other) == Certainty::No))
      continue;
    for (const WorkgroupBuffer &buffer : part.buffers) {
      bool isAligned = analysis.parameters->isSurely(
          terms.divides(terms.constant(bufferAlignment), buffer.bytes));
      if (other == kernel)
        least = terms.add(least, buffer.getLeast(terms));
      most = terms.add(most, buffer.getMost(terms, isAligned));
      parts += (parts.empty() ? "" : ", ") + describe(terms, buffer, true);
      // The allocations of steps are reported before those of the payload.
      if (!step || other == kernel)
        step =
            buffer.growths.empty() ? buffer.source : buffer.growths.back().step;
    }
  }
  if (use.isReported || most == least)
    return;
  if (most.isConstant()) {
    if (most.getConstant() <= limit.getConstant())
      return;
    Operation *at = analysis.schedule.getModule()->isAncestor(step)
                        ? step
                        : analysis.schedule.getEntry();
    Finding &finding = analysis.at(at).report(
        "fw-workgroup-memory",
        "requires at most " + Twine(limit.getConstant()) +
            " bytes of workgroup memory per block" +
            onTarget(analysis.options) + " but there may be " +
            Twine(most.getConstant()),
        /*definite=*/false);
    noteBuffers(finding, terms, use, /*most=*/true);
    finding.note(NoteKind::FixIt, at->getLoc(),
                 "use smaller tiles, or fewer buffers");
    return;
  }
  // Too much whatever later steps do is another constraint.
  analysis.parameters->add(
      "workgroup.bytes",
      terms.logicalOr(terms.less(limit, least), terms.lessEqual(most, limit)),
      step,
      "the workgroup memory of a block, with all buffers, is at most " +
          Twine(limit.getConstant()) + " bytes on " +
          analysis.options.target->name + ": " + parts,
      ConstraintKind::Conditional);
}

/// Requires that the declared memory of a kernel is at most the static limit.
/// If steps take buffers from the launch, exceeding it was no error before.
static void requireDeclaredMemory(Analysis &analysis, WorkgroupUse &use) {
  TermContext &terms = *analysis.parameters->context;
  int64_t limit = analysis.options.target->staticWorkgroupBytes, sum = 0;
  Operation *last = nullptr;
  for (const WorkgroupBuffer &buffer : use.buffers)
    if (IntTerm least = buffer.getLeast(terms);
        least.isConstant() && least.getConstant() != 0) {
      sum += least.getConstant();
      last = buffer.source;
    }
  if (sum <= limit || use.isReported)
    return;
  use.isReported = true;
  Operation *at = analysis.schedule.getModule()->isAncestor(last)
                      ? last
                      : analysis.schedule.getEntry();
  Finding &finding = analysis.at(at).report(
      "fw-workgroup-memory",
      "requires at most " + Twine(limit) +
          " bytes of workgroup memory per block" + onTarget(analysis.options) +
          " beside the dynamic memory of its launch but the schedule has " +
          Twine(sum));
  noteBuffers(finding, terms, use, /*most=*/false);
}

void formwork::verifier::takeMemoryFromLaunch(const Step &step, NodeId launch,
                                              std::optional<int64_t> saved) {
  if (!step.state.certain || step.state.suppressed || step.state.guard ||
      !step.payload[launch].exact ||
      step.payload[launch].present != Certainty::Yes)
    return;
  TermContext &terms = step.terms;
  IntTerm limit = terms.constant(getOptInLimit(step.options));
  for (auto &[kernel, use] : step.state.memory.uses) {
    if (use.buffers.empty() ||
        step.payload.isAtOrBelow(kernel, launch) != Certainty::Yes)
      continue;
    IntTerm most = terms.constant(0);
    for (const WorkgroupBuffer &buffer : use.buffers)
      most = terms.add(most, buffer.getMost(terms, /*isAligned=*/false));
    if (!saved && !most.isConstant()) {
      // Each buffer has to fit, whatever the others have in common with it.
      for (const WorkgroupBuffer &buffer : use.buffers)
        step.require(step.op, "workgroup.opt-in",
                     terms.lessEqual(buffer.getLeast(terms), limit),
                     "a buffer in the dynamic workgroup memory of a launch has "
                     "at most " +
                         Twine(limit.getConstant()) + " bytes",
                     ConstraintKind::Required, /*definite=*/true);
    } else if (!saved) {
      if (most.getConstant() > limit.getConstant())
        step.unprove(reusesUnknownBytes);
    } else if (!most.isConstant()) {
      step.require(step.op, "workgroup.opt-in", terms.lessEqual(most, limit),
                   "the dynamic workgroup memory of a launch is at most " +
                       Twine(limit.getConstant()) + " bytes",
                   ConstraintKind::Required, /*definite=*/true);
    } else if (most.getConstant() - *saved > limit.getConstant()) {
      // Known at once where it is sure (checkSureMemory).
      Finding &finding = step.report(
          "fw-workgroup-memory",
          "requires at most " + Twine(limit.getConstant()) +
              " bytes of workgroup memory per block" + onTarget(step.options) +
              " but there may be " + Twine(most.getConstant() - *saved),
          /*definite=*/false);
      noteBuffers(finding, terms, use, /*most=*/true);
    }
    use.buffers.clear();
  }
}

void formwork::verifier::requireWorkgroupMemory(Analysis &analysis) {
  if (!analysis.options.target)
    return;
  confirmGivenMemory(analysis.at(analysis.schedule.getEntry()));
  checkLaunchMemory(analysis);
  TermContext &terms = *analysis.parameters->context;
  int64_t limit = analysis.options.target->staticWorkgroupBytes;
  bool areSomeDynamic = mayBecomeDynamic(analysis);
  for (auto &[kernel, use] : analysis.state.memory.uses) {
    if (areSomeDynamic)
      requireDeclaredMemory(analysis, use);
    IntTerm bytes = terms.constant(0);
    std::string parts;
    Operation *last = nullptr;
    for (const WorkgroupBuffer &buffer : use.buffers) {
      if (buffer.times.lo == 0)
        continue;
      bytes = terms.add(bytes, buffer.getLeast(terms));
      parts += (parts.empty() ? "" : ", ") + describe(terms, buffer, false);
      last = buffer.source;
    }
    if (!bytes.isConstant())
      analysis.parameters->add(
          "workgroup.bytes", terms.lessEqual(bytes, terms.constant(limit)),
          last,
          "the workgroup memory of a block is at most " + Twine(limit) +
              " bytes on " + analysis.options.target->name + ": " + parts,
          ConstraintKind::Required);
    requireGrownMemory(analysis, kernel, use);
  }
}
