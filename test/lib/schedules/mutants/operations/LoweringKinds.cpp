//===- LoweringKinds.cpp - Breakage of how payload is lowered -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/LoweringKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::promoteOperands(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  Operation *end = entry.getBody().front().getTerminator();
  Value root = getRootAtEnd(entry);
  if (root && random.chance(0.5)) {
    // As it should be: the operands are buffers by then.
    std::string kind = guessKind(spot->handle).str();
    Operation *bufferize = insertBufferization(entry, end, root, random);
    Operation *match =
        bufferize
            ? insertText(end, bufferize->getResult(0),
                         "%m = transform.structured.match ops{[\"" + kind +
                             "\"]} in %h : (" + anyOp + ") -> " + anyOp)
            : nullptr;
    if (!match)
      return false;
    spot = Spot{end, match->getResult(0), anyOp.str()};
  }
  std::string tile;
  if (random.chance(0.5))
    tile =
        "%t, %l = transform.structured.tile_using_for %h tile_sizes [4] : (" +
        spot->type + ") -> (" + spot->type + ", " + anyOp.str() + ")\n";
  StringRef which =
      pickText(random, {"[0]", "[0, 1]", "[0, 1]", "[0, 1, 2]", "[1, 3]"});
  StringRef how = pickText(
      random, {"", ", use_full_tiles_by_default", ", use_alloca",
               ", use_full_tiles_by_default, use_alloca",
               ", use_full_tile_buffers = [false, true]", ", alignment = 32"});
  Operation *promote = insertText(
      spot->place, spot->handle,
      tile + "%p = transform.structured.promote " +
          (tile.empty() ? "%h" : "%t") + " {operands_to_promote = " + which +
          how + "} : (" + spot->type + ") -> " + spot->type);
  return goOnWith(promote, spot->handle, 0.7, random);
}

bool formwork::testing::bufferSteps(NamedSequenceOp entry, Random &random) {
  Operation *end = entry.getBody().front().getTerminator();
  Value root = getRootAtEnd(entry);
  Operation *place = end;
  Value scope;
  if (root && random.chance(0.5)) {
    Operation *bufferize = insertBufferization(entry, end, root, random);
    scope = bufferize ? bufferize->getResult(0) : Value();
  } else if (std::optional<Spot> spot =
                 pickSpotToAppend(entry, random, isScopeKind)) {
    place = spot->place;
    scope = insertFunctions(place, spot->handle);
  }
  if (!scope)
    return false;
  std::string match = "%m = transform.structured.match ops{[\"@\"]} in %h : (" +
                      getTypeText(scope) + ") -> !transform.op<\"@\">\n";
  std::string functions =
      "%f = transform.structured.match ops{[\"func.func\"]} in %h : (" +
      getTypeText(scope) + ") -> !transform.any_op\n";
  std::string allocs = fillIn(match, '@', "memref.alloc");
  std::string allocas = fillIn(match, '@', "memref.alloca");
  auto patterns = [&](StringRef names) {
    std::string text = functions + "transform.apply_patterns to %f {\n";
    SmallVector<StringRef> list;
    names.split(list, ' ');
    for (StringRef name : list)
      text += ("transform.apply_patterns.memref." + name + "\n").str();
    return text + "} : !transform.any_op";
  };
  std::string text;
  switch (random.below(7)) {
  case 0:
    text = allocs + "%b = transform.memref.multibuffer %m {factor = 2 : i64" +
           (random.chance(0.5) ? ", skip_analysis" : "") +
           "} : (!transform.op<\"memref.alloc\">) -> !transform.any_op";
    break;
  case 1:
    text = allocas +
           "%g, %n = transform.memref.alloca_to_global %m : "
           "(!transform.op<\"memref.alloca\">) -> (!transform.any_op, "
           "!transform.any_op)";
    break;
  case 2:
    text = functions + "transform.memref.erase_dead_alloc_and_stores %f : "
                       "(!transform.any_op) -> ()";
    break;
  case 3:
    text = patterns("fold_memref_alias_ops expand_strided_metadata");
    break;
  case 4:
    text = patterns("alloc_to_alloca");
    break;
  case 5:
    text = patterns("extract_address_computations expand_ops");
    break;
  default:
    text = functions +
           "%d = transform.apply_registered_pass "
           "\"buffer-deallocation-pipeline\" to %h : (" +
           getTypeText(scope) + ") -> !transform.any_op";
  }
  return insertText(place, scope, text);
}

bool formwork::testing::packWhole(NamedSequenceOp entry, Random &random) {
  bool any = random.chance(0.25);
  std::optional<Spot> spot =
      pickSpotToAppend(entry, random, [&](StringRef kind) {
        return any ? isStructuredKind(kind)
                   : kind.contains("matmul") || kind == "linalg.generic";
      });
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  std::string sizes = pickNumbers(random, 3, {2, 4, 8, 8, 16});
  StringRef order =
      pickText(random, {"[0, 1, 2]", "[0, 1, 2]", "[1, 2, 0]", "[2, 0, 0]"});
  StringRef padded = random.chance(0.2)
                         ? "matmul_padded_sizes_next_multiple_of = [4, 4, 4] "
                         : "";
  Operation *pack = insertText(
      spot->place, spot->handle,
      "%p = transform.structured.pack_greedily %h matmul_packed_sizes = [" +
          sizes + "] " + padded + "matmul_inner_dims_order = " + order +
          " : (" + spot->type + ") -> " + spot->type);
  if (!pack)
    return false;
  std::string scope = getTypeText(functions);
  std::string packs = "%a = transform.structured.match ops{[\"linalg.pack\"]} "
                      "in %h : (" +
                      scope +
                      ") -> !transform.op<\"linalg.pack\">\n"
                      "%b, %c, %d = transform.structured.lower_pack %a : "
                      "(!transform.op<\"linalg.pack\">) -> "
                      "(!transform.op<\"tensor.pad\">, "
                      "!transform.op<\"tensor.expand_shape\">, "
                      "!transform.op<\"linalg.transpose\">)\n";
  std::string unpacks =
      "%u = transform.structured.match ops{[\"linalg.unpack\"]} in %h : (" +
      scope +
      ") -> !transform.op<\"linalg.unpack\">\n"
      "%v, %w, %x, %y = transform.structured.lower_unpack %u : "
      "(!transform.op<\"linalg.unpack\">) -> "
      "(!transform.op<\"tensor.empty\">, !transform.op<\"linalg.transpose\">, "
      "!transform.op<\"tensor.collapse_shape\">, "
      "!transform.op<\"tensor.extract_slice\">)\n";
  std::string lower;
  switch (random.below(4)) {
  case 0:
    lower = packs + unpacks;
    break;
  case 1:
    lower = packs;
    break;
  case 2:
    lower = "transform.apply_patterns to %h {\n"
            "transform.apply_patterns.linalg.decompose_pack_unpack\n"
            "transform.apply_patterns.canonicalization\n} : " +
            scope;
    break;
  default:
    return goOnWith(pack, spot->handle, 0.7, random);
  }
  if (!insertText(spot->place, functions, lower))
    return false;
  return goOnWith(pack, spot->handle, 0.7, random);
}

bool formwork::testing::vectorizeChildren(NamedSequenceOp entry,
                                          Random &random) {
  using transform::VectorizeChildrenAndApplyPatternsOp;
  Ops found;
  for (Operation *op : getSteps(entry))
    if (isa<transform::VectorizeOp, VectorizeChildrenAndApplyPatternsOp>(op))
      found.push_back(op);
  Operation *old = random.chance(0.6) ? pickStep(found, random) : nullptr;
  if (old && isa<VectorizeChildrenAndApplyPatternsOp>(old)) {
    Value scope = old->getOperand(0);
    if (old->getResult(0).getType() != scope.getType() ||
        !insertText(old, scope,
                    "%m = transform.structured.match interface{LinalgOp} in "
                    "%h : (" +
                        getTypeText(scope) + ") -> " + anyOp +
                        "\ntransform.structured.vectorize %m : " + anyOp))
      return false;
    old->getResult(0).replaceAllUsesWith(scope);
    old->erase();
    return true;
  }
  Operation *place = old;
  Value on = old ? old->getOperand(0) : Value();
  if (!old) {
    bool ofLoop = random.chance(0.15);
    std::optional<Spot> spot =
        pickSpotToAppend(entry, random, ofLoop ? isLoopKind : isStructuredKind);
    if (!spot)
      return false;
    place = spot->place;
    on = spot->handle;
  }
  if (!isLoopKind(guessKind(on)))
    on = insertFunctions(place, on);
  if (!on)
    return false;
  StringRef flags = pickText(
      random, {"", "", "{vectorize_padding}",
               "{disable_multi_reduction_to_contract_patterns}",
               "{fold_type_extensions_into_contract}",
               "{disable_transfer_permutation_map_lowering_patterns}"});
  Operation *step = insertText(
      place, on,
      "%v = transform.structured.vectorize_children_and_apply_patterns %h " +
          flags + " : (" + getTypeText(on) + ") -> " + getTypeText(on));
  if (!step)
    return false;
  if (old)
    old->erase();
  return goOnWith(step, on, 0.7, random);
}

bool formwork::testing::lowerVectors(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isScopeKind);
  Value functions = spot ? insertFunctions(spot->place, spot->handle) : Value();
  if (!functions)
    return false;
  std::string type = getTypeText(functions);
  if (random.chance(0.5)) {
    Operation *vectorize = insertText(
        spot->place, functions,
        "%v = transform.structured.vectorize_children_and_apply_patterns %h : "
        "(" +
            type + ") -> " + type);
    if (!vectorize)
      return false;
    rebindToResult(vectorize, functions);
    // Some go on with what they had.
    if (random.chance(0.75))
      functions = vectorize->getResult(0);
  }
  std::string text;
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i) {
    StringRef pattern = pickText(
        random, {"lower_contraction lowering_strategy = \"outerproduct\"",
                 "lower_contraction lowering_strategy = \"dot\"",
                 "lower_contraction lowering_strategy = \"parallelarith\"",
                 "lower_multi_reduction lowering_strategy = \"innerreduction\"",
                 "lower_multi_reduction lowering_strategy = \"innerparallel\"",
                 "lower_transpose lowering_strategy = \"shuffle_1d\"",
                 "lower_transpose lowering_strategy = \"eltwise\"",
                 "split_transfer_full_partial split_transfer_strategy = "
                 "\"vector-transfer\"",
                 "split_transfer_full_partial split_transfer_strategy = "
                 "\"linalg-copy\"",
                 "transfer_to_scf max_transfer_rank = 1 full_unroll = true",
                 "lower_masked_transfers", "lower_outerproduct", "lower_gather",
                 "cast_away_vector_leading_one_dim", "lower_broadcast",
                 "materialize_masks", "lower_transfer max_transfer_rank = 99"});
    text += "transform.apply_patterns to %h {\n"
            "transform.apply_patterns.vector." +
            pattern.str() + "\n} : " + type + "\n";
  }
  return insertText(spot->place, functions, text);
}

bool formwork::testing::cleanAfterEach(NamedSequenceOp entry, Random &random) {
  Block &body = entry.getBody().front();
  if (body.getNumArguments() == 0)
    return false;
  StringRef how = pickText(
      random, {"transform.apply_cse to %f : !transform.any_op",
               "transform.apply_patterns to %f {\n"
               "transform.apply_patterns.canonicalization\n"
               "} : !transform.any_op\n"
               "transform.apply_cse to %f : !transform.any_op",
               "transform.apply_patterns to %f {\n"
               "transform.apply_patterns.linalg.tiling_canonicalization\n"
               "transform.apply_patterns.scf.for_loop_canonicalization\n"
               "} : !transform.any_op",
               "transform.apply_dce to %f : !transform.any_op"});
  double share = random.chance(0.5) ? 1.0 : 0.4;
  Value root = body.getArgument(0);
  Ops steps;
  for (Operation &op : body.without_terminator())
    steps.push_back(&op);
  bool changed = false;
  for (Operation *op : steps) {
    if (llvm::is_contained(op->getOperands(), root) && consumes(op, root)) {
      if (op->getNumResults() == 0 || !isOpHandle(op->getResult(0)))
        break;
      root = op->getResult(0);
    }
    if (isa<transform::MatchOp>(op) || !random.chance(share))
      continue;
    changed |= insertText(op->getNextNode(), root,
                          "%f = transform.structured.match "
                          "ops{[\"func.func\"]} in %h : (" +
                              getTypeText(root) + ") -> !transform.any_op\n" +
                              how) != nullptr;
  }
  return changed;
}

bool formwork::testing::passForPatterns(NamedSequenceOp entry, Random &random) {
  Ops found = getCleanUps(entry), passes;
  for (Operation *op : getSteps(entry))
    if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op))
      if (llvm::is_contained({"cse", "canonicalize"}, pass.getPassName()) &&
          pass->getNumOperands() == 1 &&
          pass.getResult().getType() == pass.getTarget().getType())
        passes.push_back(op);
  found.append(passes);
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  Value on = op->getOperand(0);
  std::string type = getTypeText(on);
  if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op)) {
    if (!insertText(op, on,
                    pass.getPassName() == "cse"
                        ? "transform.apply_cse to %h : " + type
                        : "transform.apply_patterns to %h {\n"
                          "transform.apply_patterns.canonicalization\n} : " +
                              type))
      return false;
    pass.getResult().replaceAllUsesWith(on);
    op->erase();
    return true;
  }
  StringRef name = "canonicalize";
  if (isa<transform::ApplyCommonSubexpressionEliminationOp>(op))
    name = "cse";
  if (isa<transform::ApplyLoopInvariantCodeMotionOp>(op))
    name = "loop-invariant-code-motion";
  Operation *pass =
      insertText(op, on,
                 "%p = transform.apply_registered_pass \"" + name +
                     "\" to %h : (" + type + ") -> " + type);
  if (!pass)
    return false;
  op->erase();
  return goOnWith(pass, on, 0.6, random);
}
