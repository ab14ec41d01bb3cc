//===- TensorProducers.cpp - Tensors without linalg -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace formwork::testing {

Slice pickSlice(Emitter &e, ArrayRef<int64_t> shape) {
  Slice slice;
  for (int64_t dim : shape) {
    int64_t size = dim;
    if (e.random.chance(0.6))
      size = e.random.between(1, dim);
    int64_t stride = 1;
    if (size > 1 && 2 * (size - 1) + 1 <= dim && e.random.chance(0.2))
      stride = 2;
    int64_t room = dim - ((size - 1) * stride + 1);
    bool isStatic = e.random.chance(0.5);
    if (isStatic)
      slice.offsets.push_back(e.b.getIndexAttr(e.random.between(0, room)));
    else
      slice.offsets.push_back(e.indexBelow(room + 1));
    if (e.random.chance(e.options.dynamic))
      slice.sizes.push_back(e.sizeValue(size));
    else
      slice.sizes.push_back(e.b.getIndexAttr(size));
    slice.strides.push_back(e.b.getIndexAttr(stride));
    slice.shape.push_back(size);
  }
  return slice;
}

Slice pickRankReducingSlice(Emitter &e, ArrayRef<int64_t> shape) {
  Slice slice = pickSlice(e, shape);
  unsigned dim = e.random.below(shape.size());
  slice.shape[dim] = 1;
  slice.strides[dim] = e.b.getIndexAttr(1);
  for (auto [size, actual] : llvm::zip_equal(slice.sizes, slice.shape))
    if (actual == 1)
      size = e.b.getIndexAttr(1);
  return slice;
}

ReducedShape dropUnitSizes(const Slice &slice) {
  ReducedShape reduced;
  for (auto [size, actual] : llvm::zip_equal(slice.sizes, slice.shape)) {
    if (actual == 1)
      continue;
    reduced.model.push_back(actual);
    reduced.type.push_back(isa<Attribute>(size) ? actual
                                                : ShapedType::kDynamic);
  }
  return reduced;
}

Entry emitExtractSlice(Emitter &e, const Entry &source, const Slice &slice) {
  Entry result = source;
  result.value = tensor::ExtractSliceOp::create(
      e.b, e.loc, source.value, slice.offsets, slice.sizes, slice.strides);
  result.model = RankedTensorType::get(slice.shape, source.element());
  return result;
}

static bool hasRank(const Entry &entry) { return entry.rank() > 0; }

static bool produceEmpty(Emitter &e) {
  SmallVector<int64_t> shape = e.pickShape(1, 3);
  auto model = RankedTensorType::get(shape, e.pickElement());
  auto type = cast<RankedTensorType>(e.hideSizes(model));
  Entry entry{.value = {}, .model = model};
  entry.value =
      tensor::EmptyOp::create(e.b, e.loc, type, e.dynamicSizes(type, model));
  entry.undefined = e.options.executable;
  e.add(entry);
  return true;
}

static bool produceConstant(Emitter &e) {
  SmallVector<int64_t> shape = e.pickShape(0, 3);
  auto model = RankedTensorType::get(shape, e.pickElement());
  if (e.random.chance(0.3) && model.getNumElements() <= 8) {
    SmallVector<Attribute> values;
    for (int64_t i = 0; i < model.getNumElements(); ++i)
      values.push_back(e.scalarAttr(model.getElementType(), i - 1));
    e.add(arith::ConstantOp::create(e.b, e.loc,
                                    DenseElementsAttr::get(model, values)));
    return true;
  }
  TypedAttr value = e.scalarAttr(model.getElementType(), e.random.below(4));
  e.add(arith::ConstantOp::create(e.b, e.loc,
                                  DenseElementsAttr::get(model, value)));
  return true;
}

static bool produceSplat(Emitter &e) {
  SmallVector<int64_t> shape = e.pickShape(1, 3);
  auto model = RankedTensorType::get(shape, e.pickElement());
  auto type = cast<RankedTensorType>(e.hideSizes(model));
  Value element = e.scalar(model.getElementType());
  e.add(tensor::SplatOp::create(e.b, e.loc, element, type,
                                e.dynamicSizes(type, model)),
        model);
  return true;
}

static bool produceFromElements(Emitter &e) {
  Type element = e.pickElement();
  SmallVector<Value> elements;
  unsigned count = e.random.between(1, 4);
  for (unsigned i = 0; i < count; ++i)
    elements.push_back(e.scalar(element));
  e.add(tensor::FromElementsOp::create(e.b, e.loc, elements));
  return true;
}

static bool produceGenerate(Emitter &e) {
  SmallVector<int64_t> shape = e.pickShape(1, 2);
  auto model = RankedTensorType::get(shape, e.pickElement());
  if (!e.charge(model.getNumElements()))
    return false;
  auto type = cast<RankedTensorType>(e.hideSizes(model));
  Value leaf = e.scalar(model.getElementType());
  SmallVector<Value> sizes = e.dynamicSizes(type, model);
  unsigned count = e.random.between(1, 2);
  e.add(tensor::GenerateOp::create(
            e.b, e.loc, type, sizes,
            [&](OpBuilder &b, Location loc, ValueRange) {
              tensor::YieldOp::create(b, loc,
                                      emitExpression(e, b, loc, leaf, count));
            }),
        model);
  return true;
}

static bool produceExtract(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Tensor);
  if (!source)
    return false;
  SmallVector<Value> indices;
  for (int64_t size : source->shape())
    indices.push_back(e.indexBelow(size));
  e.add(tensor::ExtractOp::create(e.b, e.loc, source->value, indices));
  return true;
}

static bool produceInsert(Emitter &e) {
  std::optional<Entry> target = e.pick(Kind::Tensor);
  if (!target)
    return false;
  Value element = e.scalar(target->element());
  SmallVector<Value> indices;
  for (int64_t size : target->shape())
    indices.push_back(e.indexBelow(size));
  target->value =
      tensor::InsertOp::create(e.b, e.loc, element, target->value, indices);
  e.add(*target);
  return true;
}

static bool produceExtractSlice(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Tensor, hasRank);
  if (!source)
    return false;
  Slice slice = pickSlice(e, source->shape());
  e.add(emitExtractSlice(e, *source, slice));
  return true;
}

/// A slice without those of its dimensions that have size one.
static bool produceRankReducingSlice(Emitter &e) {
  auto hasTwo = [](const Entry &entry) { return entry.rank() > 1; };
  std::optional<Entry> source = e.pick(Kind::Tensor, hasTwo);
  if (!source)
    return false;
  Slice slice = pickRankReducingSlice(e, source->shape());
  ReducedShape reduced = dropUnitSizes(slice);
  Type element = source->element();
  e.add(tensor::ExtractSliceOp::create(
            e.b, e.loc, RankedTensorType::get(reduced.type, element),
            source->value, slice.offsets, slice.sizes, slice.strides),
        RankedTensorType::get(reduced.model, element));
  return true;
}

static bool produceInsertSlice(Emitter &e) {
  std::optional<Entry> target = e.pick(Kind::Tensor, hasRank);
  if (!target)
    return false;
  Slice slice = pickSlice(e, target->shape());
  // The source has its own type; the sizes of the slice must say the same.
  Entry source = e.tensor(RankedTensorType::get(slice.shape, target->element()),
                          Use::Read);
  auto type = cast<RankedTensorType>(source.value.getType());
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isStatic(size))
      slice.sizes[i] = e.b.getIndexAttr(size);
    else
      slice.sizes[i] = e.sizeValue(slice.shape[i]);
  target->value =
      tensor::InsertSliceOp::create(e.b, e.loc, source.value, target->value,
                                    slice.offsets, slice.sizes, slice.strides);
  e.add(*target);
  return true;
}

static bool produceCast(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Tensor);
  if (!source)
    return false;
  Type type = e.hideSizes(source->model);
  if (type == source->value.getType())
    return false;
  source->value = e.coerce(*source, type);
  e.add(*source);
  return true;
}

static bool produceDim(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Tensor, hasRank);
  if (!source)
    return false;
  int64_t dim = e.random.below(source->rank());
  int64_t size = source->shape()[dim];
  e.add({.value = tensor::DimOp::create(e.b, e.loc, source->value, dim),
         .model = e.b.getIndexType(),
         .low = size,
         .high = size});
  return true;
}

/// Adds a unit dimension behind one that is there, or takes it away.
static bool produceUnitReshape(Emitter &e) {
  auto suits = [](const Entry &entry) {
    return entry.rank() > 0 && entry.rank() < 4;
  };
  std::optional<Entry> source = e.pick(Kind::Tensor, suits);
  if (!source)
    return false;
  int64_t rank = source->rank();
  ArrayRef<int64_t> model = source->shape();
  auto type = cast<RankedTensorType>(source->value.getType());
  // The dimension that is split, or that swallows the one behind it.
  int64_t at = e.random.below(rank);
  bool collapses =
      at + 1 < rank && model[at + 1] == 1 && type.getDimSize(at + 1) == 1;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> newModel, newShape;
  SmallVector<OpFoldResult> newSizes;
  int64_t wide = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (collapses) {
      if (i == at + 1) {
        groups.back().push_back(i);
        continue;
      }
      groups.push_back({i});
      newModel.push_back(model[i]);
      continue;
    }
    groups.push_back({wide++});
    newModel.push_back(model[i]);
    newShape.push_back(type.getDimSize(i));
    if (type.isDynamicDim(i))
      newSizes.push_back(e.sizeValue(model[i]));
    else
      newSizes.push_back(e.b.getIndexAttr(model[i]));
    if (i == at) {
      groups.back().push_back(wide++);
      newModel.push_back(1);
      newShape.push_back(1);
      newSizes.push_back(e.b.getIndexAttr(1));
    }
  }
  Type element = type.getElementType();
  Value result;
  if (collapses)
    result = tensor::CollapseShapeOp::create(e.b, e.loc, source->value, groups);
  else
    result = tensor::ExpandShapeOp::create(
        e.b, e.loc, RankedTensorType::get(newShape, element), source->value,
        groups, newSizes);
  e.add(result, RankedTensorType::get(newModel, element));
  return true;
}

static bool producePad(Emitter &e) {
  std::optional<Entry> source = e.pick(Kind::Tensor, hasRank);
  if (!source)
    return false;
  SmallVector<int64_t> low, high, model;
  for (int64_t size : source->shape()) {
    low.push_back(e.random.below(2));
    high.push_back(e.random.below(3));
    model.push_back(size + low.back() + high.back());
    // Padding what was padded must end somewhere.
    if (model.back() > 2 * int64_t(e.options.maxDim))
      return false;
  }
  SmallVector<OpFoldResult> lowSizes, highSizes;
  for (int64_t amount : low)
    lowSizes.push_back(e.b.getIndexAttr(amount));
  for (int64_t amount : high)
    highSizes.push_back(e.b.getIndexAttr(amount));
  Value padding = e.scalar(source->element());
  e.add(tensor::PadOp::create(e.b, e.loc, Type(), source->value, lowSizes,
                              highSizes, padding),
        RankedTensorType::get(model, source->element()));
  return true;
}

Value emitUpdate(Emitter &e, const Entry &target) {
  // The tensor that the body just computed, if it has the right sizes.
  auto isFromHere = [&](const Entry &entry) {
    return entry.depth >= e.depth && entry.value != target.value;
  };
  std::optional<Entry> fresh = e.pickModel(target.model, Use::Read, isFromHere);
  if (fresh)
    return e.coerce(*fresh, target.value.getType());
  Value element = e.scalar(target.element());
  SmallVector<Value> indices;
  for (int64_t size : target.shape())
    indices.push_back(e.indexBelow(size));
  return tensor::InsertOp::create(e.b, e.loc, element, target.value, indices);
}

void addTensorProducers(ProducerTable &table) {
  constexpr unsigned onTensors = OnLinalg | OnLoops | OnVector | OnMixed;
  constexpr unsigned flags = Producer::Tensors | Producer::Pure;
  table.append({
      {"tensor.empty", onTensors, 3, produceEmpty, &Densities::empty, flags},
      {"tensor.constant", onTensors, 2, produceConstant, nullptr, flags},
      {"tensor.splat", onTensors, 2, produceSplat, nullptr, flags},
      {"tensor.from_elements", onTensors, 1, produceFromElements, nullptr,
       flags},
      {"tensor.generate", onTensors, 1, produceGenerate, nullptr, flags},
      {"tensor.extract", onTensors, 3, produceExtract, nullptr, flags},
      {"tensor.insert", onTensors, 3, produceInsert, nullptr, flags},
      {"tensor.extract_slice", onTensors, 4, produceExtractSlice,
       &Densities::slice, flags},
      {"tensor.extract_slice-rank-reducing", onTensors, 2,
       produceRankReducingSlice, &Densities::unitDim, flags},
      {"tensor.insert_slice", onTensors, 4, produceInsertSlice,
       &Densities::slice, flags},
      {"tensor.cast", onTensors, 2, produceCast, nullptr, flags},
      {"tensor.dim", onTensors, 2, produceDim, nullptr, flags},
      {"tensor.reshape-unit", onTensors, 3, produceUnitReshape,
       &Densities::unitDim, flags},
      {"tensor.pad", onTensors, 2, producePad, nullptr, flags},
  });
}

} // namespace formwork::testing
