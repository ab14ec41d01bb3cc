//===- WorkgroupMemory.cpp - What blocks share, in bytes --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the bytes of workgroup memory that a kernel needs: the allocations of
// steps and of the payload, times the number of buffers that later steps make
// of one. Certain allocations beyond the limit are an error. Possible ones keep
// the schedule from being proved. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/memory/WorkgroupMemory.h"
#include "engine/AnyBelow.h"
#include "verifier/models/gpu/DynamicMemory.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

static void checkSureMemory(const Step &step, WorkgroupUse &use);
using solver::IntTerm;
using solver::TermContext;

/// The alignment that the shipped lowering gives each buffer; ptxas places them
/// one after the other.
static constexpr int64_t bufferAlignment = 16;

bool formwork::verifier::isWorkgroupSpace(Attribute space) {
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt() == 3;
  return false;
}

static IntTerm getGuarded(TermContext &terms,
                          const std::optional<solver::BoolTerm> &guard,
                          IntTerm term, int64_t otherwise) {
  return guard ? terms.select(*guard, term, terms.constant(otherwise)) : term;
}

static IntTerm getTimes(TermContext &terms, const BufferGrowth &growth,
                        int64_t number) {
  return getGuarded(terms, growth.guard, terms.constant(number),
                    /*otherwise=*/1);
}

IntTerm WorkgroupBuffer::getLeast(TermContext &terms) const {
  IntTerm all = terms.mul(bytes, terms.constant(times.lo));
  for (const BufferGrowth &growth : growths)
    all = terms.mul(all, getTimes(terms, growth, growth.factor.lo));
  return getGuarded(terms, guard, all, /*otherwise=*/0);
}

IntTerm WorkgroupBuffer::getMost(TermContext &terms, bool isAligned) const {
  // An unknown number was reported where the buffers were made.
  int64_t most = times.hi == Count::unbounded ? times.lo : times.hi;
  IntTerm all = bytes;
  for (const BufferGrowth &growth : growths)
    all = terms.mul(all, getTimes(terms, growth, growth.factor.hi));
  if (!isAligned)
    all = terms.mul(terms.ceilDiv(all, terms.constant(bufferAlignment)),
                    terms.constant(bufferAlignment));
  return getGuarded(terms, guard, terms.mul(all, terms.constant(most)),
                    /*otherwise=*/0);
}

//===----------------------------------------------------------------------===//
// Buffers of the payload
//===----------------------------------------------------------------------===//

static bool isKernel(const Node &node) {
  return node.kind && llvm::is_contained({gpu::LaunchOp::getOperationName(),
                                          gpu::GPUFuncOp::getOperationName()},
                                         node.kind->getStringRef());
}

/// The kernel around `node`, or else the outermost parallel loop, or else the
/// op that isolates it.
static NodeId getKernel(const PayloadModel &payload, NodeId node) {
  NodeId kernel = payload.getAncestor(node, /*proper=*/true, {"$isolated"})
                      .value_or(PayloadModel::universe);
  payload.walkUp(node, [&](NodeId above) {
    if (payload[above].loop && payload[above].loop->isForall)
      kernel = above;
    if (!isKernel(payload[above]))
      return true;
    kernel = above;
    return false;
  });
  return kernel;
}

static NodeId getScope(const PayloadModel &payload, NodeId node) {
  return payload.getAncestor(node, /*proper=*/false, {"$isolated"})
      .value_or(PayloadModel::universe);
}

/// Facts about the nearest scf.for around `node`.
static std::shared_ptr<const LoopFacts>
getLoopAround(const PayloadModel &payload, NodeId node) {
  std::optional<NodeId> loop = payload.getAncestor(
      node, /*proper=*/true, {scf::ForOp::getOperationName()});
  return loop ? payload[*loop].loop : nullptr;
}

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
  return anyBelow(analysis.schedule.getModule(), [](Operation *op) {
    return op->getName().getStringRef() ==
           "transform.formwork.use_dynamic_workgroup_memory";
  });
}

/// Whether some step may give several buffers the same bytes.
static bool mayReuseMemory(const Analysis &analysis) {
  return anyBelow(analysis.schedule.getModule(), reusesWorkgroupMemory);
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

WorkgroupBuffer &formwork::verifier::countWorkgroupBytes(
    const Step &step, NodeId node, const Size &bytes, const llvm::Twine &what,
    std::optional<Count> given) {
  TermContext &terms = step.terms;
  const Node &at = step.payload[node];
  bool isSure = step.state.certain && !step.state.suppressed &&
                at.present == Certainty::Yes && !bytes.isUnknown();
  Count times = given.value_or(at.count);
  if (!isSure)
    times.lo = 0;
  if (bytes.isUnknown())
    step.unprove("allocates workgroup memory of unknown size");
  else if (times.hi == Count::unbounded)
    step.unprove("allocates workgroup memory for an unknown number of ops");
  WorkgroupUse &use = step.state.memory.uses[getKernel(step.payload, node)];
  use.buffers.push_back(
      {step.op, PayloadModel::universe, getScope(step.payload, node),
       step.analysis.getTerm(bytes).value_or(terms.constant(0)), times,
       step.state.guard, what.str(), getLoopAround(step.payload, node)});
  if (isSure)
    checkSureMemory(step, use);
  return use.buffers.back();
}

/// Reports at `op` what is too much, whatever follows.
static void checkSureMemory(const Step &step, WorkgroupUse &use) {
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

void formwork::verifier::countGivenWorkgroupMemory(Analysis &analysis) {
  auto isThere = [&](const KindPattern &kind) {
    return analysis.state.payload.hadNode(kind);
  };
  if (!analysis.payloadRoot ||
      llvm::none_of(KindPatterns{"bufferization.*", "gpu.*", "memref.*"},
                    isThere))
    return;
  TermContext &terms = *analysis.parameters->context;
  auto add = [&](Operation *op, MemRefType type, const Twine &what,
                 Value given = nullptr) {
    if (!type || !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) ||
        !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      return;
    NodeId node = analysis.state.payload.lookup(op);
    NodeId kernel = isKernel(analysis.state.payload[node])
                        ? node
                        : getKernel(analysis.state.payload, node);
    int64_t bytes = type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    // A step may take it away.
    analysis.state.memory.uses[kernel].buffers.push_back(
        {op, node, getScope(analysis.state.payload, node),
         terms.constant(bytes), Count{0, 1}, std::nullopt, what.str(),
         /*loop=*/nullptr, given});
  };
  analysis.payloadRoot->walk([&](Operation *op) {
    auto attributed = [&](ArrayRef<BlockArgument> buffers) {
      for (BlockArgument buffer : buffers)
        add(op, dyn_cast<MemRefType>(buffer.getType()),
            "an attribution of '" + op->getName().getStringRef() + "'", buffer);
    };
    if (auto launch = dyn_cast<gpu::LaunchOp>(op))
      attributed(launch.getWorkgroupAttributions());
    else if (auto func = dyn_cast<gpu::GPUFuncOp>(op))
      attributed(func.isExternal() ? ArrayRef<BlockArgument>()
                                   : func.getWorkgroupAttributions());
    else if (auto global = dyn_cast<memref::GlobalOp>(op))
      add(op, global.getType(), "'memref.global'");
    else if (isa<memref::AllocOp, memref::AllocaOp>(op))
      add(op, cast<MemRefType>(op->getResult(0).getType()),
          "'" + op->getName().getStringRef() + "'", op->getResult(0));
    else if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
      if (std::optional<Attribute> space = alloc.getMemorySpace();
          space && alloc.getType().hasStaticShape())
        add(op,
            MemRefType::get(alloc.getType().getShape(),
                            alloc.getType().getElementType(),
                            MemRefLayoutAttrInterface(), *space),
            "'bufferization.alloc_tensor'");
  });
}

//===----------------------------------------------------------------------===//
// Changes by steps
//===----------------------------------------------------------------------===//

bool formwork::verifier::isBufferBelow(const Analysis &analysis,
                                       const WorkgroupBuffer &buffer,
                                       NodeId scope) {
  const PayloadModel &payload = analysis.state.payload;
  // Functions are not moved into others.
  auto isFunction = [&](NodeId id) {
    return id != PayloadModel::universe && payload[id].exact &&
           payload[id].present == Certainty::Yes &&
           isKind<func::FuncOp>(payload[id]);
  };
  NodeId around = getScope(payload, scope);
  return around == buffer.scope || !isFunction(around) ||
         !isFunction(buffer.scope);
}

bool formwork::verifier::mayBeBuffer(const Analysis &analysis,
                                     const WorkgroupBuffer &buffer,
                                     NodeId target) {
  const PayloadModel &payload = analysis.state.payload;
  if (target == buffer.node)
    return true;
  // Two ops, of which one is surely that allocation still.
  bool isAnother = buffer.node != PayloadModel::universe &&
                   payload[buffer.node].exact && payload[target].exact &&
                   payload[buffer.node].present == Certainty::Yes;
  return !isAnother && isBufferBelow(analysis, buffer, target);
}

void formwork::verifier::growWorkgroupMemory(
    const Step &step, Count factor, const Twine &text,
    llvm::function_ref<Certainty(const WorkgroupBuffer &)> concerns) {
  if (factor.hi <= 1)
    return;
  bool isSure = step.state.certain && !step.state.suppressed;
  for (auto &[kernel, use] : step.state.memory.uses) {
    bool grows = false;
    for (WorkgroupBuffer &buffer : use.buffers) {
      Certainty concerned = concerns(buffer);
      if (concerned == Certainty::No)
        continue;
      bool grew = isSure && concerned == Certainty::Yes && buffer.times.lo > 0;
      grows |= grew;
      buffer.growths.push_back({step.op,
                                {grew ? factor.lo : 1, factor.hi},
                                step.state.guard,
                                text.str()});
    }
    if (grows && !use.isReported)
      checkSureMemory(step, use);
  }
}

/// Whether something reads `buffer` and is used: what is only written to goes
/// when the kernel is lowered.
static bool isRead(Value buffer) {
  return buffer && llvm::any_of(buffer.getUsers(), [&](Operation *user) {
           if (isa<ViewLikeOpInterface>(user))
             return llvm::any_of(user->getResults(), isRead);
           bool hasUse = user->getNumResults() == 0 || !user->use_empty();
           return hasUse && hasEffect<MemoryEffects::Read>(user, buffer);
         });
}

void formwork::verifier::confirmGivenMemory(const Step &step) {
  if (!step.state.certain || step.state.suppressed)
    return;
  const PayloadModel &payload = step.payload;
  for (auto &[kernel, use] : step.state.memory.uses) {
    if (!isKernel(payload[kernel]) || !payload.isUntouched(kernel))
      continue;
    bool isConfirmed = false;
    for (WorkgroupBuffer &buffer : use.buffers)
      if (buffer.node != PayloadModel::universe &&
          payload[buffer.node].op == buffer.source && isRead(buffer.given)) {
        buffer.times.lo = 1;
        isConfirmed = true;
      }
    if (isConfirmed && !use.isReported)
      checkSureMemory(step, use);
  }
}

//===----------------------------------------------------------------------===//
// Limits of the target
//===----------------------------------------------------------------------===//

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
