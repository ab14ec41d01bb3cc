//===- SideEffectsTest.cpp - What steps do to what is known -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clauses on side effects and silenceable failures of the built-in
// contracts, op by op, against what is known of the ops of MLIR.
//
//===----------------------------------------------------------------------===//

#include "LanguageFixture.h"

#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

namespace {

class SideEffectsTest : public test::LanguageTest {
protected:
  /// The contracts with `effect`, without `transform.`, those of passes with
  /// `pass:`.
  std::set<std::string> getWith(SideEffect effect) {
    std::set<std::string> names;
    for (StringRef name : getBuiltin().getOpNames())
      if (getBuiltin().lookup(name)->has(effect)) {
        name.consume_front("transform.");
        names.insert(name.str());
      }
    return names;
  }
  using Names = std::set<std::string>;
};

TEST_F(SideEffectsTest, EffectsOfBody) {
  EXPECT_EQ(getWith(SideEffect::EffectsOfBody),
            (Names{"sequence", "foreach", "alternatives"}));
}

TEST_F(SideEffectsTest, KeepsOrder) {
  EXPECT_EQ(getWith(SideEffect::KeepsOrder),
            (Names{"sequence", "foreach", "alternatives", "annotate",
                   "apply_cse", "apply_dce", "structured.generalize",
                   "formwork.contract_on_tensor_cores", "include",
                   "structured.interchange", "structured.tile_using_for",
                   "structured.tile_using_forall", "structured.vectorize"}));
}

TEST_F(SideEffectsTest, ReadsNoDiscardableAttribute) {
  EXPECT_EQ(getWith(SideEffect::ReadsNoDiscardableAttribute),
            (Names{"annotate", "cast", "debug.emit_param_as_remark",
                   "debug.emit_remark_at", "formwork.contract_on_tensor_cores",
                   "get_consumers_of_result", "get_defining_op", "get_operand",
                   "get_parent_op", "get_producer_of_operand", "get_result",
                   "get_type", "merge_handles", "num_associations",
                   "param.constant", "print", "yield"}));
  EXPECT_EQ(getWith(SideEffect::WritesOnlyDiscardableAttributes),
            (Names{"annotate", "formwork.contract_on_tensor_cores"}));
}

TEST_F(SideEffectsTest, Matchers) {
  Names reads = {"param.constant",
                 "get_consumers_of_result",
                 "get_defining_op",
                 "get_parent_op",
                 "get_operand",
                 "get_producer_of_operand",
                 "get_result",
                 "get_type",
                 "cast",
                 "merge_handles",
                 "num_associations"};
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (StringRef text = name.getStringRef();
        text.consume_front("transform.match."))
      reads.insert(("match." + text).str());
  EXPECT_EQ(getWith(SideEffect::OnlyReads), reads);
  EXPECT_EQ(getWith(SideEffect::ReadsOneOp),
            (Names{"param.constant", "match.operation_name", "match.param.cmpi",
                   "match.structured", "match.structured.dim",
                   "match.structured.rank", "match.structured.num_inputs",
                   "match.structured.num_inits",
                   "match.structured.elemental_bitwidth",
                   "match.structured.classify_convolution_dims"}));
  EXPECT_EQ(
      getWith(SideEffect::OnlyReports),
      (Names{"print", "debug.emit_remark_at", "debug.emit_param_as_remark"}));
}

TEST_F(SideEffectsTest, HandsOnParameters) {
  EXPECT_EQ(getWith(SideEffect::HandsOnParameters),
            (Names{"num_associations", "merge_handles", "split_handle",
                   "replicate", "foreach", "include", "sequence", "yield",
                   "debug.emit_param_as_remark"}));
}

TEST_F(SideEffectsTest, OpensParameters) {
  EXPECT_EQ(getWith(SideEffect::OpensParameters),
            (Names{"tune.knob", "tune.alternatives", "smt.constrain_params"}));
}

TEST_F(SideEffectsTest, CleansUp) {
  EXPECT_EQ(getWith(SideEffect::CleansUp),
            (Names{"apply_patterns",
                   "apply_cse",
                   "apply_dce",
                   "apply_licm",
                   "normalform.normalize",
                   "loop.hoist_loop_invariant_subsets",
                   "structured.hoist_redundant_vector_transfers",
                   "structured.hoist_redundant_vector_broadcasts",
                   "bufferization.eliminate_empty_tensors",
                   "structured.eliminate_empty_tensors",
                   "pass:canonicalize",
                   "pass:control-flow-sink",
                   "pass:cse",
                   "pass:fold-memref-alias-ops",
                   "pass:gpu-launch-sink-index-computations",
                   "pass:int-range-optimizations",
                   "pass:loop-invariant-code-motion",
                   "pass:loop-invariant-subset-hoisting",
                   "pass:mem2reg",
                   "pass:optimize-allocation-liveness",
                   "pass:resolve-ranked-shaped-type-result-dims",
                   "pass:resolve-shaped-type-result-dims",
                   "pass:sccp",
                   "pass:scf-for-loop-canonicalization",
                   "pass:sroa",
                   "pass:symbol-dce"}));
}

// Passes that run procedures of forms merge as these do, and so does one that
// folds and simplifies deallocations; forms do what their rules and procedures
// do.
TEST_F(SideEffectsTest, MergesAndFolds) {
  Names merge = {"apply_patterns",
                 "apply_cse",
                 "apply_dce",
                 "structured.vectorize_children_and_apply_patterns",
                 "bufferization.one_shot_bufferize",
                 "pass:buffer-deallocation-simplification"};
  Names fold = {"structured.vectorize_children_and_apply_patterns",
                "bufferization.one_shot_bufferize", "structured.promote_tensor",
                "structured.fuse_into_containing_op",
                "pass:buffer-deallocation-simplification"};
  for (StringRef name : getBuiltin().getOpNames()) {
    const Contract &contract = *getBuiltin().lookup(name);
    if (!name.starts_with("pass:") || contract.procedures.empty())
      continue;
    merge.insert(name.str());
    for (StringRef procedure : contract.getProcedures()) {
      bool isByItself = llvm::is_contained(
          {"cse", "cse.innermost", "dce", "licm"}, procedure);
      if (!isByItself)
        fold.insert(name.str());
    }
  }
  EXPECT_EQ(getWith(SideEffect::MayMerge), merge);
  EXPECT_EQ(getWith(SideEffect::MayFold), fold);
  EXPECT_EQ(getWith(SideEffect::MayFoldValues), Names{"apply_patterns"});
}

// Steps that put something that pads, packs, copies, transposes or reshapes
// between what makes a value and what reads it.
TEST_F(SideEffectsTest, Reshapes) {
  EXPECT_EQ(
      getWith(SideEffect::MayReshape),
      (Names{"structured.convert_conv2d_to_img2col",
             "structured.decompose_winograd_op",
             "structured.flatten_elementwise", "structured.hoist_pad",
             "structured.hoist_pad.build_packing_loop_nest",
             "structured.insert_slice_to_copy", "structured.lower_pack",
             "structured.lower_unpack", "structured.pack",
             "structured.pack_greedily", "structured.pad",
             "structured.pad_tiling_interface", "structured.split_reduction",
             "structured.transpose_matmul", "structured.winograd_conv2d"}));
}

/// Whether MLIR is known to say of the failure that `id` stands for that it can
/// be recovered from, as the verifier's walk has it.
static bool isSurelySilenceable(RegisteredOperationName op, StringRef id) {
  StringRef name = op.getStringRef();
  name.consume_front("transform.");
  // MLIR reads a result that is not there of an op of another kind.
  if (id == "fw-wrong-kind" &&
      name == "structured.rewrite_in_destination_passing_style")
    return false;
  if (id == "fw-wrong-kind")
    return (op.hasTrait<transform::TransformEachOpTrait>() &&
            name != "structured.vectorize_children_and_apply_patterns") ||
           name == "structured.vectorize" || name == "match.operation_name";
  if (id == "fw-no-ancestor")
    return name != "loop.outline" && name != "memref.alloca_to_global";
  if (id == "fw-step-fails" || id == "fw-duplicate-payload")
    return true;
  // Only these have them.
  if (id == "fw-no-parent")
    return name == "get_parent_op";
  if (id == "fw-no-producer")
    return name == "get_producer_of_operand" || name == "get_defining_op";
  if (id == "fw-not-a-producer")
    return name == "structured.fuse_into_containing_op";
  if (id == "fw-nothing-to-peel")
    return name == "loop.peel";
  if (id == "fw-cardinality")
    return name == "split_handle";
  if (id == "fw-too-many-tile-sizes")
    return name == "structured.tile_using_for";
  if (id == "fw-matcher-failed")
    return op.hasInterface<transform::MatchOpInterface>();
  return name == "structured.vectorize" &&
         llvm::is_contained(
             {"fw-dynamic-shape", "fw-no-vector-form", "fw-vector-sizes"}, id);
}

TEST_F(SideEffectsTest, SilenceableFailures) {
  (void)getBuiltin();
  unsigned compared = 0;
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    const Contract *contract = getBuiltin().lookup(op.getStringRef());
    if (!contract || !op.hasInterface<transform::TransformOpInterface>())
      continue;
    for (StringRef id :
         {"fw-wrong-kind", "fw-no-ancestor", "fw-step-fails",
          "fw-duplicate-payload", "fw-no-parent", "fw-no-producer",
          "fw-not-a-producer", "fw-nothing-to-peel", "fw-cardinality",
          "fw-too-many-tile-sizes", "fw-dynamic-shape", "fw-no-vector-form",
          "fw-vector-sizes", "fw-matcher-failed", "fw-not-bufferized"}) {
      ++compared;
      EXPECT_EQ(contract->isSilenceable(id), isSurelySilenceable(op, id))
          << op.getStringRef().str() << " " << id.str();
      bool leaves = id == "fw-wrong-kind" && contract->isSilenceable(id) &&
                    op.hasTrait<transform::TransformEachOpTrait>();
      EXPECT_EQ(contract->leavesPayload(id), leaves)
          << op.getStringRef().str() << " " << id.str();
    }
  }
  EXPECT_GE(compared, 15u * 130);
}

} // namespace
