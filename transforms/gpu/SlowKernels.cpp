//===- SlowKernels.cpp - What makes a kernel slow ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/SlowKernels.h"

#include "verifier/target/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

/// An access of so many bytes is one element, or less than a thread could have.
static constexpr unsigned narrowBytes = 4;
/// Fewer accesses than these are not worth a word.
static constexpr unsigned fewAccesses = 4;

/// The threads along x, y and z for which something holds.
using Extent = std::array<int64_t, 3>;

static int64_t count(const Extent &extent) {
  return extent[0] * extent[1] * extent[2];
}

/// Cuts `extent` to the threads for which `condition` can hold.
static void restrict(Extent &extent, Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    restrict(extent, both.getLhs());
    restrict(extent, both.getRhs());
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return;
  auto id = compare.getLhs().getDefiningOp<gpu::ThreadIdOp>();
  std::optional<int64_t> bound = getConstantIntValue(compare.getRhs());
  if (!id || !bound)
    return;
  int64_t &size = extent[static_cast<unsigned>(id.getDimension())];
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    size = std::clamp<int64_t>(*bound, 0, size);
    break;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    size = std::clamp<int64_t>(*bound + 1, 0, size);
    break;
  case arith::CmpIPredicate::eq:
    size = std::min<int64_t>(1, size);
    break;
  default:
    break;
  }
}

std::optional<int64_t>
formwork::transforms::countWorkingThreads(gpu::GPUFuncOp kernel,
                                          const Extent &block) {
  std::optional<int64_t> most;
  kernel.walk([&](Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || op->getNumRegions() != 0 || isa<gpu::BarrierOp>(op) ||
        !(effects.hasEffect<MemoryEffects::Read>() ||
          effects.hasEffect<MemoryEffects::Write>()))
      return;
    Extent extent = block;
    for (Operation *child = op, *parent = op->getParentOp(); parent != kernel;
         child = parent, parent = parent->getParentOp())
      if (auto branch = dyn_cast<scf::IfOp>(parent))
        if (child->getParentRegion() == &branch.getThenRegion())
          restrict(extent, branch.getCondition());
    most = std::max(most.value_or(0), count(extent));
  });
  return most;
}

void formwork::transforms::findIdleThreads(ModuleOp outlined,
                                           engine::Findings &findings) {
  outlined.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernelAttr());
    gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
    Extent block;
    for (auto [size, value] :
         llvm::zip(block, ArrayRef({sizes.x, sizes.y, sizes.z}))) {
      std::optional<int64_t> constant = getConstantIntValue(value);
      if (!constant || *constant < 1)
        return;
      size = *constant;
    }
    if (!kernel)
      return;
    std::optional<int64_t> working = countWorkingThreads(kernel, block);
    int64_t threads = llvm::alignTo(count(block), verifier::Target::warpSize);
    if (!working || (threads - *working) * idleShare < threads)
      return;
    Finding finding(
        launch.getLoc(), "fw-slow-idle-threads",
        llvm::formatv("leaves {0} of {1} threads of each block without work",
                      threads - *working, threads)
            .str(),
        DiagnosticSeverity::Warning);
    finding.note(
        NoteKind::Evidence, launch.getLoc(),
        llvm::formatv("the block has {0} x {1} x {2} threads, of which {3} "
                      "access memory; a warp has {4}",
                      block[0], block[1], block[2], *working,
                      verifier::Target::warpSize)
            .str());
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

void formwork::transforms::findSlowCode(ModuleOp lowered,
                                        llvm::ArrayRef<KernelUsage> usage,
                                        engine::Findings &findings) {
  llvm::StringMap<Location> places;
  lowered.walk([&](gpu::LaunchFuncOp launch) {
    places.try_emplace(launch.getKernelName().getValue(), launch.getLoc());
  });
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
                        what, kernel.name)
              .str(),
          DiagnosticSeverity::Warning);
      finding.note(NoteKind::Evidence, loc,
                   "the code of a thread has " + listWidths(*widths));
      finding.note(
          NoteKind::FixIt, loc,
          "let a thread have neighbours along the innermost dimension, "
          "in rows whose length is a multiple of 16 bytes");
      findings.add(std::move(finding));
    }
  }
}
