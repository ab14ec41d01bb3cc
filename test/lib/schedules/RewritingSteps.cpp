//===- RewritingSteps.cpp - Steps that rewrite a scope --------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleWriter.h"

using namespace mlir;
using namespace formwork::testing;

void ScheduleWriter::cleanUp() {
  const Handle *target = pickKind("func.func");
  if (!target || random.chance(0.3))
    target = &handles.front();
  switch (random.below(7)) {
  case 0:
    return emit("transform.apply_cse to " + target->name + " : " + anyOp);
  case 1:
    return emit("transform.apply_dce to " + target->name + " : " + anyOp);
  case 2:
    if (const Handle *loop = pickKind("scf.for"))
      emit("transform.apply_licm to " + loop->name + " : " + anyOp);
    return;
  default:
    static constexpr StringLiteral groups[] = {
        "canonicalization",
        "linalg.tiling_canonicalization",
        "scf.for_loop_canonicalization",
        "tensor.merge_consecutive_insert_extract_slice",
        "tensor.fold_tensor_empty",
        "vector.lower_contraction",
        "vector.cast_away_vector_leading_one_dim",
        "vector.lower_multi_reduction",
        "memref.fold_memref_alias_ops",
        "linalg.erase_unnecessary_inputs",
        "canonicalization",
        "linalg.decompose_pad",
        "linalg.fold_add_into_dest",
        "linalg.fold_unit_extent_dims_via_slices",
        "linalg.fold_unit_extent_dims_via_reshapes",
        "tensor.bubble_up_extract_slice",
        "tensor.reassociative_reshape_folding",
        "tensor.fold_tensor_subset_ops",
        "tensor.fold_tensor_subset_ops_into_vector_transfers",
        "tensor.rewrite_as_constant",
        "memref.expand_strided_metadata",
        "memref.alloc_to_alloca",
        "memref.resolve_ranked_shaped_type_result_dims",
        "vector.reduction_to_contract",
        "vector.transfer_permutation_patterns",
        "vector.lower_transfer max_transfer_rank = 1",
        "vector.transfer_to_scf full_unroll = true",
        "vector.lower_outerproduct",
        "vector.lower_shape_cast",
        "vector.lower_transpose",
        "vector.lower_broadcast",
        "vector.sink_ops",
        "vector.lower_masks",
        "vector.drop_unit_dims_with_shape_cast"};
    std::string patterns;
    unsigned number = random.between(0, 3);
    for (unsigned i = 0; i < number; ++i)
      patterns += ("transform.apply_patterns." +
                   groups[random.below(std::size(groups))] + " ")
                      .str();
    emit("transform.apply_patterns to " + target->name + " { " + patterns +
         "} " + (random.chance(0.2) ? "{apply_cse} " : "") + ": " + anyOp);
  }
}

void ScheduleWriter::vectorize() {
  const Handle *target = pickKind("func.func");
  if (!target || random.chance(0.5))
    return;
  Handle old = *target;
  std::string name = fresh();
  emit(name + " = transform.structured.vectorize_children_and_apply_patterns " +
       old.name + " : (" + anyOp + ") -> " + anyOp);
  forgetAll();
  add(name, "func.func", old.count, old.many);
}

void ScheduleWriter::bufferize() {
  if (random.chance(0.4))
    return;
  std::string name = fresh();
  if (random.chance(0.3))
    return emit("transform.bufferization.eliminate_empty_tensors %module : " +
                anyOp);
  emit(name +
       " = transform.bufferization.one_shot_bufferize "
       "layout{IdentityLayoutMap} %module "
       "{bufferize_function_boundaries = true} : (" +
       anyOp + ") -> " + anyOp);
  handles.clear();
  handles.push_back({name, "builtin.module"});
}

void ScheduleWriter::convert() {
  const Handle *target = pickKind("func.func");
  if (!target)
    return;
  Handle old = *target;
  static constexpr StringLiteral conversions[] = {
      "{ transform.apply_conversion_patterns.vector.vector_to_llvm } with "
      "type_converter { "
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_"
      "converter "
      "} {legal_dialects = [\"llvm\", \"func\", \"builtin\"], "
      "partial_conversion",
      "{ transform.apply_conversion_patterns.dialect_to_llvm \"arith\" } with "
      "type_converter { "
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_"
      "converter "
      "} {legal_dialects = [\"llvm\"], illegal_dialects = [\"arith\"], "
      "partial_conversion",
      "{ transform.apply_conversion_patterns.scf.scf_to_control_flow } "
      "{legal_dialects = [\"cf\"], illegal_dialects = [\"scf\"], "
      "partial_conversion",
      "{ transform.apply_conversion_patterns.dialect_to_llvm \"math\" } with "
      "type_converter { "
      "transform.apply_conversion_patterns.memref.memref_to_llvm_type_"
      "converter "
      "} {legal_dialects = [\"llvm\"], partial_conversion"};
  emit("transform.apply_conversion_patterns to " + old.name + " " +
       conversions[random.below(std::size(conversions))] +
       (random.chance(0.5) ? ", preserve_handles} : " : "} : ") + anyOp);
  if (!StringRef(text.steps.back()).contains("preserve_handles"))
    forgetAll();
}

void ScheduleWriter::memory() {
  std::string name = fresh();
  switch (random.below(5)) {
  case 0:
    if (const Handle *function = pickKind("func.func"))
      emit("transform.memref.erase_dead_alloc_and_stores " + function->name +
           " : (" + anyOp + ") -> ()");
    return;
  case 1:
    if (const Handle *function = pickKind("func.func"))
      emit("transform.bufferization.buffer_loop_hoisting " + function->name +
           " : " + anyOp);
    return;
  case 2: {
    const Handle *target = pickLinalg();
    if (!target)
      return;
    Handle old = *target;
    emit(name + " = transform.structured.promote " + old.name +
         " {operands_to_promote = [0, 1]} : " + oneToOne);
    forget(old.kind);
    return add(name, old.kind, old.count, old.many);
  }
  case 3: {
    const Handle *target = pickLinalg();
    if (!target)
      return;
    Handle old = *target;
    emit(name + ":2 = transform.structured.bufferize_to_allocation " +
         old.name +
         (random.chance(0.5) ? " {bufferize_destination_only}" : "") + " : " +
         anyOp);
    forget(old.kind);
    return add(name + "#1", "", old.count, true);
  }
  default:
    if (const Handle *function = pickKind("func.func"))
      emit((random.chance(0.5)
                ? "transform.structured.hoist_redundant_vector_transfers "
                : "transform.structured.hoist_redundant_vector_broadcasts ") +
           function->name + " : " + oneToOne);
    if (!text.steps.empty() &&
        StringRef(text.steps.back())
            .starts_with("transform.structured.hoist_redundant_vector")) {
      text.steps.back() = name + " = " + text.steps.back();
      forgetAll();
      add(name, "func.func", 1, true);
    }
  }
}

void ScheduleWriter::pass() {
  const Handle *target =
      random.chance(0.25) ? &handles.front() : pickKind("func.func");
  if (!target)
    return;
  Handle old = *target;
  static constexpr StringLiteral passes[] = {"canonicalize",
                                             "cse",
                                             "loop-invariant-code-motion",
                                             "convert-linalg-to-loops",
                                             "sccp",
                                             "symbol-dce",
                                             "loop-invariant-subset-hoisting",
                                             "control-flow-sink",
                                             "topological-sort",
                                             "inline",
                                             "mem2reg",
                                             "remove-dead-values",
                                             "convert-linalg-to-affine-loops",
                                             "convert-linalg-to-parallel-loops",
                                             "linalg-generalize-named-ops",
                                             "linalg-fuse-elementwise-ops",
                                             "linalg-fold-unit-extent-dims",
                                             "linalg-inline-scalar-operands",
                                             "scf-for-loop-canonicalization",
                                             "scf-for-loop-peeling",
                                             "scf-for-loop-specialization",
                                             "scf-for-loop-range-folding",
                                             "scf-forall-to-for",
                                             "scf-forall-to-parallel",
                                             "eliminate-empty-tensors",
                                             "empty-tensor-to-alloc-tensor",
                                             "buffer-hoisting",
                                             "promote-buffers-to-stack",
                                             "expand-strided-metadata",
                                             "fold-memref-alias-ops",
                                             "resolve-shaped-type-result-dims",
                                             "fold-tensor-subset-ops",
                                             "arith-expand",
                                             "int-range-optimizations",
                                             "lower-vector-multi-reduction",
                                             "convert-vector-to-scf",
                                             "convert-scf-to-cf",
                                             "convert-tensor-to-linalg",
                                             "lower-affine",
                                             "convert-math-to-llvm",
                                             "convert-arith-to-llvm",
                                             "reconcile-unrealized-casts",
                                             "one-shot-bufferize"};
  // Those that schedules use come more often.
  unsigned number = random.chance(0.3) ? 4 : std::size(passes);
  std::string name = fresh();
  emit(name + " = transform.apply_registered_pass \"" +
       passes[random.below(number)] + "\" to " + old.name + " : " + oneToOne);
  if (old.kind == "builtin.module") {
    handles.clear();
    handles.push_back({name, "builtin.module"});
    return;
  }
  forgetAll();
  add(name, "func.func", old.count, old.many);
}
