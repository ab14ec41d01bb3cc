//===- Stages.cpp - The copies of a loop, and what uses them --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/pipeline/Stages.h"

#include "transforms/distribute/Alignment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork::transforms::pipeline;
using formwork::transforms::distribute::getByteDivisor;
using formwork::transforms::distribute::getDivisor;

static Refusal refuse(Operation *op, const Twine &message) {
  return {op->getLoc(), message.str()};
}

/// The `scf.if` at the top level of the loop that contains only `write`; none
/// if `write` itself is at the top level. Fails for any other place.
static FailureOr<scf::IfOp> findGuard(scf::ForOp loop, Operation *write) {
  if (write->getBlock() == loop.getBody())
    return scf::IfOp();
  auto guard = dyn_cast<scf::IfOp>(write->getParentOp());
  if (!guard || guard->getBlock() != loop.getBody() || guard.elseBlock() ||
      guard.getNumResults() != 0)
    return failure();
  for (Operation &op : guard.thenBlock()->without_terminator())
    if (&op != write && !isPure(&op))
      return failure();
  return guard;
}

/// Whether `transfer` accesses consecutive elements in memory.
static bool isContiguous(VectorTransferOpInterface transfer) {
  return transfer.getVectorType().getRank() == 1 && !transfer.getMask() &&
         transfer.getPermutationMap().isMinorIdentity() &&
         isa<MemRefType>(transfer.getShapedType());
}

/// Whether all bits of `value`, or of each of its elements, may be zeros: they
/// are, or the value is poison.
static bool isZero(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    return isZero(broadcast.getSource());
  return value.getDefiningOp<ub::PoisonOp>() ||
         matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero());
}

/// Finds the read that produces `value`: a read at the top level of the loop,
/// or one in a branch at the top level whose other side yields zeros or poison.
static Copy findSource(scf::ForOp loop, Value value) {
  Copy copy;
  copy.source = value.getDefiningOp();
  copy.read = dyn_cast_or_null<vector::TransferReadOp>(copy.source);
  auto branch = dyn_cast_or_null<scf::IfOp>(copy.source);
  if (branch && branch.getNumResults() == 1 && branch.elseBlock() &&
      isZero(branch.elseYield().getOperand(0))) {
    Value read = branch.thenYield().getOperand(0);
    auto isAlone = [](Block *block, Operation *but) {
      return llvm::all_of(block->without_terminator(), [&](Operation &op) {
        return &op == but || isPure(&op);
      });
    };
    copy.read = read.getDefiningOp<vector::TransferReadOp>();
    if (copy.read &&
        (copy.read->getBlock() != branch.thenBlock() ||
         !copy.read->hasOneUse() || !isAlone(branch.thenBlock(), copy.read) ||
         !isAlone(branch.elseBlock(), nullptr)))
      copy.read = nullptr;
    copy.isThere = branch.getCondition();
  }
  if (copy.source && copy.source->getBlock() != loop.getBody())
    copy.read = nullptr;
  return copy;
}

static bool isOfWorkgroup(Value memory) {
  auto type = dyn_cast<MemRefType>(memory.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// Whether the thread computes what it writes, which then is no copy. What it
/// extends could be copied and extended by the product.
static bool isComputed(const Copy &copy) {
  vector::TransferReadOp read = copy.read;
  bool extends = isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
      copy.source);
  return !extends &&
         (!read || isOfWorkgroup(read.getBase()) || !copy.source->hasOneUse());
}

/// Checks the source and the target of the copy, and sets its width. Sets
/// `isNarrow` where only the alignment keeps it from being asynchronous.
static std::optional<Refusal> checkCopy(Copy &copy, bool &isNarrow) {
  vector::TransferReadOp read = copy.read;
  vector::TransferWriteOp write = copy.write;
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
          copy.source))
    return refuse(write,
                  "requires copies from global memory but has one that extends "
                  "its elements; let the product extend them with "
                  "fold_type_extensions_into_contract");
  if (!isContiguous(cast<VectorTransferOpInterface>(read.getOperation())) ||
      !isContiguous(cast<VectorTransferOpInterface>(write.getOperation())) ||
      write.hasOutOfBoundsDim())
    return refuse(read,
                  "requires copies of neighbours in memory, without a mask, "
                  "but has another one");
  if (read.hasOutOfBoundsDim() && !isZero(read.getPadding()))
    return refuse(read,
                  "requires copies that read zero beyond the end of a buffer "
                  "but has one that reads another value");
  VectorType type = read.getVectorType();
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  isNarrow = bits == 8 || bits == 16;
  if (bits != 32 && bits != 64 && bits != 128)
    return refuse(read, "requires copies of 4, 8 or 16 bytes but has one of " +
                            Twine(bits) + " bits");
  int64_t bytes = bits / 8, element = type.getElementTypeBitWidth() / 8;
  while (getByteDivisor(read.getBase(), read.getIndices()) % bytes != 0 ||
         getByteDivisor(write.getBase(), write.getIndices()) % bytes != 0)
    bytes /= 2;
  isNarrow = bytes < std::max<int64_t>(4, element);
  if (isNarrow)
    return refuse(read,
                  "requires copies to start at multiples of 4 bytes but has "
                  "one that may not");
  copy.width = bytes / element;
  return std::nullopt;
}

/// Collects the operations in the loop that compute `value` into `slice`.
static std::optional<Refusal>
collectAddress(scf::ForOp loop, Value value,
               llvm::SetVector<Operation *> &slice) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return std::nullopt;
  Operation *def = value.getDefiningOp();
  if (!def || !isPure(def) || def->getNumRegions() != 0)
    return refuse(
        def ? def : loop.getOperation(),
        "requires copies of which the places follow from the step but "
        "has one that needs what the loop computes");
  if (slice.contains(def))
    return std::nullopt;
  for (Value operand : def->getOperands())
    if (std::optional<Refusal> refusal = collectAddress(loop, operand, slice))
      return refusal;
  slice.insert(def);
  return std::nullopt;
}

static bool canReadSlot(Operation *op) {
  return isa<vector::TransferReadOp, vector::LoadOp, memref::LoadOp,
             nvgpu::LdMatrixOp>(op);
}

/// Checks that `op`, which is no copy, writes nothing. Sets `readsElsewhere` if
/// it reads other memory than the buffers.
static std::optional<Refusal> checkOther(Operation *op, const Stages &stages,
                                         bool &readsElsewhere) {
  std::optional<Refusal> refusal;
  op->walk([&](Operation *inner) {
    if (isa<gpu::BarrierOp>(inner)) {
      refusal =
          refuse(inner, "requires barriers at the top of the loop but has "
                        "one inside of another operation");
      return WalkResult::interrupt();
    }
    if (inner->getNumRegions() != 0 || isMemoryEffectFree(inner) ||
        isa<NVVM::MmaOp, NVVM::ConvertFloatToTF32Op, gpu::ShuffleOp>(inner) ||
        llvm::is_contained(stages.readers, inner))
      return WalkResult::advance();
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    if (!effects || !effects.onlyHasEffect<MemoryEffects::Read>()) {
      refusal =
          refuse(inner, "requires a loop that writes nothing but its copies "
                        "but has '" +
                            inner->getName().getStringRef() + "'");
      return WalkResult::interrupt();
    }
    readsElsewhere = true;
    return WalkResult::advance();
  });
  return refusal;
}

std::optional<Refusal>
formwork::transforms::pipeline::findStages(scf::ForOp loop, Stages &stages) {
  if (!loop->getParentOfType<gpu::LaunchOp>())
    return refuse(loop, "requires a loop inside of a 'gpu.launch' but has one "
                        "outside");
  Block *body = loop.getBody();
  // Find the writes to workgroup memory: copies, and what threads compute.
  llvm::DenseSet<Operation *> ofCopies, computing;
  llvm::SetVector<Operation *> computed;
  Operation *firstCopy = nullptr, *firstComputed = nullptr;
  llvm::DenseMap<Operation *, Operation *> lastCopies;
  std::optional<Refusal> refusal, narrow;
  loop->walk([&](vector::TransferWriteOp write) {
    if (!isOfWorkgroup(write.getBase()))
      return WalkResult::advance();
    FailureOr<scf::IfOp> guard = findGuard(loop, write);
    if (failed(guard)) {
      refusal =
          refuse(write, "requires copies at the top of the loop but has one "
                        "inside of another operation");
      return WalkResult::interrupt();
    }
    Copy copy = findSource(loop, write.getVector());
    copy.write = write;
    copy.guard = *guard ? guard->getCondition() : Value();
    Operation *top = *guard ? guard->getOperation() : write.getOperation();
    bool isCopy = !isComputed(copy);
    if (isCopy) {
      bool isNarrow = false;
      refusal = checkCopy(copy, isNarrow);
      // Threads copy what is not aligned, as if they computed it.
      if (isNarrow) {
        narrow = std::exchange(refusal, std::nullopt);
        isCopy = false;
      }
      if (refusal)
        return WalkResult::interrupt();
    }
    if (isCopy) {
      if (!firstCopy)
        firstCopy = copy.source;
      for (Operation *op : {copy.source, write.getOperation(), top})
        ofCopies.insert(op);
      stages.copies.push_back(copy);
    } else {
      if (!firstComputed)
        firstComputed = top;
      computing.insert(write);
      computing.insert(top);
    }
    auto buffer = write.getBase().getDefiningOp<memref::AllocOp>();
    if (!buffer || loop->isProperAncestor(buffer) ||
        !buffer.getType().hasStaticShape()) {
      refusal = refuse(write, "requires buffers that are allocated in front of "
                              "the loop but has another one");
      return WalkResult::interrupt();
    }
    (isCopy ? stages.buffers : computed).insert(buffer);
    lastCopies[buffer] = top;
    return WalkResult::advance();
  });
  if (refusal)
    return refusal;
  if (stages.copies.empty() && narrow)
    return narrow;
  if (stages.copies.empty())
    return refuse(loop, firstComputed
                            ? "requires a loop that copies to workgroup memory "
                              "but has one that computes all that it writes "
                              "there"
                            : "requires a loop that copies to workgroup memory "
                              "but has one that does not");

  // Check the buffers: each may be used only in this loop, and is filled before
  // it is read.
  Operation *lastReader = nullptr;
  llvm::SetVector<Operation *> buffers = stages.buffers;
  buffers.insert_range(computed);
  for (Operation *buffer : buffers)
    for (Operation *user : buffer->getUsers()) {
      if (ofCopies.contains(user) || computing.contains(user)) {
        if (stages.buffers.contains(buffer) != ofCopies.contains(user))
          return refuse(user, "requires buffers that are only copied to but "
                              "has one that is also written something else");
        continue;
      }
      if (!loop->isProperAncestor(user))
        return refuse(user,
                      "requires buffers that only the loop uses but has one "
                      "that is used elsewhere");
      if (!canReadSlot(user))
        return refuse(user, "requires buffers that are read and copied to but "
                            "has one that '" +
                                user->getName().getStringRef() + "' uses");
      Operation *top = body->findAncestorOpInBlock(*user);
      if (top->isBeforeInBlock(lastCopies.lookup(buffer)))
        return refuse(user, "requires buffers that are filled before they are "
                            "read but has one that is read first");
      if (stages.buffers.contains(buffer))
        stages.readers.push_back(user);
      else if (!lastReader || lastReader->isBeforeInBlock(top))
        lastReader = top;
    }

  bool readsElsewhere = false;
  for (Operation &op : body->without_terminator()) {
    if (ofCopies.contains(&op))
      continue;
    if (computing.contains(&op))
      continue;
    if (isa<gpu::BarrierOp>(op)) {
      // What threads compute is there for all threads behind a barrier of its
      // own. The one where the iteration begins protects it in the next one.
      bool isKept = firstComputed && lastReader &&
                    firstComputed->isBeforeInBlock(&op) &&
                    op.isBeforeInBlock(lastReader);
      if (!isKept)
        stages.barriers.push_back(&op);
      stages.meetsInFront |= op.isBeforeInBlock(firstCopy);
      continue;
    }
    if ((refusal = checkOther(&op, stages, readsElsewhere)))
      return refusal;
  }
  stages.meetsBehind = readsElsewhere;
  // A second run of the loop fills buffers that some threads may still read.
  stages.meetsInFront |= bool(loop->getParentOfType<LoopLikeOpInterface>());

  llvm::SetVector<Operation *> slice;
  for (const Copy &copy : stages.copies) {
    SmallVector<Value> needed(copy.read->getOperands().take_front(1));
    vector::TransferReadOp read = copy.read;
    vector::TransferWriteOp write = copy.write;
    llvm::append_range(needed, read.getIndices());
    llvm::append_range(needed, write.getIndices());
    for (Value condition : {copy.guard, copy.isThere})
      if (condition)
        needed.push_back(condition);
    for (Value value : needed)
      if ((refusal = collectAddress(loop, value, slice)))
        return refusal;
  }
  stages.addresses = slice.takeVector();
  return std::nullopt;
}
