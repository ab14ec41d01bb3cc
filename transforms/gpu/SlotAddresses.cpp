//===- SlotAddresses.cpp - Addresses in multi-slot buffers ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that goes around the slots of a buffer changes the first index of its
// accesses and no other. The address of the others is computed in front of the
// loop, so that one addition is left in it. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUSLOTADDRESSES
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

namespace {
/// The memory of an access, and where in it that starts.
struct Place {
  OpOperand *memory;
  MutableOperandRange indices;
};

/// The address in a slot as a sum: of values, each times a stride, and of a
/// number.
struct Offset {
  SmallVector<std::pair<Value, int64_t>> terms;
  int64_t number = 0;
};
} // namespace

static std::optional<Place> getPlace(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Place>>(op)
      .Case<vector::LoadOp, vector::StoreOp>([](auto access) {
        return Place{&access.getBaseMutable(), access.getIndicesMutable()};
      })
      .Case<memref::LoadOp, memref::StoreOp>([](auto access) {
        return Place{&access.getMemrefMutable(), access.getIndicesMutable()};
      })
      .Case([](nvgpu::LdMatrixOp load) {
        return Place{&load.getSrcMemrefMutable(), load.getIndicesMutable()};
      })
      .Case([](nvgpu::DeviceAsyncCopyOp copy) {
        return Place{&copy.getDstMutable(), copy.getDstIndicesMutable()};
      })
      .Default(std::nullopt);
}

static bool isInvariant(scf::ForOp loop, Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *def = value.getDefiningOp();
  return def && isPure(def) && def->getNumRegions() == 0 &&
         llvm::all_of(def->getOperands(), [&](Value operand) {
           return isInvariant(loop, operand);
         });
}

/// Takes what computes `value`, which is invariant, out of `loop`.
static void hoist(scf::ForOp loop, Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return;
  for (Value operand : value.getDefiningOp()->getOperands())
    hoist(loop, operand);
  value.getDefiningOp()->moveBefore(loop);
}

/// Adds `value` times `stride`.
static void add(Offset &offset, Value value, int64_t stride) {
  for (auto sum = value.getDefiningOp<arith::AddIOp>(); sum;
       sum = value.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> number = getConstantIntValue(sum.getRhs());
    if (!number)
      break;
    offset.number += *number * stride;
    value = sum.getLhs();
  }
  if (std::optional<int64_t> number = getConstantIntValue(value))
    offset.number += *number * stride;
  else
    offset.terms.push_back({value, stride});
}

namespace {
struct SlotAddresses
    : formwork::transforms::impl::GpuSlotAddressesBase<SlotAddresses> {
  void runOnOperation() override {
    SmallVector<Operation *> accesses;
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      kernel.walk([&](Operation *op) {
        if (getPlace(op))
          accesses.push_back(op);
      });
    });
    for (Operation *op : accesses)
      rewrite(*getPlace(op));
    views.clear();
  }

private:
  using Key = std::pair<void *, SmallVector<std::pair<void *, int64_t>>>;

  void rewrite(Place place) {
    auto type = dyn_cast<MemRefType>(place.memory->get().getType());
    auto loop = place.memory->getOwner()->getParentOfType<scf::ForOp>();
    if (!loop || !type || !type.hasStaticShape() || type.getRank() < 2 ||
        !type.getLayout().isIdentity() ||
        !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) ||
        !loop.isDefinedOutsideOfLoop(place.memory->get()))
      return;
    SmallVector<Value> indices = llvm::map_to_vector(
        place.indices, [](OpOperand &index) { return index.get(); });
    if (isInvariant(loop, indices.front()) ||
        !llvm::all_of(ArrayRef(indices).drop_front(),
                      [&](Value index) { return isInvariant(loop, index); }))
      return;
    Offset offset;
    int64_t stride = 1;
    for (unsigned dim = type.getRank(); --dim != 0;) {
      hoist(loop, indices[dim]);
      add(offset, indices[dim], stride);
      stride *= type.getDimSize(dim);
    }
    if (offset.terms.empty())
      return;
    OpBuilder builder(place.memory->getOwner());
    Value within = arith::ConstantIndexOp::create(
        builder, place.memory->getOwner()->getLoc(), offset.number);
    place.memory->set(getView(loop, place.memory->get(), offset, stride));
    place.indices.assign(ValueRange{indices.front(), within});
  }

  /// `memory`, from `offset` without its number on, as slots of `size`
  /// elements.
  Value getView(scf::ForOp loop, Value memory, const Offset &offset,
                int64_t size) {
    Key key{memory.getAsOpaquePointer(), {}};
    for (auto [value, stride] : offset.terms)
      key.second.push_back({value.getAsOpaquePointer(), stride});
    Value &view = views[{loop, key}];
    if (view)
      return view;
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value start;
    for (auto [value, stride] : offset.terms) {
      Value term = value;
      if (stride != 1)
        term = arith::MulIOp::create(
            builder, loc, value,
            arith::ConstantIndexOp::create(builder, loc, stride));
      start = start
                  ? arith::AddIOp::create(builder, loc, start, term).getResult()
                  : term;
    }
    auto type = cast<MemRefType>(memory.getType());
    int64_t slots = type.getDimSize(0);
    auto layout = StridedLayoutAttr::get(builder.getContext(),
                                         ShapedType::kDynamic, {size, 1});
    view = memref::ReinterpretCastOp::create(
        builder, loc,
        MemRefType::get({slots, size}, type.getElementType(), layout,
                        type.getMemorySpace()),
        memory, OpFoldResult(start),
        ArrayRef<OpFoldResult>{builder.getIndexAttr(slots),
                               builder.getIndexAttr(size)},
        ArrayRef<OpFoldResult>{builder.getIndexAttr(size),
                               builder.getIndexAttr(1)});
    return view;
  }

  std::map<std::pair<Operation *, Key>, Value> views;
};
} // namespace
