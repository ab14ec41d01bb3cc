//===- ParameterKinds.cpp - Breakage by parameters ------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/ParameterKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "transforms/TransformOps/FormworkTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The type of parameters of which the type is left open.
static constexpr StringLiteral anyParam = "!transform.any_param";

/// The names of the dimensions in a table of sizes.
static constexpr StringRef entries[] = {"tile_m", "tile_n", "tile_k", "tile_b",
                                        "tile_x", "tile_y", "tile_z", "tile_w"};

bool formwork::testing::sizeFromTable(NamedSequenceOp entry, Random &random) {
  Operation *tile = pickStep(getUntypedTilings(entry), random);
  Block &block = entry.getBody().front();
  if (!tile || tile->getBlock() != &block || block.getNumArguments() == 0)
    return false;
  Value root = block.getArgument(0);
  Numbers sizes = getSizes(tile);
  if (sizes.size() > std::size(entries) ||
      !isa<transform::AnyOpType>(root.getType()))
    return false;
  std::string table, list, queries;
  // Most sizes are in the table, some stay where they are.
  Values parameters;
  // The nearest table counts: the op itself may be asked, or what it is in.
  bool asksOp = random.chance(0.4);
  Value asked =
      asksOp ? tile->getOperand(0) : pickVisible(tile, random, isScopeKind);
  if (!asked)
    return false;
  Operation *place = random.chance(0.85) ? &block.front() : tile;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    list += i ? ", " : "";
    if (size <= 0 || random.chance(0.2)) {
      list += std::to_string(size);
      continue;
    }
    table += (table.empty() ? "\"" : ", \"") + entries[i].str() +
             "\" = " + std::to_string(size) + " : i64";
    StringRef key = entries[i];
    if (random.chance(0.05))
      key = random.oneOf(ArrayRef(entries));
    list += "%h" + std::to_string(parameters.size() + 1);
    Operation *query =
        insertText(tile, asked,
                   "%s = transform.dlti.query [\"" + key + "\"] at %h : (" +
                       getTypeText(asked) + ") -> " +
                       (random.chance(0.06) ? anyParam : paramType));
    if (!query)
      return false;
    parameters.push_back(query->getResult(0));
  }
  if (parameters.empty())
    return false;
  // The table goes on the payload, mostly before all queries. At `tile`, it
  // comes behind them: too late.
  Operation *mark =
      insertText(place, root,
                 "%t = transform.param.constant #dlti.map<" + table +
                     "> -> !transform.any_param\ntransform.annotate %h \"" +
                     pickText(random, {"dlti.map", "mutant.sizes"}) +
                     "\" = %t : " + anyOp + ", !transform.any_param");
  if (!mark)
    return false;
  std::string operands = anyOp.str();
  Values handles{tile->getOperand(0)};
  for (Value parameter : parameters) {
    operands += ", " + getTypeText(parameter);
    handles.push_back(parameter);
  }
  std::string results = anyOp.str();
  for (unsigned i = 1, e = tile->getNumResults(); i < e; ++i)
    results += ", " + anyOp.str();
  bool isForall = isa<transform::TileUsingForallOp>(tile);
  return replaceStep(
      tile,
      insertText(tile, handles,
                 "%t:" + Twine(tile->getNumResults()) +
                     " = transform.structured." +
                     (isForall ? "tile_using_forall" : "tile_using_for") +
                     " %h tile_sizes [" + list + "] " + getMappingText(tile) +
                     " : (" + operands + ") -> (" + results + ")"));
}

namespace {
/// An option of a pass, and what a parameter may have for it.
struct PassOption {
  StringLiteral pass, option, value;
};
} // namespace

static constexpr PassOption passOptions[] = {
    {"canonicalize", "max-iterations", "4 : i64"},
    {"canonicalize", "max-iterations", "-1 : i64"},
    {"canonicalize", "top-down", "false"},
    {"canonicalize", "region-simplify", "\"disabled\""},
    {"canonicalize", "max-num-rewrites", "1 : i64"},
    {"linalg-fold-unit-extent-dims", "use-rank-reducing-slices", "true"},
    {"linalg-block-pack-matmul", "block-factors",
     "[8 : i64, 8 : i64, 8 : i64]"},
    {"linalg-block-pack-matmul", "block-factors", "[16 : i64, 16 : i64]"},
    {"linalg-morph-ops", "named-to-generic", "true"},
    {"linalg-morph-ops", "generic-to-named", "true"},
    {"scf-for-loop-peeling", "peel-front", "true"},
    {"convert-vector-to-scf", "full-unroll", "true"},
    {"promote-buffers-to-stack", "max-alloc-size-in-bytes", "4096 : i64"},
    // A misspelled option, and values of the wrong type.
    {"canonicalize", "max-iteration", "4 : i64"},
    {"canonicalize", "max-iterations", "4.0 : f32"},
    {"canonicalize", "top-down", "2 : i64"}};

bool formwork::testing::optionByParameter(NamedSequenceOp entry,
                                          Random &random) {
  Block &block = entry.getBody().front();
  if (block.getNumArguments() == 0)
    return false;
  // Before all others, at the end, or in the place of another clean-up.
  Operation *place = &block.front();
  Value scope = block.getArgument(0);
  Ops cleanUps = getCleanUps(entry);
  Operation *instead = nullptr;
  if (!cleanUps.empty() && random.chance(0.4)) {
    place = pickStep(cleanUps, random);
    scope = place->getOperand(0);
    if (!isScopeKind(guessKind(scope)))
      return false;
    if (place->getNumResults() == 0)
      instead = place;
  } else if (random.chance(0.35)) {
    place = block.getTerminator();
    scope = getRootAtEnd(entry);
  }
  if (!scope)
    return false;
  Value functions = instead || !isa<transform::AnyOpType>(scope.getType())
                        ? insertFunctions(place, scope)
                        : insertMatch(place, scope, "ops{[\"func.func\"]}");
  if (!functions)
    return false;
  const PassOption &chosen = passOptions[random.below(std::size(passOptions))];
  std::string type = getTypeText(functions);
  // Two values, where there may be one.
  bool twice = random.chance(0.08);
  Operation *pass = insertText(
      place, functions,
      "%p = transform.param.constant " + Twine(chosen.value) + " -> " +
          anyParam + "\n" +
          (twice ? "%q = transform.merge_handles %p, %p : " + anyParam.str()
                 : "%q = transform.merge_handles %p : " + anyParam.str()) +
          "\n%r = transform.apply_registered_pass \"" + chosen.pass +
          "\" with options = {\"" + chosen.option + "\" = %q} to %h : (" +
          type + ", " + anyParam + ") -> " + type);
  if (!pass)
    return false;
  rebindToResult(pass, functions);
  if (instead)
    instead->erase();
  return true;
}

/// A parameter for `number`, which is seldom another one, none or two.
static Value insertParameter(Operation *place, int64_t number, Random &random) {
  if (random.chance(0.1))
    number *= 2;
  StringRef type = pickText(
      random, {"i64 -> !transform.param<i64>", "i64 -> !transform.param<i64>",
               "index -> !transform.any_param", "i64 -> !transform.any_param",
               "i32 -> !transform.any_param"});
  Operation *made = insertText(place, {},
                               "%p = transform.param.constant " +
                                   Twine(number) + " : " + type);
  if (made && random.chance(0.06))
    made = insertText(place, made->getResult(0),
                      "%t = transform.merge_handles %h, %h : " +
                          getTypeText(made->getResult(0)));
  return made ? Value(made->getResult(0)) : Value();
}

/// Takes numbers of `step` from parameters, which become its `operands`; the
/// others stay in the attribute `name`. False when the step has none to take.
static bool takeFromParameters(Operation *step, StringRef name,
                               MutableOperandRange operands, Random &random) {
  auto listed = step->getAttrOfType<DenseI64ArrayAttr>(name);
  if (!listed || !operands.empty())
    return false;
  Numbers numbers(listed.asArrayRef());
  SmallVector<unsigned> taken;
  for (auto [i, number] : llvm::enumerate(numbers))
    if (number > 0)
      taken.push_back(i);
  if (taken.empty() || llvm::is_contained(numbers, ShapedType::kDynamic))
    return false;
  if (random.chance(0.5))
    taken = {taken[random.below(taken.size())]};
  Values parameters;
  for (unsigned i : taken) {
    Value parameter = insertParameter(step, numbers[i], random);
    if (!parameter)
      return false;
    parameters.push_back(parameter);
    numbers[i] = ShapedType::kDynamic;
  }
  step->setAttr(name, DenseI64ArrayAttr::get(step->getContext(), numbers));
  operands.append(parameters);
  return true;
}

/// Takes numbers of `step` from parameters, if its op lets them be parameters.
static bool takeFromParameters(Operation *step, Random &random) {
  auto take = [&](StringRef name, MutableOperandRange operands) {
    return takeFromParameters(step, name, operands, random);
  };
  if (auto op = dyn_cast<transform::VectorizeOp>(step))
    return take(op.getStaticVectorSizesAttrName(), op.getVectorSizesMutable());
  if (auto op = dyn_cast<transform::PackOp>(step))
    return take(op.getStaticPackedSizesAttrName(), op.getPackedSizesMutable());
  if (auto op = dyn_cast<transform::FuseOp>(step))
    return take(op.getStaticTileSizesAttrName(), op.getTileSizesMutable());
  if (auto op = dyn_cast<transform::TileUsingForallOp>(step))
    return take(op.getStaticNumThreadsAttrName(), op.getNumThreadsMutable());
  if (auto op = dyn_cast<transform::VectorizeTilesOp>(step))
    return take(op.getStaticSizesAttrName(), op.getSizesMutable());
  if (auto op = dyn_cast<transform::DistributeVectorsOp>(step))
    return take(op.getStaticThreadsAttrName(), op.getThreadsMutable());
  if (auto op = dyn_cast<transform::StageOp>(step))
    return take(op.getStaticPaddingAttrName(), op.getPaddingMutable());
  if (auto op = dyn_cast<transform::ContractOnTensorCoresOp>(step))
    return take(op.getStaticWarpsAttrName(), op.getWarpsMutable());
  if (auto op = dyn_cast<transform::PipelineCopiesOp>(step))
    return take(op.getStaticDepthAttrName(), op.getDepthMutable());
  return false;
}

bool formwork::testing::parameterForNumber(NamedSequenceOp entry,
                                           Random &random) {
  if (random.chance(0.7)) {
    Ops steps = getSteps(entry);
    while (!steps.empty()) {
      Operation *step = pickStep(steps, random);
      if (takeFromParameters(step, random))
        return true;
      llvm::erase(steps, step);
    }
  }
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value number = insertParameter(
      place, random.oneOf(ArrayRef<int64_t>{2, 4, 8, 16}), random);
  if (!number)
    return false;
  std::string text =
      pickText(random,
               {"%a, %b = transform.structured.tile_using_forall %h "
                "num_threads [%h1, 2] : (@, #) -> (@, @)",
                "%a, %b = transform.structured.tile_using_forall %h "
                "num_threads [%h1] : (@, #) -> (@, @)",
                "%a = transform.structured.pack %h packed_sizes = [%h1, 4, 0] "
                ": (@, #) -> @",
                "%a = transform.structured.split %h after %h1 {dimension = 0} "
                ": @, #",
                "%a = transform.structured.split %h after %h1 {dimension = 1} "
                ": @, #",
                "%a, %b, %c = transform.structured.fuse %h tile_sizes [%h1, 4] "
                ": (@, #) -> (@, @, @)"})
          .str();
  Operation *made = insertSteps(place, {spot->handle, number},
                                fillIn(text, '#', getTypeText(number)));
  return goOnWith(made, spot->handle, 0.85, random);
}
