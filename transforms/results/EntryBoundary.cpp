//===- EntryBoundary.cpp - What an entry function is given ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/EntryBoundary.h"

#include "transforms/program/EntryPoint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::transforms;

namespace {
/// Where the elements of a buffer lie, all sizes known.
struct Layout {
  SmallVector<int64_t> sizes, strides;
  int64_t offset;

  /// The elements from the start of memory to the last of the buffer; at most
  /// the largest number.
  int64_t getExtent() const;
};
} // namespace

int64_t Layout::getExtent() const {
  uint64_t extent = offset;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (size == 0)
      return 0;
    extent = llvm::SaturatingMultiplyAdd<uint64_t>(size - 1, stride, extent);
  }
  return std::min<uint64_t>(llvm::SaturatingAdd<uint64_t>(extent, 1),
                            std::numeric_limits<int64_t>::max());
}

static std::optional<Layout> getLayout(MemRefType type,
                                       std::optional<int64_t> dynamicSize) {
  Layout layout;
  if (failed(type.getStridesAndOffset(layout.strides, layout.offset)) ||
      (!type.hasStaticShape() && !dynamicSize))
    return std::nullopt;
  if (ShapedType::isDynamic(layout.offset))
    layout.offset = 0;
  for (int64_t size : type.getShape())
    layout.sizes.push_back(ShapedType::isDynamic(size) ? *dynamicSize : size);
  int64_t next = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(layout.sizes, layout.strides))) {
    if (ShapedType::isDynamic(stride))
      stride = next;
    if (stride < 0 || llvm::MulOverflow(size, stride, next))
      return std::nullopt;
  }
  return layout.offset < 0 ? std::nullopt : std::optional(std::move(layout));
}

/// The type that takes the place of `type` at the boundary; `type` itself if
/// there is none, or none is needed.
static Type getArgumentType(Type type, std::optional<int64_t> dynamicSize) {
  Type given = type;
  if (auto vector = dyn_cast<VectorType>(type); vector && !vector.isScalable())
    given = RankedTensorType::get(vector.getShape(), vector.getElementType());
  else if (auto memref = dyn_cast<MemRefType>(type);
           memref && !isEntryType(memref))
    if (std::optional<Layout> layout = getLayout(memref, dynamicSize))
      given =
          MemRefType::get(layout->getExtent(), memref.getElementType(),
                          MemRefLayoutAttrInterface(), memref.getMemorySpace());
  return isEntryType(given) ? given : type;
}

static Type getResultType(Type type) {
  if (!isa<ShapedType>(type) && isEntryType(type))
    return RankedTensorType::get({}, type);
  return isa<VectorType>(type) ? getArgumentType(type, std::nullopt) : type;
}

static SmallVector<Value> makeZeros(OpBuilder &builder, Location loc,
                                    unsigned number) {
  if (number == 0)
    return {};
  return {number, arith::ConstantIndexOp::create(builder, loc, 0)};
}

/// The vector of all elements of `tensor`.
static Operation *readVector(OpBuilder &builder, VectorType type,
                             Value tensor) {
  Location loc = tensor.getLoc();
  SmallVector<bool> inBounds(type.getRank(), true);
  Value padding = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(builder, loc, type, tensor,
                                        makeZeros(builder, loc, type.getRank()),
                                        padding, inBounds);
}

/// The buffer of `type` in the memory of `whole`.
static Operation *viewBuffer(OpBuilder &builder, MemRefType type, Value whole,
                             const Layout &layout) {
  Location loc = whole.getLoc();
  auto fold = [&](int64_t number, bool isOpen) -> OpFoldResult {
    if (!isOpen)
      return builder.getIndexAttr(number);
    return arith::ConstantIndexOp::create(builder, loc, number).getResult();
  };
  int64_t offset;
  SmallVector<int64_t> strides;
  (void)type.getStridesAndOffset(strides, offset);
  SmallVector<OpFoldResult> sizes, steps;
  for (auto [number, open] : llvm::zip_equal(layout.sizes, type.getShape()))
    sizes.push_back(fold(number, ShapedType::isDynamic(open)));
  for (auto [number, open] : llvm::zip_equal(layout.strides, strides))
    steps.push_back(fold(number, ShapedType::isDynamic(open)));
  return memref::ReinterpretCastOp::create(
      builder, loc, type, whole,
      fold(layout.offset, ShapedType::isDynamic(offset)), sizes, steps);
}

/// A tensor of `type` with the elements of a scalar or vector.
static Value makeTensor(OpBuilder &builder, Location loc, RankedTensorType type,
                        Value value) {
  if (!isa<VectorType>(value.getType()))
    return tensor::FromElementsOp::create(builder, loc, type, value);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<bool> inBounds(type.getRank(), true);
  return vector::TransferWriteOp::create(
             builder, loc, value, empty,
             makeZeros(builder, loc, type.getRank()), inBounds)
      ->getResult(0);
}

/// Lets all that calls `entry` call a private copy of it.
static void separateCalls(func::FuncOp entry) {
  Operation *module = entry->getParentOp();
  if (SymbolTable::symbolKnownUseEmpty(entry, module))
    return;
  SymbolTable symbols(module);
  auto copy = cast<func::FuncOp>(entry->clone());
  copy.setPrivate();
  StringAttr name = symbols.insert(copy);
  (void)SymbolTable::replaceAllSymbolUses(entry, name, module);
}

void formwork::transforms::passElements(func::FuncOp entry,
                                        std::optional<int64_t> dynamicSize) {
  SmallVector<Type> arguments =
      llvm::map_to_vector(entry.getArgumentTypes(), [&](Type type) {
        return getArgumentType(type, dynamicSize);
      });
  SmallVector<Type> results =
      llvm::map_to_vector(entry.getResultTypes(), getResultType);
  auto type = FunctionType::get(entry.getContext(), arguments, results);
  if (type == entry.getFunctionType())
    return;
  separateCalls(entry);
  entry.setFunctionType(type);
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.front());
  for (auto [argument, given] :
       llvm::zip_equal(entry.getArguments(), arguments)) {
    Type wanted = argument.getType();
    if (wanted == given)
      continue;
    argument.setType(given);
    auto memref = dyn_cast<MemRefType>(wanted);
    Operation *value =
        memref ? viewBuffer(builder, memref, argument,
                            *getLayout(memref, dynamicSize))
               : readVector(builder, cast<VectorType>(wanted), argument);
    argument.replaceAllUsesExcept(value->getResult(0), value);
  }
  entry.walk([&](func::ReturnOp end) {
    builder.setInsertionPoint(end);
    for (auto [operand, wanted] :
         llvm::zip_equal(end->getOpOperands(), results))
      if (operand.get().getType() != wanted)
        operand.set(makeTensor(builder, end.getLoc(),
                               cast<RankedTensorType>(wanted), operand.get()));
  });
}
