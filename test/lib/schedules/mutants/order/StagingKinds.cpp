//===- StagingKinds.cpp - Breakage of the order of stages -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/StagingKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::cleanUpLevel(NamedSequenceOp entry, Random &random) {
  Ops found = getCleanUps(entry);
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  Value old = op->getOperand(0), level;
  if (random.chance(0.5)) {
    level = pickVisible(op, random, [&](StringRef kind) {
      return isLoopKind(kind) || isScopeKind(kind) || isStructuredKind(kind);
    });
  } else {
    std::string type = " : (" + getTypeText(old) + ") -> " + anyOp.str();
    StringRef text = pickText(
        random, {"%l = transform.get_parent_op %h {isolated_from_above}",
                 "%l = transform.get_parent_op %h {deduplicate}",
                 "%l = transform.structured.match ops{[\"func.func\"]} in %h",
                 "%l = transform.structured.match ops{[\"scf.for\"]} in %h",
                 "%l = transform.structured.match "
                 "interface{LoopLikeInterface} in %h"});
    Operation *step = insertText(op, old, text + type);
    level = step ? step->getResult(0) : Value();
  }
  if (!level || level == old)
    return false;
  op->setOperand(0, level);
  return true;
}

bool formwork::testing::normalizeFirst(NamedSequenceOp entry, Random &random) {
  Block &body = entry.getBody().front();
  if (body.getNumArguments() == 0)
    return false;
  Value root = body.getArgument(0);
  // At the start, or behind the first matches.
  Operation *place = &body.front();
  for (unsigned skip = random.below(4);
       skip != 0 && !place->hasTrait<OpTrait::IsTerminator>(); --skip)
    place = place->getNextNode();
  if (place != &body.front() && consumes(&body.front(), root))
    return false;
  std::string scope = "%f = transform.structured.match ops{[\"func.func\"]} in "
                      "%h : (" +
                      getTypeText(root) + ") -> !transform.any_op\n";
  std::string all = "%m = transform.structured.match interface{LinalgOp} in %h "
                    ": (" +
                    getTypeText(root) + ") -> !transform.any_op\n";
  std::string one = " : (!transform.any_op) -> !transform.any_op";
  auto patterns = [&](StringRef name) {
    return scope +
           "transform.apply_patterns to %f {\ntransform.apply_patterns." +
           name.str() + "\n} : !transform.any_op";
  };
  auto pass = [&](StringRef name) {
    return scope + "%p = transform.apply_registered_pass \"" + name.str() +
           "\" to %f" + one;
  };
  std::string text;
  switch (random.below(8)) {
  case 0:
    text = all + "%g = transform.structured.generalize %m" + one;
    break;
  case 1:
    text = all +
           "transform.foreach %m : !transform.any_op {\n"
           "^bb0(%x: !transform.any_op):\n"
           "%s = transform.structured.specialize %x" +
           one + "\n}";
    break;
  case 2:
    text = pass("linalg-specialize-generic-ops");
    break;
  case 3:
    text = patterns("linalg.fold_unit_extent_dims_via_slices");
    break;
  case 4:
    text = patterns("linalg.fold_unit_extent_dims_via_reshapes");
    break;
  case 5:
    text = pass("linalg-inline-scalar-operands");
    break;
  case 6:
    text = pass("linalg-fold-unit-extent-dims");
    break;
  default:
    text = patterns("linalg.erase_unnecessary_inputs");
  }
  return insertText(place, root, text);
}

bool formwork::testing::hoistOut(NamedSequenceOp entry, Random &random) {
  bool ofLoop = random.chance(0.5);
  std::optional<Spot> spot =
      pickSpotToAppend(entry, random, ofLoop ? isLoopKind : isScopeKind);
  if (!spot)
    return false;
  // Some take the level for the other one.
  Value on = ofLoop || random.chance(0.15)
                 ? spot->handle
                 : insertFunctions(spot->place, spot->handle);
  if (!on)
    return false;
  std::string type = getTypeText(on);
  std::string one = " : (" + type + ") -> " + type;
  std::string text;
  if (ofLoop && random.chance(0.9))
    text = random.chance(0.5)
               ? "transform.loop.hoist_loop_invariant_subsets %h : " + type
               : "transform.apply_licm to %h : " + type;
  else
    switch (random.below(4)) {
    case 0:
      text =
          "%v = transform.structured.hoist_redundant_vector_transfers %h" + one;
      break;
    case 1:
      text = "%v = transform.structured.hoist_redundant_vector_broadcasts %h" +
             one;
      break;
    case 2:
      text = "transform.bufferization.buffer_loop_hoisting %h : " + type;
      break;
    default:
      text = "transform.apply_licm to %h : " + type;
    }
  Operation *step = insertText(spot->place, on, text);
  return step &&
         (step->getNumResults() == 0 || goOnWith(step, on, 0.7, random));
}

bool formwork::testing::mapToGpu(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  Value root = getRootAtEnd(entry);
  if (!spot || !root)
    return false;
  std::string type = spot->type;
  StringRef blocks = pickText(
      random, {"tile_sizes [4] (mapping = [#gpu.block<x>])",
               "num_threads [2] (mapping = [#gpu.block<x>])",
               "num_threads [2, 2] (mapping = [#gpu.block<y>, #gpu.block<x>])",
               "tile_sizes [4] (mapping = [#gpu.thread<x>])"});
  StringRef threads = pickText(
      random,
      {"num_threads [2, 2] (mapping = [#gpu.thread<y>, #gpu.thread<x>])",
       "num_threads [4] (mapping = [#gpu.thread<x>])",
       "num_threads [64] (mapping = [#gpu.thread<x>])",
       "tile_sizes [1] (mapping = [#gpu.warp<x>])", "tile_sizes [2]"});
  std::string results =
      " : (" + type + ") -> (" + type + ", !transform.any_op)\n";
  Operation *tile = insertText(
      spot->place, spot->handle,
      "%t, %b = transform.structured.tile_using_forall %h " + blocks + results +
          "%u, %v = transform.structured.tile_using_forall %t " + threads +
          results);
  if (!tile)
    return false;
  rebindToResult(tile, spot->handle);
  // Tensors cannot be mapped, which some find out only then.
  Operation *end = entry.getBody().front().getTerminator();
  if (random.chance(0.8)) {
    Operation *bufferize = insertBufferization(entry, end, root, random);
    if (!bufferize)
      return false;
    root = bufferize->getResult(0);
  }
  StringRef grid = pickText(random, {"", "", " grid_dims = [2, 2, 1]"});
  StringRef launch = random.chance(0.85) ? " generate_gpu_launch" : "";
  StringRef dims = pickText(random, {"[2, 2, 1]", "[4, 1, 1]", "[32, 2, 1]",
                                     "[1, 1, 1]", "[64, 1, 1]"});
  bool keeps = random.chance(0.15);
  return insertText(
      end, root,
      "%f = transform.structured.match ops{[\"func.func\"]} in %h : (" +
          getTypeText(root) +
          ") -> !transform.any_op\n%g = transform.gpu.map_forall_to_blocks "
          "%f" +
          launch + grid +
          " : (!transform.any_op) -> !transform.any_op\n"
          "%k = transform.gpu.map_nested_forall_to_threads " +
          (keeps ? "%f" : "%g") + " block_dims = " + dims +
          " : (!transform.any_op) -> !transform.any_op");
}

bool formwork::testing::allocTensors(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isScopeKind);
  if (!spot)
    return false;
  StringRef kind = random.chance(0.9) ? "tensor.empty" : "linalg.fill";
  std::string text =
      "%e = transform.structured.match ops{[\"" + kind.str() +
      "\"]} in %h : (" + spot->type +
      ") -> !transform.op<\"tensor.empty\">\n"
      "%a = transform.bufferization.empty_tensor_to_alloc_tensor %e : "
      "(!transform.op<\"tensor.empty\">) -> "
      "!transform.op<\"bufferization.alloc_tensor\">\n";
  std::string eliminate =
      "transform.bufferization.eliminate_empty_tensors %h : " + spot->type +
      "\n";
  // To eliminate them comes first; afterwards there are none.
  switch (random.below(4)) {
  case 0:
    text = eliminate + text;
    break;
  case 1:
    text += eliminate;
    break;
  case 2:
    text = eliminate;
    break;
  default:
    break;
  }
  if (!insertText(spot->place, spot->handle, text))
    return false;
  Value root = getRootAtEnd(entry);
  return !root || random.chance(0.6) ||
         insertBufferization(entry, entry.getBody().front().getTerminator(),
                             root, random);
}

bool formwork::testing::convertPatterns(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isScopeKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  std::string converter =
      "with type_converter {\n"
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter"
      "\n} ";
  struct Conversion {
    StringLiteral patterns, from, to;
    bool convertsTypes;
  };
  static constexpr Conversion conversions[] = {
      {"scf.scf_to_control_flow", "scf", "cf", false},
      {"vector.vector_to_llvm", "vector", "llvm", true},
      {"dialect_to_llvm \"math\"", "math", "llvm", true},
      {"dialect_to_llvm \"arith\"", "arith", "llvm", true},
      {"dialect_to_llvm \"cf\"", "cf", "llvm", true}};
  const Conversion &conversion =
      conversions[random.below(std::size(conversions))];
  StringRef illegal = random.chance(0.4) ? conversion.from : "index";
  // A whole conversion says of an op that is neither that it is left.
  StringRef partial =
      random.chance(0.8) ? "partial_conversion" : "mutant.whole";
  StringRef keeps = random.chance(0.4) ? ", preserve_handles" : "";
  return insertText(spot->place, functions,
                    "transform.apply_conversion_patterns to %h {\n"
                    "transform.apply_conversion_patterns." +
                        conversion.patterns + "\n} " +
                        (conversion.convertsTypes || random.chance(0.6)
                             ? converter
                             : std::string()) +
                        "{legal_dialects = [\"" + conversion.to +
                        "\"], illegal_dialects = [\"" + illegal + "\"], " +
                        partial + keeps + "} : " + getTypeText(functions));
}
