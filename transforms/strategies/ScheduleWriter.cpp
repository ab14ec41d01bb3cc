//===- ScheduleWriter.cpp - The text of a schedule of kernels ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/ScheduleWriter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork::transforms;

static constexpr StringLiteral kPartAttrName = "formwork.part";
static constexpr StringLiteral kOp = "!transform.any_op";
/// The most elements of a thread's vector.
static constexpr int64_t kLongestVector = 32;
static constexpr StringLiteral kParam = "!transform.param<i64>";

namespace {
class ScheduleWriter {
public:
  ScheduleWriter(llvm::raw_ostream &os) : os(os) {}

  void writeTensorSteps(const KernelGroup &group, const KernelSizes &sizes,
                        unsigned number);
  void writeMemorySteps(ArrayRef<KernelGroup> groups,
                        ArrayRef<KernelSizes> sizes);

private:
  /// A knob that is selected: its name, for the steps.
  std::string writeKnob(unsigned kernel, StringRef what, int64_t value,
                        int64_t most);
  void writeThreadLoop(const KernelGroup &group, const KernelSizes &sizes,
                       ArrayRef<std::string> tiles, unsigned number);
  /// Lets a thread that sums many elements do so in steps.
  void writeLongSums(const KernelGroup &group, ArrayRef<std::string> tiles,
                     unsigned number);

  llvm::raw_ostream &os;
};
} // namespace

static std::string getPartName(unsigned kernel, unsigned part) {
  return llvm::formatv("kernel{0}.{1}", kernel, part);
}

std::string ScheduleWriter::writeKnob(unsigned kernel, StringRef what,
                                      int64_t value, int64_t most) {
  llvm::SmallSetVector<int64_t, 8> options;
  options.insert(value);
  for (int64_t option = 1; option <= most; option *= 2)
    options.insert(option);
  SmallVector<int64_t> sorted = llvm::to_vector(options);
  llvm::sort(sorted);
  std::string name = llvm::formatv("%k{0}_{1}", kernel, what);
  os << llvm::formatv("    {0} = transform.tune.knob<\"kernel{1}.{2}\"> = {3} "
                      "from options = [",
                      name, kernel, what, value);
  llvm::interleaveComma(sorted, os);
  os << "] -> " << kParam << "\n";
  return name;
}

void ScheduleWriter::writeThreadLoop(const KernelGroup &group,
                                     const KernelSizes &sizes,
                                     ArrayRef<std::string> tiles,
                                     unsigned number) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  SmallVector<std::string> steps, mapping;
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    int64_t size = sizes.tile[loop] ? sizes.tile[loop] : extents[loop];
    bool isShared = group.blockLoops.test(loop) && size > 1;
    steps.push_back(isShared ? "1" : "0");
    if (isShared)
      mapping.push_back(
          llvm::formatv("#gpu.thread<linear_dim_{0}>", mapping.size()));
  }
  if (mapping.empty()) {
    // One thread: a loop of one step.
    unsigned loop = group.blockLoops.find_last();
    steps[loop] = "1";
    mapping.push_back("#gpu.thread<linear_dim_0>");
  }
  os << llvm::formatv(
      "    %k{0}_point, %k{0}_points = transform.structured.tile_using_forall "
      "{1} tile_sizes [{2}]\n        (mapping = [{3}]) : ({4}) -> ({4}, {4})\n",
      number, tiles[0], llvm::join(steps, ", "), llvm::join(mapping, ", "),
      kOp);
  std::string points = llvm::formatv("%k{0}_points", number);
  for (unsigned index = 1; index < tiles.size(); ++index) {
    std::string next = llvm::formatv("%k{0}_points_{1}", number, index);
    os << llvm::formatv("    %k{0}_point_{1}, {2} = transform.structured."
                        "fuse_into_containing_op {3} into {4}\n"
                        "        : ({5}, {5}) -> ({5}, {5})\n",
                        number, index, next, tiles[index], points, kOp);
    points = next;
  }
  writeLongSums(group, tiles, number);
}

void ScheduleWriter::writeLongSums(const KernelGroup &group,
                                   ArrayRef<std::string> tiles,
                                   unsigned number) {
  auto anchor = dyn_cast_or_null<linalg::LinalgOp>(group.anchor);
  if (!anchor ||
      !llvm::all_of(anchor.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return;
  SmallVector<int64_t> extents = anchor.getStaticLoopRanges();
  SmallVector<std::string> steps(extents.size(), "0");
  int64_t most = kLongestVector, size = 1;
  for (int64_t loop = extents.size(); loop-- > 0;) {
    if (anchor.getIteratorTypesArray()[loop] != utils::IteratorType::reduction)
      continue;
    size *= extents[loop];
    // The largest step that divides the loop; other loops go one by one.
    int64_t step = std::min(extents[loop], most);
    while (extents[loop] % step != 0)
      --step;
    steps[loop] = std::to_string(step);
    most = 1;
  }
  if (size <= kLongestVector)
    return;
  const KernelPart *part = llvm::find_if(
      group.parts, [&](const KernelPart &other) { return other.op == anchor; });
  unsigned index = part - group.parts.begin();
  std::string point =
      index == 0 ? llvm::formatv("%k{0}_point", number).str()
                 : llvm::formatv("%k{0}_point_{1}", number, index).str();
  SmallVector<std::string> loops;
  unsigned numTiled = llvm::count_if(
      steps, [](const std::string &step) { return step != "0"; });
  SmallVector<std::string> types(numTiled + 1, kOp.str());
  for (unsigned loop = 0; loop < numTiled; ++loop)
    loops.push_back(llvm::formatv("%k{0}_sum_{1}", number, loop));
  os << llvm::formatv("    %k{0}_part, {1} = transform.structured."
                      "tile_using_for {2} tile_sizes [{3}]\n"
                      "        : ({4}) -> ({5})\n",
                      number, llvm::join(loops, ", "), point,
                      llvm::join(steps, ", "), kOp, llvm::join(types, ", "));
}

void ScheduleWriter::writeTensorSteps(const KernelGroup &group,
                                      const KernelSizes &sizes,
                                      unsigned number) {
  os << llvm::formatv("\n    // Kernel {0}: @{1}.\n", number,
                      group.strategy->name);
  for (auto [index, part] : llvm::enumerate(group.parts)) {
    std::string name = getPartName(number, index);
    part.op->setAttr(kPartAttrName,
                     StringAttr::get(part.op->getContext(), name));
    os << llvm::formatv("    %k{0}_{1} = transform.structured.match attributes "
                        "{{formwork.part = \"{2}\"} in %module\n"
                        "        : ({3}) -> {3}\n",
                        number, index, name, kOp);
  }
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  SmallVector<std::string> tile, mapping;
  unsigned numTiled =
      llvm::count_if(sizes.tile, [](int64_t size) { return size != 0; });
  bool hasAxes = fitsAxes(group, sizes);
  std::string params;
  for (auto [loop, size] : llvm::enumerate(sizes.tile)) {
    if (size == 0) {
      tile.push_back("0");
      continue;
    }
    if (size == 1) {
      tile.push_back("1");
    } else {
      tile.push_back(writeKnob(number, ("tile" + Twine(loop)).str(), size,
                               std::min<int64_t>(extents[loop], 64)));
      params += (", " + kParam).str();
    }
    --numTiled;
    mapping.push_back(
        hasAxes ? llvm::formatv("#gpu.block<{0}>", "xyz"[numTiled]).str()
                : llvm::formatv("#gpu.block<linear_dim_{0}>", numTiled).str());
  }
  os << llvm::formatv("    %k{0}_tile, %k{0}_blocks = "
                      "transform.structured.tile_using_forall %k{0}_0\n"
                      "        tile_sizes [{1}] (mapping = [{2}])\n"
                      "        : ({3}{4}) -> ({3}, {3})\n",
                      number, llvm::join(tile, ", "), llvm::join(mapping, ", "),
                      kOp, params);
  std::string blocks = llvm::formatv("%k{0}_blocks", number);
  SmallVector<std::string> tiles = {llvm::formatv("%k{0}_tile", number)};
  for (unsigned index = 1; index < group.parts.size(); ++index) {
    std::string next = llvm::formatv("%k{0}_blocks_{1}", number, index);
    std::string fused = llvm::formatv("%k{0}_tile_{1}", number, index);
    os << llvm::formatv(
        "    {0}, {1} = transform.structured.fuse_into_containing_op %k{2}_{3} "
        "into {4}\n        : ({5}, {5}) -> ({5}, {5})\n",
        fused, next, number, index, blocks, kOp);
    blocks = next;
    tiles.push_back(fused);
  }
  if (group.strategy->fuse == FuseMode::Loops) {
    writeThreadLoop(group, sizes, tiles, number);
    return;
  }
  for (auto [index, part] : llvm::enumerate(group.parts)) {
    if (part.op != group.anchor || sizes.step == 0)
      continue;
    std::string step = writeKnob(number, "step", sizes.step, 64);
    SmallVector<std::string> steps(part.rootLoops.size(), "0");
    steps[sizes.stepLoop] = step;
    os << llvm::formatv(
        "    %k{0}_part, %k{0}_sum = transform.structured.tile_using_for {1} "
        "tile_sizes [{2}]\n        : ({3}, {4}) -> ({3}, {3})\n",
        number, tiles[index], llvm::join(steps, ", "), kOp, kParam);
    tiles[index] = llvm::formatv("%k{0}_part", number);
  }
  if (!sizes.isUneven)
    return;
  for (auto [index, part] : llvm::enumerate(group.parts)) {
    SmallVector<std::string> vector;
    for (int64_t size : getVectorSizes(group, part, sizes))
      vector.push_back(std::to_string(size));
    os << llvm::formatv("    transform.formwork.vectorize_tiles {0} sizes = "
                        "[{1}] : ({2}) -> ()\n",
                        tiles[index], llvm::join(vector, ", "), kOp);
  }
}

void ScheduleWriter::writeMemorySteps(ArrayRef<KernelGroup> groups,
                                      ArrayRef<KernelSizes> sizes) {
  os << R"(
    %functions = transform.structured.match ops{["func.func"]} in %module
        : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %functions to @linalg.tiled : !transform.any_op
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %functions
        {fold_type_extensions_into_contract} : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %module to @tensor.bufferizable : !transform.any_op
    %bufferized = transform.bufferization.one_shot_bufferize
        layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %hosts = transform.structured.match ops{["func.func"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %hosts to @memref.canonical : !transform.any_op
    %loops = transform.structured.match ops{["scf.forall"]} in %bufferized
        : (!transform.any_op) -> !transform.any_op
)";
  // A loop over threads stands in front of the loop over blocks around it.
  SmallVector<std::string> loops;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (group.strategy->fuse == FuseMode::Loops)
      loops.push_back(llvm::formatv("%k{0}_threads", number));
    loops.push_back(llvm::formatv("%k{0}_loop", number));
  }
  SmallVector<std::string> types(loops.size(), kOp.str());
  if (loops.size() == 1)
    os << "    " << loops[0] << " = transform.structured.match "
       << "ops{[\"scf.forall\"]} in %bufferized\n        : (" << kOp << ") -> "
       << kOp << "\n";
  else
    os << "    " << llvm::join(loops, ", ")
       << " = transform.split_handle %loops\n        : (" << kOp << ") -> ("
       << llvm::join(types, ", ") << ")\n";
  // All at once: a launch changes the function that the others are in.
  SmallVector<std::string> blocks, launches;
  for (unsigned number = 0; number < groups.size(); ++number) {
    blocks.push_back(llvm::formatv("%k{0}_loop", number));
    launches.push_back(llvm::formatv("%k{0}_launch", number));
  }
  if (groups.size() == 1) {
    os << llvm::formatv("    {0} = transform.formwork.map_forall_to_blocks "
                        "{1} : ({2}) -> {2}\n",
                        launches[0], blocks[0], kOp);
  } else {
    types.assign(groups.size(), kOp.str());
    os << llvm::formatv(
        "    %blocks = transform.merge_handles {0} : {1}\n"
        "    %launches = transform.formwork.map_forall_to_blocks %blocks\n"
        "        : ({1}) -> {1}\n"
        "    {2} = transform.split_handle %launches\n"
        "        : ({1}) -> ({3})\n",
        llvm::join(blocks, ", "), kOp, llvm::join(launches, ", "),
        llvm::join(types, ", "));
  }
  for (auto [number, group] : llvm::enumerate(groups)) {
    std::string rows = llvm::formatv("%k{0}_rows", number);
    std::string columns = llvm::formatv("%k{0}_columns", number);
    os << llvm::formatv("    {0} = transform.param.constant {1} : i64 -> {2}\n",
                        rows, sizes[number].rows, kParam);
    os << llvm::formatv("    {0} = transform.param.constant {1} : i64 -> {2}\n",
                        columns, sizes[number].columns, kParam);
    os << llvm::formatv("    transform.include @{0}.threads "
                        "failures(propagate) (%k{1}_launch, {2}, {3})\n"
                        "        : ({4}, {5}, {5}) -> ()\n",
                        group.strategy->name, number, rows, columns, kOp,
                        kParam);
  }
}

/// The sequences of `library` that `groups` and what they include need.
static llvm::SetVector<Operation *> findIncluded(ArrayRef<KernelGroup> groups) {
  llvm::SetVector<Operation *> sequences;
  for (const KernelGroup &group : groups)
    sequences.insert(group.strategy->threadSequence);
  for (unsigned index = 0; index < sequences.size(); ++index)
    sequences[index]->walk([&](transform::IncludeOp include) {
      if (auto callee =
              SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
                  include, include.getTarget()))
        sequences.insert(callee);
    });
  return sequences;
}

std::string
formwork::transforms::writeSchedule(ArrayRef<KernelGroup> groups,
                                    ArrayRef<KernelSizes> sizes,
                                    const StrategyLibrary &library) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(\n"
        "      %module: !transform.any_op {transform.consumed})\n"
        // The check cannot know that no kernel is inside of another.
        "      attributes {formwork.silence = [\"fw-use-after-consume\"]} {\n";
  ScheduleWriter writer(os);
  for (auto [number, group, own] : llvm::enumerate(groups, sizes))
    writer.writeTensorSteps(group, own, number);
  writer.writeMemorySteps(groups, sizes);
  os << "    transform.yield\n  }\n";
  OpPrintingFlags flags;
  flags.useLocalScope();
  for (Operation *sequence : findIncluded(groups)) {
    std::string body;
    llvm::raw_string_ostream bodyStream(body);
    sequence->print(bodyStream, flags);
    os << "\n";
    for (StringRef line : llvm::split(body, '\n'))
      os << "  " << line << "\n";
  }
  os << "}\n";
  return text;
}
