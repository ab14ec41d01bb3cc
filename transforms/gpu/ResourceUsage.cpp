//===- ResourceUsage.cpp - What a kernel takes of a GPU ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/ResourceUsage.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"

using namespace formwork::transforms;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
/// The resources of one multiprocessor.
struct Multiprocessor {
  unsigned architecture;
  int64_t warps, blocks, workgroupBytes;
};
} // namespace

static constexpr Multiprocessor multiprocessors[] = {
    {70, 64, 32, 96 << 10},   {72, 64, 32, 96 << 10},
    {75, 32, 16, 64 << 10},   {80, 64, 32, 164 << 10},
    {86, 48, 16, 100 << 10},  {87, 48, 16, 164 << 10},
    {89, 48, 24, 100 << 10},  {90, 64, 32, 228 << 10},
    {100, 64, 32, 228 << 10}, {103, 64, 32, 228 << 10},
    {120, 48, 24, 100 << 10}, {121, 48, 24, 100 << 10}};

/// The same for all of them.
static constexpr int64_t registersInAll = 65536;
static constexpr int64_t registerUnit = 256; ///< of a warp
static constexpr int64_t warpUnit = 4;       ///< of one scheduler each
static constexpr int64_t warpSize = 32;

Occupancy formwork::transforms::computeOccupancy(unsigned architecture,
                                                 int64_t threads,
                                                 int64_t registers,
                                                 int64_t workgroupBytes) {
  const Multiprocessor *row =
      llvm::find_if(multiprocessors, [&](const Multiprocessor &row) {
        return row.architecture == architecture;
      });
  if (row == std::end(multiprocessors) || threads <= 0 || registers <= 0)
    return {};
  int64_t warps = llvm::divideCeil(threads, warpSize);
  int64_t ofRegisters = llvm::alignDown<uint64_t>(
      registersInAll / llvm::alignTo(registers * warpSize, registerUnit),
      warpUnit);
  std::pair<int64_t, const char *> limits[] = {
      {row->warps / warps, "warps"},
      {row->blocks, "blocks"},
      {ofRegisters / warps, "registers"},
      {row->blocks, "workgroup memory"}};
  if (workgroupBytes > 0) {
    // From Ampere on, the system takes 1 KiB of each block.
    bool isAmpere = architecture >= 80;
    limits[3].first = row->workgroupBytes /
                      llvm::alignTo(workgroupBytes + (isAmpere ? 1024 : 0),
                                    isAmpere ? 128 : 256);
  }
  // The first of equal ones: it cannot be changed by using less.
  auto least = *llvm::min_element(
      limits, [](const auto &a, const auto &b) { return a.first < b.first; });
  return {least.first * warps, row->warps, least.second};
}

/// The number in front of `unit` in `line`; 0 without one.
static int64_t readCount(StringRef line, StringRef unit) {
  llvm::Regex pattern(("([0-9]+) " + unit).str());
  SmallVector<StringRef> groups;
  int64_t count = 0;
  if (pattern.match(line, &groups))
    groups[1].getAsInteger(10, count);
  return count;
}

static void readLog(StringRef log, std::vector<KernelUsage> &kernels) {
  llvm::Regex entry("Compiling entry function '([^']*)'");
  KernelUsage *current = nullptr;
  SmallVector<StringRef> lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    SmallVector<StringRef> groups;
    if (entry.match(line, &groups)) {
      auto it = llvm::find_if(kernels, [&](const KernelUsage &kernel) {
        return kernel.name == groups[1];
      });
      current = it == kernels.end() ? nullptr : &*it;
    }
    if (!current)
      continue;
    current->spillBytes += readCount(line, "bytes spill stores") +
                           readCount(line, "bytes spill loads");
    current->registers += readCount(line, "registers");
    current->workgroupBytes += readCount(line, "bytes smem");
  }
}

/// How many bytes an instruction such as `ld.global.nc.v4.b32` accesses.
static unsigned getWidth(StringRef instruction) {
  unsigned count = 1, bits = 0;
  SmallVector<StringRef> parts;
  instruction.split(parts, '.');
  for (StringRef part : parts)
    if (part.consume_front("v"))
      part.getAsInteger(10, count);
  parts.back().drop_front().getAsInteger(10, bits);
  return count * bits / 8;
}

static std::vector<KernelUsage> readPTX(StringRef ptx) {
  llvm::Regex entry("\\.entry ([A-Za-z0-9_$.%]+)");
  llvm::Regex block("\\.maxntid ([0-9]+)(, ([0-9]+))?(, ([0-9]+))?");
  llvm::Regex access("(ld|st)\\.global[^ \t]*");
  llvm::Regex local("\\.local .*\\.b8[ \t].*\\[([0-9]+)\\]");
  std::vector<KernelUsage> kernels;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (StringRef line : lines) {
    SmallVector<StringRef> groups;
    if (entry.match(line, &groups)) {
      kernels.emplace_back();
      kernels.back().name = groups[1].str();
    }
    if (kernels.empty())
      continue;
    if (block.match(line, &groups)) {
      kernels.back().threads = 1;
      for (unsigned group : {1, 3, 5}) {
        int64_t size = 1;
        groups[group].getAsInteger(10, size);
        kernels.back().threads *= size;
      }
    } else if (local.match(line, &groups)) {
      int64_t bytes = 0;
      groups[1].getAsInteger(10, bytes);
      kernels.back().localBytes += bytes;
    } else if (access.match(line, &groups)) {
      AccessWidths &widths =
          groups[1] == "ld" ? kernels.back().loads : kernels.back().stores;
      ++widths[getWidth(groups[0])];
    }
  }
  return kernels;
}

std::vector<KernelUsage> formwork::transforms::readResourceUsage(
    StringRef ptx, StringRef log, StringRef arch,
    const llvm::StringMap<int64_t> &dynamicBytes) {
  std::vector<KernelUsage> kernels = readPTX(ptx);
  readLog(log, kernels);
  unsigned architecture = 0;
  arch.consume_front("sm_");
  arch.consumeInteger(10, architecture);
  for (KernelUsage &kernel : kernels) {
    kernel.workgroupBytes += dynamicBytes.lookup(kernel.name);
    kernel.occupancy = computeOccupancy(
        architecture, kernel.threads, kernel.registers, kernel.workgroupBytes);
  }
  return kernels;
}

llvm::StringMap<int64_t>
formwork::transforms::countDynamicBytes(mlir::ModuleOp lowered) {
  llvm::StringMap<int64_t> bytes;
  lowered.walk([&](mlir::gpu::LaunchFuncOp launch) {
    mlir::Value asked = launch.getDynamicSharedMemorySize();
    if (std::optional<int64_t> number =
            asked ? mlir::getConstantIntValue(asked) : std::nullopt) {
      int64_t &most = bytes[launch.getKernelName().getValue()];
      most = std::max(most, *number);
    }
  });
  return bytes;
}

static std::string toText(const AccessWidths &widths) {
  std::string text;
  // The widest first.
  for (auto [bytes, count] : llvm::reverse(widths))
    text += (text.empty() ? "" : ", ") +
            llvm::formatv("{0} of {1} B", count, bytes).str();
  return text.empty() ? "none" : text;
}

static std::string toText(const Occupancy &occupancy) {
  if (occupancy.maxWarps == 0)
    return "unknown";
  return llvm::formatv("{0} of {1} warps ({2})", occupancy.warps,
                       occupancy.maxWarps, occupancy.limitedBy);
}

void formwork::transforms::printResourceUsage(
    llvm::ArrayRef<KernelUsage> kernels, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {
      {"kernel", "threads", "registers", "spilled", "workgroup", "occupancy",
       "global loads", "global stores"}};
  for (const KernelUsage &kernel : kernels)
    rows.push_back(
        {kernel.name, kernel.threads ? llvm::utostr(kernel.threads) : "unknown",
         llvm::utostr(kernel.registers), llvm::utostr(kernel.spillBytes) + " B",
         llvm::utostr(kernel.workgroupBytes) + " B", toText(kernel.occupancy),
         toText(kernel.loads), toText(kernel.stores)});
  std::vector<size_t> widths(rows.front().size());
  for (const std::vector<std::string> &row : rows)
    for (auto [width, cell] : llvm::zip(widths, row))
      width = std::max(width, cell.size());
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (auto [width, cell] : llvm::zip(widths, row)) {
      line += cell;
      line.append(width - cell.size() + 2, ' ');
    }
    os << StringRef(line).rtrim() << "\n";
  }
}
