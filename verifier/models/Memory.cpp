//===- Memory.cpp - Models of steps that allocate ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps that move operands to another memory: how many bytes of workgroup
// memory a block needs, and of which step. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/parameters/SymbolicSizes.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether `space` is the memory that the threads of a block share.
static bool isWorkgroup(Attribute space) {
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt() == 3;
  return false;
}

/// The bytes of the tile of operand `operand`; unknown when a size is dynamic,
/// and those of a full tile where a size is symbolic.
static Size getTileBytes(solver::TermContext &terms,
                         const IterationSpace &space, unsigned operand) {
  if (operand >= space.maps.size() || operand >= space.elementTypes.size() ||
      !space.elementTypes[operand].isIntOrFloat())
    return std::nullopt;
  solver::IntTerm bytes = terms.constant(
      llvm::divideCeil(space.elementTypes[operand].getIntOrFloatBitWidth(), 8));
  for (AffineExpr expr : space.maps[operand].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    std::optional<solver::IntTerm> size =
        toTerm(terms, space.loops[dim.getPosition()].size);
    if (!size)
      return std::nullopt;
    bytes = terms.mul(bytes, *size);
  }
  return Size::of(bytes);
}

/// The outermost parallel loop around `node`, or the function.
static NodeId getKernel(const PayloadModel &payload, NodeId node) {
  NodeId kernel = payload.getAncestor(node, /*proper=*/true, {"$isolated"})
                      .value_or(PayloadModel::universe);
  payload.walkUp(node, [&](NodeId above) {
    if (payload[above].loop && payload[above].loop->isForall)
      kernel = above;
    return true;
  });
  return kernel;
}

void Interpreter::countWorkgroupBytes(Operation *op, NodeId node,
                                      const Size &bytes,
                                      const llvm::Twine &what) {
  // Only what is allocated for sure counts.
  int64_t times = state.payload[node].count.lo;
  if (!state.certain || times == 0 ||
      state.payload[node].present != Certainty::Yes)
    return;
  WorkgroupUse &use = workgroupUses[getKernel(state.payload, node)];
  if (bytes.isSymbolic() || state.guard) {
    solver::TermContext &terms = *parameters->context;
    solver::IntTerm term = terms.mul(*getTerm(bytes), terms.constant(times));
    use.steps.push_back(
        {op, solver::toInfix(term) + " bytes for " + what.str()});
    if (state.guard)
      term = terms.select(*state.guard, term, terms.constant(0));
    use.symbolic = use.symbolic ? terms.add(*use.symbolic, term) : term;
    return;
  }
  use.bytes += *bytes * times;
  use.steps.push_back(
      {op, (Twine(*bytes * times) + " bytes for " + what).str()});
  // The least that any architecture allows, when none is given.
  int64_t limit = options.target ? options.target->staticWorkgroupBytes
                                 : getTargets().front().staticWorkgroupBytes;
  if (use.bytes <= limit)
    return;
  Finding &finding =
      report(op, "fw-workgroup-memory",
             "requires at most " + Twine(limit) +
                 " bytes of workgroup memory per block" +
                 (options.target ? " on " + options.target->name : Twine()) +
                 " but the schedule has " + Twine(use.bytes),
             /*definite=*/options.target != nullptr);
  for (const auto &[step, text] : use.steps)
    finding.note(NoteKind::Evidence, step->getLoc(), text);
  finding.note(NoteKind::FixIt, op->getLoc(),
               "use smaller tiles, or promote fewer operands");
}

void Interpreter::checkLaunchMemory() {
  if (!payloadRoot)
    return;
  payloadRoot->walk([&](gpu::LaunchOp launch) {
    Value asked = launch.getDynamicSharedMemorySize();
    std::optional<int64_t> dynamic =
        asked ? getConstantIntValue(asked) : std::nullopt;
    NodeId node = state.payload.lookup(launch);
    if (!dynamic || state.payload[node].present != Certainty::Yes)
      return;
    // Besides, what steps have put into the kernel.
    solver::TermContext &terms = *parameters->context;
    solver::IntTerm bytes = terms.constant(*dynamic);
    SmallVector<std::pair<Operation *, std::string>> steps;
    for (auto &[kernel, use] : workgroupUses) {
      if (state.payload.isAtOrBelow(kernel, node) != Certainty::Yes)
        continue;
      bytes = terms.add(bytes, terms.constant(use.bytes));
      if (use.symbolic)
        bytes = terms.add(bytes, *use.symbolic);
      llvm::append_range(steps, use.steps);
    }
    Operation *source =
        steps.empty() ? schedule.getEntry().getOperation() : steps.back().first;
    int64_t limit = options.target->optInWorkgroupBytes;
    std::string parts = std::to_string(*dynamic) + " bytes for the launch";
    for (const auto &[step, text] : steps)
      parts += ", " + text;
    if (!bytes.isConstant()) {
      parameters->add("workgroup.opt-in",
                      terms.lessEqual(bytes, terms.constant(limit)), source,
                      "the workgroup memory of a block, with what its launch "
                      "asks for, is at most " +
                          Twine(limit) + " bytes on " + options.target->name +
                          ": " + parts,
                      ConstraintKind::Required);
      return;
    }
    if (bytes.getConstant() <= limit)
      return;
    Finding &finding =
        report(source, "fw-workgroup-memory",
               "requires at most " + Twine(limit) +
                   " bytes of workgroup memory per block, with what its launch "
                   "asks for, on " +
                   options.target->name + " but there are " +
                   Twine(bytes.getConstant()));
    finding.note(NoteKind::Evidence, launch.getLoc(),
                 Twine(*dynamic) + " bytes for the launch");
    for (const auto &[step, text] : steps)
      finding.note(NoteKind::Evidence, step->getLoc(), text);
    finding.note(NoteKind::FixIt, launch.getLoc(), "ask for less");
  });
}

void Interpreter::requireWorkgroupMemory() {
  if (!options.target)
    return;
  checkLaunchMemory();
  solver::TermContext &terms = *parameters->context;
  int64_t limit = options.target->staticWorkgroupBytes;
  for (auto &[kernel, use] : workgroupUses) {
    if (!use.symbolic)
      continue;
    solver::IntTerm bytes = terms.add(*use.symbolic, terms.constant(use.bytes));
    SmallVector<std::string> parts;
    for (const auto &[step, text] : use.steps)
      parts.push_back(text);
    parameters->add("workgroup.bytes",
                    terms.lessEqual(bytes, terms.constant(limit)),
                    use.steps.back().first,
                    "the workgroup memory of a block is at most " +
                        Twine(limit) + " bytes on " + options.target->name +
                        ": " + llvm::join(parts, ", "),
                    ConstraintKind::Required);
  }
}

void Interpreter::promoteModel(Operation *op, const Contract &contract) {
  auto promote = dyn_cast<transform::PromoteOp>(op);
  if (promote) {
    bool toWorkgroup = isWorkgroup(promote.getMemorySpaceAttr());
    if (std::optional<ArrayAttr> mapping = promote.getMapping())
      toWorkgroup |= llvm::any_of(*mapping, [](Attribute attr) {
        auto space = dyn_cast<gpu::GPUMemorySpaceMappingAttr>(attr);
        return space && space.getAddressSpace() == gpu::AddressSpace::Workgroup;
      });
    for (NodeId target : NodeList(lookup(promote.getTarget()).nodes)) {
      const Node &node = state.payload[target];
      if (!node.space) {
        unprove(op, "promotes operands of unknown size");
        continue;
      }
      if (node.space->onTensors && node.exact)
        report(op, "fw-not-bufferized",
               "requires an op on buffers but '" + node.kind->getStringRef() +
                   "' is on tensors",
               node.present == Certainty::Yes);
      SmallVector<int64_t> operands;
      for (Attribute attr : promote.getOperandsToPromote())
        operands.push_back(cast<IntegerAttr>(attr).getInt());
      if (operands.empty())
        operands =
            llvm::to_vector(llvm::seq<int64_t>(0, node.space->maps.size()));
      // Nothing has changed what defines the operands.
      bool isGiven = node.op && state.payload.version() == pristine;
      bool hasView = llvm::any_of(operands, [&](int64_t operand) {
        return isGiven && operand >= 0 &&
               operand < static_cast<int64_t>(node.op->getNumOperands()) &&
               node.op->getOperand(operand).getDefiningOp<memref::SubViewOp>();
      });
      if (isGiven && !node.space->onTensors && !hasView)
        report(op, "fw-not-a-view",
               "requires an operand that is a memref.subview but those of '" +
                   node.kind->getStringRef() + "' that are promoted are not",
               node.present == Certainty::Yes && node.count.lo > 0,
               /*silenceable=*/false)
            .note(NoteKind::Evidence, op->getLoc(), "failed to apply")
            .note(NoteKind::FixIt, op->getLoc(),
                  "tile the op before it is promoted");
      for (int64_t operand : operands)
        if (Size bytes =
                getTileBytes(*parameters->context, *node.space, operand);
            !bytes.isUnknown() && toWorkgroup)
          countWorkgroupBytes(op, target, bytes,
                              "operand #" + Twine(operand) + " of '" +
                                  node.kind->getStringRef() + "'");
    }
  }
  applyClauses(op, contract);
}

/// Whether other ops in the block of `node` read its result, and none writes
/// there: what a loop around them yields is made of theirs then.
static bool isReadBeside(const PayloadModel &payload, NodeId node) {
  bool isRead = false;
  for (NodeId id : payload.getReaders()) {
    const Node &reader = payload[id];
    if (!llvm::is_contained(reader.producers, node))
      continue;
    bool isSure = reader.exact && reader.present == Certainty::Yes &&
                  reader.space && reader.ups.size() == 1 &&
                  payload[node].ups.size() == 1 &&
                  reader.ups.front().node == payload[node].ups.front().node;
    if (!isSure ||
        llvm::is_contained(
            ArrayRef(reader.producers).take_back(reader.space->numInits), node))
      return false;
    isRead = true;
  }
  return isRead;
}

void Interpreter::allocationModel(Operation *op, const Contract &contract) {
  auto allocate = cast<transform::BufferizeToAllocationOp>(op);
  bool keepsTarget = allocate.getBufferizeDestinationOnly();
  bool isShared = isWorkgroup(allocate.getMemorySpaceAttr());
  PayloadModel &payload = state.payload;
  HandleState source = lookup(allocate.getTarget());
  NodeList buffers, made;
  normalforms::KindPatterns introduces = contract.payload->introduces;
  // What a structured op writes to is allocated, and at most copied.
  bool onlyCopies =
      keepsTarget && llvm::all_of(source.nodes, [&](NodeId target) {
        return payload[target].kind &&
               matchesKind(*payload[target].kind, "$structured");
      });
  if (onlyCopies)
    llvm::erase_if(introduces, [&](StringRef kind) {
      return kind.starts_with("linalg.") && kind != allocate.getMemcpyOp();
    });
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    bool isStructured = old.kind && matchesKind(*old.kind, "$structured");
    // Of what is dynamic, the buffer would be, too.
    if (isShared && old.space)
      for (const Extent &loop : old.space->loops)
        if (loop.size.isSymbolic() && loop.condition)
          requireStatic(op, loop,
                        "'" + op->getName().getStringRef() +
                            "' allocates workgroup memory of a static size",
                        old.present == Certainty::Yes && old.count.lo > 0);
    // One destination becomes one buffer; of anything else, it depends.
    if (!isStructured || !old.space || old.space->numInits != 1 ||
        !old.space->onTensors || !keepsTarget)
      unprove(op, "allocates for an op of which it is not known whether it "
                  "can be bufferized by itself");
    Size bytes;
    if (isStructured && old.space && old.space->numInits == 1)
      bytes = getTileBytes(*parameters->context, *old.space,
                           old.space->maps.size() - 1);
    if (isShared && !bytes.isUnknown())
      countWorkgroupBytes(op, target, bytes,
                          "the result of '" + old.kind->getStringRef() + "'");
    else if (isShared)
      unprove(op, "allocates workgroup memory of unknown size");

    if (!isReadBeside(payload, target))
      payload.walkEveryWay(target, [&](NodeId above) {
        if (above != PayloadModel::universe)
          payload.edit(above).mayYieldOthers = true;
        return true;
      });
    Node buffer = makeBeside(
        old, op, OperationName(allocate.getAllocOp(), op->getContext()));
    // What still computes a tensor is needed as far as its result is; what
    // writes to a buffer stays.
    buffer.live |= !keepsTarget;
    buffers.push_back(payload.add(buffer));
    // Besides, there are casts and copies, as many as it takes.
    buffer.kind = std::nullopt;
    buffer.exact = false;
    buffer.count = {0, Count::unbounded};
    // A copy may read what the destination was.
    if (old.space && old.producers.size() >= old.space->numInits)
      buffer.producers.append(old.producers.end() - old.space->numInits,
                              old.producers.end());
    // Their kinds are those that the contract lists, and no others.
    buffer.fresh = false;
    made.push_back(payload.add(std::move(buffer)));
    payload.edit(made.back()).fresh = true;
    payload.edit(made.back()).isRecorded = true;
    payload.changeTags();
    payload.edit(target).op = nullptr;
    // The destination is the buffer from now on, not what produced it.
    if (old.space && old.producers.size() >= old.space->numInits)
      for (NodeId &producer : MutableArrayRef(payload.edit(target).producers)
                                  .take_back(old.space->numInits))
        producer = PayloadModel::universe;
    if (keepsTarget)
      continue;
    // What it is on buffers may be of the same kind, with the same body.
    payload.inheritContents(target, made.back());
    payload.edit(target).present = Certainty::No;
    introduces.push_back(old.kind ? old.kind->getStringRef().str() : "*");
  }
  applyWriteOf(op, contract, introduces);
  setResult(op, 0, buffers, source.ordered);
  llvm::append_range(made, buffers);
  setResult(op, 1, made, /*ordered=*/false);
}
