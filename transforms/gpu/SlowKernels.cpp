//===- SlowKernels.cpp - What makes a kernel slow ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/SlowKernels.h"

#include "transforms/gpu/AccessCost.h"
#include "transforms/gpu/LaneIndex.h"
#include "transforms/gpu/LaunchSizes.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

/// An access of so many bytes is one element, or less than a thread could have.
static constexpr unsigned narrowBytes = 4;
/// Fewer accesses than these are not worth a word.
static constexpr unsigned fewAccesses = 4;

/// Whether the branches around `op` lead `lane` to it. What is not known holds.
static bool isReached(LaneIndex &lanes, Operation *op, int64_t lane) {
  for (Operation *child = op, *parent = op->getParentOp(); parent;
       child = parent, parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      continue;
    bool isThen = child->getParentRegion() == &branch.getThenRegion();
    if (lanes.evaluate(branch.getCondition(), lane).value_or(isThen) !=
        int64_t(isThen))
      return false;
  }
  return true;
}

/// The threads that reach `op` and access a place of their own. Of those that
/// access the same place, one counts.
static int64_t countWorkingThreads(LaneIndex &lanes, Operation *op) {
  // A copy accesses what it writes. The lanes of a warp load matrices together.
  auto accesses = getLaneAccesses(op);
  bool hasPlace = !accesses.empty() && !isa<nvgpu::LdMatrixOp>(op);
  std::set<std::vector<int64_t>> places;
  int64_t working = 0;
  for (int64_t lane = 0; lane != lanes.getNumLanes(); ++lane) {
    if (!isReached(lanes, op, lane))
      continue;
    bool isKnown = hasPlace;
    std::vector<int64_t> indices;
    for (Value index : isKnown ? accesses.back().indices : ValueRange()) {
      std::optional<int64_t> value = lanes.evaluate(index, lane);
      isKnown &= value.has_value();
      indices.push_back(value.value_or(0));
    }
    working += !isKnown || places.insert(std::move(indices)).second;
  }
  return working;
}

std::optional<int64_t>
formwork::transforms::countWorkingThreads(gpu::GPUFuncOp kernel,
                                          const std::array<int64_t, 3> &block) {
  LaneIndex lanes(block);
  std::optional<int64_t> most;
  kernel.walk([&](Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || op->getNumRegions() != 0 || isa<gpu::BarrierOp>(op) ||
        !(effects.hasEffect<MemoryEffects::Read>() ||
          effects.hasEffect<MemoryEffects::Write>()))
      return WalkResult::advance();
    most = std::max(most.value_or(0), ::countWorkingThreads(lanes, op));
    return *most == lanes.getNumLanes() ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  return most;
}

void formwork::transforms::findIdleThreads(ModuleOp outlined,
                                           engine::Findings &findings) {
  outlined.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernelAttr());
    std::optional<std::array<int64_t, 3>> block =
        getStaticLaunchSizes(launch.getBlockSizeOperandValues());
    if (!kernel || !block)
      return;
    std::optional<int64_t> working = countWorkingThreads(kernel, *block);
    int64_t threads = llvm::alignTo((*block)[0] * (*block)[1] * (*block)[2],
                                    verifier::Target::warpSize);
    if (!working || (threads - *working) * idleShare < threads)
      return;
    Finding finding(
        launch.getLoc(), "fw-slow-idle-threads",
        llvm::formatv("leaves {0} of {1} threads of each block without work",
                      threads - *working, threads),
        DiagnosticSeverity::Warning);
    finding.note(
        NoteKind::Evidence, launch.getLoc(),
        llvm::formatv("the block has {0} x {1} x {2} threads, of which {3} "
                      "access memory; a warp has {4}",
                      (*block)[0], (*block)[1], (*block)[2], *working,
                      verifier::Target::warpSize));
    finding.note(NoteKind::FixIt, launch.getLoc(),
                 "choose tiles and threads such that all threads of whole "
                 "warps have elements");
    findings.add(std::move(finding));
  });
}

static std::string listWidths(const AccessWidths &widths) {
  std::string text;
  for (auto [bytes, number] : llvm::reverse(widths))
    text += (text.empty() ? "" : ", ") +
            llvm::formatv("{0} of {1} bytes", number, bytes).str();
  return text;
}

/// Whether narrow accesses have more than half of the bytes.
static bool isNarrow(const AccessWidths &widths) {
  uint64_t narrow = 0, all = 0, accesses = 0;
  for (auto [bytes, number] : widths) {
    all += uint64_t(bytes) * number;
    if (bytes > narrowBytes)
      continue;
    narrow += uint64_t(bytes) * number;
    accesses += number;
  }
  return accesses >= fewAccesses && narrow * 2 > all;
}

/// The kernels of `lowered` that multiply on tensor cores.
static llvm::StringSet<> findTensorCoreKernels(ModuleOp lowered) {
  llvm::StringSet<> names;
  lowered.walk([&](NVVM::MmaOp product) {
    if (auto kernel = product->getParentOfType<FunctionOpInterface>())
      names.insert(kernel.getName());
  });
  return names;
}

void formwork::transforms::findSlowCode(ModuleOp lowered,
                                        llvm::ArrayRef<KernelUsage> usage,
                                        engine::Findings &findings) {
  llvm::StringMap<Location> places;
  lowered.walk([&](gpu::LaunchFuncOp launch) {
    places.try_emplace(launch.getKernelName().getValue(), launch.getLoc());
  });
  llvm::StringSet<> onTensorCores = findTensorCoreKernels(lowered);
  for (const KernelUsage &kernel : usage) {
    auto it = places.find(kernel.name);
    Location loc = it == places.end() ? lowered.getLoc() : it->second;
    if (kernel.spillBytes != 0 || kernel.localBytes != 0) {
      std::string message =
          kernel.spillBytes != 0
              ? llvm::formatv(
                    "spills {0} bytes of registers in '{1}', which has "
                    "{2}",
                    kernel.spillBytes, kernel.name, kernel.registers)
                    .str()
              : llvm::formatv(
                    "keeps {0} bytes of each thread of '{1}' in memory "
                    "instead of registers",
                    kernel.localBytes, kernel.name)
                    .str();
      Finding finding(loc, "fw-slow-spills", message,
                      DiagnosticSeverity::Warning);
      finding.note(NoteKind::FixIt, loc,
                   "let a thread have fewer elements: more threads, or smaller "
                   "tiles");
      findings.add(std::move(finding));
    }
    for (auto [widths, what] : {std::pair(&kernel.loads, "reads"),
                                std::pair(&kernel.stores, "writes")}) {
      if (!isNarrow(*widths))
        continue;
      Finding finding(
          loc, "fw-slow-narrow-access",
          llvm::formatv("{0} global memory in narrow pieces in '{1}': a thread "
                        "can access 16 bytes at a time",
                        what, kernel.name),
          DiagnosticSeverity::Warning);
      finding.note(NoteKind::Evidence, loc,
                   "the accesses in the code of a thread: " +
                       listWidths(*widths));
      // A lane has two neighbours of a fragment, whatever the author decides.
      finding.note(
          NoteKind::FixIt, loc,
          onTensorCores.contains(kernel.name)
              ? "let what is accessed in fragments go through workgroup memory "
                "(transform.formwork.stage of the write, or of the operation "
                "that uses what is read, before the threads share the "
                "vectors), in rows whose length is a multiple of 16 bytes"
              : "let a thread have neighbours along the innermost dimension, "
                "in rows whose length is a multiple of 16 bytes");
      findings.add(std::move(finding));
    }
  }
}
