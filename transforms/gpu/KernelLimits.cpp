//===- KernelLimits.cpp - Kernels against a target's limits -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/KernelLimits.h"

#include "engine/Diagnostics.h"
#include "transforms/gpu/LaunchSizes.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using engine::Finding;
using engine::Findings;
using engine::NoteKind;
using transforms::getLaunchSizes;
using transforms::LaunchSizes;
using verifier::Target;

static void checkDims(Operation *launch, const LaunchSizes &dims,
                      ArrayRef<int64_t> limits, StringRef what, StringRef id,
                      Findings &findings) {
  for (auto [axis, dim, limit] : llvm::zip("xyz", dims, limits))
    if (dim && *dim > limit)
      findings.add(Finding(
          launch->getLoc(), id,
          llvm::formatv("target requires at most {0} {1} along {2} but the "
                        "launch has {3}",
                        limit, what, axis, *dim)));
}

static void checkLaunch(gpu::LaunchFuncOp launch, Findings &findings) {
  LaunchSizes block = getLaunchSizes(launch.getBlockSizeOperandValues());
  LaunchSizes grid = getLaunchSizes(launch.getGridSizeOperandValues());
  checkDims(launch, block, Target::maxBlockDims, "threads a block",
            "fw-too-many-threads", findings);
  checkDims(launch, grid, Target::maxGridDims, "blocks a grid",
            "fw-grid-too-large", findings);
  int64_t threads = 1;
  for (std::optional<int64_t> dim : block)
    threads = llvm::SaturatingMultiply<uint64_t>(threads, dim.value_or(1));
  if (threads > Target::maxThreadsPerBlock)
    findings.add(Finding(launch.getLoc(), "fw-too-many-threads",
                         llvm::formatv("target requires at most {0} threads a "
                                       "block but the launch has {1}",
                                       Target::maxThreadsPerBlock, threads)));
}

/// The bytes that `kernel` declares; appends each buffer to `buffers`.
static int64_t
countDeclared(gpu::GPUFuncOp kernel,
              SmallVectorImpl<std::pair<Location, int64_t>> &buffers) {
  DataLayout layout = DataLayout::closest(kernel);
  int64_t total = 0;
  for (auto [index, buffer] :
       llvm::enumerate(kernel.getWorkgroupAttributions())) {
    auto type = cast<MemRefType>(buffer.getType());
    int64_t alignment = 1;
    if (auto attr =
            dyn_cast_or_null<IntegerAttr>(kernel.getWorkgroupAttributionAttr(
                index, LLVM::LLVMDialect::getAlignAttrName())))
      alignment = attr.getInt();
    int64_t bytes = type.getNumElements() *
                    layout.getTypeSize(type.getElementType()).getFixedValue();
    total = llvm::alignTo(total, alignment) + bytes;
    buffers.emplace_back(buffer.getLoc(), bytes);
  }
  return total;
}

static void checkWorkgroupMemory(gpu::GPUFuncOp kernel, const Target &target,
                                 Findings &findings) {
  SmallVector<std::pair<Location, int64_t>> buffers;
  int64_t total = countDeclared(kernel, buffers);
  if (total <= target.staticWorkgroupBytes)
    return;
  Finding finding(
      kernel.getLoc(), "fw-workgroup-memory",
      llvm::formatv("{0} requires at most {1} bytes of static "
                    "workgroup memory a block but the kernel has {2}",
                    target.name, target.staticWorkgroupBytes, total));
  for (auto [loc, bytes] : buffers)
    finding.note(NoteKind::Evidence, loc,
                 llvm::formatv("{0} bytes are allocated here", bytes));
  finding.note(NoteKind::Approximation, kernel.getLoc(),
               llvm::formatv(
                   "{0} offers up to {1} bytes of dynamic workgroup memory, "
                   "which transform.formwork.use_dynamic_workgroup_memory uses",
                   target.name, target.optInWorkgroupBytes));
  findings.add(std::move(finding));
}

/// Checks the memory that the launch requests besides the kernel's own.
static void checkDynamicMemory(gpu::LaunchFuncOp launch, const Target &target,
                               Findings &findings) {
  Value asked = launch.getDynamicSharedMemorySize();
  std::optional<int64_t> bytes =
      asked ? getConstantIntValue(asked) : std::nullopt;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!bytes || !kernel)
    return;
  SmallVector<std::pair<Location, int64_t>> buffers;
  int64_t total = countDeclared(kernel, buffers) + *bytes;
  if (total > target.optInWorkgroupBytes)
    findings.add(Finding(
        launch.getLoc(), "fw-workgroup-memory",
        llvm::formatv("{0} requires at most {1} bytes of workgroup memory a "
                      "block but the launch needs {2}",
                      target.name, target.optInWorkgroupBytes, total)));
}

LogicalResult formwork::transforms::checkKernelLimits(ModuleOp module,
                                                      const Target &target) {
  Findings findings;
  module.walk([&](gpu::LaunchFuncOp launch) {
    checkLaunch(launch, findings);
    checkDynamicMemory(launch, target, findings);
  });
  module.walk([&](gpu::GPUFuncOp kernel) {
    checkWorkgroupMemory(kernel, target, findings);
  });
  bool failed = findings.hasErrors();
  findings.emit();
  return failure(failed);
}
