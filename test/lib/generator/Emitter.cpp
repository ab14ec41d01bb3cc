//===- Emitter.cpp - What op producers work with --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Emitter.h"

#include "engine/Check.h"
#include "test/lib/generator/Producer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace formwork::testing {

/// The most trips of all loops around an op of an executable function.
static constexpr uint64_t maxTrips = 4096;
/// The most scalar steps of one op of an executable function, loops included.
static constexpr uint64_t maxPoints = 1u << 20;

static Type getElementType(MLIRContext *context, Element element) {
  switch (element) {
  case Element::F16:
    return Float16Type::get(context);
  case Element::BF16:
    return BFloat16Type::get(context);
  case Element::F32:
    return Float32Type::get(context);
  case Element::F64:
    return Float64Type::get(context);
  case Element::I8:
    return IntegerType::get(context, 8);
  case Element::I16:
    return IntegerType::get(context, 16);
  case Element::I32:
    return IntegerType::get(context, 32);
  case Element::I64:
    return IntegerType::get(context, 64);
  }
  llvm_unreachable("all elements have a type");
}

Emitter::Emitter(MLIRContext *context, const GeneratorOptions &options,
                 Random random, ArrayRef<Callee> callees)
    : b(context, &counter), loc(UnknownLoc::get(context)), random(random),
      options(options), callees(callees) {
  FW_CHECK(!options.elements.empty(), "payload needs an element type");
  FW_CHECK(options.maxDim > 0, "a dimension has one element at least");
  for (Element element : options.elements)
    elements.push_back(getElementType(context, element));
  // Few sizes a function, so that shapes meet again.
  for (unsigned i = 0; i < 4; ++i)
    palette.push_back(this->random.between(1, options.maxDim));
}

void Emitter::setProducers(ArrayRef<Producer> all) {
  producers.clear();
  cumulativeWeights.clear();
  uint64_t total = 0;
  for (const Producer &producer : all) {
    uint64_t weight = getWeight(producer, options);
    if (weight == 0 || (producer.has(Producer::Tensors) && !tensors) ||
        (producer.has(Producer::Buffers) && !buffers))
      continue;
    total += weight;
    producers.push_back(&producer);
    cumulativeWeights.push_back(total);
  }
}

//===----------------------------------------------------------------------===//
// Chance
//===----------------------------------------------------------------------===//

Type Emitter::pickElement() { return random.oneOf<Type>(elements); }

Type Emitter::pickElement(bool isFloat) {
  SmallVector<Type> matching = llvm::filter_to_vector(
      elements, [&](Type type) { return isa<FloatType>(type) == isFloat; });
  return matching.empty() ? Type() : random.oneOf<Type>(matching);
}

int64_t Emitter::pickDim() {
  if (random.chance(std::min(0.15 * options.densities.unitDim, 0.9)))
    return 1;
  return random.oneOf<int64_t>(palette);
}

SmallVector<int64_t> Emitter::pickShape(int64_t minRank, int64_t maxRank) {
  int64_t rank = random.between(minRank, maxRank);
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(pickDim());
  return shape;
}

int64_t Emitter::pickTripCount(int64_t least) {
  int64_t most = std::max<int64_t>(options.maxTrip, 1);
  if (options.executable)
    most = std::max<int64_t>(1, std::min<int64_t>(most, maxTrips / trips));
  if (least == 0 && random.chance(0.05))
    return 0;
  return random.between(1, most);
}

Kind Emitter::pickShapedKind() {
  if (tensors && (pureOnly || !buffers))
    return Kind::Tensor;
  if (!tensors)
    return Kind::Buffer;
  return random.chance(0.5) ? Kind::Tensor : Kind::Buffer;
}

Type Emitter::hideSizes(Type model) {
  auto shaped = cast<ShapedType>(model);
  SmallVector<int64_t> shape(shaped.getShape());
  for (int64_t &size : shape)
    if (random.chance(options.dynamic))
      size = ShapedType::kDynamic;
  return shaped.clone(shape);
}

bool Emitter::charge(uint64_t points) {
  if (options.executable && points * trips > maxPoints)
    return false;
  work += points * trips;
  return true;
}

bool Emitter::hasLinalg() const {
  return options.level != Level::Loops && options.level != Level::Vector;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value Emitter::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

TypedAttr Emitter::scalarAttr(Type type, int64_t value) {
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, static_cast<double>(value) * 0.5);
  if (type.isInteger(1))
    return b.getBoolAttr(value & 1);
  return b.getIntegerAttr(type, value);
}

Value Emitter::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, scalarAttr(type, value));
}

Value Emitter::randomConstant(Type type) {
  // Zero and one (or two halves) often: they are what folders look for.
  static constexpr int64_t values[] = {0, 0, 1, 1, 2, 2, 3, 5, 7, -1};
  return constant(type, random.oneOf<int64_t>(values));
}

Value Emitter::scalar(Type type) {
  if (random.chance(0.85))
    if (std::optional<Entry> entry = pickModel(type, Use::Read))
      return entry->value;
  return randomConstant(type);
}

Value Emitter::indexBelow(int64_t bound) {
  FW_CHECK(bound > 0, "an empty range has no index");
  if (!options.executable && random.chance(0.1))
    return scalar(b.getIndexType());
  if (random.chance(0.8)) {
    auto inBounds = [&](const Entry &entry) {
      return entry.hasRange() && entry.low >= 0 && entry.high < bound;
    };
    if (std::optional<Entry> entry = pick(Kind::Index, inBounds))
      return entry->value;
  }
  return constantIndex(random.below(bound));
}

Value Emitter::sizeValue(int64_t size) {
  if (random.chance(0.5)) {
    auto isSize = [&](const Entry &entry) {
      return entry.hasRange() && entry.low == size && entry.high == size;
    };
    if (std::optional<Entry> entry = pick(Kind::Index, isSize))
      return entry->value;
  }
  if (random.chance(0.5)) {
    Kind kind = pickShapedKind();
    auto hasSize = [&](const Entry &entry) {
      return llvm::is_contained(entry.shape(), size);
    };
    if (std::optional<Entry> entry = pick(kind, hasSize)) {
      int64_t dim = llvm::find(entry->shape(), size) - entry->shape().begin();
      if (kind == Kind::Tensor)
        return tensor::DimOp::create(b, loc, entry->value, dim);
      return memref::DimOp::create(b, loc, entry->value, dim);
    }
  }
  return constantIndex(size);
}

SmallVector<Value> Emitter::dynamicSizes(Type type, Type model) {
  SmallVector<Value> sizes;
  for (auto [hidden, size] :
       llvm::zip_equal(cast<ShapedType>(type).getShape(),
                       cast<ShapedType>(model).getShape()))
    if (ShapedType::isDynamic(hidden))
      sizes.push_back(sizeValue(size));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Emitter::isVisible(const Entry &entry) const {
  if (outerOnly && entry.depth >= depth)
    return false;
  return entry.root == 0 || !hiddenRoots.contains(entry.root);
}

std::optional<Entry> Emitter::pickFrom(ArrayRef<unsigned> list, Accept accept) {
  auto isAdmitted = [&](const Entry &entry) {
    return isVisible(entry) && (!accept || accept(entry));
  };
  if (list.empty())
    return std::nullopt;
  // Newer values more often, so that there are chains as well as fans.
  constexpr size_t window = 6;
  for (unsigned attempt = 0; attempt < 8; ++attempt) {
    bool recent = random.chance(0.6);
    size_t span = recent ? std::min(list.size(), window) : list.size();
    const Entry &entry = pool[list[list.size() - 1 - random.below(span)]];
    if (isAdmitted(entry))
      return entry;
  }
  // Bounded, so that a function of a hundred thousand ops takes linear time.
  for (unsigned index : llvm::reverse(list.take_back(2 * window)))
    if (isAdmitted(pool[index]))
      return pool[index];
  for (unsigned index : list.take_front(2 * window))
    if (isAdmitted(pool[index]))
      return pool[index];
  return std::nullopt;
}

std::optional<Entry> Emitter::pick(Kind kind, Accept accept) {
  return pickFrom(pool.ofKind(kind), [&](const Entry &entry) {
    return !entry.undefined && (!accept || accept(entry));
  });
}

std::optional<Entry> Emitter::pickModel(Type model, Use use, Accept accept) {
  bool isBuffer = isa<MemRefType>(model);
  return pickFrom(pool.ofModel(model), [&](const Entry &entry) {
    if (entry.undefined && use != Use::Overwrite)
      return false;
    if (isBuffer && use != Use::Read && !isWritable(entry))
      return false;
    return !accept || accept(entry);
  });
}

Entry Emitter::tensor(RankedTensorType model, Use use) {
  if (random.chance(use == Use::Overwrite ? 0.5 : 0.9))
    if (std::optional<Entry> entry = pickModel(model, use))
      return *entry;
  return makeTensor(model, use);
}

Entry Emitter::makeTensor(RankedTensorType model, Use use) {
  Entry entry{.value = {}, .model = model, .depth = depth};
  Type element = model.getElementType();
  bool isEmpty = options.densities.empty > 0 &&
                 random.chance(use == Use::Overwrite ? 0.8 : 0.5);
  if (isEmpty && (hasLinalg() || use == Use::Overwrite)) {
    auto type = cast<RankedTensorType>(hideSizes(model));
    entry.value =
        tensor::EmptyOp::create(b, loc, type, dynamicSizes(type, model));
    if (use != Use::Overwrite) {
      Value init = scalar(element);
      entry.value =
          linalg::FillOp::create(b, loc, init, entry.value).getResult(0);
    } else {
      entry.undefined = options.executable;
    }
  } else if (random.chance(0.5)) {
    auto type = cast<RankedTensorType>(hideSizes(model));
    Value init = scalar(element);
    entry.value =
        tensor::SplatOp::create(b, loc, init, type, dynamicSizes(type, model));
  } else {
    TypedAttr init = scalarAttr(element, random.between(0, 3));
    entry.value =
        arith::ConstantOp::create(b, loc, DenseElementsAttr::get(model, init));
  }
  add(entry);
  return entry;
}

Value Emitter::vector(VectorType type) {
  if (random.chance(0.9))
    if (std::optional<Entry> entry = pickModel(type, Use::Read))
      return entry->value;
  Value value;
  if (random.chance(0.5)) {
    Value source = scalar(type.getElementType());
    value = vector::BroadcastOp::create(b, loc, type, source);
  } else {
    TypedAttr init = scalarAttr(type.getElementType(), random.between(0, 3));
    value =
        arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, init));
  }
  add(value);
  return value;
}

std::optional<Entry> Emitter::buffer(MemRefType model, Use use,
                                     ArrayRef<unsigned> avoid) {
  if (random.chance(0.9)) {
    auto isApart = [&](const Entry &entry) {
      return !llvm::is_contained(avoid, entry.root);
    };
    if (std::optional<Entry> entry = pickModel(model, use, isApart))
      return entry;
  }
  return newBuffer(model, use);
}

std::optional<Entry> Emitter::newBuffer(MemRefType model, Use use) {
  if (options.densities.empty <= 0)
    return std::nullopt;
  bool initializes = use != Use::Overwrite;
  if (initializes && options.level == Level::Loops &&
      depth + model.getRank() > options.depth)
    return std::nullopt;
  if (initializes && !charge(model.getNumElements()))
    return std::nullopt;
  Entry entry{.value = {}, .model = model, .depth = depth, .root = newRoot()};
  auto type = cast<MemRefType>(hideSizes(model));
  SmallVector<Value> sizes = dynamicSizes(type, model);
  // An alloca in a loop would need a scope to be freed.
  if (depth == 0 && random.chance(0.2)) {
    entry.value = memref::AllocaOp::create(b, loc, type, sizes);
  } else {
    entry.value = memref::AllocOp::create(b, loc, type, sizes);
    allocations.push_back(entry.value);
  }
  if (initializes) {
    initialize(entry.value, model);
    add(entry);
  } else {
    entry.undefined = true;
  }
  return entry;
}

void Emitter::initialize(Value buffer, MemRefType model) {
  Type element = model.getElementType();
  if (hasLinalg()) {
    Value init = scalar(element);
    linalg::FillOp::create(b, loc, init, buffer);
    return;
  }
  Value zero = constantIndex(0);
  if (options.level == Level::Vector && model.getRank() > 0) {
    Value init =
        vector(VectorType::get(model.getShape(), model.getElementType()));
    SmallVector<Value> indices(model.getRank(), zero);
    SmallVector<bool> inBounds(model.getRank(), true);
    vector::TransferWriteOp::create(b, loc, init, buffer, indices,
                                    ArrayRef<bool>(inBounds));
    return;
  }
  Value init = scalar(element);
  Value one = constantIndex(1);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> indices;
  for (int64_t size : model.getShape()) {
    auto loop = scf::ForOp::create(b, loc, zero, constantIndex(size), one);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  memref::StoreOp::create(b, loc, init, buffer, indices);
}

std::optional<Entry> Emitter::shaped(Kind kind, ArrayRef<int64_t> shape,
                                     Type element, Use use,
                                     ArrayRef<unsigned> avoid) {
  if (kind == Kind::Tensor)
    return tensor(RankedTensorType::get(shape, element), use);
  return buffer(MemRefType::get(shape, element), use, avoid);
}

Value Emitter::coerce(const Entry &entry, Type type) {
  Type from = entry.value.getType();
  if (from == type)
    return entry.value;
  if (isa<RankedTensorType>(type) && isa<RankedTensorType>(from))
    return tensor::CastOp::create(b, loc, type, entry.value);
  auto buffer = dyn_cast<MemRefType>(from);
  auto target = dyn_cast<MemRefType>(type);
  if (buffer && target && buffer.getLayout().isIdentity() &&
      target.getLayout().isIdentity())
    return memref::CastOp::create(b, loc, type, entry.value);
  return {};
}

Value Emitter::ofType(Type type, Type model) {
  switch (Pool::getKind(model)) {
  case Kind::Index:
  case Kind::Integer:
  case Kind::Float:
    return scalar(type);
  case Kind::Vector:
    return vector(cast<VectorType>(type));
  case Kind::Tensor: {
    Entry entry = tensor(cast<RankedTensorType>(model), Use::Read);
    return coerce(entry, type);
  }
  case Kind::Buffer:
    break;
  }
  llvm_unreachable("buffers are not passed as results");
}

void Emitter::add(Value value, Type model) {
  pool.add({.value = value, .model = model, .depth = depth});
}

void Emitter::add(Entry entry) {
  entry.depth = depth;
  pool.add(entry);
}

void Emitter::written(Entry entry) {
  if (!entry.undefined)
    return;
  entry.undefined = false;
  add(entry);
}

void Emitter::addStructured(Operation *op, const Entry &output) {
  if (op->getNumResults() == 0)
    return written(output);
  for (Value result : op->getResults())
    add(result, output.model);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool Emitter::emitOne() {
  if (cumulativeWeights.empty())
    return false;
  for (unsigned attempt = 0; attempt < 12; ++attempt) {
    uint64_t ticket = random.below(cumulativeWeights.back());
    size_t index = llvm::upper_bound(cumulativeWeights, ticket) -
                   cumulativeWeights.begin();
    const Producer &producer = *producers[index];
    if ((producer.has(Producer::Nesting) && !canNest()) ||
        (pureOnly && !producer.has(Producer::Pure) &&
         !(producer.has(Producer::PureOnTensors) && tensors)) ||
        !producer.run(*this))
      continue;
    if (families)
      ++(*families)[producer.name];
    return true;
  }
  return false;
}

uint64_t Emitter::pickBodyEnd() {
  uint64_t left = bodyEnd > countInserted() ? bodyEnd - countInserted() : 0;
  return countInserted() + 1 + random.below(std::max<uint64_t>(left / 2, 6));
}

void Emitter::emitUntil(uint64_t end, bool atLeastOne) {
  uint64_t outerEnd = std::exchange(bodyEnd, end);
  while (countInserted() < end || atLeastOne) {
    atLeastOne = false;
    uint64_t before = countInserted();
    emitOne();
    // A level with nothing to do here still ends.
    if (countInserted() == before)
      add(randomConstant(pickElement()));
  }
  bodyEnd = outerEnd;
}

void Emitter::freeAllocations(size_t first) {
  for (Value allocation : ArrayRef(allocations).drop_front(first))
    memref::DeallocOp::create(b, loc, allocation);
  allocations.truncate(first);
}

Emitter::Scope::Scope(Emitter &emitter, Block *block, uint64_t trips,
                      bool parallel)
    : emitter(emitter), insertPoint(emitter.b.saveInsertionPoint()),
      mark(emitter.pool.mark()), outerTrips(emitter.trips),
      outerFirstWritableRoot(emitter.firstWritableRoot),
      firstAllocation(emitter.allocations.size()) {
  ++emitter.depth;
  emitter.trips *= std::max<uint64_t>(trips, 1);
  // An unbounded product is of no use, and must not wrap.
  emitter.trips = std::min<uint64_t>(emitter.trips, maxPoints);
  if (parallel)
    emitter.firstWritableRoot = emitter.nextRoot;
  emitter.b.setInsertionPointToStart(block);
}

void Emitter::Scope::finish() { emitter.freeAllocations(firstAllocation); }

void Emitter::Scope::hide(unsigned root) {
  FW_CHECK(!hidden, "a region hides one root");
  if (emitter.hiddenRoots.insert(root).second)
    hidden = root;
}

Emitter::Scope::~Scope() {
  FW_CHECK(emitter.allocations.size() == firstAllocation,
           "a region frees what it allocates");
  if (hidden)
    emitter.hiddenRoots.erase(*hidden);
  --emitter.depth;
  emitter.trips = outerTrips;
  emitter.firstWritableRoot = outerFirstWritableRoot;
  emitter.pool.rollback(mark);
  emitter.b.restoreInsertionPoint(insertPoint);
}

} // namespace formwork::testing
