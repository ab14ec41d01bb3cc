//===- Distribute.cpp - Shares the vectors of a block ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Distribute.h"

#include "transforms/distribute/Distributor.h"
#include "transforms/distribute/Inputs.h"
#include "transforms/distribute/StagedReads.h"
#include "transforms/distribute/Temporaries.h"
#include "transforms/distribute/TensorCores.h"
#include "transforms/stage/Swizzle.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace formwork::transforms;
using namespace formwork::transforms::distribute;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void formwork::transforms::distribute::forEachIndex(
    ArrayRef<int64_t> shape, function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  for (;;) {
    visit(index);
    size_t dim = shape.size();
    while (dim != 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

int64_t formwork::transforms::distribute::linearize(ArrayRef<int64_t> index,
                                                    ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    place = place * size + i;
  return place;
}

Pieces Distributor::makePieces(const AxisList &own) const {
  Pieces result;
  for (std::optional<AxisId> axis : own)
    result.shape.push_back(getLocalSize(axis));
  result.width = getWidth(own);
  if (!own.empty())
    result.shape.back() /= result.width;
  return result;
}

VectorType Distributor::getPieceType(Value vector, const Pieces &pieces) const {
  return VectorType::get({pieces.width},
                         cast<VectorType>(vector.getType()).getElementType());
}

const Pieces &Distributor::lookup(Value vector) {
  return pieces.find(vector)->second;
}

void Distributor::set(Value vector, Pieces value) {
  pieces[vector] = std::move(value);
}

Value Distributor::getElement(Location loc, const Pieces &pieces,
                              ArrayRef<int64_t> index) {
  SmallVector<int64_t> place(index);
  int64_t inner = 0;
  if (!place.empty()) {
    inner = place.back() % pieces.width;
    place.back() /= pieces.width;
  }
  return vector::ExtractOp::create(
      rewriter, loc, pieces.values[linearize(place, pieces.shape)], inner);
}

Pieces Distributor::gather(Location loc, Type elementType, const AxisList &own,
                           function_ref<Value(ArrayRef<int64_t>)> get) {
  Pieces result = makePieces(own);
  VectorType type = VectorType::get({result.width}, elementType);
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    SmallVector<int64_t> index(piece);
    SmallVector<Value> elements;
    for (int64_t i = 0; i != result.width; ++i) {
      if (!index.empty())
        index.back() = piece.back() * result.width + i;
      elements.push_back(get(index));
    }
    result.values.push_back(
        vector::FromElementsOp::create(rewriter, loc, type, elements));
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Operations that keep elements where they are
//===----------------------------------------------------------------------===//

/// Dimension `i` of `to` is `dims[i]` of `from`, or a broadcast.
void Distributor::relayout(Value from, Value to,
                           ArrayRef<std::optional<unsigned>> dims) {
  Location loc = to.getLoc();
  AxisList ofFrom = getAxes(from), ofTo = getAxes(to);
  const Pieces &source = lookup(from);
  Pieces result = makePieces(ofTo);
  unsigned rank = ofFrom.size();
  auto getSourceIndex = [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> place(rank, 0);
    for (auto [dim, sourceDim] : llvm::enumerate(dims))
      if (sourceDim && ofFrom[*sourceDim])
        place[*sourceDim] = index[dim];
    return place;
  };
  // If the last dimension is the same, so are the pieces.
  bool samePieces = !dims.empty() && dims.back() && *dims.back() + 1 == rank &&
                    ofFrom.back() == ofTo.back();
  bool splat = dims.empty() || !dims.back() || !ofFrom[*dims.back()];
  if (!samePieces && !splat) {
    Type elementType = cast<VectorType>(to.getType()).getElementType();
    Pieces gathered =
        gather(loc, elementType, ofTo, [&](ArrayRef<int64_t> index) {
          return getElement(loc, source, getSourceIndex(index));
        });
    set(to, std::move(gathered));
    return;
  }
  VectorType type = getPieceType(to, result);
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    SmallVector<int64_t> place = getSourceIndex(piece);
    if (samePieces) {
      result.values.push_back(source.values[linearize(place, source.shape)]);
      return;
    }
    Value element = getElement(loc, source, place);
    result.values.push_back(
        vector::BroadcastOp::create(rewriter, loc, type, element));
  });
  set(to, std::move(result));
}

/// The divisor of `op`, if a division by zero is undefined behaviour. MLIR says
/// of remainders that they are total; in LLVM they are not.
static OpOperand *findTrappingDivisor(Operation *op) {
  bool traps = isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
                   arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
               !isSpeculatable(op);
  SplatElementsAttr divisor;
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    traps = !matchPattern(op->getOperand(1), m_Constant(&divisor));
  return traps ? &op->getOpOperand(1) : nullptr;
}

Value Distributor::fillBehindEnd(Location loc, Value value, const AxisList &own,
                                 ArrayRef<int64_t> piece, Value filling) {
  auto type = cast<VectorType>(value.getType());
  int64_t width = type.getDimSize(0);
  SmallVector<Value> conditions;
  for (int64_t element = 0; element != width; ++element)
    conditions.push_back(isOnAxes(loc, own, piece, width, element));
  if (llvm::none_of(conditions, [](Value isThere) { return bool(isThere); }))
    return value;
  for (Value &isThere : conditions)
    if (!isThere)
      isThere = arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1);
  Value condition = conditions.front();
  if (width != 1)
    condition = vector::FromElementsOp::create(
        rewriter, loc, VectorType::get({width}, rewriter.getI1Type()),
        conditions);
  return arith::SelectOp::create(rewriter, loc, condition, value, filling);
}

void Distributor::visitElementwise(Operation *op) {
  AxisList own = getAxes(op->getResult(0));
  Pieces result = makePieces(own);
  VectorType type = getPieceType(op->getResult(0), result);
  OpOperand *divisor = findTrappingDivisor(op);
  Value one;
  if (divisor)
    one = arith::ConstantOp::create(rewriter, op->getLoc(),
                                    rewriter.getOneAttr(type));
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    OperationState state(op->getLoc(), op->getName());
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isVector(value))
        value = lookup(value).values[result.values.size()];
      // Threads without an element execute the division, too.
      if (&operand == divisor)
        value = fillBehindEnd(op->getLoc(), value, own, piece, one);
      state.operands.push_back(value);
    }
    state.addTypes(type);
    state.addAttributes(op->getAttrs());
    result.values.push_back(rewriter.create(state)->getResult(0));
  });
  set(op->getResult(0), std::move(result));
}

void Distributor::visitConstant(Operation *op) {
  Value constant = op->getResult(0);
  Pieces result = makePieces(getAxes(constant));
  VectorType type = getPieceType(constant, result);
  DenseElementsAttr elements;
  Value piece;
  if (matchPattern(op, m_Constant(&elements)))
    piece = arith::ConstantOp::create(
        rewriter, op->getLoc(),
        DenseElementsAttr::get(type, elements.getSplatValue<Attribute>()));
  else
    piece = ub::PoisonOp::create(rewriter, op->getLoc(), type);
  result.values.assign(result.getCount(), piece);
  set(constant, std::move(result));
}

/// Each thread computes its counts from the indices of its elements.
void Distributor::visitCount(Operation *op, const Count &count) {
  Location loc = op->getLoc();
  Value vector = op->getResult(0);
  AxisList own = getAxes(vector);
  Pieces result = makePieces(own);
  VectorType type = getPieceType(vector, result);
  Type elementType = type.getElementType();
  auto make = [&](int64_t value) {
    return rewriter.getIntegerAttr(elementType, value);
  };
  SmallVector<Attribute> steps;
  for (int64_t i = 0; i != result.width; ++i)
    steps.push_back(make(count.first + i * count.step));
  Value inPiece = arith::ConstantOp::create(
      rewriter, loc, DenseElementsAttr::get(type, steps));
  forEachIndex(result.shape, [&](ArrayRef<int64_t> piece) {
    Value offset = getValueOrCreateConstantIndexOp(
        rewriter, loc, getOffset(loc, own.back(), piece.back() * result.width));
    if (!elementType.isIndex())
      offset = arith::IndexCastOp::create(rewriter, loc, elementType, offset);
    if (count.step != 1)
      offset = arith::MulIOp::create(
          rewriter, loc, offset,
          arith::ConstantOp::create(rewriter, loc, make(count.step)));
    Value start = vector::BroadcastOp::create(rewriter, loc, type, offset);
    result.values.push_back(
        arith::AddIOp::create(rewriter, loc, start, inPiece));
  });
  set(vector, std::move(result));
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

void Distributor::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    rewriter.setInsertionPoint(&op);
    visit(&op);
  }
}

void Distributor::visit(Operation *op) {
  if (isa<gpu::BarrierOp>(op))
    return barriers.meet();
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return visitLoad(load);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return visitStore(store);
  if (isCopyToItself(op) || isUnusedPart(op))
    return dead.push_back(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (llvm::any_of(loop.getInitArgs(), isVector))
      dead.push_back(op);
    return visitLoop(loop);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (llvm::any_of(branch.getResults(), isVector))
      dead.push_back(op);
    return visitBranch(branch);
  }
  if (!llvm::any_of(op->getOperands(), isVector) &&
      !llvm::any_of(op->getResults(), isVector))
    return;

  if (!isa<vector::MaskOp>(op->getParentOp()))
    dead.push_back(op);
  if (auto mask = dyn_cast<vector::MaskOp>(op)) {
    Operation *masked = mask.getMaskableOp();
    visit(masked);
    Operation *yield = mask.getMaskBlock()->getTerminator();
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), yield->getOperands())) {
      if (isVector(result))
        set(result, Pieces(lookup(value)));
      else
        rewriter.replaceAllUsesWith(result, value);
    }
    return;
  }
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    if (!isFragmentSource(read))
      visitRead(read);
    return;
  }
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return visitWrite(write);
  if (auto gather = dyn_cast<vector::GatherOp>(op))
    return visitGather(gather);
  if (auto reduce = dyn_cast<vector::MultiDimReductionOp>(op))
    return visitReduction(reduce);
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return getDecision(contract) ? visitTensorCores(contract)
                                 : visitContraction(contract);
  if (isa<vector::CreateMaskOp, vector::ConstantMaskOp>(op))
    return visitMask(op);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    if (!isVector(broadcast.getSource())) {
      Pieces result = makePieces(getAxes(broadcast));
      Value piece = vector::BroadcastOp::create(rewriter, op->getLoc(),
                                                getPieceType(broadcast, result),
                                                broadcast.getSource());
      forEachIndex(result.shape,
                   [&](ArrayRef<int64_t>) { result.values.push_back(piece); });
      return set(broadcast, std::move(result));
    }
    unsigned rank = broadcast.getResultVectorType().getRank();
    unsigned added = rank - getVectorShape(broadcast.getSource())->size();
    SmallVector<std::optional<unsigned>> dims(rank);
    for (unsigned dim = added; dim != rank; ++dim)
      dims[dim] = dim - added;
    return relayout(broadcast.getSource(), broadcast, dims);
  }
  if (auto transpose = dyn_cast<vector::TransposeOp>(op))
    return relayout(transpose.getVector(), transpose,
                    llvm::to_vector_of<std::optional<unsigned>>(
                        transpose.getPermutation()));
  if (auto shapeCast = dyn_cast<vector::ShapeCastOp>(op))
    return relayout(shapeCast.getSource(), shapeCast,
                    *matchUnitCast(shapeCast.getResultVectorType(),
                                   shapeCast.getSourceVectorType()));
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    unsigned taken = extract.getNumIndices();
    if (!isVector(extract.getResult())) {
      SmallVector<int64_t> first(taken, 0);
      Value element =
          getElement(op->getLoc(), lookup(extract.getSource()), first);
      return rewriter.replaceAllUsesWith(extract.getResult(), element);
    }
    SmallVector<std::optional<unsigned>> dims;
    for (unsigned dim = taken;
         dim != getVectorShape(extract.getSource())->size(); ++dim)
      dims.push_back(dim);
    return relayout(extract.getSource(), extract.getResult(), dims);
  }
  if (std::optional<Count> count = matchCount(op))
    return visitCount(op, *count);
  DenseElementsAttr constant;
  if (isa<ub::PoisonOp>(op) || matchPattern(op, m_Constant(&constant)))
    return visitConstant(op);
  visitElementwise(op);
}

/// How many neighbouring rows of a swizzled buffer a thread reads. All accesses
/// of the buffer have to agree on this number.
void Distributor::countRowsOfThread() {
  for (auto buffer : launch.getBody().getOps<memref::AllocOp>()) {
    if (!stage::isSwizzled(buffer))
      continue;
    int64_t &rows = rowsOfThread[buffer] = 1;
    unsigned rowDim = buffer.getType().getRank() - 2;
    bool isOfFragments = false;
    for (Operation *user : buffer->getUsers()) {
      auto read = dyn_cast<vector::TransferReadOp>(user);
      if (!read)
        continue;
      isOfFragments |= isFragmentSource(read);
      AxisList own = getAxes(read.getResult());
      for (auto [dim, result] :
           llvm::enumerate(read.getPermutationMap().getResults())) {
        auto position = dyn_cast<AffineDimExpr>(result);
        if (position && position.getPosition() == rowDim && own[dim])
          rows = std::max(rows, layout[*own[dim]].width);
      }
    }
    // Fragments have rows of their own.
    if (isOfFragments)
      rows = 1;
  }
}

void Distributor::run() {
  countRowsOfThread();
  Block &body = launch.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  thread =
      gpu::ThreadIdOp::create(rewriter, launch.getLoc(), gpu::Dimension::x,
                              rewriter.getIndexAttr(layout.getNumThreads()));
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (&op != thread.getDefiningOp()) {
      rewriter.setInsertionPoint(&op);
      visit(&op);
    }
  for (Operation *op : llvm::reverse(dead))
    rewriter.eraseOp(op);
  if (shiftedReads)
    shiftedReads->expand(rewriter, launch);
  delayStagedReads(rewriter, launch);
  // All accesses now use the swizzled places.
  for (auto buffer : body.getOps<memref::AllocOp>())
    if (stage::isSwizzled(buffer))
      rewriter.modifyOpInPlace(buffer, [&] { stage::clearSwizzled(buffer); });
  rewriter.setInsertionPoint(launch);
  launch.getBlockSizeXMutable().assign(arith::ConstantIndexOp::create(
      rewriter, launch.getLoc(), layout.getNumThreads()));
}

/// Finds an access to a swizzled buffer other than in parts of its units.
static std::optional<Refusal>
checkSwizzled(gpu::LaunchOp launch, const Axes &axes, const Layout &layout) {
  std::optional<Refusal> refusal;
  launch.getBody().walk([&](memref::AllocOp buffer) {
    if (!stage::isSwizzled(buffer))
      return WalkResult::advance();
    if (buffer->getParentRegion() != &launch.getBody())
      refusal =
          refuse(buffer, "requires swizzled buffers at the top of the kernel "
                         "but has one elsewhere");
    for (Operation *user : buffer->getUsers()) {
      auto transfer = dyn_cast<VectorTransferOpInterface>(user);
      auto read = dyn_cast<vector::TransferReadOp>(user);
      if (refusal || (read && isFragmentSource(read)))
        continue;
      if (!transfer) {
        refusal =
            refuse(user, "requires swizzled buffers to be read and written "
                         "as vectors but has '" +
                             user->getName().getStringRef() + "'");
        continue;
      }
      AxisList own = axes.get(transfer.getVector());
      int64_t width =
          own.empty() || !own.back() ? 1 : layout[*own.back()].width;
      AffineMap map = transfer.getPermutationMap();
      bool isAlongRows =
          map.getNumResults() != 0 &&
          map.getResults().back() ==
              getAffineDimExpr(map.getNumDims() - 1, map.getContext());
      std::optional<int64_t> first =
          getConstantIntValue(transfer.getIndices().back());
      int64_t unit = 128 / buffer.getType().getElementTypeBitWidth();
      if (width != 1 &&
          (!isAlongRows || unit % width != 0 || !first || *first % width != 0))
        refusal =
            refuse(user, "requires accesses of neighbours of a row, of at "
                         "most 16 bytes, to a swizzled buffer but has "
                         "others");
    }
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

std::optional<Refusal> formwork::transforms::distribute::distributeVectors(
    RewriterBase &rewriter, gpu::LaunchOp launch, const Decision &decision) {
  for (Value size :
       {launch.getBlockSizeX(), launch.getBlockSizeY(), launch.getBlockSizeZ()})
    if (getConstantIntValue(size) != 1)
      return Refusal{launch.getLoc(), "fw-threads-taken",
                     "requires a kernel with blocks of one thread but has one "
                     "with threads already"};
  Inputs inputs(rewriter, launch);
  Axes axes;
  Layout layout;
  std::optional<Refusal> refusal = inputs.take();
  if (!refusal) {
    refusal = axes.infer(launch);
    if (refusal && inputs.separateReads()) {
      axes = Axes();
      refusal = axes.infer(launch);
    }
  }
  if (!refusal && axes.size() == 0)
    refusal =
        refuse(launch, "requires vectors of which threads can take parts but "
                       "has none of more than one element");
  if (!refusal)
    refusal = layout.choose(launch, axes, decision);
  if (!refusal)
    refusal = checkSwizzled(launch, axes, layout);
  if (refusal) {
    inputs.giveBack();
    return refusal;
  }
  inputs.eraseUnused();
  forwardTemporaries(rewriter, launch);
  Distributor(rewriter, launch, axes, layout).run();
  return std::nullopt;
}
