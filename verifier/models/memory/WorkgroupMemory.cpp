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
// of one. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/models/memory/WorkgroupLimits.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::IntTerm;
using solver::TermContext;

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
