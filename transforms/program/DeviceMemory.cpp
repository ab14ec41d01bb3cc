//===- DeviceMemory.cpp - Temporaries between kernels -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/DeviceMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::transforms;

static constexpr uint64_t kAlignment = 256;

namespace {
/// A buffer with the operations, by their numbers in the block, that use it.
struct Temporary {
  memref::AllocOp alloc;
  uint64_t bytes = 0;
  unsigned first = 0, last = 0;
  uint64_t offset = 0;
  SmallVector<memref::DeallocOp> deallocs;
};
} // namespace

/// Whether all uses of `value` and of views of it are launches in `block`, or
/// in loops there, and which ones.
static bool collectUses(Value value, Block &block,
                        const llvm::DenseMap<Operation *, unsigned> &numbers,
                        Temporary &temporary) {
  for (Operation *user : value.getUsers()) {
    if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
      temporary.deallocs.push_back(dealloc);
      continue;
    }
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      for (Value result : view->getResults())
        if (!collectUses(result, block, numbers, temporary))
          return false;
      continue;
    }
    Operation *ancestor = block.findAncestorOpInBlock(*user);
    if (!ancestor || !isa<gpu::LaunchFuncOp>(user))
      return false;
    unsigned number = numbers.lookup(ancestor);
    temporary.first = std::min(temporary.first, number);
    temporary.last = std::max(temporary.last, number);
  }
  return true;
}

static std::optional<uint64_t> getByteSize(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  unsigned bits =
      type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  int64_t bytes = llvm::divideCeil(bits, 8);
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow<int64_t>(bytes, extent, bytes))
      return std::nullopt;
  return bytes;
}

/// Gives each temporary the lowest place that no other one has while it lives.
static uint64_t placeAll(MutableArrayRef<Temporary> temporaries) {
  uint64_t total = 0;
  for (auto [index, temporary] : llvm::enumerate(temporaries)) {
    SmallVector<std::pair<uint64_t, uint64_t>> taken;
    for (Temporary &other : temporaries.take_front(index))
      if (other.first <= temporary.last && temporary.first <= other.last)
        taken.emplace_back(other.offset, other.offset + other.bytes);
    llvm::sort(taken);
    uint64_t offset = 0;
    for (auto [begin, end] : taken) {
      if (offset + temporary.bytes <= begin)
        break;
      offset = std::max(offset, llvm::alignTo(end, kAlignment));
    }
    temporary.offset = offset;
    total = std::max(total, offset + temporary.bytes);
  }
  return total;
}

uint64_t formwork::transforms::shareTemporaries(func::FuncOp function) {
  Block &block = function.getBody().front();
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (auto [number, op] : llvm::enumerate(block))
    numbers[&op] = number;
  SmallVector<Temporary> temporaries;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    Temporary temporary;
    temporary.alloc = alloc;
    temporary.first = numbers.lookup(alloc) + numbers.size();
    std::optional<uint64_t> bytes = getByteSize(alloc.getType());
    if (!bytes || !collectUses(alloc, block, numbers, temporary))
      continue;
    temporary.bytes = *bytes;
    temporary.first = std::min(temporary.first, temporary.last);
    temporaries.push_back(std::move(temporary));
  }
  if (temporaries.empty())
    return 0;
  uint64_t total = placeAll(temporaries);

  OpBuilder builder(function);
  Location loc = function.getLoc();
  auto type = MemRefType::get({int64_t(total)}, builder.getI8Type());
  auto workspace = func::FuncOp::create(builder, loc, workspaceFunction,
                                        builder.getFunctionType({}, type));
  workspace.setPrivate();
  builder.setInsertionPointToStart(workspace.addEntryBlock());
  Value memory = memref::AllocOp::create(builder, loc, type);
  func::ReturnOp::create(builder, loc, memory);
  builder.setInsertionPointToStart(&block);
  memory = func::CallOp::create(builder, loc, workspace).getResult(0);
  for (Temporary &temporary : temporaries) {
    builder.setInsertionPoint(temporary.alloc);
    Value offset = arith::ConstantIndexOp::create(
        builder, temporary.alloc.getLoc(), temporary.offset);
    Value view = memref::ViewOp::create(builder, temporary.alloc.getLoc(),
                                        temporary.alloc.getType(), memory,
                                        offset, ValueRange());
    for (memref::DeallocOp dealloc : temporary.deallocs)
      dealloc.erase();
    temporary.alloc.replaceAllUsesWith(view);
    temporary.alloc.erase();
  }
  return total;
}
