//===- MapForall.cpp - What mapping asks of an scf.forall -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loops can be mapped, and what grid or block they need; the same for
// blocks and threads. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/MapForall.h"
#include "verifier/findings/Requirements.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// `mapping` to another level of the same axes; nothing for any other mapping.
static std::string mapToLevel(ArrayRef<Attribute> mapping, StringRef level) {
  SmallVector<std::string> entries;
  for (Attribute attr : mapping) {
    auto device = cast<DeviceMappingAttrInterface>(attr);
    if (device.isLinearMapping() || device.getMappingId() >= 3)
      return "";
    entries.push_back(
        ("#gpu." + level + "<" + Twine("xyz"[device.getMappingId()]) + ">")
            .str());
  }
  return "[" + llvm::join(entries, ", ") + "]";
}

namespace {
/// Checks one `scf.forall` that a step maps.
class MappableCheck {
public:
  MappableCheck(const Step &step, NodeId forall, bool present, bool toThreads)
      : step(step), node(step.payload[forall]), made(step.locOf(node)),
        present(present), toThreads(toThreads) {}

  bool run();

private:
  Finding &error(StringRef id, const Twine &message) {
    return step.report(id, message, present, /*silenceable=*/false)
        .note(NoteKind::Established, made, "the scf.forall is made here");
  }
  /// Reports that the loop yields tensors, or has no mapping.
  bool isMapped();
  /// Attributes of one kind, all linear or none, each of them once.
  bool isConsistent();
  /// To blocks, or to what is in a block.
  bool isForLevel();
  bool isStatic();

  const Step &step;
  const Node &node;
  Location made;
  bool present, toThreads;
};
} // namespace

static bool isLinear(Attribute attr) {
  return cast<DeviceMappingAttrInterface>(attr).isLinearMapping();
}

bool MappableCheck::isMapped() {
  if (node.loop->hasResults) {
    error("fw-not-bufferized",
          "requires a bufferized scf.forall but it yields tensors")
        .note(NoteKind::Evidence, step.op->getLoc(),
              "only bufferized scf.forall can be mapped")
        .note(NoteKind::FixIt, step.op->getLoc(),
              "bufferize before this op: "
              "transform.bufferization.one_shot_bufferize");
    return false;
  }
  if (node.loop->mapping.empty()) {
    StringRef level = toThreads ? "thread" : "block";
    error("fw-missing-mapping",
          "requires a mapping attribute on the scf.forall but it has none")
        .note(NoteKind::FixIt, made,
              "add '(mapping = [#gpu." + level + "<x>, ...])', one per loop");
    return false;
  }
  return true;
}

bool MappableCheck::isConsistent() {
  ArrayRef<Attribute> mapping(node.loop->mapping);
  Attribute first = mapping.front();
  for (auto [i, entry] : llvm::enumerate(mapping)) {
    Attribute attr = entry;
    if (attr.getTypeID() != first.getTypeID()) {
      error("fw-mixed-mapping", "requires mapping attributes of one kind but " +
                                    debugString(first) + " and " +
                                    debugString(attr) +
                                    " are of different kinds");
      return false;
    }
    if (isLinear(attr) != isLinear(first)) {
      error(
          "fw-mixed-mapping",
          "requires mapping attributes that are all linear, or all not, but " +
              debugString(first) + " and " + debugString(attr) +
              " differ in this");
      return false;
    }
    if (llvm::is_contained(mapping.take_front(i), attr)) {
      error("fw-duplicate-mapping",
            "requires distinct mapping attributes but has " +
                debugString(attr) + " twice");
      return false;
    }
  }
  return true;
}

bool MappableCheck::isForLevel() {
  Attribute first = node.loop->mapping.front();
  bool isBlock = isa<gpu::GPUBlockMappingAttr>(first);
  bool isInBlock =
      isa<gpu::GPUThreadMappingAttr, gpu::GPUWarpMappingAttr,
          gpu::GPUWarpgroupMappingAttr, gpu::GPULaneMappingAttr>(first);
  if (!isBlock && !isInBlock) {
    step.unprove("maps a loop to something else than a GPU");
    return false;
  }
  if (toThreads ? isInBlock : isBlock)
    return true;
  StringRef level = toThreads ? "thread" : "block";
  std::string remapped = mapToLevel(node.loop->mapping, level);
  error("fw-wrong-mapping",
        "requires a mapping to " + level + "s but has " + debugString(first))
      .note(NoteKind::FixIt, made, "map to #gpu." + level + " here",
            node.origin && !remapped.empty()
                ? step.analysis.fixes.replaceClause(node.origin, "mapping",
                                                    remapped)
                : TextEdits());
  return false;
}

bool MappableCheck::isStatic() {
  for (auto [dim, trip] : llvm::enumerate(node.loop->trips)) {
    StaticNeed need{("'" + step.op->getName().getStringRef() +
                     "' requires statically sized loops")
                        .str(),
                    "maps a loop whose trip count may be dynamic", present};
    Finding *found = nullptr;
    bool isStaticTrip = requireStatic(step, trip, need, [&]() -> Finding & {
      found = &error("fw-dynamic-shape",
                     "requires statically sized loops but loop " + Twine(dim) +
                         " of the scf.forall has a dynamic trip count");
      return *found;
    });
    // As many blocks as there are tiles: only the payload leaves that open.
    if (found && !toThreads)
      found->note(NoteKind::FixIt, step.op->getLoc(),
                  "map the scf.forall itself with "
                  "transform.formwork.map_forall_to_blocks, which counts the "
                  "blocks when the kernel is launched");
    if (!isStaticTrip)
      return false;
  }
  return true;
}

bool MappableCheck::run() {
  if (!node.loop) {
    step.unprove("maps a loop that is not known");
    return false;
  }
  if (!isMapped())
    return false;
  ArrayRef<Attribute> mapping(node.loop->mapping);
  if (!llvm::all_of(mapping, llvm::IsaPred<DeviceMappingAttrInterface>)) {
    step.unprove("maps a loop to some of the threads or blocks, by a mask");
    return false;
  }
  if (!isConsistent() || !isForLevel())
    return false;
  if (mapping.size() != node.loop->trips.size()) {
    error("fw-mapping-rank",
          "requires one mapping attribute per loop but has " +
              Twine(mapping.size()) + " for " + Twine(node.loop->trips.size()));
    return false;
  }
  if (node.loop->totalAtMost)
    return true;
  if (!isStatic())
    return false;
  // Ids of lanes are linear, whatever the attributes say.
  if (isa<gpu::GPULaneMappingAttr>(mapping.front()) &&
      !isLinear(mapping.front())) {
    step.unprove("maps a loop to lanes along an axis");
    return false;
  }
  return true;
}

bool formwork::verifier::checkMappable(const Step &step, NodeId forall,
                                       bool present, bool toThreads) {
  return MappableCheck(step, forall, present, toThreads).run();
}

bool formwork::verifier::requireGridLimits(
    const Step &step, Location made, const std::array<solver::IntTerm, 3> &grid,
    bool present) {
  for (int axis = 0; axis < 3; ++axis) {
    int64_t limit = Target::maxGridDims[axis];
    std::string things = std::string("blocks along ") + "xyz"[axis];
    auto refute = [&] {
      step.report("fw-grid-too-large",
                  "requires at most " + Twine(limit) + " " + things +
                      " but has " + solver::toInfix(grid[axis]),
                  present, /*silenceable=*/false)
          .note(NoteKind::Established, made, "the scf.forall is made here")
          .note(NoteKind::FixIt, step.op->getLoc(),
                "map the largest loop to #gpu.block<x>, or use larger tiles");
    };
    if (!requireAtMost(step, {"grid.limit", "", present}, grid[axis], limit,
                       things, kMostOfGrid, refute))
      return false;
  }
  return true;
}
