//===- LaunchDescription.cpp - How kernels want to be launched ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/LaunchDescription.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::transforms;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static json::Value describeNumber(Value value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return *number;
  return nullptr;
}

static json::Value describeExtent(gpu::KernelDim3 extent) {
  return json::Array{describeNumber(extent.x), describeNumber(extent.y),
                     describeNumber(extent.z)};
}

/// Which of the buffers that the function around it allocates `alloc` is.
static int64_t numberTemporary(memref::AllocOp alloc) {
  int64_t number = 0;
  alloc->getParentOfType<FunctionOpInterface>().walk([&](memref::AllocOp op) {
    if (op == alloc)
      return WalkResult::interrupt();
    ++number;
    return WalkResult::advance();
  });
  return number;
}

/// Where an argument comes from, as far as the host function shows: one of its
/// own arguments, a buffer that it allocates, or a number. Another shape of a
/// buffer is that buffer.
static json::Value describeOperand(Value operand) {
  json::Object object{{"type", debugString(operand.getType())}};
  while (Operation *op = operand.getDefiningOp()) {
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(
            op))
      break;
    operand = op->getOperand(0);
  }
  if (auto alloc = operand.getDefiningOp<memref::AllocOp>())
    object["temporary"] = numberTemporary(alloc);
  auto argument = dyn_cast<BlockArgument>(operand);
  if (argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    object["functionArgument"] = argument.getArgNumber();
  else if (std::optional<int64_t> number = getConstantIntValue(operand))
    object["value"] = *number;
  return object;
}

static json::Value describeLaunch(gpu::LaunchFuncOp launch) {
  json::Array arguments;
  for (Value operand : launch.getKernelOperands())
    arguments.push_back(describeOperand(operand));
  Value dynamic = launch.getDynamicSharedMemorySize();
  auto function = launch->getParentOfType<FunctionOpInterface>();
  return json::Object{
      {"kernel", launch.getKernelName().getValue()},
      {"function", function ? json::Value(function.getName()) : nullptr},
      {"grid", describeExtent(launch.getGridSizeOperandValues())},
      {"block", describeExtent(launch.getBlockSizeOperandValues())},
      {"dynamicWorkgroupBytes", dynamic ? describeNumber(dynamic) : 0},
      {"arguments", std::move(arguments)}};
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// The parameter of the kernel that `pointer` is computed from, or null.
static BlockArgument findParameter(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      pointer = gep.getBase();
    } else if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op)) {
      pointer = cast.getArg();
    } else if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
      // A member of a descriptor that was put together here.
      Value container = extract.getContainer();
      Value member;
      while (auto insert = container.getDefiningOp<LLVM::InsertValueOp>()) {
        if (insert.getPosition() == extract.getPosition()) {
          member = insert.getValue();
          break;
        }
        container = insert.getContainer();
      }
      if (!member)
        return nullptr;
      pointer = member;
    } else {
      return nullptr;
    }
  }
  return cast<BlockArgument>(pointer);
}

/// The alignment that the accesses in `kernel` assume of the pointer in each
/// parameter: the largest one that an access promises.
static SmallVector<uint32_t> findAlignments(LLVM::LLVMFuncOp kernel) {
  SmallVector<uint32_t> alignments(kernel.getNumArguments(), 1);
  auto assume = [&](Value pointer, uint64_t alignment) {
    BlockArgument parameter = findParameter(pointer);
    if (parameter && parameter.getOwner() == &kernel.getBody().front()) {
      uint32_t &known = alignments[parameter.getArgNumber()];
      known = std::max<uint32_t>(known, alignment);
    }
  };
  DataLayout layout = DataLayout::closest(kernel);
  auto assumeOfType = [&](Value pointer, Type type,
                          std::optional<uint64_t> alignment) {
    assume(pointer, alignment ? *alignment : layout.getTypeABIAlignment(type));
  };
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      assumeOfType(load.getAddr(), load.getType(), load.getAlignment());
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      assumeOfType(store.getAddr(), store.getValue().getType(),
                   store.getAlignment());
    else if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
      assume(copy.getSrc(), copy.getSize());
  });
  return alignments;
}

std::vector<KernelAssumptions>
formwork::transforms::getKernelAssumptions(ModuleOp lowered) {
  std::vector<KernelAssumptions> kernels;
  lowered.walk([&](LLVM::LLVMFuncOp kernel) {
    if (!kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
        kernel.isExternal())
      return;
    KernelAssumptions &found = kernels.emplace_back();
    found.name = kernel.getName().str();
    found.alignments = findAlignments(kernel);
  });
  return kernels;
}

static json::Value describeParameters(LLVM::LLVMFuncOp kernel) {
  SmallVector<uint32_t> alignments = findAlignments(kernel);
  DataLayout layout = DataLayout::closest(kernel);
  json::Array parameters;
  for (BlockArgument parameter : kernel.getArguments()) {
    json::Object object{
        {"type", debugString(parameter.getType())},
        {"bytes", int64_t(layout.getTypeSize(parameter.getType()))}};
    if (isa<LLVM::LLVMPointerType>(parameter.getType()))
      object["alignment"] = alignments[parameter.getArgNumber()];
    parameters.push_back(std::move(object));
  }
  return parameters;
}

/// The workgroup variables that `kernel` names, one after the other.
static int64_t countStaticBytes(LLVM::LLVMFuncOp kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  llvm::SetVector<Operation *> variables;
  kernel.walk([&](LLVM::AddressOfOp address) {
    auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
        address, address.getGlobalNameAttr());
    if (global &&
        global.getAddrSpace() == unsigned(NVVM::NVVMMemorySpace::Shared))
      variables.insert(global);
  });
  uint64_t bytes = 0;
  for (Operation *op : variables) {
    auto global = cast<LLVM::GlobalOp>(op);
    uint64_t alignment = global.getAlignment().value_or(
        layout.getTypeABIAlignment(global.getGlobalType()));
    bytes = llvm::alignTo(bytes, alignment) +
            layout.getTypeSize(global.getGlobalType());
  }
  return bytes;
}

json::Value formwork::transforms::describeLaunches(ModuleOp lowered,
                                                   gpu::GPUModuleOp kernels,
                                                   StringRef target) {
  json::Array described, launches;
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
    if (kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      described.push_back(
          json::Object{{"name", kernel.getName()},
                       {"staticWorkgroupBytes", countStaticBytes(kernel)},
                       {"parameters", describeParameters(kernel)}});
  lowered.walk([&](gpu::LaunchFuncOp launch) {
    launches.push_back(describeLaunch(launch));
  });
  return json::Object{{"version", 1},
                      {"target", target},
                      {"kernels", std::move(described)},
                      {"launches", std::move(launches)}};
}
