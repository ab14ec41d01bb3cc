//===- PortingKinds.cpp - Breakage by porting -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/PortingKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/AsmParser/AsmParser.h"

#include <array>
#include <map>

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The numbers of `step` that are sizes, or numbers of threads.
static SmallVector<NamedAttribute> getSizeArrays(Operation *step) {
  SmallVector<NamedAttribute> found;
  for (NamedAttribute attr : step->getAttrs()) {
    StringRef name = attr.getName().getValue();
    if (isa<DenseI64ArrayAttr>(attr.getValue()) &&
        (name.contains("sizes") || name.contains("num_threads")))
      found.push_back(attr);
  }
  return found;
}

/// Whether a number is a size to choose: 0 and 1 leave a dimension as it is.
static bool isChosen(int64_t number) {
  return !ShapedType::isDynamic(number) && number > 1;
}

/// The number that a parameter has, when it is a size.
static std::optional<int64_t> getParameter(Operation *step) {
  auto parameter = dyn_cast<transform::ParamConstantOp>(step);
  auto number =
      parameter ? dyn_cast<IntegerAttr>(parameter.getValue()) : IntegerAttr();
  return number && isChosen(number.getInt()) ? std::optional(number.getInt())
                                             : std::nullopt;
}

bool formwork::testing::retuneSizes(NamedSequenceOp entry, Random &random) {
  std::map<int64_t, int64_t> chosen;
  for (Operation *step : getSteps(entry)) {
    for (NamedAttribute attr : getSizeArrays(step))
      for (int64_t number :
           cast<DenseI64ArrayAttr>(attr.getValue()).asArrayRef())
        if (isChosen(number))
          chosen[number] = number;
    if (std::optional<int64_t> number = getParameter(step))
      chosen[*number] = *number;
  }
  // Larger ones stay larger.
  static constexpr int64_t menu[] = {2, 3, 4, 4, 8, 8, 12, 16, 32, 64, 128};
  Numbers drawn;
  for (size_t i = 0; i < chosen.size(); ++i)
    drawn.push_back(random.oneOf(ArrayRef<int64_t>(menu)));
  llvm::sort(drawn);
  bool changed = false;
  for (auto [choice, number] : llvm::zip_equal(chosen, drawn)) {
    changed |= choice.first != number;
    choice.second = number;
  }
  // Not all think of the threads of a block, and few reckon.
  bool withThreads = random.chance(0.5);
  static constexpr std::array<int64_t, 3> blocks[] = {
      {32, 4, 1}, {32, 8, 1}, {16, 16, 1}, {64, 2, 1}, {128, 1, 1}, {8, 8, 1}};
  const std::array<int64_t, 3> &block = blocks[random.below(std::size(blocks))];
  Builder builder(entry.getContext());
  for (Operation *step : getSteps(entry)) {
    for (NamedAttribute attr : getSizeArrays(step)) {
      Numbers numbers(cast<DenseI64ArrayAttr>(attr.getValue()).asArrayRef());
      for (int64_t &number : numbers)
        if (isChosen(number))
          number = chosen[number];
      step->setAttr(attr.getName(), builder.getDenseI64ArrayAttr(numbers));
    }
    if (std::optional<int64_t> number = getParameter(step)) {
      auto parameter = cast<transform::ParamConstantOp>(step);
      parameter.setValueAttr(IntegerAttr::get(
          cast<IntegerAttr>(parameter.getValue()).getType(), chosen[*number]));
    }
    if (withThreads && step->hasAttr("block_dims"))
      step->setAttr("block_dims", builder.getDenseI64ArrayAttr(block));
  }
  return changed;
}

namespace {
/// An op that is taken for another. In `text`, `@` stands for the type of
/// handles; `results` has, for each result of the old step, the number of that
/// of the new one, or `.` where the operand goes on.
struct Kindred {
  StringLiteral name, text, results;
};
} // namespace

static constexpr Kindred kindred[] = {
    {"transform.apply_cse", "transform.apply_dce to %h : @", ""},
    {"transform.apply_dce", "transform.apply_cse to %h : @", ""},
    {"transform.apply_licm",
     "transform.loop.hoist_loop_invariant_subsets %h : @", ""},
    {"transform.loop.hoist_loop_invariant_subsets",
     "transform.apply_licm to %h : @", ""},
    {"transform.loop.unroll",
     "transform.loop.unroll_and_jam %h {factor = 2} : @", ""},
    {"transform.loop.unroll_and_jam",
     "transform.loop.unroll %h {factor = 2} : @", ""},
    {"transform.loop.forall_to_for",
     "%l = transform.loop.forall_to_parallel %h : (@) -> @", "0"},
    {"transform.loop.forall_to_parallel",
     "%l = transform.loop.forall_to_for %h : (@) -> @", "0"},
    {"transform.get_producer_of_operand",
     "%o = transform.get_consumers_of_result %h[0] : (@) -> @", "0"},
    {"transform.get_consumers_of_result",
     "%o = transform.get_producer_of_operand %h[0] : (@) -> @", "0"},
    {"transform.structured.generalize",
     "%o = transform.structured.specialize %h : (@) -> @", "0"},
    {"transform.structured.specialize",
     "%o = transform.structured.generalize %h : (@) -> @", "0"},
    {"transform.structured.decompose",
     "%o = transform.structured.decompose_interface %h : (@) -> @", "0"},
    {"transform.structured.decompose_interface",
     "%o = transform.structured.decompose %h : (@) -> @", "0"},
    {"transform.structured.vectorize",
     "%l = transform.structured.convert_to_loops %h : (@) -> @", ""},
    {"transform.structured.vectorize_children_and_apply_patterns",
     "%f = transform.structured.hoist_redundant_vector_transfers %h : (@) -> @",
     "0"},
    {"transform.structured.hoist_redundant_vector_transfers",
     "%f = transform.structured.vectorize_children_and_apply_patterns %h : (@) "
     "-> @",
     "0"},
    {"transform.structured.fuse_into_containing_op",
     "%l = transform.loop.fuse_sibling %h into %h1 : (@, @) -> @", ".0"},
    {"transform.structured.tile_using_for",
     "%f, %t, %c, %l = transform.structured.tile_reduction_using_for %h by "
     "tile_sizes = [#] : (@) -> (@, @, @, @)",
     "13"},
    {"transform.structured.tile_using_forall",
     "%f, %t, %c, %l = transform.structured.tile_reduction_using_forall %h by "
     "num_threads = [#] tile_sizes = [] : (@) -> (@, @, @, @)",
     "13"},
    {"transform.bufferization.one_shot_bufferize",
     "%b = transform.apply_registered_pass \"one-shot-bufferize\" with options "
     "= {\"bufferize-function-boundaries\" = true} to %h : (@) -> @",
     "0"},
    {"transform.gpu.map_forall_to_blocks",
     "%l = transform.gpu.map_nested_forall_to_threads %h block_dims = [16, 4, "
     "1] : (@) -> @",
     "0"},
    {"transform.gpu.map_nested_forall_to_threads",
     "%l = transform.gpu.map_forall_to_blocks %h : (@) -> @", "0"},
    {"transform.apply_registered_pass",
     "%o = transform.apply_registered_pass \"cse\" to %h : (@) -> @", "0"},
};

/// Whether `step` is the op, on handles of any kind, with as many results as
/// are known.
static bool isLike(Operation *step, const Kindred &like) {
  auto isAny = [](Type type) { return isa<transform::AnyOpType>(type); };
  return step->getName().getStringRef() == like.name &&
         step->getNumOperands() != 0 &&
         step->getNumResults() == like.results.size() &&
         llvm::all_of(step->getOperandTypes(), isAny) &&
         llvm::all_of(step->getResultTypes(), isAny);
}

bool formwork::testing::kindredStep(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, const Kindred *>> found;
  for (Operation *step : getSteps(entry))
    for (const Kindred &like : kindred)
      if (isLike(step, like))
        found.push_back({step, &like});
  if (found.empty())
    return false;
  auto [step, like] = found[random.below(found.size())];
  Numbers sizes;
  for (NamedAttribute attr : getSizeArrays(step))
    llvm::append_range(sizes,
                       cast<DenseI64ArrayAttr>(attr.getValue()).asArrayRef());
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return false;
  Values operands(step->getOperands());
  Operation *other =
      insertSteps(step, operands, fillIn(like->text, '#', listNumbers(sizes)));
  // The pass may be the one that it was.
  if (!other || (other->getName() == step->getName() &&
                 other->getAttrDictionary() == step->getAttrDictionary()))
    return false;
  for (auto [result, number] :
       llvm::zip_equal(step->getResults(), like->results))
    result.replaceAllUsesWith(number == '.' ? operands.front()
                                            : other->getResult(number - '0'));
  step->erase();
  return true;
}

/// Names of ops, and of the batched versions of them.
static constexpr std::pair<StringRef, StringRef> batched[] = {
    {"linalg.matmul", "linalg.batch_matmul"},
    {"linalg.matvec", "linalg.batch_matvec"},
    {"linalg.vecmat", "linalg.batch_vecmat"},
    {"linalg.mmt4d", "linalg.batch_mmt4d"}};

/// Renames the ops that `match` looks for, to the batched version or back.
static void renameBatched(transform::MatchOp match, bool toBatch) {
  SmallVector<Attribute> names;
  for (Attribute attr : match.getOpsAttr()) {
    StringRef name = cast<StringAttr>(attr).getValue();
    for (auto [plain, batch] : batched)
      if (name == (toBatch ? plain : batch)) {
        name = toBatch ? batch : plain;
        break;
      }
    names.push_back(StringAttr::get(match.getContext(), name));
  }
  match.setOpsAttr(ArrayAttr::get(match.getContext(), names));
}

/// Adds the outermost dimension to the sizes of `tile`, or takes it away.
static bool portTiling(Operation *tile, bool toBatch, bool isOutermost) {
  Numbers sizes = getSizes(tile);
  auto forall = dyn_cast<transform::TileUsingForallOp>(tile);
  bool hasLoop = toBatch ? forall && isOutermost : sizes.front() != 0;
  if (toBatch)
    sizes.insert(sizes.begin(), hasLoop ? 1 : 0);
  else
    sizes.erase(sizes.begin());
  if (!forall && hasLoop) {
    // Nothing may read the loop that goes.
    if (!tile->getResult(1).use_empty() || countLoops(sizes) == 0)
      return false;
    SmallVector<Type> types(tile->getResultTypes());
    types.erase(types.begin() + 1);
    Operation *ported = insertTiling(
        tile, tile->getOperand(0), "tile_using_for", listNumbers(sizes), types);
    if (!ported)
      return false;
    tile->getResult(0).replaceAllUsesWith(ported->getResult(0));
    for (auto [old, made] : llvm::zip_equal(tile->getResults().drop_front(2),
                                            ported->getResults().drop_front()))
      old.replaceAllUsesWith(made);
    tile->erase();
    return true;
  }
  setSizes(tile, sizes);
  if (forall && hasLoop && forall.getMapping() &&
      !forall.getMapping()->empty()) {
    SmallVector<Attribute> units(forall.getMapping()->getValue());
    if (toBatch) {
      std::string first;
      llvm::raw_string_ostream(first) << units.front();
      Attribute unit =
          parseAttribute((StringRef(first).split('<').first + "<z>").str(),
                         tile->getContext());
      units.insert(units.begin(), unit);
    } else {
      units.erase(units.begin());
    }
    forall.setMappingAttr(ArrayAttr::get(tile->getContext(), units));
  }
  return countLoops(sizes) != 0;
}

bool formwork::testing::portToBatch(NamedSequenceOp entry, Random &random) {
  bool isBatch = false;
  SmallVector<transform::MatchOp> matches;
  for (Operation *step : getSteps(entry))
    if (auto match = dyn_cast<transform::MatchOp>(step);
        match && match.getOps()) {
      isBatch |= guessKind(match.getResult()).contains("batch_");
      matches.push_back(match);
    }
  Ops tilings = getUntypedTilings(entry);
  if (tilings.empty())
    return false;
  // Some port the sizes first, and the names later.
  bool toBatch = !isBatch;
  if (random.chance(0.5))
    for (transform::MatchOp match : matches)
      renameBatched(match, toBatch);
  bool forgetsOne = tilings.size() > 1 && random.chance(0.2);
  for (auto [i, tile] : llvm::enumerate(tilings)) {
    if (forgetsOne && i + 1 == tilings.size())
      break;
    Operation *before = tile->getOperand(0).getDefiningOp();
    bool isOutermost = !llvm::is_contained(tilings, before);
    if (!portTiling(tile, toBatch, isOutermost))
      return false;
  }
  // The sizes of vectors get the dimension, too.
  for (Operation *step : getSteps(entry))
    for (StringRef name : {"static_vector_sizes", "static_sizes"}) {
      auto sizes = step->getAttrOfType<DenseI64ArrayAttr>(name);
      if (!sizes || sizes.empty() || isa<transform::TileUsingForOp>(step))
        continue;
      Numbers ported(sizes.asArrayRef());
      if (toBatch)
        ported.insert(ported.begin(), 1);
      else
        ported.erase(ported.begin());
      step->setAttr(name, DenseI64ArrayAttr::get(entry.getContext(), ported));
    }
  return true;
}
