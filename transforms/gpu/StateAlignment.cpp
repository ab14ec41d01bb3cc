//===- StateAlignment.cpp - How accesses are aligned ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/StateAlignment.h"

#include "transforms/distribute/Alignment.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace formwork::transforms;

/// The alignment in bytes of the buffer of which `memory` is a view; none for
/// one that is neither an argument of the kernel nor in workgroup memory.
static std::optional<int64_t>
getBaseAlignment(gpu::GPUFuncOp kernel, Value memory, int64_t ofArguments) {
  for (;;) {
    if (auto view = memory.getDefiningOp<memref::SubViewOp>())
      memory = view.getSource();
    else if (auto cast = memory.getDefiningOp<memref::ReinterpretCastOp>();
             cast && cast.getType().getLayout().isIdentity())
      memory = cast.getSource();
    else
      break;
  }
  auto argument = dyn_cast<BlockArgument>(memory);
  if (!argument || argument.getOwner() != &kernel.getBody().front())
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  if (number < kernel.getNumArguments())
    return ofArguments;
  number -= kernel.getNumArguments();
  if (number >= kernel.getNumWorkgroupAttributions())
    return std::nullopt;
  auto stated =
      dyn_cast_or_null<IntegerAttr>(kernel.getWorkgroupAttributionAttr(
          number, LLVM::LLVMDialect::getAlignAttrName()));
  return stated ? std::optional(stated.getInt()) : std::nullopt;
}

template <typename Access>
static void state(gpu::GPUFuncOp kernel, Access access, int64_t ofArguments) {
  VectorType type = access.getVectorType();
  Type element = type.getElementType();
  if (type.isScalable() || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8 != 0)
    return;
  std::optional<int64_t> base =
      getBaseAlignment(kernel, access.getBase(), ofArguments);
  if (!base)
    return;
  int64_t bytes = std::gcd(
      *base, distribute::getByteDivisor(access.getBase(), access.getIndices()));
  bytes &= -bytes;
  int64_t ofVector =
      type.getNumElements() * element.getIntOrFloatBitWidth() / 8;
  bytes = std::min<int64_t>(bytes, llvm::bit_floor<uint64_t>(ofVector));
  int64_t stated = access.getAlignment().value_or(0);
  if (bytes > stated && bytes > element.getIntOrFloatBitWidth() / 8)
    access.setAlignment(bytes);
}

void formwork::transforms::stateAlignment(ModuleOp outlined,
                                          uint64_t alignment) {
  outlined.walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel())
      return;
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<vector::LoadOp>(op))
        state(kernel, load, alignment);
      else if (auto store = dyn_cast<vector::StoreOp>(op))
        state(kernel, store, alignment);
    });
  });
}
