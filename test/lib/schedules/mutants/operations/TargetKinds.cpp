//===- TargetKinds.cpp - Breakage by a foreign step -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/TargetKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Steps for structured ops of some sort; the first result goes on.
static constexpr StringRef sortSteps[] = {
    "%x = transform.structured.flatten_elementwise %h : (@) -> @",
    "%x = transform.structured.transpose_conv2d %h : (@) -> @",
    "%x = transform.structured.transpose_matmul %h : (@) -> @",
    "%x = transform.structured.transpose_matmul %h <inputB> : (@) -> @",
    "%x = transform.structured.decompose %h : (@) -> @",
    "%x = transform.structured.decompose_interface %h : (@) -> @",
    "%y, %x = transform.structured.convert_conv2d_to_img2col %h : (@) -> (@, "
    "@)",
    "%x = transform.structured.winograd_conv2d %h {fmr = 0 : i32} : (@) -> @",
    "%x = transform.structured.insert_slice_to_copy %h : (@) -> @",
    "%x = transform.structured.linalg_copy_to_memref %h : (@) -> @",
    "%x = transform.structured.scalarize %h : (@) -> @",
    "transform.nvgpu.rewrite_matmul_as_mma_sync %h : (@) -> ()",
    "%x = transform.nvgpu.create_async_groups %h : (@) -> @"};

/// Patterns for one machine, or one level of the lowering.
static constexpr StringRef machinePatterns[] = {
    "gpu.gpu_rewrite_patterns",
    "x86vector.vector_contract_to_fma",
    "x86vector.vector_contract_to_packed_type_dot_product",
    "arm_neon.vector_contract_to_i8mm",
    "vector.rewrite_narrow_types",
    "vector.fold_arith_extension",
    "vector.materialize_masks",
    "vector.elementwise_to_vector",
    "vector.drop_unit_dims_with_shape_cast",
    "vector.lower_masks",
    "memref.extract_address_computations",
    "memref.resolve_ranked_shaped_type_result_dims"};

bool formwork::testing::foreignStep(NamedSequenceOp entry, Random &random) {
  if (random.chance(0.35)) {
    std::optional<Spot> spot = pickSpotToAppend(entry, random, isScopeKind);
    if (!spot)
      return false;
    Value functions = random.chance(0.25)
                          ? spot->handle
                          : insertFunctions(spot->place, spot->handle);
    if (!functions)
      return false;
    std::string name = pickText(random, machinePatterns).str();
    return insertText(spot->place, functions,
                      "transform.apply_patterns to %h {\n"
                      "transform.apply_patterns." +
                          name + "\n} : " + getTypeText(functions));
  }
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  Operation *step = insertOneOf(spot->place, spot->handle, random, sortSteps);
  if (!step || step->getNumResults() == 0)
    return step;
  return goOnWith(step, spot->handle, 0.85, random, step->getNumResults() - 1);
}

bool formwork::testing::loopsByPass(NamedSequenceOp entry, Random &random) {
  // The pass lowers ops on buffers only; ops on tensors stay as they are.
  Value root = bufferizeAtEnd(entry, 0.5, random);
  Operation *end = entry.getBody().front().getTerminator();
  if (!root)
    return false;
  Value functions = insertMatch(end, root, "ops{[\"func.func\"]}");
  if (!functions)
    return false;
  StringRef pass = pickText(random, {"convert-linalg-to-loops",
                                     "convert-linalg-to-affine-loops",
                                     "convert-linalg-to-parallel-loops"});
  Operation *run = insertSteps(
      end, functions,
      ("%n = transform.apply_registered_pass \"" + pass + "\" to %h : (@) -> @")
          .str());
  if (!run)
    return false;
  StringRef kind = pickText(random, {"scf.for", "scf.for", "affine.for",
                                     "scf.parallel", "scf.forall"});
  Value scope = random.chance(0.85) ? run->getResult(0) : functions;
  Value loops = insertMatch(end, scope, ("ops{[\"" + kind + "\"]}").str());
  if (!loops)
    return false;
  if (random.chance(0.3)) {
    Operation *split = insertSteps(
        end, loops,
        "%a, %b = transform.split_handle %h {overflow_result = 1} : (@) -> "
        "(@, @)");
    if (!split)
      return false;
    loops = split->getResult(random.below(2));
  }
  return insertOneOf(end, loops, random, loopSteps);
}

bool formwork::testing::changeSignature(NamedSequenceOp entry, Random &random) {
  Block &block = entry.getBody().front();
  bool first = random.chance(0.5);
  if (block.getNumArguments() == 0)
    return false;
  Value root = first ? Value(block.getArgument(0)) : getRootAtEnd(entry);
  if (!root || !isa<transform::AnyOpType>(root.getType()))
    return false;
  Operation *place = first ? &block.front() : block.getTerminator();
  if (isa<BlockArgument>(root)) {
    entry.removeArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName);
    entry.setArgAttr(0, transform::TransformDialect::kArgConsumedAttrName,
                     UnitAttr::get(entry.getContext()));
  }
  StringRef name = pickText(
      random, {"main", "f0", "matmul", "matmul", "f0", "batch_matmul"});
  StringRef order = pickText(random, {"1, 0, 2", "1, 0", "2, 1, 0", "0, 1, 2",
                                      "0, 1, 3", "0", "0, 0, 1"});
  StringRef results = pickText(random, {"0", "0", "", "1, 0"});
  std::string text = random.chance(0.85)
                         ? ("%m, %f = transform.func.replace_func_signature @" +
                            name + " args_interchange = [" + order +
                            "] results_interchange = [" + results + "] at %h " +
                            (random.chance(0.5) ? "{adjust_func_calls} " : "") +
                            ": (&) -> (&, &)")
                               .str()
                         : ("%m, %f = transform.func.deduplicate_func_args @" +
                            name + " at %h : (&) -> (&, &)")
                               .str();
  return goOnWith(insertText(place, root, withTypes(text)), root, 0.8, random);
}
