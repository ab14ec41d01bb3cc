//===- Strategies.cpp - A schedule for a payload that has none --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/Strategies.h"

#include "engine/Diagnostics.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/strategies/HostReads.h"
#include "transforms/strategies/KernelGroups.h"
#include "transforms/strategies/PreparePayload.h"
#include "transforms/strategies/Products.h"
#include "transforms/strategies/ScheduleWriter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;

/// Says which strategy took what.
static void report(const KernelGroup &group, unsigned number) {
  llvm::MapVector<StringRef, unsigned> counts;
  for (const KernelPart &part : llvm::reverse(group.parts))
    ++counts[part.op->getName().getStringRef()];
  std::string parts;
  for (auto [name, count] : counts) {
    if (!parts.empty())
      parts += ", ";
    if (count > 1)
      parts += std::to_string(count) + " ";
    parts += name;
  }
  (void)emitFinding(Finding(group.getRoot()->getLoc(), "fw-strategy",
                            llvm::formatv("kernel {0}: strategy @{1} takes {2}",
                                          number, group.strategy->name, parts),
                            DiagnosticSeverity::Remark));
}

/// Adds a loop to each root of `groups` that has none for blocks, and says
/// whether there was one.
static bool addMissingLoops(ArrayRef<KernelGroup> groups) {
  bool isChanged = false;
  for (const KernelGroup &group : groups) {
    auto root = dyn_cast<linalg::LinalgOp>(group.getRoot());
    if (!root || root.getNumParallelLoops() != 0)
      continue;
    addParallelLoop(root);
    isChanged = true;
  }
  return isChanged;
}

/// The kernels of `groups` that read the result of `op` element by element, and
/// of which each could compute it by itself; none where something else reads
/// it.
static llvm::MapVector<const KernelGroup *, SmallVector<OpOperand *>>
findElementwiseReaders(linalg::LinalgOp op, ArrayRef<KernelGroup> groups) {
  llvm::MapVector<const KernelGroup *, SmallVector<OpOperand *>> readers;
  for (OpOperand &use : op->getResult(0).getUses()) {
    auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
    const KernelGroup *group = nullptr;
    for (const KernelGroup &other : groups)
      for (const KernelPart &part : other.parts)
        if (part.op == use.getOwner() &&
            !llvm::is_contained(part.rootLoops, -1))
          group = &other;
    if (!reader || !group || group->anchor ||
        group->strategy->fuse != FuseMode::Points || reader.isDpsInit(&use) ||
        !reader.getMatchingIndexingMap(&use).isPermutation())
      return {};
    readers[group].push_back(&use);
  }
  return readers;
}

/// Lets kernels that compute element by element compute what they read of
/// another such kernel themselves, where less goes through memory then. Says
/// whether there was one.
static bool repeatForReaders(ArrayRef<KernelGroup> groups) {
  for (const KernelGroup &group : groups) {
    auto op = dyn_cast<linalg::LinalgOp>(group.getRoot());
    if (!op || group.strategy->fuse != FuseMode::Points || group.anchor ||
        group.parts.size() != 1 || op->getNumResults() != 1 ||
        !isMemoryEffectFree(op))
      continue;
    auto readers = findElementwiseReaders(op, groups);
    size_t numInputs = llvm::count_if(op.getDpsInputs(), [](Value input) {
      return isa<ShapedType>(input.getType());
    });
    // Each reads the inputs, instead of one write and a read for each.
    if (readers.size() < 2 ||
        readers.size() * numInputs > numInputs + 1 + readers.size())
      continue;
    OpBuilder builder(op);
    for (auto &[reader, uses] : llvm::drop_begin(readers)) {
      Value own = builder.clone(*op)->getResult(0);
      for (OpOperand *use : uses)
        use->set(own);
    }
    return true;
  }
  return false;
}

FailureOr<StrategyOutcome>
formwork::transforms::applyStrategies(ModuleOp payload,
                                      const StrategyLibrary &library) {
  StrategyOutcome outcome;
  outcome.payload = payload.clone();
  ModuleOp prepared = *outcome.payload;
  writeOutLoops(prepared);
  foldEmptyReductions(prepared);
  generalizeProducts(prepared);
  structureCopies(prepared);
  if (library.prepare && failed(runSchedule(prepared, library.prepare)))
    return failure();
  turnProducts(prepared);
  collapseProducts(prepared);
  widenMixedProducts(prepared);
  moveReadsIntoKernels(prepared);
  separateKernels(prepared);

  std::vector<KernelGroup> groups;
  bool isRefused = false;
  for (auto function : prepared.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    FailureOr<std::vector<KernelGroup>> own = groupKernels(function, library);
    // A loop that is added changes what the others can be fused with, and so
    // which are roots. Each round leaves fewer that have none, or that several
    // kernels read.
    while (succeeded(own) && (addMissingLoops(*own) || repeatForReaders(*own)))
      own = groupKernels(function, library);
    if (failed(own)) {
      isRefused = true;
      continue;
    }
    llvm::append_range(groups, std::move(*own));
  }
  if (isRefused)
    return failure();
  if (groups.empty())
    return emitFinding(Finding(payload.getLoc(), "fw-no-strategy",
                               "requires an operation that computes a tensor "
                               "but has none"));
  std::vector<KernelSizes> sizes;
  for (const KernelGroup &group : groups) {
    std::optional<KernelSizes> chosen = chooseSizes(group);
    if (!chosen)
      return emitFinding(
          Finding(group.getRoot()->getLoc(), "fw-no-strategy",
                  llvm::formatv(
                      "strategy @{0} does not take '{1}': it has no loop whose "
                      "steps are independent, for the blocks of a grid",
                      group.strategy->name, group.getRoot()->getName())));
    sizes.push_back(std::move(*chosen));
  }
  for (auto [number, group] : llvm::enumerate(groups))
    report(group, number);
  outcome.schedule = writeSchedule(groups, sizes, ScheduleForm::ForReaders);
  outcome.placedSchedule =
      writeSchedule(groups, sizes, ScheduleForm::WithPlaces);
  return outcome;
}
