//===- Pipeline.cpp - Copies some steps ahead of their use ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/pipeline/Pipeline.h"

#include "transforms/distribute/Alignment.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork::transforms::pipeline;
using formwork::transforms::distribute::getByteDivisor;
using formwork::transforms::distribute::getDivisor;

//===----------------------------------------------------------------------===//
// Finding the stages
//===----------------------------------------------------------------------===//

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

/// Checks the source and the target of the copy, and sets its width.
static std::optional<Refusal> checkCopy(Copy &copy) {
  vector::TransferReadOp read = copy.read;
  vector::TransferWriteOp write = copy.write;
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
          copy.source))
    return refuse(write,
                  "requires copies from global memory but has one that extends "
                  "its elements; let the product extend them with "
                  "fold_type_extensions_into_contract");
  if (!read || isOfWorkgroup(read.getBase()) || !copy.source->hasOneUse())
    return refuse(write,
                  "requires copies from global memory but has a write of "
                  "something else");
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
  if (bits != 32 && bits != 64 && bits != 128)
    return refuse(read, "requires copies of 4, 8 or 16 bytes but has one of " +
                            Twine(bits) + " bits");
  int64_t bytes = bits / 8, element = type.getElementTypeBitWidth() / 8;
  while (getByteDivisor(read.getBase(), read.getIndices()) % bytes != 0 ||
         getByteDivisor(write.getBase(), write.getIndices()) % bytes != 0)
    bytes /= 2;
  if (bytes < std::max<int64_t>(4, element))
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
  // Find the copies: all writes to workgroup memory.
  llvm::DenseSet<Operation *> ofCopies;
  Operation *firstCopy = nullptr;
  llvm::DenseMap<Operation *, Operation *> lastCopies;
  std::optional<Refusal> refusal;
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
    refusal = checkCopy(copy);
    if (refusal)
      return WalkResult::interrupt();
    Operation *top = *guard ? guard->getOperation() : write.getOperation();
    if (!firstCopy)
      firstCopy = copy.source;
    for (Operation *op : {copy.source, write.getOperation(), top})
      ofCopies.insert(op);
    stages.copies.push_back(copy);
    auto buffer = write.getBase().getDefiningOp<memref::AllocOp>();
    if (!buffer || loop->isProperAncestor(buffer) ||
        !buffer.getType().hasStaticShape()) {
      refusal = refuse(write, "requires buffers that are allocated in front of "
                              "the loop but has another one");
      return WalkResult::interrupt();
    }
    stages.buffers.insert(buffer);
    lastCopies[buffer] = top;
    return WalkResult::advance();
  });
  if (refusal)
    return refusal;
  if (stages.copies.empty())
    return refuse(loop,
                  "requires a loop that copies to workgroup memory but has "
                  "one that does not");

  // Check the buffers: each may be used only in this loop, and is filled before
  // it is read.
  for (Operation *buffer : stages.buffers)
    for (Operation *user : buffer->getUsers()) {
      if (ofCopies.contains(user))
        continue;
      if (!loop->isProperAncestor(user))
        return refuse(user,
                      "requires buffers that only the loop uses but has one "
                      "that is used elsewhere");
      if (!canReadSlot(user))
        return refuse(user, "requires buffers that are read and copied to but "
                            "has one that '" +
                                user->getName().getStringRef() + "' uses");
      if (body->findAncestorOpInBlock(*user)->isBeforeInBlock(
              lastCopies.lookup(buffer)))
        return refuse(user, "requires buffers that are filled before they are "
                            "read but has one that is read first");
      stages.readers.push_back(user);
    }

  bool readsElsewhere = false;
  for (Operation &op : body->without_terminator()) {
    if (ofCopies.contains(&op))
      continue;
    if (isa<gpu::BarrierOp>(op)) {
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

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {
class Pipeliner {
public:
  Pipeliner(RewriterBase &rewriter, scf::ForOp loop, const Stages &stages,
            int64_t depth)
      : rewriter(rewriter), loop(loop), stages(stages), depth(depth),
        loc(loop.getLoc()) {}

  scf::ForOp run();

private:
  void allocate();
  Value getIndex(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  /// The induction variable `steps` behind `first`.
  Value getStep(Value first, int64_t steps);
  /// The number of elements from `first` to `end`, at most `most`.
  Value countFrom(Value first, Value end, int64_t most);
  /// The number of elements that `copy` reads from `indices` of `memory` on;
  /// null if it reads all of them.
  Value countElements(const Copy &copy, Value memory, ValueRange indices,
                      Value isThere);
  /// The number of elements that are read of the part that starts at `first`,
  /// if `count` elements of the whole copy are read.
  Value countPart(const Copy &copy, Value count, int64_t first);
  /// Returns `indices` with `elements` added to the last dimension.
  SmallVector<Value> move(ValueRange indices, int64_t elements);
  /// Emits the copies of one step, guarded if the step may not exist, and their
  /// group.
  void copyStep(Value step, Value slot);
  void readFrom(Operation *reader, Value slot);

  RewriterBase &rewriter;
  scf::ForOp loop;
  const Stages &stages;
  int64_t depth;
  Location loc;
  /// Maps each buffer to the new one with `depth` slots.
  llvm::DenseMap<Value, Value> slots;
};
} // namespace

void Pipeliner::allocate() {
  for (Operation *op : stages.buffers) {
    auto buffer = cast<memref::AllocOp>(op);
    MemRefType type = buffer.getType();
    SmallVector<int64_t> shape{depth};
    llvm::append_range(shape, type.getShape());
    rewriter.setInsertionPoint(buffer);
    slots[buffer] = memref::AllocOp::create(
        rewriter, buffer.getLoc(),
        MemRefType::get(shape, type.getElementType(),
                        MemRefLayoutAttrInterface(), type.getMemorySpace()),
        ValueRange(), buffer.getAlignmentAttr());
  }
}

Value Pipeliner::getStep(Value first, int64_t steps) {
  AffineExpr d0, d1;
  bindDims(rewriter.getContext(), d0, d1);
  return getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(2, 0, d0 + d1 * steps),
          {getAsOpFoldResult(first), getAsOpFoldResult(loop.getStep())}));
}

Value Pipeliner::countFrom(Value first, Value end, int64_t most) {
  Value rest = arith::SubIOp::create(rewriter, loc, end, first);
  return arith::MaxSIOp::create(
      rewriter, loc, getIndex(0),
      arith::MinSIOp::create(rewriter, loc, rest, getIndex(most)));
}

Value Pipeliner::countElements(const Copy &copy, Value memory,
                               ValueRange indices, Value isThere) {
  vector::TransferReadOp read = copy.read;
  Value count;
  if (read.hasOutOfBoundsDim()) {
    int64_t whole = read.getVectorType().getNumElements();
    unsigned last = indices.size() - 1;
    Value end = getValueOrCreateConstantIndexOp(
        rewriter, loc, memref::getMixedSize(rewriter, loc, memory, last));
    if (getDivisor(indices[last]) % whole == 0 &&
        getDivisor(end) % whole == 0) {
      // The copy reads all of its elements or none.
      Value isInside = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::slt, indices[last], end);
      isThere = isThere
                    ? arith::AndIOp::create(rewriter, loc, isThere, isInside)
                          .getResult()
                    : isInside;
    } else {
      count = countFrom(indices[last], end, whole);
    }
  }
  if (!isThere)
    return count;
  if (!count)
    count = getIndex(read.getVectorType().getNumElements());
  return arith::SelectOp::create(rewriter, loc, isThere, count, getIndex(0));
}

Value Pipeliner::countPart(const Copy &copy, Value count, int64_t first) {
  vector::TransferReadOp read = copy.read;
  if (!count || copy.width == read.getVectorType().getNumElements())
    return count;
  return countFrom(getIndex(first), count, copy.width);
}

SmallVector<Value> Pipeliner::move(ValueRange indices, int64_t elements) {
  SmallVector<Value> moved(indices);
  if (elements != 0)
    moved.back() =
        arith::AddIOp::create(rewriter, loc, moved.back(), getIndex(elements));
  return moved;
}

void Pipeliner::copyStep(Value step, Value slot) {
  OpBuilder::InsertionGuard guard(rewriter);
  std::optional<int64_t> at = getConstantIntValue(step),
                         end = getConstantIntValue(loop.getUpperBound());
  bool isThere = at && end && *at < *end;
  Operation *group = NVVM::CpAsyncCommitGroupOp::create(rewriter, loc);
  rewriter.setInsertionPoint(group);
  if (at && end && !isThere)
    return;
  if (!isThere) {
    Value is = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     step, loop.getUpperBound());
    rewriter.setInsertionPoint(
        scf::IfOp::create(rewriter, loc, is).thenYield());
  }
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), step);
  for (Operation *op : stages.addresses)
    rewriter.clone(*op, mapping);
  auto look = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  for (const Copy &copy : stages.copies) {
    OpBuilder::InsertionGuard guard(rewriter);
    vector::TransferReadOp read = copy.read;
    vector::TransferWriteOp write = copy.write;
    if (copy.guard)
      rewriter.setInsertionPoint(
          scf::IfOp::create(rewriter, loc, mapping.lookupOrDefault(copy.guard))
              .thenYield());
    SmallVector<Value> to = look(write.getIndices());
    to.insert(to.begin(), slot);
    VectorType type = read.getVectorType();
    bool isWide = copy.width * type.getElementTypeBitWidth() == 128;
    Value memory = mapping.lookupOrDefault(Value(read.getBase()));
    SmallVector<Value> from = look(read.getIndices());
    Value count = countElements(
        copy, memory, from,
        copy.isThere ? mapping.lookupOrDefault(copy.isThere) : Value());
    for (int64_t first = 0; first < type.getNumElements();
         first += copy.width) {
      SmallVector<Value> toPart = move(to, first), fromPart = move(from, first);
      Value countOfPart = countPart(copy, count, first);
      nvgpu::DeviceAsyncCopyOp::create(
          rewriter, read.getLoc(),
          nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()),
          slots.lookup(write.getBase()), toPart, memory, fromPart,
          rewriter.getIndexAttr(copy.width), countOfPart,
          isWide ? rewriter.getUnitAttr() : UnitAttr());
    }
  }
}

void Pipeliner::readFrom(Operation *reader, Value slot) {
  auto prepend = [&](ValueRange indices) {
    SmallVector<Value> all{slot};
    llvm::append_range(all, indices);
    return all;
  };
  rewriter.modifyOpInPlace(reader, [&] {
    if (auto read = dyn_cast<vector::TransferReadOp>(reader)) {
      read.setPermutationMapAttr(
          AffineMapAttr::get(read.getPermutationMap().shiftDims(1)));
      read.getIndicesMutable().assign(prepend(read.getIndices()));
      read.getBaseMutable().assign(slots.lookup(read.getBase()));
    } else if (auto load = dyn_cast<vector::LoadOp>(reader)) {
      load.getIndicesMutable().assign(prepend(load.getIndices()));
      load.getBaseMutable().assign(slots.lookup(load.getBase()));
    } else if (auto load = dyn_cast<memref::LoadOp>(reader)) {
      load.getIndicesMutable().assign(prepend(load.getIndices()));
      load.getMemrefMutable().assign(slots.lookup(load.getMemRef()));
    } else {
      auto matrices = cast<nvgpu::LdMatrixOp>(reader);
      matrices.getIndicesMutable().assign(prepend(matrices.getIndices()));
      matrices.getSrcMemrefMutable().assign(
          slots.lookup(matrices.getSrcMemref()));
    }
  });
}

scf::ForOp Pipeliner::run() {
  allocate();
  rewriter.setInsertionPoint(loop);
  if (stages.meetsInFront)
    gpu::BarrierOp::create(rewriter, loc);
  for (int64_t i = 0; i != depth - 1; ++i)
    copyStep(getStep(loop.getLowerBound(), i), getIndex(i));

  // Carry the slot that is read and the slot that is filled. The next step
  // fills the slot that this step reads. A 32-bit counter takes half the
  // instructions of an index.
  Type counter = rewriter.getI32Type();
  auto getCount = [&](OpBuilder &builder, int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, counter, value);
  };
  SmallVector<Value> first{getCount(rewriter, 0),
                           getCount(rewriter, depth - 1)};
  auto built = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> own) {
        Value one = getCount(builder, 1), zero = getCount(builder, 0),
              end = getCount(builder, depth);
        Value next = arith::AddIOp::create(builder, loc, own[0], one);
        Value isEnd = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, next, end);
        return SmallVector<Value>{
            arith::SelectOp::create(builder, loc, isEnd, zero, next), own[0]};
      }));
  loop = built;
  rewriter.setInsertionPointToStart(built.getBody());
  auto getSlot = [&](Value count) -> Value {
    return arith::IndexCastUIOp::create(rewriter, loc, rewriter.getIndexType(),
                                        count);
  };
  Value readSlot = getSlot(built.getRegionIterArgs().drop_back().back()),
        filledSlot = getSlot(built.getRegionIterArgs().back());
  NVVM::CpAsyncWaitGroupOp::create(rewriter, loc, depth - 2);
  gpu::BarrierOp::create(rewriter, loc);
  copyStep(getStep(built.getInductionVar(), depth - 1), filledSlot);
  for (Operation *reader : stages.readers)
    readFrom(reader, readSlot);
  for (Operation *barrier : stages.barriers)
    rewriter.eraseOp(barrier);
  SmallVector<Operation *> guards;
  for (const Copy &copy : stages.copies) {
    vector::TransferWriteOp write = copy.write;
    if (copy.guard)
      guards.push_back(write->getParentOp());
    rewriter.eraseOp(write);
    rewriter.eraseOp(copy.source);
  }
  // Conditions are among the addresses, too. They die with their guards.
  SmallVector<Operation *> dead(guards);
  for (Operation *op : llvm::reverse(stages.addresses)) {
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
    else
      dead.push_back(op);
  }
  for (Operation *guard : guards)
    rewriter.eraseOp(guard);
  for (Operation *op : ArrayRef(dead).drop_front(guards.size()))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  for (Operation *buffer : stages.buffers)
    rewriter.eraseOp(buffer);
  if (stages.meetsBehind) {
    rewriter.setInsertionPointAfter(built);
    gpu::BarrierOp::create(rewriter, loc);
  }
  return built;
}

scf::ForOp formwork::transforms::pipeline::pipelineCopies(
    RewriterBase &rewriter, scf::ForOp loop, const Stages &stages,
    int64_t depth) {
  return Pipeliner(rewriter, loop, stages, depth).run();
}
