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

namespace {
/// Finds the stages of a loop in a kernel, part after part.
class StageFinder {
public:
  StageFinder(scf::ForOp loop, Stages &stages) : loop(loop), stages(stages) {}

  std::optional<Refusal> run();

private:
  std::optional<Refusal> findWrites();
  std::optional<Refusal> addWrite(vector::TransferWriteOp write);
  std::optional<Refusal> checkBuffers();
  std::optional<Refusal> checkUser(Operation *buffer, Operation *user);
  std::optional<Refusal> checkRest();
  void addBarrier(Operation *barrier);
  std::optional<Refusal> collectAddresses();

  scf::ForOp loop;
  Stages &stages;
  /// The operations of the copies, and those of writes of computed values.
  llvm::DenseSet<Operation *> ofCopies, computing;
  /// The buffers of the latter.
  llvm::SetVector<Operation *> computed;
  /// Why a copy is none here that is only not aligned, or too narrow.
  std::optional<Refusal> narrow;
  Operation *firstCopy = nullptr, *firstComputed = nullptr;
  /// The last op at the top of the loop that reads a computed buffer.
  Operation *lastReader = nullptr;
  /// By buffer, the last op at the top of the loop that writes it.
  llvm::DenseMap<Operation *, Operation *> lastWrites;
};
} // namespace

/// Adds a write to workgroup memory: a copy, or what threads compute.
std::optional<Refusal> StageFinder::addWrite(vector::TransferWriteOp write) {
  FailureOr<scf::IfOp> guard = findGuard(loop, write);
  if (failed(guard))
    return refuse(write, "requires copies at the top of the loop but has one "
                         "inside of another operation");
  Copy copy = findSource(loop, write.getVector());
  copy.write = write;
  copy.guard = *guard ? guard->getCondition() : Value();
  Operation *top = *guard ? guard->getOperation() : write.getOperation();
  bool isCopy = !isComputed(copy);
  if (isCopy) {
    bool isNarrow = false;
    std::optional<Refusal> refusal = checkCopy(copy, isNarrow);
    if (refusal && !isNarrow)
      return refusal;
    // Threads copy what is not aligned, as if they computed it.
    if (isNarrow) {
      narrow = refusal;
      isCopy = false;
    }
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
      !buffer.getType().hasStaticShape())
    return refuse(write, "requires buffers that are allocated in front of the "
                         "loop but has another one");
  (isCopy ? stages.buffers : computed).insert(buffer);
  lastWrites[buffer] = top;
  return std::nullopt;
}

std::optional<Refusal> StageFinder::findWrites() {
  std::optional<Refusal> refusal;
  loop->walk([&](vector::TransferWriteOp write) {
    if (isOfWorkgroup(write.getBase()))
      refusal = addWrite(write);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (refusal || !stages.copies.empty())
    return refusal;
  if (narrow)
    return narrow;
  return refuse(loop,
                firstComputed
                    ? "requires a loop that copies to workgroup memory but has "
                      "one that computes all that it writes there"
                    : "requires a loop that copies to workgroup memory but has "
                      "one that does not");
}

/// Checks a use of `buffer`: only in the loop, and behind what fills it.
std::optional<Refusal> StageFinder::checkUser(Operation *buffer,
                                              Operation *user) {
  bool isCopied = stages.buffers.contains(buffer);
  if (ofCopies.contains(user) || computing.contains(user)) {
    if (isCopied != ofCopies.contains(user))
      return refuse(user, "requires buffers that are only copied to but has "
                          "one that is also written something else");
    return std::nullopt;
  }
  if (!loop->isProperAncestor(user))
    return refuse(user, "requires buffers that only the loop uses but has one "
                        "that is used elsewhere");
  if (!canReadSlot(user))
    return refuse(user, "requires buffers that are read and copied to but has "
                        "one that '" +
                            user->getName().getStringRef() + "' uses");
  Operation *top = loop.getBody()->findAncestorOpInBlock(*user);
  if (top->isBeforeInBlock(lastWrites.lookup(buffer)))
    return refuse(user, "requires buffers that are filled before they are read "
                        "but has one that is read first");
  if (isCopied)
    stages.readers.push_back(user);
  else if (!lastReader || lastReader->isBeforeInBlock(top))
    lastReader = top;
  return std::nullopt;
}

std::optional<Refusal> StageFinder::checkBuffers() {
  llvm::SetVector<Operation *> buffers = stages.buffers;
  buffers.insert_range(computed);
  for (Operation *buffer : buffers)
    for (Operation *user : buffer->getUsers())
      if (std::optional<Refusal> refusal = checkUser(buffer, user))
        return refusal;
  return std::nullopt;
}

void StageFinder::addBarrier(Operation *barrier) {
  // All threads have the computed values behind a barrier of their own.
  // The one where the iteration begins protects it in the next one.
  bool isKept = firstComputed && lastReader &&
                firstComputed->isBeforeInBlock(barrier) &&
                barrier->isBeforeInBlock(lastReader);
  if (!isKept)
    stages.barriers.push_back(barrier);
  stages.meetsInFront |= barrier->isBeforeInBlock(firstCopy);
}

/// Checks what is beside the copies, and finds where threads have to meet.
std::optional<Refusal> StageFinder::checkRest() {
  bool readsElsewhere = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (ofCopies.contains(&op) || computing.contains(&op))
      continue;
    if (isa<gpu::BarrierOp>(op))
      addBarrier(&op);
    else if (std::optional<Refusal> refusal =
                 checkOther(&op, stages, readsElsewhere))
      return refusal;
  }
  stages.meetsBehind = readsElsewhere;
  // A second run of the loop fills buffers that some threads may still read.
  stages.meetsInFront |= bool(loop->getParentOfType<LoopLikeOpInterface>());
  return std::nullopt;
}

std::optional<Refusal> StageFinder::collectAddresses() {
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
      if (std::optional<Refusal> refusal = collectAddress(loop, value, slice))
        return refusal;
  }
  stages.addresses = slice.takeVector();
  return std::nullopt;
}

std::optional<Refusal> StageFinder::run() {
  if (std::optional<Refusal> refusal = findWrites())
    return refusal;
  if (std::optional<Refusal> refusal = checkBuffers())
    return refusal;
  if (std::optional<Refusal> refusal = checkRest())
    return refusal;
  return collectAddresses();
}

std::optional<Refusal>
formwork::transforms::pipeline::findStages(scf::ForOp loop, Stages &stages) {
  if (!loop->getParentOfType<gpu::LaunchOp>())
    return refuse(loop, "requires a loop inside of a 'gpu.launch' but has one "
                        "outside");
  return StageFinder(loop, stages).run();
}
