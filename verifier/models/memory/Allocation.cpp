//===- Allocation.cpp - Model of bufferize_to_allocation --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops whose destination, or result, becomes a buffer: how many bytes of
// workgroup memory that takes, and which ops stand beside them. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/models/structured/PadSizes.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/spaces/OperandBytes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether structured ops only read `op`, one of the payload as it was given.
static bool isOnlyRead(Operation *op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return reader && reader.isDpsInput(&use);
  });
}

/// Whether other ops in the block of `node` read its result, and none writes
/// there or hands it on: what a loop around them yields is made of theirs then.
static bool isReadBeside(const PayloadModel &payload, NodeId node) {
  // The readers of an op that a step made are those that it was made for.
  if (!payload[node].fresh &&
      !(payload[node].body && isOnlyRead(payload[node].body)))
    return false;
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

static bool isStructured(const Node &node) {
  return node.kind && KindPattern("$structured").matches(*node.kind);
}

/// Checks that `old`, at `target`, can be bufferized by itself, and that its
/// workgroup memory has a static size.
static void checkAllocating(const Step &step,
                            transform::BufferizeToAllocationOp allocate,
                            NodeId target, const Node &old) {
  // The buffer of a dynamic tensor would be dynamic, too.
  if (isWorkgroupSpace(allocate.getMemorySpaceAttr()) && old.space)
    for (const Extent &loop : old.space->loops)
      if (loop.size.isSymbolic() && loop.condition)
        constrainStatic(step, loop,
                        "'" + step.op->getName().getStringRef() +
                            "' allocates workgroup memory of a static size",
                        old.isSurelyThere());
  // MLIR looks for one tensor that the op writes.
  bool isKnown = isStructured(old) && old.space;
  if (isKnown && !old.space->onTensors) {
    step.report("fw-bufferized",
                "requires an op on tensors but '" + old.kind->getStringRef() +
                    "' is on buffers",
                old.isSurelyThere(), /*silenceable=*/true)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "failed to bufferize operation");
    return;
  }
  if (isKnown && old.space->numInits > 1) {
    step.report("fw-step-fails",
                "fails here: failed to bufferize operation, as '" +
                    old.kind->getStringRef() + "' writes " +
                    Twine(old.space->numInits) + " tensors",
                old.isSurelyThere(), /*silenceable=*/true)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "the step allocates one buffer");
    return;
  }
  // The one destination becomes a buffer, and each input the buffer of its
  // tensor; of anything else, it depends.
  if (!isKnown || old.space->numInits != 1)
    step.unprove("allocates for an op that may not be bufferizable by itself");
  else if (mayWriteToFoldedPad(step, target))
    step.unprove(foldedPadSize);
}

/// Counts one buffer of workgroup memory for each tensor that `old` writes, or
/// that it makes. Returns it if it is the only one.
static WorkgroupBuffer *countBuffers(const Step &step, NodeId target,
                                     const Node &old) {
  bool isSized = (isStructured(old) || isKind<tensor::PadOp>(old)) && old.space;
  unsigned number = isSized ? old.space->numInits : 1;
  WorkgroupBuffer *shared = nullptr;
  for (unsigned i = 0; i < number; ++i) {
    Size bytes;
    if (isSized)
      bytes = getTileBytes(step.terms, *old.space,
                           old.space->maps.size() - number + i);
    shared = &countWorkgroupBytes(step, target, bytes,
                                  old.kind ? "the result of '" +
                                                 old.kind->getStringRef() + "'"
                                           : Twine("the result of an op"));
  }
  return number == 1 ? shared : nullptr;
}

/// The ops around `target` may yield other values from now on.
static void changeYields(PayloadModel &payload, NodeId target, bool moves) {
  payload.walkEveryWay(target, [&](NodeId above) {
    if (above == PayloadModel::universe)
      return true;
    payload.edit(above).mayYieldOthers = true;
    payload.edit(above).mayMoveMemory |= moves;
    return true;
  });
}

/// Casts and copies stand beside `buffer`, as many as it takes. One of them may
/// read what the destination of `old` was.
static NodeId addCopies(PayloadModel &payload, const Node &old, Node buffer) {
  buffer.kind = std::nullopt;
  buffer.exact = false;
  buffer.count = {0, Count::unbounded};
  if (old.space && old.producers.size() >= old.space->numInits)
    buffer.producers.append(old.producers.end() - old.space->numInits,
                            old.producers.end());
  // Their kinds are those that the contract lists, and no others.
  buffer.fresh = false;
  NodeId copies = payload.add(std::move(buffer));
  payload.edit(copies).fresh = true;
  payload.edit(copies).isRecorded = true;
  payload.changeTags();
  return copies;
}

static void propagateAllocation(const Step &step) {
  auto allocate = cast<transform::BufferizeToAllocationOp>(step.op);
  bool keepsTarget = allocate.getBufferizeDestinationOnly();
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(allocate.getTarget());
  NodeList buffers, made;
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  // The destination of a structured op is allocated, and at most copied.
  if (keepsTarget && llvm::all_of(source.nodes, [&](NodeId target) {
        return isStructured(payload[target]);
      }))
    llvm::erase_if(introduces, [&](StringRef kind) {
      return kind.starts_with("linalg.") && kind != allocate.getMemcpyOp();
    });
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    checkAllocating(step, allocate, target, old);
    WorkgroupBuffer *shared = isWorkgroupSpace(allocate.getMemorySpaceAttr())
                                  ? countBuffers(step, target, old)
                                  : nullptr;
    if (!isReadBeside(payload, target))
      changeYields(payload, target,
                   /*moves=*/allocate.getMemorySpaceAttr() != nullptr);
    Node buffer =
        makeBeside(old, step.op,
                   OperationName(allocate.getAllocOp(), step.op->getContext()));
    // An op that still computes a tensor is needed if its result is; an op that
    // writes to a buffer stays.
    buffer.live = !keepsTarget || buffer.live;
    buffers.push_back(payload.add(Node(buffer)));
    // Of several buffers, it is not known which one the node stands for.
    if (shared)
      shared->node = buffers.back();
    made.push_back(addCopies(payload, old, std::move(buffer)));
    payload.edit(target).op = nullptr;
    // The destination is the buffer from now on, not what produced it, nor a
    // slice of that.
    if (old.space) {
      TileFacts &tile = payload.edit(target).tile.edit();
      size_t numInputs = old.space->maps.size() - old.space->numInits;
      uint64_t inputs = numInputs < 64 ? (uint64_t(1) << numInputs) - 1 : ~0;
      tile.sliced &= inputs;
      tile.parts &= inputs;
      tile.lastParts &= inputs;
    }
    if (old.space && old.producers.size() >= old.space->numInits)
      for (NodeId &producer : MutableArrayRef(payload.edit(target).producers)
                                  .take_back(old.space->numInits))
        producer = PayloadModel::universe;
    if (keepsTarget)
      continue;
    // Its replacement on buffers may be of the same kind, with the same body.
    payload.inheritContents(target, made.back());
    payload.edit(target).present = Certainty::No;
    introduces.push_back(getPattern(old));
  }
  applyWriteOf(step, introduces);
  step.setResult(0, buffers, source.ordered);
  llvm::append_range(made, buffers);
  step.setResult(1, made, /*ordered=*/false);
}

void formwork::verifier::registerAllocationModels(ModelRegistry &models) {
  models.add(
      "bufferize-to-allocation", propagateAllocation,
      decides{"fw-bufferized", "fw-step-fails", "fw-workgroup-memory"},
      leavesOpen{"allocates for an op that may not be bufferizable by itself",
                 foldedPadSize});
}
