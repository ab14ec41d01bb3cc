//===- KeepVectors.cpp - Tiles that stay vectors --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/KeepVectors.h"

#include "transforms/tiles/IndexByLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace formwork::transforms::tiles;

/// Where a vector of `type` fills `tensor`.
static SmallVector<bool> getInBounds(Value tensor, VectorType type) {
  return llvm::map_to_vector(
      llvm::zip_equal(cast<ShapedType>(tensor.getType()).getShape(),
                      type.getShape()),
      [](auto sizes) { return std::get<0>(sizes) == std::get<1>(sizes); });
}

vector::TransferReadOp
formwork::transforms::tiles::createRead(OpBuilder &builder, Location loc,
                                        VectorType type, Value tensor,
                                        Value zero, Value padding) {
  unsigned rank = type.getRank();
  return vector::TransferReadOp::create(
      builder, loc, type, tensor, SmallVector<Value>(rank, zero),
      AffineMapAttr::get(builder.getMultiDimIdentityMap(rank)), padding,
      /*mask=*/Value(), builder.getBoolArrayAttr(getInBounds(tensor, type)));
}

vector::TransferWriteOp formwork::transforms::tiles::createWrite(
    OpBuilder &builder, Location loc, Value vector, Value tensor, Value zero) {
  auto type = cast<VectorType>(vector.getType());
  unsigned rank = type.getRank();
  return vector::TransferWriteOp::create(
      builder, loc, vector, tensor, SmallVector<Value>(rank, zero),
      AffineMapAttr::get(builder.getMultiDimIdentityMap(rank)),
      builder.getBoolArrayAttr(getInBounds(tensor, type)));
}

/// Whether a slice of `whole` with the offsets, sizes and strides of `op`
/// covers all of it.
template <typename OpT> static bool isWhole(OpT op, Value whole) {
  if (!llvm::all_of(op.getMixedOffsets(), isZeroInteger) ||
      !llvm::all_of(op.getMixedStrides(), isOneInteger))
    return false;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    OpFoldResult known = getKnownSize(whole, dim);
    if (known && isEqualConstantIntOrValue(size, known))
      continue;
    using Variable = ValueBoundsConstraintSet::Variable;
    FailureOr<bool> isEqual = ValueBoundsConstraintSet::areEqual(
        Variable(size), Variable(whole, static_cast<int64_t>(dim)));
    if (failed(isEqual) || !*isEqual)
      return false;
  }
  return true;
}

/// The value whose elements `tensor` has. Skips slices of a whole tensor, and
/// loops that do not change the tensor.
static Value findSource(Value tensor) {
  for (;;) {
    Value source;
    if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
      if (isWhole(slice, slice.getSource()))
        source = slice.getSource();
    } else if (auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>()) {
      if (isWhole(insert, insert.getDest()))
        source = insert.getSource();
    } else if (auto loop = tensor.getDefiningOp<scf::ForOp>()) {
      unsigned number = cast<OpResult>(tensor).getResultNumber();
      if (loop.getYieldedValues()[number] == loop.getRegionIterArg(number))
        source = loop.getInitArgs()[number];
    }
    if (!source || source.getType() != tensor.getType())
      return tensor;
    tensor = source;
  }
}

bool formwork::transforms::tiles::isFromStart(
    VectorTransferOpInterface transfer, VectorType type) {
  return transfer.getVectorType() == type && !transfer.getMask() &&
         transfer.getPermutationMap().isIdentity() &&
         llvm::all_of(transfer.getIndices(), [](Value index) {
           return isZeroInteger(OpFoldResult(index));
         });
}

vector::TransferWriteOp
formwork::transforms::tiles::findWrite(Value tensor, VectorType type) {
  auto write = findSource(tensor).getDefiningOp<vector::TransferWriteOp>();
  return write && isFromStart(write, type) ? write : nullptr;
}

/// The size of a dimension that a reshape makes of a group of dimensions.
/// `group` are the dimensions of the tensor that the reshape merges. `sizes`
/// are the sizes of a vector along them. A vector that does not fill the tensor
/// keeps its elements in place only if all dimensions except one have a single
/// element.
static std::optional<int64_t> collapseGroup(ArrayRef<int64_t> group,
                                            ArrayRef<int64_t> sizes) {
  int64_t product = 1, numLong = 0;
  bool isFull = true, isShort = true;
  for (auto [dim, size] : llvm::zip_equal(group, sizes)) {
    product *= size;
    isFull &= dim == size;
    numLong += dim != 1;
    isShort &= dim != 1 || size == 1;
  }
  bool keepsPlaces = numLong == 0 || (numLong == 1 && isShort) || isFull;
  return keepsPlaces ? std::optional(product) : std::nullopt;
}

/// The reverse of collapseGroup: appends the sizes along `group` of a vector
/// that has `size` elements along the merged dimension.
static LogicalResult expandGroup(ArrayRef<int64_t> group, int64_t size,
                                 SmallVectorImpl<int64_t> &sizes) {
  int64_t numLong = llvm::count_if(group, [](int64_t dim) { return dim != 1; });
  bool isStatic = !llvm::is_contained(group, ShapedType::kDynamic);
  if (numLong > 1 && (!isStatic || llvm::product_of(group) != size))
    return failure();
  for (int64_t dim : group)
    sizes.push_back(dim == 1 || numLong > 1 ? dim : size);
  // The tensor has only one element along this group.
  if (numLong == 0)
    sizes.back() = size;
  return success();
}

/// The source of the reshape that made `tensor`, and the type that a vector of
/// `type` has there.
static std::pair<Value, VectorType> findReshaped(Value tensor,
                                                 VectorType type) {
  SmallVector<int64_t> sizes;
  if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>()) {
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      std::optional<int64_t> size =
          collapseGroup(shape.slice(group.front(), group.size()),
                        type.getShape().slice(group.front(), group.size()));
      if (!size)
        return {};
      sizes.push_back(*size);
    }
    return {expand.getSrc(), VectorType::get(sizes, type.getElementType())};
  }
  if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>()) {
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    for (auto [dim, group] :
         llvm::enumerate(collapse.getReassociationIndices()))
      if (failed(expandGroup(shape.slice(group.front(), group.size()),
                             type.getDimSize(dim), sizes)))
        return {};
    return {collapse.getSrc(), VectorType::get(sizes, type.getElementType())};
  }
  return {};
}

Value formwork::transforms::tiles::findWritten(OpBuilder &builder, Value tensor,
                                               VectorType type) {
  if (vector::TransferWriteOp write = findWrite(tensor, type))
    return write.getVector();
  Value source = findSource(tensor);
  if (cast<RankedTensorType>(source.getType()).getRank() != type.getRank())
    return {};
  auto [reshaped, before] = findReshaped(source, type);
  Value vector = reshaped ? findWritten(builder, reshaped, before) : Value();
  return vector ? vector::ShapeCastOp::create(builder, vector.getLoc(), type,
                                              vector)
                      .getResult()
                : Value();
}

bool formwork::transforms::tiles::isZeroBehind(Value vector, Value tensor) {
  auto read = vector.getDefiningOp<vector::TransferReadOp>();
  if (!read || !isFromStart(read, cast<VectorType>(vector.getType())) ||
      !(matchPattern(read.getPadding(), m_AnyZeroFloat()) ||
        matchPattern(read.getPadding(), m_Zero())))
    return false;
  auto rank = cast<ShapedType>(tensor.getType()).getRank();
  if (cast<ShapedType>(read.getBase().getType()).getRank() != rank)
    return false;
  return llvm::all_of(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
    OpFoldResult size = getKnownSize(tensor, dim),
                 from = getKnownSize(read.getBase(), dim);
    return size && from && isEqualConstantIntOrValue(size, from);
  });
}

static unsigned countLoops(Operation *op) {
  unsigned count = 0;
  while ((op = op->getParentOfType<scf::ForOp>()))
    ++count;
  return count;
}

/// Removes the values that `loop` carries unchanged, and returns the new loop.
static scf::ForOp dropUnchanged(RewriterBase &rewriter, scf::ForOp loop,
                                NotifyReplaced replaced) {
  SmallVector<Value> inits, yielded;
  for (auto [init, argument, value] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues()))
    if (value != argument) {
      inits.push_back(init);
      yielded.push_back(value);
    }
  if (inits.empty() || inits.size() == loop.getNumResults())
    return loop;
  rewriter.setInsertionPoint(loop);
  auto built = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(), inits);
  built->setDiscardableAttrs(llvm::to_vector(loop->getDiscardableAttrs()));
  SmallVector<Value> arguments{built.getInductionVar()}, results;
  unsigned next = 0;
  for (auto [init, argument, value] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues())) {
    bool isKept = value != argument;
    arguments.push_back(isKept ? Value(built.getRegionIterArg(next)) : init);
    results.push_back(isKept ? Value(built.getResult(next)) : init);
    next += isKept;
  }
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yielded);
  rewriter.mergeBlocks(loop.getBody(), built.getBody(), arguments);
  replaced(loop, built);
  rewriter.replaceOp(loop, results);
  return built;
}

/// Erases `write` and the users of its result, as far as they are dead.
static void eraseDead(RewriterBase &rewriter, vector::TransferWriteOp write) {
  for (Operation *user :
       llvm::make_early_inc_range(write.getResult().getUsers()))
    if (isOpTriviallyDead(user))
      rewriter.eraseOp(user);
  if (isOpTriviallyDead(write))
    rewriter.eraseOp(write);
}

void formwork::transforms::tiles::keepSum(RewriterBase &rewriter,
                                          vector::TransferReadOp before,
                                          vector::TransferWriteOp write,
                                          NotifyReplaced replaced) {
  Operation *sum = write.getVector().getDefiningOp();
  while (auto loop = dyn_cast<scf::ForOp>(write->getParentOp())) {
    rewriter.setInsertionPoint(loop);
    unsigned depth = countLoops(write);
    Operation *hoisted = hoistLoopInvariantSubsets(rewriter, loop);
    if (hoisted != loop)
      replaced(loop, hoisted);
    if (countLoops(write) == depth)
      break;
  }
  VectorType type = before.getVectorType();
  rewriter.setInsertionPoint(before);
  if (Value vector = findWritten(rewriter, before.getBase(), type))
    rewriter.replaceOp(before, vector);
  // An insertion that covers the whole tensor equals the inserted tensor.
  for (Operation *user : llvm::make_early_inc_range(write->getUsers())) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    if (insert && insert.getSource() == write.getResult() &&
        insert.getType() == write.getResult().getType() &&
        isWhole(insert, insert.getDest()))
      rewriter.replaceOp(insert, write.getResult());
  }
  for (auto loop = sum->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loop = dropUnchanged(rewriter, loop, replaced);
  // Nothing reads the elements that an earlier write left: skip that write.
  while (vector::TransferWriteOp earlier = findWrite(write.getBase(), type)) {
    if (earlier.getBase().getType() != write.getBase().getType())
      break;
    rewriter.modifyOpInPlace(
        write, [&] { write.getBaseMutable().assign(earlier.getBase()); });
    eraseDead(rewriter, earlier);
  }
}
