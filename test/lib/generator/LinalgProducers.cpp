//===- LinalgProducers.cpp - Structured ops -------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On tensors and on buffers alike.
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace formwork::testing {

/// A readable tensor or buffer to build an op around, of one of these ranks.
static std::optional<Entry> pickInput(Emitter &e, Kind kind, int64_t minRank,
                                      int64_t maxRank) {
  auto hasRank = [&](const Entry &entry) {
    return entry.rank() >= minRank && entry.rank() <= maxRank;
  };
  if (e.random.chance(0.9))
    if (std::optional<Entry> entry = e.pick(kind, hasRank))
      return entry;
  SmallVector<int64_t> shape = e.pickShape(minRank, maxRank);
  Type element = e.pickElement();
  return e.shaped(kind, shape, element, Use::Read);
}

/// `entry` with a type that has exactly these sizes, hidden ones included; null
/// when that would take a cast that a buffer with a layout does not have. Some
/// named ops compare the types of their operands, not the sizes.
static Value withShape(Emitter &e, const Entry &entry,
                       ArrayRef<int64_t> shape) {
  auto type = cast<ShapedType>(entry.value.getType());
  if (type.getShape() == shape)
    return entry.value;
  auto buffer = dyn_cast<MemRefType>(type);
  if (buffer && !buffer.getLayout().isIdentity())
    return {};
  return e.coerce(entry, type.clone(shape));
}

static ArrayRef<int64_t> getTypeShape(const Entry &entry) {
  return cast<ShapedType>(entry.value.getType()).getShape();
}

static bool produceFill(Emitter &e) {
  Kind kind = e.pickShapedKind();
  SmallVector<int64_t> shape = e.pickShape(1, 3);
  Type element = e.pickElement();
  if (!e.charge(ShapedType::getNumElements(shape)))
    return false;
  std::optional<Entry> output = e.shaped(kind, shape, element, Use::Overwrite);
  if (!output)
    return false;
  Value value = e.scalar(element);
  auto op = linalg::FillOp::create(e.b, e.loc, value, output->value);
  e.addStructured(op, *output);
  return true;
}

static bool produceCopy(Emitter &e) {
  Kind kind = e.pickShapedKind();
  std::optional<Entry> input = pickInput(e, kind, 1, 4);
  if (!input || !e.charge(ShapedType::getNumElements(input->shape())))
    return false;
  std::optional<Entry> output = e.shaped(kind, input->shape(), input->element(),
                                         Use::Overwrite, input->root);
  if (!output)
    return false;
  auto op = linalg::CopyOp::create(e.b, e.loc, input->value, output->value);
  e.addStructured(op, *output);
  return true;
}

/// The ops that multiply two inputs into an accumulator.
template <typename Op>
static bool emitContraction(Emitter &e, const Entry &lhs,
                            ArrayRef<int64_t> rhsShape,
                            ArrayRef<int64_t> resultShape, uint64_t points) {
  if (!e.charge(points))
    return false;
  Kind kind = Pool::getKind(lhs.model);
  Type element = lhs.element();
  std::optional<Entry> rhs = e.shaped(kind, rhsShape, element, Use::Read);
  if (!rhs)
    return false;
  std::optional<Entry> output =
      e.shaped(kind, resultShape, element, Use::Update, {lhs.root, rhs->root});
  if (!output)
    return false;
  auto op =
      Op::create(e.b, e.loc, ValueRange{lhs.value, rhs->value}, output->value);
  e.addStructured(op, *output);
  return true;
}

static bool produceMatmul(Emitter &e) {
  std::optional<Entry> lhs = pickInput(e, e.pickShapedKind(), 2, 2);
  if (!lhs)
    return false;
  int64_t m = lhs->shape()[0], k = lhs->shape()[1], n = e.pickDim();
  return emitContraction<linalg::MatmulOp>(e, *lhs, {k, n}, {m, n}, m * n * k);
}

static bool produceBatchMatmul(Emitter &e) {
  std::optional<Entry> lhs = pickInput(e, e.pickShapedKind(), 3, 3);
  if (!lhs)
    return false;
  int64_t batch = lhs->shape()[0], m = lhs->shape()[1], k = lhs->shape()[2];
  int64_t n = e.pickDim();
  return emitContraction<linalg::BatchMatmulOp>(
      e, *lhs, {batch, k, n}, {batch, m, n}, batch * m * n * k);
}

static bool produceConv2D(Emitter &e) {
  std::optional<Entry> image = pickInput(e, e.pickShapedKind(), 2, 2);
  if (!image)
    return false;
  int64_t h = image->shape()[0], w = image->shape()[1];
  int64_t kh = e.random.between(1, std::min<int64_t>(h, 3));
  int64_t kw = e.random.between(1, std::min<int64_t>(w, 3));
  int64_t oh = h - kh + 1, ow = w - kw + 1;
  return emitContraction<linalg::Conv2DOp>(e, *image, {kh, kw}, {oh, ow},
                                           oh * ow * kh * kw);
}

static bool produceConv2DChannels(Emitter &e) {
  std::optional<Entry> image = pickInput(e, e.pickShapedKind(), 4, 4);
  if (!image)
    return false;
  ArrayRef<int64_t> shape = image->shape();
  int64_t n = shape[0], h = shape[1], w = shape[2], c = shape[3];
  int64_t kh = e.random.between(1, std::min<int64_t>(h, 3));
  int64_t kw = e.random.between(1, std::min<int64_t>(w, 3));
  int64_t f = e.pickDim();
  int64_t oh = h - kh + 1, ow = w - kw + 1;
  return emitContraction<linalg::Conv2DNhwcHwcfOp>(
      e, *image, {kh, kw, c, f}, {n, oh, ow, f}, n * oh * ow * f * kh * kw * c);
}

static bool produceTranspose(Emitter &e) {
  std::optional<Entry> input = pickInput(e, e.pickShapedKind(), 2, 4);
  if (!input || !e.charge(ShapedType::getNumElements(input->shape())))
    return false;
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, input->rank()));
  for (size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[e.random.below(i)]);
  SmallVector<int64_t> shape, typeShape;
  for (int64_t dim : permutation) {
    shape.push_back(input->shape()[dim]);
    typeShape.push_back(getTypeShape(*input)[dim]);
  }
  std::optional<Entry> output =
      e.shaped(Pool::getKind(input->model), shape, input->element(),
               Use::Overwrite, input->root);
  Value init = output ? withShape(e, *output, typeShape) : Value();
  if (!init)
    return false;
  auto op =
      linalg::TransposeOp::create(e.b, e.loc, input->value, init, permutation);
  e.addStructured(op, *output);
  return true;
}

static bool produceBroadcast(Emitter &e) {
  std::optional<Entry> input = pickInput(e, e.pickShapedKind(), 1, 2);
  if (!input)
    return false;
  int64_t at = e.random.below(input->rank() + 1);
  SmallVector<int64_t> shape(input->shape());
  shape.insert(shape.begin() + at, e.pickDim());
  if (!e.charge(ShapedType::getNumElements(shape)))
    return false;
  std::optional<Entry> output =
      e.shaped(Pool::getKind(input->model), shape, input->element(),
               Use::Overwrite, input->root);
  if (!output)
    return false;
  SmallVector<int64_t> typeShape(getTypeShape(*input));
  typeShape.insert(typeShape.begin() + at, getTypeShape(*output)[at]);
  Value init = withShape(e, *output, typeShape);
  if (!init)
    return false;
  auto op = linalg::BroadcastOp::create(e.b, e.loc, input->value, init,
                                        ArrayRef<int64_t>{at});
  e.addStructured(op, *output);
  return true;
}

static bool produceReduce(Emitter &e) {
  std::optional<Entry> input = pickInput(e, e.pickShapedKind(), 2, 3);
  if (!input || !e.charge(ShapedType::getNumElements(input->shape())))
    return false;
  int64_t at = e.random.below(input->rank());
  SmallVector<int64_t> shape(input->shape());
  shape.erase(shape.begin() + at);
  std::optional<Entry> output =
      e.shaped(Pool::getKind(input->model), shape, input->element(),
               Use::Update, input->root);
  SmallVector<int64_t> typeShape(getTypeShape(*input));
  typeShape.erase(typeShape.begin() + at);
  Value init = output ? withShape(e, *output, typeShape) : Value();
  if (!init)
    return false;
  auto body = [](OpBuilder &b, Location loc, ValueRange arguments) {
    Value sum = isa<FloatType>(arguments[0].getType())
                    ? arith::AddFOp::create(b, loc, arguments).getResult()
                    : arith::AddIOp::create(b, loc, arguments).getResult();
    linalg::YieldOp::create(b, loc, sum);
  };
  auto op = linalg::ReduceOp::create(e.b, e.loc, input->value, init,
                                     ArrayRef<int64_t>{at}, body);
  e.addStructured(op, *output);
  return true;
}

static bool produceNamedElementwise(Emitter &e) {
  std::optional<Entry> lhs = pickInput(e, e.pickShapedKind(), 1, 3);
  if (!lhs || !e.charge(ShapedType::getNumElements(lhs->shape())))
    return false;
  Kind kind = Pool::getKind(lhs->model);
  std::optional<Entry> rhs =
      e.shaped(kind, lhs->shape(), lhs->element(), Use::Read);
  if (!rhs)
    return false;
  std::optional<Entry> output =
      e.shaped(kind, lhs->shape(), lhs->element(), Use::Overwrite,
               {lhs->root, rhs->root});
  if (!output)
    return false;
  SmallVector<Value> inputs = {lhs->value, rhs->value};
  ValueRange outputs = output->value;
  Operation *op = nullptr;
  switch (e.random.below(4)) {
  case 0:
    op = linalg::AddOp::create(e.b, e.loc, inputs, outputs);
    break;
  case 1:
    op = linalg::SubOp::create(e.b, e.loc, inputs, outputs);
    break;
  case 2:
    op = linalg::MulOp::create(e.b, e.loc, inputs, outputs);
    break;
  default: {
    unsigned count = e.random.between(1, 3);
    auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
      SmallVector<Value> leaves(arguments.take_front(2));
      linalg::YieldOp::create(b, loc, emitExpression(e, b, loc, leaves, count));
    };
    inputs[1] = withShape(e, *rhs, getTypeShape(*lhs));
    Value init = withShape(e, *output, getTypeShape(*lhs));
    if (!inputs[1] || !init)
      return false;
    op = linalg::MapOp::create(e.b, e.loc, inputs, init, body);
    break;
  }
  }
  e.addStructured(op, *output);
  return true;
}

/// A generic op without reductions: identity, transposed and broadcast reads.
static bool produceElementwise(Emitter &e) {
  std::optional<Entry> first = pickInput(e, e.pickShapedKind(), 1, 3);
  if (!first || !e.charge(ShapedType::getNumElements(first->shape())))
    return false;
  Kind kind = Pool::getKind(first->model);
  MLIRContext *context = e.b.getContext();
  int64_t rank = first->rank();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  SmallVector<Value> inputs = {first->value};
  SmallVector<unsigned> roots = {first->root};
  SmallVector<AffineMap> maps = {identity};
  unsigned extra = e.random.below(3);
  for (unsigned i = 0; i < extra; ++i) {
    // Reads a projection of the iteration space: some of its dimensions, in
    // order or reversed.
    SmallVector<AffineExpr> results;
    SmallVector<int64_t> shape;
    bool reversed = e.random.chance(0.3);
    for (int64_t j = 0; j < rank; ++j) {
      int64_t dim = reversed ? rank - 1 - j : j;
      if (e.random.chance(0.3))
        continue;
      results.push_back(e.b.getAffineDimExpr(dim));
      shape.push_back(first->shape()[dim]);
    }
    std::optional<Entry> input =
        e.shaped(kind, shape, first->element(), Use::Read);
    if (!input)
      continue;
    inputs.push_back(input->value);
    roots.push_back(input->root);
    maps.push_back(AffineMap::get(rank, 0, results, context));
  }
  std::optional<Entry> output =
      e.shaped(kind, first->shape(), first->element(), Use::Overwrite, roots);
  if (!output)
    return false;
  maps.push_back(identity);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  unsigned count = inputs.size() - 1 + e.random.between(1, 3);
  bool readsIndex = e.random.chance(0.15);
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    SmallVector<Value> leaves(arguments.drop_back());
    Type element = leaves.front().getType();
    if (readsIndex && isa<IntegerType>(element)) {
      Value index = linalg::IndexOp::create(b, loc, 0);
      leaves.push_back(arith::IndexCastOp::create(b, loc, element, index));
    }
    linalg::YieldOp::create(b, loc, emitExpression(e, b, loc, leaves, count));
  };
  SmallVector<Type> resultTypes;
  if (kind == Kind::Tensor)
    resultTypes.push_back(output->value.getType());
  auto op = linalg::GenericOp::create(e.b, e.loc, resultTypes, inputs,
                                      output->value, maps, iterators, body);
  e.addStructured(op, *output);
  return true;
}

/// A generic op that sums products over some of its dimensions.
static bool produceReduction(Emitter &e) {
  std::optional<Entry> input = pickInput(e, e.pickShapedKind(), 1, 4);
  if (!input || !e.charge(ShapedType::getNumElements(input->shape())))
    return false;
  MLIRContext *context = e.b.getContext();
  int64_t rank = input->rank();
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> shape;
  int64_t reduced = e.random.below(rank);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == reduced || e.random.chance(0.2)) {
      iterators.push_back(utils::IteratorType::reduction);
      continue;
    }
    iterators.push_back(utils::IteratorType::parallel);
    kept.push_back(e.b.getAffineDimExpr(dim));
    shape.push_back(input->shape()[dim]);
  }
  Kind kind = Pool::getKind(input->model);
  std::optional<Entry> output =
      e.shaped(kind, shape, input->element(), Use::Update, input->root);
  if (!output)
    return false;
  SmallVector<AffineMap> maps = {
      AffineMap::getMultiDimIdentityMap(rank, context),
      AffineMap::get(rank, 0, kept, context)};
  bool squares = e.random.chance(0.5);
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value term = arguments[0], sum;
    if (isa<FloatType>(term.getType())) {
      if (squares)
        term = arith::MulFOp::create(b, loc, term, term);
      sum = arith::AddFOp::create(b, loc, arguments[1], term);
    } else {
      if (squares)
        term = arith::MulIOp::create(b, loc, term, term);
      sum = arith::AddIOp::create(b, loc, arguments[1], term);
    }
    linalg::YieldOp::create(b, loc, sum);
  };
  SmallVector<Type> resultTypes;
  if (kind == Kind::Tensor)
    resultTypes.push_back(output->value.getType());
  auto op = linalg::GenericOp::create(e.b, e.loc, resultTypes, input->value,
                                      output->value, maps, iterators, body);
  e.addStructured(op, *output);
  return true;
}

void addLinalgProducers(ProducerTable &table) {
  constexpr unsigned levels = OnLinalg | OnBuffers | OnMixed;
  constexpr unsigned flags = Producer::PureOnTensors;
  auto add = [&](StringLiteral name, unsigned weight, Producer::Run run) {
    table.push_back({name, levels, weight, run, &Densities::tileable, flags});
  };
  add("linalg.fill", 5, produceFill);
  add("linalg.copy", 3, produceCopy);
  add("linalg.matmul", 6, produceMatmul);
  add("linalg.batch_matmul", 3, produceBatchMatmul);
  add("linalg.conv_2d", 2, produceConv2D);
  add("linalg.conv_2d-channels", 2, produceConv2DChannels);
  add("linalg.transpose", 3, produceTranspose);
  add("linalg.broadcast", 2, produceBroadcast);
  add("linalg.reduce", 3, produceReduce);
  add("linalg.elementwise", 4, produceNamedElementwise);
  add("linalg.generic-elementwise", 6, produceElementwise);
  add("linalg.generic-reduction", 5, produceReduction);
}

} // namespace formwork::testing
