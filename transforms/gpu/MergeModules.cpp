//===- MergeModules.cpp - One device image a compilation --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/IR/SymbolTable.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUMERGEMODULES
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

/// The symbols in `from` and what references to them become.
using Renames = llvm::DenseMap<SymbolRefAttr, SymbolRefAttr>;

/// Moves everything from `from` to `into`, under a free name.
static LogicalResult moveSymbols(gpu::GPUModuleOp from, SymbolTable &into,
                                 Renames &renames) {
  auto target = cast<gpu::GPUModuleOp>(into.getOp());
  SymbolTable source(from);
  for (Operation &op :
       llvm::make_early_inc_range(from.getBodyRegion().front())) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      continue;
    StringAttr oldName = symbol.getNameAttr();
    if (into.lookup(oldName)) {
      // Within its own module, so that references there follow.
      FailureOr<StringAttr> fresh = source.renameToUnique(&op, {&into});
      if (failed(fresh))
        return failure();
    }
    auto ref = [](gpu::GPUModuleOp module, StringAttr name) {
      return SymbolRefAttr::get(module.getNameAttr(),
                                {FlatSymbolRefAttr::get(name)});
    };
    renames[ref(from, oldName)] = ref(target, symbol.getNameAttr());
    op.remove();
    into.insert(&op);
  }
  return success();
}

namespace {
struct MergeModules
    : formwork::transforms::impl::GpuMergeModulesBase<MergeModules> {
  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules(
        getOperation().getOps<gpu::GPUModuleOp>());
    if (modules.size() < 2)
      return;
    SymbolTable into(modules.front());
    Renames renames;
    for (gpu::GPUModuleOp module : ArrayRef(modules).drop_front()) {
      if (failed(moveSymbols(module, into, renames)))
        return signalPassFailure();
      module.erase();
    }
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (SymbolRefAttr renamed = renames.lookup(launch.getKernel()))
        launch.setKernelAttr(renamed);
    });
  }
};
} // namespace
