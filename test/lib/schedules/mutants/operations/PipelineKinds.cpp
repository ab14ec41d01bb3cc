//===- PipelineKinds.cpp - Breakage of the order of a pipeline ------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/PipelineKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

namespace {
/// A step of a lowering: on the module, or on what is matched in it.
struct Lowering {
  /// The kind that is matched, or empty for the module.
  StringLiteral target;
  /// With %t for the target and %n for the new module, if there is one.
  StringLiteral text;
};
} // namespace

bool formwork::testing::loweringTail(NamedSequenceOp entry, Random &random) {
  Value root = getRootAtEnd(entry);
  if (!root)
    return false;
  static constexpr Lowering chain[] = {
      {"", "transform.bufferization.eliminate_empty_tensors %t : "
           "!transform.any_op"},
      {"ops{[\"func.func\"]}",
       "%v@ = transform.structured.vectorize_children_and_apply_patterns %t : "
       "(!transform.any_op) -> !transform.any_op"},
      {"", "%n = transform.bufferization.one_shot_bufferize "
           "layout{IdentityLayoutMap} %t {bufferize_function_boundaries = "
           "true} : (!transform.any_op) -> !transform.any_op"},
      {"ops{[\"scf.forall\"]}",
       "transform.foreach %t : !transform.any_op {\n^bb0(%x: "
       "!transform.any_op):\n"
       "%l = transform.loop.forall_to_parallel %x : (!transform.any_op) -> "
       "!transform.any_op\n}"},
      {"ops{[\"func.func\"]}",
       "transform.apply_patterns to %t {\n"
       "transform.apply_patterns.vector.lower_contraction\n"
       "transform.apply_patterns.vector.lower_multi_reduction\n"
       "transform.apply_patterns.vector.transfer_permutation_patterns\n"
       "transform.apply_patterns.vector.lower_outerproduct\n"
       "} : !transform.any_op"},
      {"ops{[\"func.func\"]}",
       "transform.apply_patterns to %t {\n"
       "transform.apply_patterns.vector.transfer_to_scf full_unroll = true\n"
       "transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1\n"
       "transform.apply_patterns.vector.lower_shape_cast\n"
       "transform.apply_patterns.canonicalization\n"
       "} : !transform.any_op"},
      {"interface{LinalgOp}",
       "transform.foreach %t : !transform.any_op {\n^bb0(%x: "
       "!transform.any_op):\n"
       "%c = transform.structured.convert_to_loops %x : (!transform.any_op) -> "
       "!transform.any_op\n}"},
      {"", "%n = transform.apply_registered_pass \"convert-scf-to-cf\" to %t : "
           "(!transform.any_op) -> !transform.any_op"},
      {"",
       "%n = transform.apply_registered_pass \"expand-strided-metadata\" to "
       "%t : (!transform.any_op) -> !transform.any_op"},
      {"", "%n = transform.apply_registered_pass \"lower-affine\" to %t : "
           "(!transform.any_op) -> !transform.any_op"},
      {"", "%n = transform.apply_registered_pass \"convert-vector-to-llvm\" to "
           "%t : (!transform.any_op) -> !transform.any_op"},
      {"", "%n = transform.apply_registered_pass \"finalize-memref-to-llvm\" "
           "to %t : (!transform.any_op) -> !transform.any_op"},
      {"", "%n = transform.apply_registered_pass "
           "\"reconcile-unrealized-casts\" to %t : (!transform.any_op) -> "
           "!transform.any_op"}};
  SmallVector<Lowering> steps(std::begin(chain), std::end(chain));
  // Some stop early, one forgets a step, another has two in the wrong order.
  steps.truncate(random.between(2, steps.size()));
  unsigned at = random.below(steps.size());
  if (random.chance(0.5))
    steps.erase(steps.begin() + at);
  else
    std::swap(steps[at], steps[steps.size() - 1 - random.below(2)]);
  // A handle to the functions that is matched once and kept.
  bool keepsFunctions = random.chance(0.25);
  std::string text = "%r = transform.cast %h : " + getTypeText(root) +
                     " to !transform.any_op\n";
  std::string module = "%r", functions;
  for (auto [number, step] : llvm::enumerate(steps)) {
    std::string id = std::to_string(number), target = module;
    bool ofFunctions = step.target.contains("func.func");
    if (ofFunctions && keepsFunctions && !functions.empty()) {
      target = functions;
    } else if (!step.target.empty()) {
      target = "%m" + id;
      text += target + " = transform.structured.match " + step.target.str() +
              " in " + module + " : (!transform.any_op) -> !transform.any_op\n";
      if (ofFunctions)
        functions = target;
    }
    bool renews = step.text.starts_with("%n");
    std::string next = "%n" + id;
    StringRef rest = step.text;
    rest.consume_front("%n");
    if (renews)
      text += next;
    for (char c : rest)
      text += c == '@' ? id : std::string(1, c);
    text += "\n";
    // The target stands between blanks, or at the end of a word.
    for (size_t found; (found = text.find("%t ")) != std::string::npos;)
      text.replace(found, 2, target);
    if (renews)
      module = next;
  }
  return insertText(entry.getBody().front().getTerminator(), root, text);
}

bool formwork::testing::regroupPatterns(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::ApplyPatternsOp> found, rich;
  for (Operation *op : getSteps(entry))
    if (auto apply = dyn_cast<transform::ApplyPatternsOp>(op))
      if (apply.getRegion().hasOneBlock()) {
        found.push_back(apply);
        if (!llvm::hasNItemsOrLess(apply.getRegion().front(), 1))
          rich.push_back(apply);
      }
  bool canJoin = found.size() >= 2, canPart = !rich.empty();
  if (!canJoin && !canPart)
    return false;
  if (!canJoin || (canPart && random.chance(0.5))) {
    // A copy in front takes some of the patterns.
    transform::ApplyPatternsOp apply = rich[random.below(rich.size())];
    bool behind = random.chance(0.5);
    OpBuilder builder(behind ? apply->getNextNode() : apply);
    auto copy = cast<transform::ApplyPatternsOp>(builder.clone(*apply));
    unsigned size = std::distance(apply.getRegion().front().begin(),
                                  apply.getRegion().front().end());
    unsigned first = random.between(1, size - 1);
    auto shrink = [](Block &block, unsigned from, unsigned to) {
      Ops gone;
      for (auto [number, op] : llvm::enumerate(block))
        if (number < from || number >= to)
          gone.push_back(&op);
      for (Operation *op : gone)
        op->erase();
    };
    shrink(copy.getRegion().front(), 0, first);
    shrink(apply.getRegion().front(), first, size);
    return true;
  }
  unsigned one = random.below(found.size());
  unsigned two = random.below(found.size() - 1);
  two += two >= one;
  transform::ApplyPatternsOp kept = found[one], gone = found[two];
  Block &to = kept.getRegion().front();
  llvm::StringSet<> names;
  for (Operation &op : to)
    names.insert(op.getName().getStringRef());
  for (Operation &op : llvm::make_early_inc_range(gone.getRegion().front()))
    if (names.insert(op.getName().getStringRef()).second)
      op.moveBefore(&to, to.end());
  gone->erase();
  return true;
}

bool formwork::testing::dropCleanUps(NamedSequenceOp entry, Random &random) {
  Ops found = getCleanUps(entry);
  // One alone is a step that is dropped.
  if (found.size() < 2)
    return false;
  bool all = random.chance(0.6);
  unsigned kept = random.below(found.size());
  for (auto [number, op] : llvm::enumerate(found))
    if (all || number != kept || found.size() == 2)
      op->erase();
  return true;
}

bool formwork::testing::passElsewhere(NamedSequenceOp entry, Random &random) {
  /// The anchor of the pass: a module, an op in one, or either.
  enum Anchor { Module, Function, Either };
  struct Pass {
    StringLiteral name, options;
    Anchor anchor;
  };
  static constexpr Pass passes[] = {
      {"canonicalize", "{\"top-down\" = false}", Either},
      {"canonicalize", "{\"region-simplify\" = \"aggressive\"}", Either},
      {"canonicalize", "{\"topdown\" = false}", Either},
      {"convert-vector-to-scf", "{\"full-unroll\" = true}", Either},
      {"convert-vector-to-scf", "{\"target-rank\" = \"one\"}", Either},
      {"one-shot-bufferize", "{\"bufferize-function-boundaries\" = true}",
       Module},
      {"one-shot-bufferize", "{\"allow-return-allocs\" = true}", Module},
      {"inline", "", Module},
      {"symbol-dce", "", Module},
      {"gpu-kernel-outlining", "", Module},
      {"convert-func-to-llvm", "", Module},
      {"buffer-results-to-out-params", "", Module},
      {"scf-for-loop-peeling", "{\"skip-partial\" = false}", Either},
      {"scf-parallel-loop-tiling", "{\"parallel-loop-tile-sizes\" = [2, 2]}",
       Function},
      {"convert-linalg-to-affine-loops", "", Either},
      {"affine-loop-unroll", "{\"unroll-factor\" = 2}", Function},
      {"linalg-block-pack-matmul", "{\"block-factors\" = [4, 4, 4]}", Either}};
  const Pass &pass = passes[random.below(std::size(passes))];
  bool inner = random.chance(0.1), right = random.chance(0.6);
  bool whole = right ? pass.anchor == Module : random.chance(0.5);
  std::optional<Spot> spot =
      pickSpotToAppend(entry, random, [&](StringRef kind) {
        return inner   ? isLoopKind(kind)
               : whole ? kind == "builtin.module"
                       : isScopeKind(kind);
      });
  if (!spot)
    return false;
  Value on = inner || whole ? spot->handle
                            : insertFunctions(spot->place, spot->handle);
  if (!on)
    return false;
  std::string type = getTypeText(on);
  Operation *step = insertText(
      spot->place, on,
      "%p = transform.apply_registered_pass \"" + pass.name + "\"" +
          (pass.options.empty() ? std::string()
                                : " with options = " + pass.options.str()) +
          " to %h : (" + type + ") -> " + type);
  return goOnWith(step, on, 0.7, random);
}
