//===- Mapping.cpp - Models of mapping to a GPU -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of parallel loops to blocks and threads of a GPU: which loops, which
// sizes, which limits. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/models/ScheduleSteps.h"
#include "verifier/parameters/SymbolicSizes.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/TransformOps/GPUTransformOps.h"
#include "mlir/Dialect/NVGPU/TransformOps/NVGPUTransformOps.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// `[16, 4, 1]`.
static std::string toString(ArrayRef<int64_t> sizes) {
  return "[" +
         llvm::join(llvm::map_range(
                        sizes, [](int64_t n) { return std::to_string(n); }),
                    ", ") +
         "]";
}

static std::string toString(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

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

bool Interpreter::checkMappable(Operation *op, NodeId forall, bool present,
                                bool toThreads) {
  const Node &node = state.payload[forall];
  if (!node.loop) {
    unprove(op, "maps a loop of which nothing is known");
    return false;
  }
  Location made = node.origin ? node.origin->getLoc() : op->getLoc();
  const LoopFacts &facts = *node.loop;
  auto error = [&](StringRef id, const Twine &message) -> Finding & {
    return report(op, id, message, present, /*silenceable=*/false)
        .note(NoteKind::Established, made, "the scf.forall is made here");
  };
  if (facts.hasResults) {
    error("fw-not-bufferized",
          "requires a bufferized scf.forall but it yields tensors")
        .note(NoteKind::Evidence, op->getLoc(),
              "only bufferized scf.forall can be mapped")
        .note(NoteKind::FixIt, op->getLoc(),
              "bufferize before this op: "
              "transform.bufferization.one_shot_bufferize");
    return false;
  }
  StringRef level = toThreads ? "thread" : "block";
  if (facts.mapping.empty()) {
    error("fw-missing-mapping",
          "requires a mapping attribute on the scf.forall but it has none")
        .note(NoteKind::FixIt, made,
              "add '(mapping = [#gpu." + level + "<x>, ...])', one per loop");
    return false;
  }
  bool isMasked = !llvm::all_of(facts.mapping, [](Attribute attr) {
    return isa<DeviceMappingAttrInterface>(attr);
  });
  if (isMasked) {
    unprove(op, "maps a loop to some of the threads or blocks, by a mask");
    return false;
  }
  TypeID kind = Attribute(facts.mapping.front()).getTypeID();
  auto isLinear = [](Attribute attr) {
    return cast<DeviceMappingAttrInterface>(attr).isLinearMapping();
  };
  for (auto [i, entry] : llvm::enumerate(facts.mapping)) {
    Attribute attr = entry;
    if (attr.getTypeID() != kind) {
      error("fw-mixed-mapping", "requires mapping attributes of one kind but " +
                                    toString(facts.mapping.front()) + " and " +
                                    toString(attr) + " are of two");
      return false;
    }
    if (isLinear(attr) != isLinear(facts.mapping.front())) {
      error("fw-mixed-mapping",
            "requires mapping attributes that are all linear, or none, but " +
                toString(facts.mapping.front()) + " and " + toString(attr) +
                " are not alike");
      return false;
    }
    if (llvm::is_contained(ArrayRef(facts.mapping).take_front(i), attr)) {
      error("fw-duplicate-mapping",
            "requires distinct mapping attributes but has " + toString(attr) +
                " twice");
      return false;
    }
  }
  bool isBlock = isa<gpu::GPUBlockMappingAttr>(facts.mapping.front());
  bool isInBlock = isa<gpu::GPUThreadMappingAttr, gpu::GPUWarpMappingAttr,
                       gpu::GPUWarpgroupMappingAttr, gpu::GPULaneMappingAttr>(
      facts.mapping.front());
  if (!isBlock && !isInBlock) {
    unprove(op, "maps a loop to something else than a GPU");
    return false;
  }
  if (toThreads ? isBlock : isInBlock) {
    std::string remapped = mapToLevel(facts.mapping, level);
    error("fw-wrong-mapping", "requires a mapping to " + level + "s but has " +
                                  toString(facts.mapping.front()))
        .note(NoteKind::FixIt, made, "map to #gpu." + level + " here",
              node.origin && !remapped.empty()
                  ? fixes.replaceClause(node.origin, "mapping", remapped)
                  : TextEdits());
    return false;
  }
  if (facts.mapping.size() != facts.trips.size()) {
    error("fw-mapping-rank",
          "requires one mapping attribute per loop but has " +
              Twine(facts.mapping.size()) + " for " +
              Twine(facts.trips.size()));
    return false;
  }
  if (facts.totalAtMost)
    return true;
  for (auto [dim, trip] : llvm::enumerate(facts.trips)) {
    if (trip.size)
      continue;
    if (trip.size.isSymbolic() && trip.condition) {
      requireStatic(op, trip,
                    "'" + op->getName().getStringRef() +
                        "' requires statically sized loops",
                    present);
      continue;
    }
    const DynamicReason &reason = trip.reason;
    if (!reason.definite) {
      unprove(op, "maps a loop whose trip count may be dynamic");
      return false;
    }
    Finding &finding =
        error("fw-dynamic-shape",
              "requires statically sized loops but loop " + Twine(dim) +
                  " of the scf.forall has a dynamic trip count");
    if (reason.tiledBy)
      explainTile(finding, reason);
    return false;
  }
  // Ids of lanes are linear, whatever the attributes say.
  if (isa<gpu::GPULaneMappingAttr>(facts.mapping.front()) &&
      !isLinear(facts.mapping.front())) {
    unprove(op, "maps a loop to lanes along an axis");
    return false;
  }
  return true;
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result =
        llvm::SaturatingMultiply<uint64_t>(result, std::max<int64_t>(0, size));
  return result;
}

static bool isSymbolic(const LoopFacts &facts) {
  return llvm::any_of(facts.trips,
                      [](const Extent &trip) { return !trip.size; });
}

namespace {
/// What a forall takes of the blocks of a grid, or of the threads of a block.
struct MappedLoops {
  /// Along x, y and z, and in all; the latter is what counts where the loops
  /// are numbered one by one.
  std::array<solver::IntTerm, 3> axes;
  solver::IntTerm total;
  bool isLinear;
  /// So many threads do one step.
  int64_t factor = 1;
  bool isToLanes = false;
  bool isSymbolic = false;

  std::array<int64_t, 3> getAxes() const {
    return {axes[0].getConstant(), axes[1].getConstant(),
            axes[2].getConstant()};
  }
};
} // namespace

/// `facts` is as `checkMappable` accepts it.
static MappedLoops getMappedLoops(solver::TermContext &terms,
                                  const LoopFacts &facts, int64_t warpSize) {
  solver::IntTerm one = terms.constant(1);
  auto first = cast<DeviceMappingAttrInterface>(facts.mapping.front());
  MappedLoops mapped{{one, one, one}, one, first.isLinearMapping()};
  if (isa<gpu::GPUWarpMappingAttr>(first))
    mapped.factor = warpSize;
  else if (isa<gpu::GPUWarpgroupMappingAttr>(first))
    mapped.factor = warpSize * Target::warpsPerGroup;
  mapped.isToLanes = isa<gpu::GPULaneMappingAttr>(first);
  mapped.isSymbolic = isSymbolic(facts);
  for (auto [attr, trip] : llvm::zip(facts.mapping, facts.trips)) {
    solver::IntTerm size = *toTerm(terms, trip.size);
    int64_t axis = cast<DeviceMappingAttrInterface>(attr).getRelativeIndex();
    if (axis < 3)
      mapped.axes[axis] = size;
    mapped.total = terms.mul(mapped.total, size);
  }
  solver::IntTerm factor = terms.constant(mapped.factor);
  mapped.axes[0] = terms.mul(mapped.axes[0], factor);
  mapped.total = terms.mul(mapped.total, factor);
  return mapped;
}

void Interpreter::requireCovered(Operation *op, const LoopFacts &facts,
                                 ArrayRef<int64_t> given, bool present,
                                 bool toThreads, int64_t warpSize) {
  solver::TermContext &terms = *parameters->context;
  MappedLoops mapped = getMappedLoops(terms, facts, warpSize);
  StringRef what = toThreads ? "threads" : "blocks";
  StringRef id = toThreads ? "block.covers" : "grid.covers";
  StringRef dims = toThreads ? "block_dims" : "grid_dims";
  auto atMost = [&](solver::IntTerm number, int64_t limit, StringRef id,
                    const Twine &of, const Twine &why) {
    require(op, op, id, terms.lessEqual(number, terms.constant(limit)),
            "the number of " + of + ", " + solver::toInfix(number) +
                ", is at most " + Twine(limit) + why,
            ConstraintKind::Required, present);
  };
  bool isGiven = given.size() == 3;
  for (int axis = 0; axis < 3; ++axis) {
    std::string of = (what + " along " + Twine("xyz"[axis])).str();
    if (isGiven && !mapped.isLinear)
      atMost(mapped.axes[axis], given[axis], id, of, ", as " + dims + " say");
    else if (!toThreads && !isGiven)
      atMost(mapped.axes[axis], Target::maxGridDims[axis], "grid.limit", of,
             ", the most that a grid can have");
  }
  if (toThreads || (isGiven && mapped.isLinear))
    atMost(mapped.total, product(given), id, what + " of the loop",
           ", as many as " + dims + " have");
  else if (!isGiven)
    atMost(mapped.total, Target::maxBlocks, "grid.limit", "blocks",
           ", the most that a grid can have");
  if (mapped.isToLanes)
    require(op, op, "warp.lanes",
            terms.lessEqual(mapped.total, terms.constant(warpSize)),
            "the number of lanes, " + solver::toInfix(mapped.total) +
                ", is at most " + Twine(warpSize) +
                ", as many as a warp has: the steps of the others never run",
            ConstraintKind::Wanted, present);
}

static bool isForall(const Node &node) {
  return node.kind &&
         node.kind->getStringRef() == scf::ForallOp::getOperationName();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The body of `forall` stands in `launch` from now on, if the loop is one of
/// those in `target`.
static void replaceForall(PayloadModel &payload, NodeId forall, NodeId target,
                          NodeId launch) {
  if (payload.isAtOrBelow(forall, target) != Certainty::Yes)
    return payload.mayDissolve(forall);
  // What ends the body ends no launch.
  for (NodeId id : NodeList(payload.getPresent()))
    if (payload[id].kind && payload[id].ups.size() == 1 &&
        payload[id].ups.front().node == forall &&
        payload[id].kind->getStringRef() ==
            scf::InParallelOp::getOperationName()) {
      payload.edit(id).present = Certainty::No;
      payload.edit(id).op = nullptr;
    }
  payload.reparent(forall, launch);
  payload.edit(forall).present = Certainty::No;
}

void Interpreter::mapBlocksModel(Operation *op, const Contract &contract) {
  auto map = cast<transform::MapForallToBlocks>(op);
  PayloadModel &payload = state.payload;
  HandleState source = lookup(map.getTarget());
  NodeList launches;
  for (NodeId target : source.nodes) {
    bool targetPresent = payload[target].present == Certainty::Yes &&
                         payload[target].count.lo > 0;
    bool isLaunch =
        payload[target].kind && payload[target].kind->getStringRef() ==
                                    gpu::LaunchOp::getOperationName();
    if (!map.getGenerateGpuLaunch() && payload[target].kind && !isLaunch)
      report(op, "fw-wrong-kind",
             "requires a gpu.launch, or 'generate_gpu_launch', but " +
                 nameOf(map.getTarget()) + " has '" +
                 payload[target].kind->getStringRef() + "'",
             targetPresent)
          .note(NoteKind::FixIt, op->getLoc(), "add 'generate_gpu_launch'",
                fixes.insertBehindUse(op, map.getTarget(),
                                      "generate_gpu_launch"));
    bool needsGrid = !map.getGenerateGpuLaunch() && map.getGridDims().empty();
    if (needsGrid && (isLaunch || !payload[target].kind))
      report(op, "fw-missing-grid-dims",
             "requires grid_dims for a gpu.launch that is there already but "
             "has none",
             targetPresent, /*silenceable=*/false)
          .note(NoteKind::Evidence, op->getLoc(),
                "transform require size-3 mapping")
          .note(NoteKind::FixIt, op->getLoc(),
                "add 'grid_dims = [...]', one each for x, y and z");
    // A parallel loop around the target hides those in it.
    if (!payload[target].kind || !payload[target].exact ||
        isForall(payload[target]) ||
        payload.getAncestor(target, /*proper=*/true, {"scf.forall"}))
      unprove(op, "maps payload of which the kind or the place is not known");

    // The foralls that no other forall holds.
    SmallVector<std::pair<NodeId, Certainty>> top;
    auto foralls = payload.find(target, isForall);
    for (auto [id, presence] : foralls) {
      Certainty nested = Certainty::No;
      for (auto [outer, outerPresence] : foralls)
        if (outer != id)
          nested = std::max(
              nested, std::min(outerPresence, payload.isAtOrBelow(id, outer)));
      if (nested != Certainty::Yes)
        top.push_back(
            {id, nested == Certainty::No ? presence : Certainty::Maybe});
    }
    bool hidden = payload.mayHide(target, [](const KindSet &kinds) {
      return kinds.contains(scf::ForallOp::getOperationName());
    });
    unsigned sure = llvm::count_if(
        top, [](auto entry) { return entry.second == Certainty::Yes; });
    if (sure > 1 || (top.empty() && !hidden)) {
      Finding &finding = report(
          op, "fw-no-unique-forall",
          "requires exactly one scf.forall that no other one holds but " +
              nameOf(map.getTarget()) + " has " +
              (top.empty() ? Twine("none") : Twine(sure)),
          targetPresent, /*silenceable=*/true);
      for (auto [id, presence] : top)
        if (const Operation *origin = payload[id].origin)
          finding.note(NoteKind::Established,
                       const_cast<Operation *>(origin)->getLoc(),
                       "one is made here");
    } else if (hidden || top.size() != 1 || sure != 1) {
      unprove(op, "may meet another number of top-level scf.forall than one");
    }

    NodeId launch = target;
    if (map.getGenerateGpuLaunch()) {
      launch = payload.addFresh(
          target,
          OperationName(gpu::LaunchOp::getOperationName(), op->getContext()),
          op);
      payload.edit(launch).live = true;
      payload.edit(launch).count = payload[target].count;
      payload.edit(launch).present = payload[target].present;
    }
    launches.push_back(launch);
    if (top.size() != 1)
      continue;
    NodeId forall = top.front().first;
    // A launch of its own gets a copy of the loop.
    if (map.getGenerateGpuLaunch())
      for (auto [id, place] : payload.getBelow(forall))
        payload.forget(id);
    bool present = targetPresent && sure == 1;
    ArrayRef<int64_t> given = map.getGridDims();
    bool isMappable = checkMappable(op, forall, present, /*toThreads=*/false);
    // A grid has three sizes; those of further loops are dropped.
    if (isMappable && given.empty() &&
        llvm::any_of(payload[forall].loop->mapping, [](Attribute attr) {
          return cast<DeviceMappingAttrInterface>(attr).getRelativeIndex() >= 3;
        })) {
      unprove(op, "maps more than three loops to blocks");
      isMappable = false;
    }
    if (isMappable && payload[forall].loop->totalAtMost) {
      unprove(op, "maps a loop whose trip counts are not known");
    } else if (isMappable && isSymbolic(*payload[forall].loop)) {
      requireCovered(op, *payload[forall].loop, given, present,
                     /*toThreads=*/false, /*warpSize=*/1);
    } else if (isMappable) {
      MappedLoops mapped = getMappedLoops(
          *parameters->context, *payload[forall].loop, /*warpSize=*/1);
      std::array<int64_t, 3> trips = mapped.getAxes();
      std::array<int64_t, 3> grid = trips;
      if (given.size() == 3)
        llvm::copy(given, grid.begin());
      bool fits = mapped.isLinear ? mapped.total.getConstant() <= product(grid)
                                  : llvm::all_of(llvm::seq(3), [&](int axis) {
                                      return trips[axis] <= grid[axis];
                                    });
      if (!fits)
        report(op, "fw-grid-dims-too-small",
               "requires grid_dims of at least " + toString(trips) +
                   " for the mapped loops but has " + toString(grid),
               present, /*silenceable=*/false)
            .note(NoteKind::Established,
                  payload[forall].origin ? payload[forall].origin->getLoc()
                                         : op->getLoc(),
                  "the scf.forall is made here")
            .note(NoteKind::FixIt, op->getLoc(),
                  "use grid_dims = " + toString(trips) +
                      ", or leave grid_dims out",
                  fixes.replaceClause(op, "grid_dims", toString(trips)));
      bool tooLong = false;
      for (int axis = 0; axis < 3 && !tooLong; ++axis)
        if (grid[axis] > Target::maxGridDims[axis]) {
          tooLong = true;
          report(op, "fw-grid-too-large",
                 "requires at most " + Twine(Target::maxGridDims[axis]) +
                     " blocks along " + Twine("xyz"[axis]) + " but has " +
                     Twine(grid[axis]),
                 present, /*silenceable=*/false)
              .note(NoteKind::Established,
                    payload[forall].origin ? payload[forall].origin->getLoc()
                                           : op->getLoc(),
                    "the scf.forall is made here")
              .note(NoteKind::FixIt, op->getLoc(),
                    "map the largest loop to #gpu.block<x>, or use larger "
                    "tiles");
        }
      if (!tooLong && product(grid) > Target::maxBlocks)
        report(op, "fw-grid-too-large",
               "requires at most " + Twine(Target::maxBlocks) + " blocks but " +
                   toString(grid) + " are " + Twine(product(grid)),
               present)
            .note(NoteKind::FixIt, op->getLoc(), "use larger tiles");
    }
    replaceForall(payload, forall, target, launch);
  }
  applyWriteOf(op, contract, contract.payload->introduces);
  setResult(op, 0, launches, source.ordered);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void Interpreter::notePredication(Operation *op, NodeId forall, int64_t threads,
                                  ArrayRef<int64_t> block) {
  if (threads >= product(block))
    return;
  state.payload.walkUp(forall, [&](NodeId above) {
    const Node &node = state.payload[above];
    bool isFor = node.kind &&
                 node.kind->getStringRef() == scf::ForOp::getOperationName();
    if (isFor)
      predicatedCopies.try_emplace(above, op);
    return !isFor && above != root;
  });
}

void Interpreter::requireAllThreads(Operation *op, NodeId forall,
                                    solver::IntTerm threads,
                                    ArrayRef<int64_t> block, bool present) {
  bool isInLoop = state.payload
                      .getAncestor(forall, /*proper=*/true,
                                   {scf::ForOp::getOperationName().str()})
                      .has_value();
  if (!isInLoop || !hasStep<transform::PipelineSharedMemoryCopiesOp>(op))
    return;
  require(op, op, "block.full",
          parameters->context->equal(
              threads, parameters->context->constant(product(block))),
          "all " + Twine(product(block)) + " threads of a block share " +
              solver::toInfix(threads) +
              " steps, because a loop with a part that only some share is not "
              "pipelined",
          ConstraintKind::Wanted, present);
}

void Interpreter::checkWarps(Operation *op, Location made, int64_t threads,
                             ArrayRef<int64_t> block, bool present) {
  if (block.front() % threads == 0)
    return;
  SmallVector<int64_t, 3> whole(block);
  whole[0] = llvm::alignTo(block.front(), threads);
  bool isPossible = product(whole) <= Target::maxThreadsPerBlock;
  report(op, "fw-partial-warp",
         "requires a number of threads along x that is a multiple of " +
             Twine(threads) + " for a loop that is mapped to warps but has " +
             Twine(block.front()),
         present, /*silenceable=*/false)
      .note(NoteKind::Established, made, "the scf.forall is made here")
      .note(NoteKind::FixIt, op->getLoc(),
            isPossible ? "use block_dims = " + toString(whole)
                       : std::string("map the loop linearly: "
                                     "#gpu.warp<linear_dim_0>"),
            isPossible ? fixes.replaceClause(op, "block_dims", toString(whole))
                       : TextEdits());
}

void Interpreter::mapThreadsModel(Operation *op, const Contract &contract) {
  auto map = cast<transform::MapNestedForallToThreads>(op);
  PayloadModel &payload = state.payload;
  HandleState source = lookup(map.getTarget());
  Count targetCount = source.count(payload);
  ArrayRef<int64_t> block = map.getBlockDims();
  bool sizesFit = block.size() == 3;
  std::string filled = toString(block);
  for (size_t i = block.size(); i < 3; ++i)
    filled.insert(filled.size() - 1, ", 1");
  if (!sizesFit)
    report(op, "fw-block-dims-rank",
           "requires three block_dims but has " + Twine(block.size()),
           targetCount.lo > 0, /*silenceable=*/false)
        .note(NoteKind::FixIt, op->getLoc(),
              "fill block_dims up with 1: one each for x, y and z",
              block.empty() || block.size() > 3
                  ? TextEdits()
                  : fixes.replaceClause(op, "block_dims", filled));

  bool tooMany = false;
  if (sizesFit && llvm::any_of(block, [](int64_t size) { return size <= 0; })) {
    report(op, "fw-block-dims-not-positive",
           "requires positive block_dims but has " + toString(block),
           targetCount.lo > 0, /*silenceable=*/false);
    sizesFit = false;
  }
  if (sizesFit) {
    int64_t threads = product(block);
    auto limit = [&](const Twine &has, const Twine &needs) {
      if (tooMany)
        return;
      tooMany = true;
      report(op, "fw-too-many-threads",
             "requires at most " + needs +
                 " but block_dims = " + toString(block) + " has " + has,
             targetCount.lo > 0)
          .note(NoteKind::FixIt, op->getLoc(),
                "use smaller block_dims, and larger tiles for the loops that "
                "are mapped to threads");
    };
    if (threads > Target::maxThreadsPerBlock)
      limit(Twine(threads),
            Twine(Target::maxThreadsPerBlock) + " threads per block");
    for (int axis = 0; axis < 3; ++axis)
      if (block[axis] > Target::maxBlockDims[axis])
        limit(Twine(block[axis]), Twine(Target::maxBlockDims[axis]) +
                                      " threads along " + Twine("xyz"[axis]));
  }

  std::array<int64_t, 3> needed = {1, 1, 1};
  Location tooSmallLoc = op->getLoc();
  int64_t neededTotal = 1;
  std::optional<MappedLoops> tooSmall;
  bool tooSmallPresent = false;
  int64_t warpSize = map.getWarpSize();
  for (NodeId target : source.nodes) {
    bool hidden = payload.mayHide(target, [](const KindSet &kinds) {
      return kinds.contains(scf::ForallOp::getOperationName());
    });
    if (hidden)
      unprove(op, "may map loops of which nothing is known");
    for (auto [forall, presence] : payload.find(target, isForall)) {
      bool present = presence == Certainty::Yes &&
                     payload[target].count.lo > 0 &&
                     payload[target].present == Certainty::Yes;
      bool known = checkMappable(op, forall, present, /*toThreads=*/true);
      if (known && sizesFit && payload[forall].loop->totalAtMost) {
        if (*payload[forall].loop->totalAtMost > product(block))
          unprove(op, "may have fewer threads than a copy takes");
        notePredication(op, forall, *payload[forall].loop->totalAtMost, block);
      } else if (known && sizesFit) {
        const LoopFacts &facts = *payload[forall].loop;
        MappedLoops mapped =
            getMappedLoops(*parameters->context, facts, warpSize);
        Location made = payload[forall].origin
                            ? payload[forall].origin->getLoc()
                            : op->getLoc();
        checkWarps(op, made, mapped.isLinear ? 1 : mapped.factor, block,
                   present);
        if (mapped.isSymbolic) {
          requireCovered(op, facts, block, present, /*toThreads=*/true,
                         warpSize);
          requireAllThreads(op, forall, mapped.total, block, present);
        } else {
          std::array<int64_t, 3> axes = mapped.getAxes();
          int64_t total = mapped.total.getConstant();
          bool covered = total <= product(block);
          notePredication(op, forall, total, block);
          neededTotal = std::max(neededTotal, total);
          for (int axis = 0; axis < 3 && !mapped.isLinear; ++axis) {
            covered &= axes[axis] <= block[axis];
            needed[axis] = std::max(needed[axis], axes[axis]);
          }
          if (!covered && !tooSmallPresent) {
            tooSmall = mapped;
            tooSmallPresent = present;
            tooSmallLoc = made;
          }
          if (mapped.isToLanes && total > warpSize)
            warn(op, "fw-too-many-lanes",
                 "requires at most " + Twine(warpSize) +
                     " steps of a loop that is mapped to the lanes of a warp "
                     "but it has " +
                     Twine(total) + ", of which the last ones never run")
                .note(NoteKind::Established, made,
                      "the scf.forall is made here")
                .note(NoteKind::FixIt, made,
                      "use larger tiles, or map the loop to threads");
        }
      }
      replaceForall(payload, forall, target, target);
    }
  }
  if (tooSmall) {
    // What is numbered one by one may lie along any axis.
    int64_t others = product(ArrayRef(needed).drop_front());
    needed[0] = std::max(
        needed[0], static_cast<int64_t>(llvm::divideCeil(neededTotal, others)));
    int64_t total = tooSmall->total.getConstant();
    std::string wanted = tooSmall->isLinear
                             ? ", " + std::to_string(total) + " threads in all,"
                             : " " + toString(tooSmall->getAxes());
    int64_t steps = total / tooSmall->factor;
    std::string along = tooSmall->factor != 1 || tooSmall->isLinear
                            ? std::to_string(tooSmall->factor) + " threads each"
                            : "along x, y, z: " + toString(tooSmall->getAxes());
    Finding &finding =
        report(op, "fw-block-dims-too-small",
               "requires block_dims that cover the mapped loops" + wanted +
                   " but has " + toString(block),
               tooSmallPresent, /*silenceable=*/false);
    finding.note(NoteKind::Established, tooSmallLoc,
                 "the scf.forall with " + Twine(steps) + " iterations (" +
                     along + ") is made here");
    bool possible = product(needed) <= Target::maxThreadsPerBlock;
    for (int axis = 0; axis < 3; ++axis)
      possible &= needed[axis] <= Target::maxBlockDims[axis];
    finding.note(
        NoteKind::FixIt, op->getLoc(),
        possible ? "use block_dims = " + toString(needed)
                 : "use larger tiles for the loops that are mapped "
                   "to threads: " +
                       toString(needed) + " is more than a block can have",
        possible ? fixes.replaceClause(op, "block_dims", toString(needed))
                 : TextEdits());
  }
  applyWriteOf(op, contract, contract.payload->introduces);
  setResult(op, 0, source.nodes, source.ordered);
}

void Interpreter::checkUnmapped(Operation *end) {
  PayloadModel &payload = state.payload;
  auto isLaunch = [](const Node &node) {
    return node.kind &&
           node.kind->getStringRef() == gpu::LaunchOp::getOperationName();
  };
  for (auto [launch, presence] : payload.find(root, isLaunch))
    for (auto [forall, below] : payload.find(launch, isForall)) {
      if (below != Certainty::Yes || presence != Certainty::Yes)
        continue;
      const Node &node = payload[forall];
      Operation *at = node.origin ? node.origin : end;
      warn(at, "fw-unmapped-loop",
           "requires every scf.forall in a kernel to be mapped but this one "
           "is not, so that each thread runs all of it")
          .note(NoteKind::FixIt, at->getLoc(),
                "map it with transform.gpu.map_nested_forall_to_threads");
    }
}
