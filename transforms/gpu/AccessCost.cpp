//===- AccessCost.cpp - What the accesses of a warp cost ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/AccessCost.h"

#include "transforms/gpu/LaneIndex.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

static constexpr int64_t sectorBytes = 32;
static constexpr int64_t banks = 32, bankBytes = 4;
static constexpr int64_t widestAccess = 16;
/// Memory is counted for this number of warps of a block.
static constexpr size_t warpsLookedAt = 8;
/// A matrix that `ldmatrix` loads: the lanes that say where its rows are, and
/// the bytes of a row.
static constexpr int64_t matrixRows = 8, matrixRowBytes = 16;

bool LaneAccess::isInWorkgroupMemory() const {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(buffer.getType());
}

static bool isPrivate(MemRefType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Private;
}

bool LaneAccess::isInGlobalMemory() const {
  return !isInWorkgroupMemory() && !isPrivate(buffer.getType());
}

int64_t formwork::transforms::getBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  int64_t elements = vector ? vector.getNumElements() : 1;
  Type element = vector ? vector.getElementType() : type;
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(elements * bits, 8);
}

SmallVector<LaneAccess, 2>
formwork::transforms::getLaneAccesses(Operation *op) {
  SmallVector<LaneAccess, 2> accesses;
  auto add = [&](Value buffer, ValueRange indices, int64_t bytes,
                 int64_t numLanes = verifier::Target::warpSize) {
    if (auto ranked = dyn_cast<TypedValue<MemRefType>>(buffer))
      accesses.push_back({ranked, indices, bytes, numLanes});
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](memref::LoadOp load) {
        add(load.getMemRef(), load.getIndices(), getBytes(load.getType()));
      })
      .Case([&](memref::StoreOp store) {
        add(store.getMemRef(), store.getIndices(),
            getBytes(store.getValue().getType()));
      })
      .Case<vector::LoadOp, vector::MaskedLoadOp>([&](auto load) {
        add(load.getBase(), load.getIndices(), getBytes(load.getType()));
      })
      .Case<vector::StoreOp, vector::MaskedStoreOp>([&](auto store) {
        add(store.getBase(), store.getIndices(),
            getBytes(store.getValueToStore().getType()));
      })
      .Case([&](VectorTransferOpInterface transfer) {
        add(transfer.getBase(), transfer.getIndices(),
            getBytes(transfer.getVectorType()));
      })
      .Case([&](nvgpu::LdMatrixOp load) {
        add(load.getSrcMemref(), load.getIndices(), matrixRowBytes,
            matrixRows * load.getNumTiles());
      })
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) {
        int64_t bytes = copy.getDstElements().getZExtValue() *
                        getBytes(copy.getDst().getType().getElementType());
        add(copy.getSrc(), copy.getSrcIndices(), bytes);
        add(copy.getDst(), copy.getDstIndices(), bytes);
      });
  return accesses;
}

/// The first byte that each of `active` accesses, from the start of the buffer;
/// none where that is not known.
static std::optional<SmallVector<int64_t>>
findAddresses(const LaneAccess &access, LaneIndex &lanes,
              ArrayRef<int64_t> active) {
  MemRefType type = access.buffer.getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  int64_t size = getBytes(type.getElementType());
  SmallVector<int64_t> addresses;
  for (int64_t lane : active) {
    if (lane % verifier::Target::warpSize >= access.numLanes)
      continue;
    int64_t address = 0;
    for (auto [index, stride] : llvm::zip_equal(access.indices, strides)) {
      std::optional<int64_t> value = lanes.evaluate(index, lane);
      if (!value)
        return std::nullopt;
      address += *value * stride * size;
    }
    addresses.push_back(address);
  }
  return addresses;
}

/// The widest piece to which all accesses are aligned, if buffers are; in other
/// blocks and iterations, outer indices may be anything.
static int64_t findWidth(const LaneAccess &access,
                         ArrayRef<SmallVector<int64_t>> addresses) {
  MemRefType type = access.buffer.getType();
  int64_t size = getBytes(type.getElementType()), offset;
  uint64_t bits = widestAccess;
  for (ArrayRef<int64_t> warp : addresses)
    for (int64_t address : warp)
      bits |= address;
  SmallVector<int64_t> strides;
  if (succeeded(type.getStridesAndOffset(strides, offset)) && !strides.empty())
    for (auto [index, stride] :
         llvm::drop_end(llvm::zip_equal(access.indices, strides)))
      if (!getConstantIntValue(index))
        bits |= uint64_t(stride) * size;
  int64_t aligned = int64_t(1) << llvm::countr_zero(bits);
  return std::max<int64_t>(std::min(aligned, access.bytes),
                           std::min(size, access.bytes));
}

static double countSectors(ArrayRef<int64_t> addresses, int64_t bytes) {
  llvm::SmallDenseSet<int64_t, 64> sectors;
  for (int64_t address : addresses)
    for (int64_t at = llvm::alignDown<uint64_t>(address, sectorBytes);
         at < address + bytes; at += sectorBytes)
      sectors.insert(at);
  return sectors.size();
}

/// Lanes of which the accesses fill 128 bytes go together: all, 16 or 8.
static double countWavefronts(ArrayRef<int64_t> addresses, int64_t bytes) {
  size_t together = std::clamp<int64_t>(banks * bankBytes / bytes, 1,
                                        verifier::Target::warpSize);
  double wavefronts = 0;
  for (; !addresses.empty();
       addresses = addresses.drop_front(std::min(together, addresses.size()))) {
    std::array<llvm::SmallSet<int64_t, 4>, banks> words;
    for (int64_t address : addresses.take_front(together))
      for (int64_t word = address / bankBytes;
           word * bankBytes < address + bytes; ++word)
        words[word % banks].insert(word);
    size_t most = 0;
    for (const auto &bank : words)
      most = std::max<size_t>(most, bank.size());
    wavefronts += most;
  }
  return wavefronts;
}

AccessCost formwork::transforms::countAccess(const LaneAccess &access,
                                             LaneIndex &lanes,
                                             const Warps &warps) {
  size_t looked = std::min(warps.size(), warpsLookedAt);
  SmallVector<SmallVector<int64_t>> addresses;
  for (size_t warp = 0; warp != looked; ++warp) {
    std::optional<SmallVector<int64_t>> found =
        findAddresses(access, lanes, warps[warp]);
    if (!found)
      break;
    addresses.push_back(std::move(*found));
  }
  bool isKnown = addresses.size() == looked;
  AccessCost cost;
  cost.width = isKnown ? findWidth(access, addresses)
                       : std::min(access.bytes, widestAccess);
  cost.pieces = llvm::divideCeil(access.bytes, cost.width);
  cost.units = 0;
  if (isPrivate(access.buffer.getType()) || warps.empty())
    return cost;
  bool isWorkgroup = access.isInWorkgroupMemory();
  for (size_t warp = 0; warp != looked; ++warp) {
    if (!isKnown) {
      // The least there can be.
      int64_t numLanes = std::min<int64_t>(warps[warp].size(), access.numLanes);
      int64_t unit = isWorkgroup ? banks * bankBytes : sectorBytes;
      cost.units += std::max<int64_t>(
          cost.pieces, llvm::divideCeil(access.bytes * numLanes, unit));
      continue;
    }
    for (int64_t first = 0; first < access.bytes; first += cost.width) {
      SmallVector<int64_t> starts;
      for (int64_t address : addresses[warp])
        starts.push_back(address + first);
      int64_t bytes = std::min(cost.width, access.bytes - first);
      cost.units += isWorkgroup ? countWavefronts(starts, bytes)
                                : countSectors(starts, bytes);
    }
  }
  cost.units *= double(warps.size()) / looked;
  return cost;
}
