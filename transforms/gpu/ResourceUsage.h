//===- ResourceUsage.h - What a kernel takes of a GPU -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers, spills, workgroup memory, occupancy and the widths of accesses,
// for each kernel of a module: read from PTX and from what ptxas says of it.
// Layer: transforms; it knows neither MLIR nor the schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_RESOURCEUSAGE_H
#define FORMWORK_TRANSFORMS_GPU_RESOURCEUSAGE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>
#include <vector>

namespace formwork::transforms {

/// How many warps a multiprocessor holds at a time, and what allows no more.
struct Occupancy {
  int64_t warps = 0;
  int64_t maxWarps = 0;
  std::string limitedBy; ///< "registers", "workgroup memory", "blocks", "warps"
};

/// How many instructions access so many bytes, by bytes a thread.
using AccessWidths = std::map<unsigned, unsigned>;

struct KernelUsage {
  std::string name;
  int64_t registers = 0;  ///< a thread
  int64_t spillBytes = 0; ///< stored and loaded
  int64_t localBytes = 0; ///< of arrays of a thread
  int64_t workgroupBytes = 0;
  int64_t threads = 0; ///< a block; 0 if the kernel does not say
  Occupancy occupancy; ///< no warps if the target or the threads are unknown
  AccessWidths loads;  ///< of global memory, in the text of the kernel
  AccessWidths stores;
};

/// The kernels in `ptx`, in its order, with what `log`, printed by `ptxas -v`,
/// says of them, and the bytes of workgroup memory that launches ask for
/// beside.
std::vector<KernelUsage>
readResourceUsage(llvm::StringRef ptx, llvm::StringRef log,
                  llvm::StringRef arch,
                  const llvm::StringMap<int64_t> &dynamicBytes = {});

/// By kernel, the most bytes of dynamic workgroup memory that a launch in
/// `lowered` asks for, of those that ask for a constant.
llvm::StringMap<int64_t> countDynamicBytes(mlir::ModuleOp lowered);

/// The occupancy with `threads` threads a block. Source: CUDA C++ Programming
/// Guide 13.0, technical specifications per compute capability; allocation
/// units from NVIDIA's occupancy calculator.
Occupancy computeOccupancy(unsigned architecture, int64_t threads,
                           int64_t registers, int64_t workgroupBytes);

/// One row a kernel, under a row of titles.
void printResourceUsage(llvm::ArrayRef<KernelUsage> kernels,
                        llvm::raw_ostream &os);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_RESOURCEUSAGE_H
