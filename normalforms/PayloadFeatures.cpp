//===- PayloadFeatures.cpp - Unusual features of a payload op ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/PayloadFeatures.h"

#include "engine/AnyBelow.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork::normalforms;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

ArrayRef<PayloadFeature> formwork::normalforms::getPayloadFeatures() {
  static const PayloadFeature features[] = {
      {Feature::ElementComplex, "element:complex",
       "computes on complex numbers"},
      {Feature::ElementFloat, "element:unusual-float",
       "computes on floats other than f16, bf16, f32 and f64"},
      {Feature::ElementMixed, "element:mixed",
       "sums up products of vectors as indices, or as numbers of another kind "
       "or no wider"},
      {Feature::ElementOther, "element:no-number",
       "has a tensor, memref or vector of something that is no number"},
      {Feature::ElementSigned, "element:signed",
       "computes on integers whose type says whether they have a sign"},
      {Feature::ElementVector, "element:vector",
       "has a tensor or memref of vectors"},
      {Feature::ElementWide, "element:wide",
       "computes on integers of more than 64 bits"},
      {Feature::LayoutNotStrided, "layout:not-strided",
       "has a memref whose layout is not strided"},
      {Feature::LayoutOverlapping, "layout:overlapping",
       "has a memref with a stride that is not positive"},
      {Feature::Encoding, "encoding", "has a tensor with an encoding"},
      {Feature::SizeZero, "size:zero",
       "has a shape with a dimension of size 0"},
      {Feature::SizeHuge, "size:huge",
       "has a shape with more than 2147483647 elements"},
      {Feature::SizeMisfit, "size:misfit",
       "is a structured op with static sizes that do not fit each other, or "
       "that runs backwards through an operand, whose parts do not fit"},
      {Feature::IndexOutOfBounds, "index:out-of-bounds",
       "reads or writes at a constant index, or asks for a dimension, that the "
       "shape does not have"},
      {Feature::ViewUnclear, "view:unclear",
       "is a view that drops dimensions of one element, and MLIR mistakes "
       "which ones"},
      {Feature::PadFoldable, "pad:foldable",
       "pads to a size that may be a number, though its type has none"},
      {Feature::PadNegative, "pad:negative", "pads by a negative number"},
      {Feature::RankHigh, "rank:high", "has a shape of more than 6 dimensions"},
      {Feature::RankUnranked, "rank:unranked",
       "has a tensor or memref without a rank"},
      {Feature::VectorScalable, "vector:scalable", "has a scalable vector"},
      {Feature::MemorySpaceOther, "memory-space:other",
       "has a memref in a space that is neither a number nor one of gpu's"},
      {Feature::LoopNotIndex, "loop:not-index",
       "is a loop over another type than index"},
      {Feature::LoopUnsigned, "loop:unsigned",
       "is a loop that compares without a sign"},
      {Feature::LoopsNone, "loops:none",
       "is a structured op that iterates over no dimension"},
      {Feature::OperandsNone, "operands:none",
       "is a structured op without operands"},
      {Feature::InitNone, "init:none",
       "is a structured op without a destination"},
      {Feature::InitTied, "init:tied", "has one value as two destinations"},
      {Feature::DestinationInPlace, "destination:in-place",
       "reads, as an input, a buffer that is also its destination"},
      {Feature::SemanticsMixed, "semantics:mixed",
       "works on tensors and on buffers"},
      {Feature::BodyStructured, "body:structured",
       "is a structured op that holds another, so that a step on both erases "
       "what it makes of that"},
      {Feature::BlocksSeveral, "blocks:several",
       "has a region of several blocks"},
      {Feature::DialectUnknown, "dialect:unknown",
       "is not registered, or has a type that is not"},
  };
  static_assert(std::size(features) == kNumFeatures);
  return features;
}

const PayloadFeature *
formwork::normalforms::lookupPayloadFeature(StringRef name) {
  ArrayRef<PayloadFeature> features = getPayloadFeatures();
  const auto *it = llvm::find_if(features, [&](const PayloadFeature &feature) {
    return feature.name == name;
  });
  return it == features.end() ? nullptr : it;
}

SmallVector<StringRef, 2> FeatureSet::getNames() const {
  SmallVector<StringRef, 2> names;
  for (const PayloadFeature &feature : getPayloadFeatures())
    if (contains(feature.feature))
      names.push_back(feature.name);
  return names;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void addElement(FeatureSet &features, Type type) {
  if (isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (!integer.isSignless())
      features.insert(Feature::ElementSigned);
    if (integer.getWidth() > 64)
      features.insert(Feature::ElementWide);
  } else if (isa<FloatType>(type)) {
    features.insert(Feature::ElementFloat);
  } else if (isa<ComplexType>(type)) {
    features.insert(Feature::ElementComplex);
  } else if (isa<VectorType>(type)) {
    addElement(features, cast<VectorType>(type).getElementType());
  } else {
    features.insert(Feature::ElementOther);
  }
}

static void addLayout(FeatureSet &features, MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    features.insert(Feature::LayoutNotStrided);
  // The stride of a dimension of size 1 is never used.
  for (auto [stride, size] : llvm::zip(strides, type.getShape()))
    if (!ShapedType::isDynamic(stride) && stride <= 0 && size != 1)
      features.insert(Feature::LayoutOverlapping);
}

static void addMemorySpace(FeatureSet &features, Attribute space) {
  if (space && !isa<IntegerAttr, gpu::AddressSpaceAttr>(space))
    features.insert(Feature::MemorySpaceOther);
}

/// Whether `shape` has more elements than 32 bits can count. A dynamic
/// dimension counts as 1.
static bool isHuge(ArrayRef<int64_t> shape) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  int64_t elements = 1;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size) || size == 0)
      continue;
    if (size > most / elements)
      return true;
    elements *= size;
  }
  return false;
}

static void addShape(FeatureSet &features, ShapedType type) {
  if (!type.hasRank())
    return features.insert(Feature::RankUnranked);
  if (type.getRank() > 6)
    features.insert(Feature::RankHigh);
  if (llvm::is_contained(type.getShape(), 0))
    features.insert(Feature::SizeZero);
  if (isHuge(type.getShape()))
    features.insert(Feature::SizeHuge);
}

static void addType(FeatureSet &features, Type type) {
  if (isa<OpaqueType>(type))
    return features.insert(Feature::DialectUnknown);
  if (auto function = dyn_cast<FunctionType>(type)) {
    for (Type part :
         llvm::concat<const Type>(function.getInputs(), function.getResults()))
      addType(features, part);
    return;
  }
  auto shaped = dyn_cast<ShapedType>(type);
  // Tokens, pointers and similar types are left to their own dialects.
  if (!shaped) {
    if (isa<IntegerType, FloatType, ComplexType>(type))
      addElement(features, type);
    return;
  }
  addElement(features, shaped.getElementType());
  if (isa<VectorType>(shaped.getElementType()))
    features.insert(Feature::ElementVector);
  addShape(features, shaped);
  if (auto tensor = dyn_cast<RankedTensorType>(type);
      tensor && tensor.getEncoding())
    features.insert(Feature::Encoding);
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    features.insert(Feature::VectorScalable);
  if (auto memref = dyn_cast<MemRefType>(type))
    addLayout(features, memref);
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    addMemorySpace(features, memref.getMemorySpace());
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static void addDestinations(FeatureSet &features,
                            DestinationStyleOpInterface op) {
  llvm::SmallDenseSet<Value, 4> inits;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!inits.insert(init.get()).second)
      features.insert(Feature::InitTied);
  for (OpOperand *input : op.getDpsInputOperands())
    // A tensor that is both input and init is still two values.
    if (isa<BaseMemRefType>(input->get().getType()) &&
        inits.contains(input->get()))
      features.insert(Feature::DestinationInPlace);
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) &&
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
    features.insert(Feature::SemanticsMixed);
}

/// Whether an index of an operand of `op` falls where a loop goes on. Upstream
/// computes the slices of a tile as if indices only grew. Example: `-i + 7`.
static bool runsBackwards(linalg::LinalgOp op) {
  auto isFalling = [](AffineExpr part) {
    auto product = dyn_cast<AffineBinaryOpExpr>(part);
    auto factor = product && product.getKind() == AffineExprKind::Mul
                      ? dyn_cast<AffineConstantExpr>(product.getRHS())
                      : AffineConstantExpr();
    return factor && factor.getValue() < 0;
  };
  return llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr index) {
      return index
          .walk([&](AffineExpr part) {
            return isFalling(part) ? WalkResult::interrupt()
                                   : WalkResult::advance();
          })
          .wasInterrupted();
    });
  });
}

/// The shape that the type of `value` has when constants and casts are folded.
static SmallVector<int64_t> getFoldedShape(Value value) {
  SmallVector<int64_t> shape(cast<ShapedType>(value.getType()).getShape());
  auto refine = [&](auto &&sizes) {
    for (auto [size, known] : llvm::zip(shape, sizes))
      if (ShapedType::isDynamic(size))
        size = known;
  };
  while (auto cast = value.getDefiningOp<tensor::CastOp>()) {
    value = cast.getSource();
    if (auto source = dyn_cast<RankedTensorType>(value.getType()))
      refine(source.getShape());
  }
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
    refine(llvm::map_range(empty.getMixedSizes(), [](OpFoldResult size) {
      return getConstantIntValue(size).value_or(ShapedType::kDynamic);
    }));
  return shape;
}

/// Whether static sizes of `op` contradict each other, or do when casts are
/// folded. MLIR's verifier checks this only where all sizes are static.
static bool hasMisfit(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!llvm::is_contained(ranges, ShapedType::kDynamic) &&
      !op.hasDynamicShape())
    return false;
  SmallVector<SmallVector<int64_t>> shapes;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isShaped = isa<ShapedType>(operand.get().getType());
    shapes.push_back(isShaped ? getFoldedShape(operand.get())
                              : SmallVector<int64_t>());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [size, index] : llvm::zip(shapes.back(), map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(index);
          dim && ShapedType::isDynamic(ranges[dim.getPosition()]))
        ranges[dim.getPosition()] = size;
  }
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> last;
  for (auto [dim, range] : llvm::enumerate(ranges))
    last.push_back(ShapedType::isDynamic(range)
                       ? getAffineDimExpr(dim, context)
                       : getAffineConstantExpr(range - 1, context));
  for (auto [operand, shape] : llvm::zip_equal(op->getOpOperands(), shapes)) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [size, index] : llvm::zip_equal(shape, map.getResults())) {
      auto most = dyn_cast<AffineConstantExpr>(index.replaceDims(last));
      if (!most || ShapedType::isDynamic(size) || size == 0)
        continue;
      if (most.getValue() >= size ||
          (isa<AffineDimExpr>(index) && most.getValue() + 1 != size))
        return true;
    }
  }
  return false;
}

/// Whether `op` accumulates products in a type to which upstream cannot extend
/// them, which is another class of type or one that is not wider, or in
/// `index`, of which upstream makes products of floats.
static bool mixesElements(Operation *op) {
  if (!isa<vector::ContractionOp, vector::OuterProductOp>(op))
    return false;
  Type sum = getElementTypeOrSelf(op->getResult(0).getType());
  if (sum.isIndex())
    return true;
  return llvm::any_of(op->getOperandTypes(), [&](Type operand) {
    Type type = getElementTypeOrSelf(operand);
    if (type == sum)
      return false;
    bool isOneClass = (isa<FloatType>(type) && isa<FloatType>(sum)) ||
                      (isa<IntegerType>(type) && isa<IntegerType>(sum));
    return !isOneClass ||
           type.getIntOrFloatBitWidth() >= sum.getIntOrFloatBitWidth();
  });
}

/// The number that folding makes of `index`: none, a number, or -1 for poison.
static std::optional<int64_t> getFolded(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return constant;
  Attribute other;
  bool isConstant =
      isa<Value>(index) && matchPattern(cast<Value>(index), m_Constant(&other));
  return isConstant ? std::optional<int64_t>(-1) : std::nullopt;
}

/// Whether one of `indices` is a constant that is no place in `shape`.
static bool isOutside(ValueRange indices, ArrayRef<int64_t> shape) {
  return llvm::any_of(llvm::zip(indices, shape), [](auto pair) {
    auto [index, size] = pair;
    std::optional<int64_t> constant = getFolded(OpFoldResult(index));
    return constant && (*constant < 0 ||
                        (!ShapedType::isDynamic(size) && *constant >= size));
  });
}

/// Whether `slice`, when constants are folded, starts or ends outside of
/// `shape`. Upstream's verifier looks at numbers alone, so that folding can
/// leave a slice that is not valid.
static bool isOutside(OffsetSizeAndStrideOpInterface slice,
                      ArrayRef<int64_t> shape) {
  for (auto [from, length, step, size] :
       llvm::zip(slice.getMixedOffsets(), slice.getMixedSizes(),
                 slice.getMixedStrides(), shape)) {
    std::optional<int64_t> offset = getFolded(from), count = getFolded(length),
                           stride = getFolded(step);
    if ((offset && *offset < 0) || (count && *count < 0))
      return true;
    if (offset && count && stride && *count > 0 &&
        !ShapedType::isDynamic(size) && *offset < size && *stride > 0 &&
        (*count - 1) > (size - 1 - *offset) / *stride)
      return true;
    if (offset && !ShapedType::isDynamic(size) && *offset >= size &&
        !(count && *count == 0))
      return true;
  }
  return false;
}

/// Whether `op` surely computes on an index, or asks for a dimension, that a
/// shape does not have. Upstream makes a view of one element of the first,
/// which is not valid, and folds the second without a look at the rank.
static bool leavesBounds(Operation *op) {
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    auto type = dyn_cast<ShapedType>(dim.getShapedValue().getType());
    std::optional<int64_t> constant = getConstantIntValue(dim.getDimension());
    return type && type.hasRank() && constant &&
           (*constant < 0 || *constant >= type.getRank());
  }
  return TypeSwitch<Operation *, bool>(op)
      .Case<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(
          [](auto access) {
            return isOutside(access.getIndices(),
                             access.getMemRefType().getShape());
          })
      .Case<memref::SubViewOp, tensor::ExtractSliceOp>([](auto slice) {
        return isOutside(slice, slice.getSourceType().getShape());
      })
      .Case<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(
          [](auto slice) {
            return isOutside(slice, slice.getDestType().getShape());
          })
      .Case<tensor::ExtractOp>([](tensor::ExtractOp access) {
        return isOutside(access.getIndices(),
                         access.getTensor().getType().getShape());
      })
      .Case<tensor::InsertOp>([](tensor::InsertOp access) {
        return isOutside(access.getIndices(),
                         access.getDest().getType().getShape());
      })
      .Case<VectorTransferOpInterface>([](VectorTransferOpInterface transfer) {
        return isOutside(transfer.getIndices(),
                         transfer.getShapedType().getShape());
      })
      .Default(false);
}

/// Whether the dimensions of `view` that upstream takes to be dropped leave
/// others than its type has. Example: of sizes `[1, %n, 1]` and dynamic
/// strides, a view of type `memref<1x?xf32, …>` may lack the first or the last.
static bool isUnclear(memref::SubViewOp view) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  MemRefType type = view.getType();
  int64_t kept = 0;
  for (auto [dim, size] : llvm::enumerate(view.getMixedSizes())) {
    if (dropped.test(dim))
      continue;
    if (kept == type.getRank() || isa<Value>(size) != type.isDynamicDim(kept++))
      return true;
  }
  return kept != type.getRank();
}

/// Whether `value` is no number, and folding computes no number for it.
static bool isOpen(Value value) {
  // In a graph region, a value may depend on itself.
  llvm::SetVector<Value> terms;
  terms.insert(value);
  for (size_t i = 0; i < terms.size(); ++i) {
    Operation *op = terms[i].getDefiningOp();
    if (op && isa<arith::ArithDialect>(op->getDialect()))
      terms.insert(op->operand_begin(), op->operand_end());
    // A sum of affine ops may lose its terms.
    else if (!op || !isa<affine::AffineDialect>(op->getDialect()))
      return true;
  }
  return false;
}

/// Whether MLIR may compute a number for size `dim` of `pad`
/// (reifyResultShapes): the size is a sum, of which one term is enough to keep
/// it open.
static bool mayFold(tensor::PadOp pad, int64_t dim) {
  bool isSum = false;
  for (OpFoldResult width :
       {pad.getMixedLowPad()[dim], pad.getMixedHighPad()[dim]}) {
    if (getConstantIntValue(width))
      continue;
    if (!isOpen(cast<Value>(width)))
      return true;
    isSum = true;
  }
  if (!pad.getSourceType().isDynamicDim(dim))
    return !isSum;
  // The size of a slice, for example, is what defines the slice.
  Value source = pad.getSource();
  return !isa<BlockArgument>(source) &&
         !source.getDefiningOp<linalg::LinalgOp>();
}

/// Whether a dynamic size of `pad` may be a number for MLIR, which then gives
/// other types to what it makes of the op, or takes the number for a value.
static bool mayFoldSizes(tensor::PadOp pad) {
  RankedTensorType type = pad.getResultType();
  return llvm::any_of(llvm::seq<int64_t>(type.getRank()), [&](int64_t dim) {
    return type.isDynamicDim(dim) && mayFold(pad, dim);
  });
}

FeatureSet formwork::normalforms::getFeatures(Operation *op) {
  FeatureSet features;
  if (!op->isRegistered())
    features.insert(Feature::DialectUnknown);
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    addType(features, type);
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    if (!region.hasOneBlock())
      features.insert(Feature::BlocksSeveral);
    for (Type type : region.front().getArgumentTypes())
      addType(features, type);
  }
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    addType(features, function.getFunctionType());
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    addType(features, global.getType());
  auto isNegative = [](int64_t size) {
    return size < 0 && !ShapedType::isDynamic(size);
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    if (llvm::any_of(pad.getStaticLow(), isNegative) ||
        llvm::any_of(pad.getStaticHigh(), isNegative))
      features.insert(Feature::PadNegative);
    if (mayFoldSizes(pad))
      features.insert(Feature::PadFoldable);
  }
  if (mixesElements(op))
    features.insert(Feature::ElementMixed);
  if (leavesBounds(op))
    features.insert(Feature::IndexOutOfBounds);
  if (auto view = dyn_cast<memref::SubViewOp>(op); view && isUnclear(view))
    features.insert(Feature::ViewUnclear);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (!loop.getInductionVar().getType().isIndex())
      features.insert(Feature::LoopNotIndex);
    if (loop.getUnsignedCmp())
      features.insert(Feature::LoopUnsigned);
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (structured.getNumLoops() == 0)
      features.insert(Feature::LoopsNone);
    if (hasMisfit(structured) || runsBackwards(structured))
      features.insert(Feature::SizeMisfit);
    if (engine::anyBelow(
            op, [&](linalg::LinalgOp inner) { return inner != structured; }))
      features.insert(Feature::BodyStructured);
    if (op->getNumOperands() == 0)
      features.insert(Feature::OperandsNone);
    else if (structured.getNumDpsInits() == 0)
      features.insert(Feature::InitNone);
  }
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
    addDestinations(features, destinations);
  return features;
}
