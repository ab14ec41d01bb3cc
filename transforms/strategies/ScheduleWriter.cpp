//===- ScheduleWriter.cpp - The text of a schedule of kernels ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/ScheduleWriter.h"

#include "transforms/strategies/Strategies.h"

#include "engine/SourcePlace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

static constexpr StringLiteral kPartAttrName = "formwork.part";
static constexpr StringLiteral kOp = "!transform.any_op";
/// Between a kernel and its strategy, in the name of a location.
static constexpr StringLiteral kByStrategy = ", made by strateg";
/// The most elements of a thread's vector.
static constexpr int64_t kLongestVector = 32;
static constexpr StringLiteral kParam = "!transform.param<i64>";

namespace {
class ScheduleWriter {
public:
  ScheduleWriter(llvm::raw_ostream &os, ScheduleForm form)
      : os(os), form(form) {}

  void writeTensorSteps(const KernelGroup &group, const KernelSizes &sizes,
                        unsigned number);
  void writeMemorySteps(ArrayRef<KernelGroup> groups,
                        ArrayRef<KernelSizes> sizes);
  /// The sequences for the threads, and what they include.
  void writeSequences(ArrayRef<KernelGroup> groups);

private:
  std::string nameThreadSequence(const KernelGroup &group,
                                 unsigned number) const;
  /// The end of a step of kernel `number`.
  std::string endStep(const KernelGroup &group, unsigned number) const;
  /// The end of a step for all kernels.
  std::string endStep(ArrayRef<KernelGroup> groups) const;
  void writeSequence(Operation *sequence);

  /// A knob that is selected: its name, for the steps.
  std::string writeKnob(const KernelGroup &group, unsigned kernel,
                        StringRef what, int64_t value, int64_t most);
  void writeThreadLoop(const KernelGroup &group, const KernelSizes &sizes,
                       ArrayRef<std::string> tiles, unsigned number);
  /// Lets a thread that sums many elements do so in steps.
  void writeLongSums(const KernelGroup &group, ArrayRef<std::string> tiles,
                     unsigned number);

  llvm::raw_ostream &os;
  ScheduleForm form;
};
} // namespace

/// The place of `op` of the payload, for a step that a strategy has at `step`.
static Location placeStep(Operation *op, Location step, const Twine &name) {
  MLIRContext *context = op->getContext();
  FileLineColLoc place = engine::findSourcePlace(op->getLoc());
  if (!place)
    return step;
  return CallSiteLoc::get(place,
                          NameLoc::get(StringAttr::get(context, name), step));
}

static std::string nameKernel(const KernelGroup &group, unsigned number) {
  return llvm::formatv("kernel {0}{1}y @{2}", number, kByStrategy,
                       group.strategy->name);
}

static std::string print(Location loc) {
  std::string text;
  llvm::raw_string_ostream(text) << " " << loc << "\n";
  return text;
}

std::string ScheduleWriter::nameThreadSequence(const KernelGroup &group,
                                               unsigned number) const {
  if (form == ScheduleForm::WithPlaces)
    return llvm::formatv("kernel{0}.threads", number);
  transform::NamedSequenceOp sequence = group.strategy->threadSequence;
  return sequence.getSymName().str();
}

std::string ScheduleWriter::endStep(const KernelGroup &group,
                                    unsigned number) const {
  if (form == ScheduleForm::ForReaders)
    return "\n";
  transform::NamedSequenceOp matcher = group.strategy->matcher;
  return print(
      placeStep(group.getRoot(), matcher.getLoc(), nameKernel(group, number)));
}

std::string ScheduleWriter::endStep(ArrayRef<KernelGroup> groups) const {
  if (form == ScheduleForm::ForReaders)
    return "\n";
  auto function = groups.front().getRoot()->getParentOfType<func::FuncOp>();
  transform::NamedSequenceOp matcher = groups.front().strategy->matcher;
  return print(placeStep(function, matcher->getParentOp()->getLoc(),
                         "all kernels" + kByStrategy + "ies"));
}

static std::string getPartName(unsigned kernel, unsigned part) {
  return llvm::formatv("kernel{0}.{1}", kernel, part);
}

std::string ScheduleWriter::writeKnob(const KernelGroup &group, unsigned kernel,
                                      StringRef what, int64_t value,
                                      int64_t most) {
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
  os << "] -> " << kParam << endStep(group, kernel);
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
      "{1} tile_sizes [{2}]\n        (mapping = [{3}]) : ({4}) -> ({4}, {4})"
      "{5}",
      number, tiles[0], llvm::join(steps, ", "), llvm::join(mapping, ", "), kOp,
      endStep(group, number));
  std::string points = llvm::formatv("%k{0}_points", number);
  for (unsigned index = 1; index < tiles.size(); ++index) {
    std::string next = llvm::formatv("%k{0}_points_{1}", number, index);
    os << llvm::formatv("    %k{0}_point_{1}, {2} = transform.structured."
                        "fuse_into_containing_op {3} into {4}\n"
                        "        : ({5}, {5}) -> ({5}, {5}){6}",
                        number, index, next, tiles[index], points, kOp,
                        endStep(group, number));
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
                      "        : ({4}) -> ({5}){6}",
                      number, llvm::join(loops, ", "), point,
                      llvm::join(steps, ", "), kOp, llvm::join(types, ", "),
                      endStep(group, number));
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
                        "        : ({3}) -> {3}{4}",
                        number, index, name, kOp, endStep(group, number));
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
      tile.push_back(writeKnob(group, number, ("tile" + Twine(loop)).str(),
                               size, std::min<int64_t>(extents[loop], 64)));
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
                      "        : ({3}{4}) -> ({3}, {3}){5}",
                      number, llvm::join(tile, ", "), llvm::join(mapping, ", "),
                      kOp, params, endStep(group, number));
  std::string blocks = llvm::formatv("%k{0}_blocks", number);
  SmallVector<std::string> tiles = {llvm::formatv("%k{0}_tile", number)};
  for (unsigned index = 1; index < group.parts.size(); ++index) {
    std::string next = llvm::formatv("%k{0}_blocks_{1}", number, index);
    std::string fused = llvm::formatv("%k{0}_tile_{1}", number, index);
    os << llvm::formatv(
        "    {0}, {1} = transform.structured.fuse_into_containing_op %k{2}_{3} "
        "into {4}\n        : ({5}, {5}) -> ({5}, {5}){6}",
        fused, next, number, index, blocks, kOp, endStep(group, number));
    blocks = next;
    tiles.push_back(fused);
  }
  if (group.strategy->fuse == FuseMode::Loops) {
    writeThreadLoop(group, sizes, tiles, number);
    return;
  }
  for (auto [index, part] : llvm::enumerate(group.parts)) {
    if (part.op != group.anchor ||
        (sizes.step == 0 && sizes.singleSteps.empty()))
      continue;
    SmallVector<std::string> steps(part.rootLoops.size(), "0"), sums, types;
    SmallVector<StringRef> operands = {kOp};
    for (unsigned loop : sizes.singleSteps)
      steps[loop] = "1";
    if (sizes.step != 0) {
      steps[sizes.stepLoop] = writeKnob(group, number, "step", sizes.step, 64);
      operands.push_back(kParam);
    }
    for (const std::string &step : steps)
      if (step != "0") {
        sums.push_back(llvm::formatv("%k{0}_sum{1}", number,
                                     sums.empty() ? "" : Twine(sums.size())));
        types.push_back(kOp.str());
      }
    os << llvm::formatv(
        "    %k{0}_part, {1} = transform.structured.tile_using_for {2} "
        "tile_sizes [{3}]\n        : ({4}) -> ({5}, {6}){7}",
        number, llvm::join(sums, ", "), tiles[index], llvm::join(steps, ", "),
        llvm::join(operands, ", "), kOp, llvm::join(types, ", "),
        endStep(group, number));
    tiles[index] = llvm::formatv("%k{0}_part", number);
  }
  // Tiles of one step along a loop between others: vectors have no such loop.
  if (sizes.isSplit)
    os << llvm::formatv(
        "    transform.apply_patterns to {0} {{\n"
        "      transform.apply_patterns.linalg.fold_unit_extent_"
        "dims_via_slices\n    } {{formwork.silence = "
        "[\"fw-missing-form\", \"fw-plan-conflict\"]} : {1}{2}",
        blocks, kOp, endStep(group, number));
  if (!sizes.isUneven)
    return;
  for (auto [index, part] : llvm::enumerate(group.parts)) {
    SmallVector<std::string> vector;
    for (int64_t size : getVectorSizes(group, part, sizes))
      vector.push_back(std::to_string(size));
    os << llvm::formatv("    transform.formwork.vectorize_tiles {0} sizes = "
                        "[{1}] : ({2}) -> (){3}",
                        tiles[index], llvm::join(vector, ", "), kOp,
                        endStep(group, number));
  }
}

void ScheduleWriter::writeMemorySteps(ArrayRef<KernelGroup> groups,
                                      ArrayRef<KernelSizes> sizes) {
  std::string end = endStep(groups);
  auto write = [&](const Twine &step) { os << "    " << step << end; };
  std::string toOp = (" : (" + kOp + ") -> " + kOp).str();
  os << "\n";
  write(
      "%functions = transform.structured.match ops{[\"func.func\"]} in %module"
      "\n       " +
      toOp);
  write("transform.normalform.normalize %functions to @linalg.tiled : " + kOp);
  // Tiles that have vectors, or get loops, are left as they are. Where all
  // are, only the clean-up is left to do.
  auto isLeft = [](const auto &kernel) {
    const auto &[group, own] = kernel;
    return own.isUneven || group.strategy->fuse == FuseMode::Loops;
  };
  auto kernels = llvm::zip_equal(groups, sizes);
  StringRef silence =
      llvm::all_of(kernels, isLeft)
          ? ", formwork.silence = [\"fw-step-idle\", \"fw-step-partial\"]"
      : llvm::any_of(kernels, isLeft)
          ? ", formwork.silence = [\"fw-step-partial\"]"
          : "";
  write(
      "%vectorized = transform.structured.vectorize_children_and_apply_patterns"
      " %functions\n        {fold_type_extensions_into_contract" +
      silence + "}" + toOp);
  write("transform.normalform.normalize %module to @tensor.bufferizable : " +
        kOp);
  write("%bufferized = transform.bufferization.one_shot_bufferize\n"
        "        layout{IdentityLayoutMap} %module "
        "{bufferize_function_boundaries = true}\n       " +
        toOp);
  write(
      "%hosts = transform.structured.match ops{[\"func.func\"]} in %bufferized"
      "\n       " +
      toOp);
  write("transform.normalform.normalize %hosts to @memref.canonical : " + kOp);
  write(
      "%loops = transform.structured.match ops{[\"scf.forall\"]} in %bufferized"
      "\n       " +
      toOp);
  // A loop over threads stands in front of the loop over blocks around it.
  SmallVector<std::string> loops;
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (group.strategy->fuse == FuseMode::Loops)
      loops.push_back(llvm::formatv("%k{0}_threads", number));
    loops.push_back(llvm::formatv("%k{0}_loop", number));
  }
  SmallVector<std::string> types(loops.size(), kOp.str());
  if (loops.size() == 1)
    write(loops[0] +
          " = transform.structured.match ops{[\"scf.forall\"]} in %bufferized\n"
          "       " +
          toOp);
  else
    write(llvm::join(loops, ", ") +
          " = transform.split_handle %loops\n"
          "        : (" +
          kOp + ") -> (" + llvm::join(types, ", ") + ")");
  // All at once: a launch changes the function that the others are in.
  SmallVector<std::string> blocks, launches;
  for (unsigned number = 0; number < groups.size(); ++number) {
    blocks.push_back(llvm::formatv("%k{0}_loop", number));
    launches.push_back(llvm::formatv("%k{0}_launch", number));
  }
  if (groups.size() == 1) {
    write(launches[0] + " = transform.formwork.map_forall_to_blocks " +
          blocks[0] + toOp);
  } else {
    types.assign(groups.size(), kOp.str());
    write("%blocks = transform.merge_handles " + llvm::join(blocks, ", ") +
          " : " + kOp);
    write("%launches = transform.formwork.map_forall_to_blocks %blocks\n"
          "       " +
          toOp);
    write(llvm::join(launches, ", ") +
          " = transform.split_handle %launches\n        : (" + kOp + ") -> (" +
          llvm::join(types, ", ") + ")");
  }
  for (auto [number, group] : llvm::enumerate(groups)) {
    std::string rows = llvm::formatv("%k{0}_rows", number);
    std::string columns = llvm::formatv("%k{0}_columns", number);
    std::string endOwn = endStep(group, number);
    os << llvm::formatv(
        "    {0} = transform.param.constant {1} : i64 -> {2}{3}", rows,
        sizes[number].rows, kParam, endOwn);
    os << llvm::formatv(
        "    {0} = transform.param.constant {1} : i64 -> {2}{3}", columns,
        sizes[number].columns, kParam, endOwn);
    os << llvm::formatv("    transform.include @{0} "
                        "failures(propagate) (%k{1}_launch, {2}, {3})\n"
                        "        : ({4}, {5}, {5}) -> (){6}",
                        nameThreadSequence(group, number), number, rows,
                        columns, kOp, kParam, endOwn);
  }
}

/// The sequences that those for the threads of `groups` include, directly or
/// not.
static llvm::SetVector<Operation *> findIncluded(ArrayRef<KernelGroup> groups) {
  llvm::SetVector<Operation *> included;
  auto add = [&](Operation *sequence) {
    sequence->walk([&](transform::IncludeOp include) {
      if (auto callee =
              SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
                  include, include.getTarget()))
        included.insert(callee);
    });
  };
  for (const KernelGroup &group : groups)
    add(group.strategy->threadSequence);
  for (unsigned index = 0; index < included.size(); ++index)
    add(included[index]);
  return included;
}

void ScheduleWriter::writeSequence(Operation *sequence) {
  OpPrintingFlags flags;
  flags.useLocalScope();
  if (form == ScheduleForm::WithPlaces)
    flags.enableDebugInfo();
  std::string body;
  llvm::raw_string_ostream bodyStream(body);
  sequence->print(bodyStream, flags);
  os << "\n";
  for (StringRef line : llvm::split(body, '\n'))
    os << "  " << line << "\n";
}

void ScheduleWriter::writeSequences(ArrayRef<KernelGroup> groups) {
  llvm::SetVector<Operation *> shared;
  if (form == ScheduleForm::ForReaders)
    for (const KernelGroup &group : groups)
      shared.insert(group.strategy->threadSequence);
  shared.insert_range(findIncluded(groups));
  for (Operation *sequence : shared)
    writeSequence(sequence);
  if (form == ScheduleForm::ForReaders)
    return;
  // Each kernel has a copy, of which the steps stand at its operation.
  for (auto [number, group] : llvm::enumerate(groups)) {
    transform::NamedSequenceOp steps = group.strategy->threadSequence;
    OwningOpRef<transform::NamedSequenceOp> own = steps.clone();
    own->setSymName(nameThreadSequence(group, number));
    own->walk([&](Operation *step) {
      step->setLoc(placeStep(group.getRoot(), step->getLoc(),
                             nameKernel(group, number)));
    });
    writeSequence(*own);
  }
}

std::optional<engine::CallFrame>
formwork::transforms::findStrategyStep(Location loc) {
  SmallVector<engine::CallFrame> calls = engine::getCallFrames(loc);
  if (calls.size() < 2 || !StringRef(calls.back().name).contains(kByStrategy))
    return std::nullopt;
  return calls.back();
}

std::string formwork::transforms::writeSchedule(ArrayRef<KernelGroup> groups,
                                                ArrayRef<KernelSizes> sizes,
                                                ScheduleForm form) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(\n"
        "      %module: !transform.any_op {transform.consumed})\n"
        // The check cannot know that no kernel is inside of another.
        "      attributes {formwork.silence = [\"fw-use-after-consume\"]} {\n";
  ScheduleWriter writer(os, form);
  for (auto [number, group, own] : llvm::enumerate(groups, sizes))
    writer.writeTensorSteps(group, own, number);
  writer.writeMemorySteps(groups, sizes);
  os << "    transform.yield\n  }\n";
  writer.writeSequences(groups);
  os << "}\n";
  return text;
}
