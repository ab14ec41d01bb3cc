//===- MatchKinds.cpp - Breakage of how payload is found ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/MatchKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Lets `use` read a new match, said by `what`, in `scope`.
static bool readMatch(OpOperand *use, Value scope, const Twine &what) {
  Operation *match =
      insertText(use->getOwner(), scope,
                 "%m = transform.structured.match " + what + " in %h : (" +
                     getTypeText(scope) + ") -> " + getTypeText(use->get()));
  if (!match)
    return false;
  use->set(match->getResult(0));
  return true;
}

bool formwork::testing::rematch(NamedSequenceOp entry, Random &random) {
  // A match in front of a match is the same again.
  Uses uses = getUsesOfMatched(entry);
  if (uses.empty() || entry.getBody().front().getNumArguments() == 0)
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Value scope = entry.getBody().front().getArgument(0);
  // Some know which of the handles to functions is alive.
  if (random.chance(0.5))
    if (Value live = pickVisible(use->getOwner(), random, isScopeKind))
      scope = live;
  return readMatch(use, scope, "ops{[\"" + guessKind(use->get()) + "\"]}");
}

bool formwork::testing::filterMatch(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random);
  if (!match)
    return false;
  Builder builder(entry.getContext());
  Type f32 = builder.getF32Type();
  int64_t size = random.oneOf(ArrayRef<int64_t>{4, 8, 16, 128});
  Type types[] = {
      f32, builder.getIndexType(), RankedTensorType::get({size, size}, f32),
      RankedTensorType::get({ShapedType::kDynamic, ShapedType::kDynamic}, f32)};
  Type type = types[random.below(std::size(types))];
  switch (random.below(3)) {
  case 0: {
    Attribute names[] = {builder.getStringAttr("main"),
                         builder.getStringAttr("f0"),
                         builder.getStringAttr("matmul")};
    match.setOpAttrsAttr(builder.getDictionaryAttr(builder.getNamedAttr(
        "sym_name", names[random.below(std::size(names))])));
    return true;
  }
  case 1:
    match.setFilterResultTypeAttr(TypeAttr::get(type));
    return true;
  default:
    match.setFilterOperandTypesAttr(builder.getTypeArrayAttr({type}));
    return true;
  }
}

bool formwork::testing::markThenMatch(NamedSequenceOp entry, Random &random) {
  Uses uses = getGuessedUses(entry);
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  StringRef kind = guessKind(use->get());
  // The bearer of the mark: a handle of this kind, long before.
  Values marked;
  for (Value handle : getVisibleHandles(use->getOwner()))
    if (guessKind(handle) == kind &&
        handle.getParentBlock() == use->getOwner()->getBlock())
      marked.push_back(handle);
  if (marked.empty() || entry.getBody().front().getNumArguments() == 0)
    return false;
  Value handle = random.oneOf(ArrayRef<Value>(marked));
  Operation *made = handle.getDefiningOp();
  Operation *place =
      made ? made->getNextNode() : &handle.getParentBlock()->front();
  if (!insertText(place, handle,
                  "transform.annotate %h \"mutant.mark\" : " +
                      getTypeText(handle)))
    return false;
  Value scope = entry.getBody().front().getArgument(0);
  if (random.chance(0.4))
    if (Value live = pickVisible(use->getOwner(), random, isScopeKind))
      scope = live;
  StringRef interface = isStructuredKind(kind) && random.chance(0.3)
                            ? "interface{LinalgOp} "
                            : "";
  return readMatch(use, scope, interface + "attributes{mutant.mark}");
}

bool formwork::testing::emptyMatch(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isScopeKind);
  if (!spot)
    return false;
  StringRef kind = pickText(
      random, {"linalg.conv_2d_nhwc_hwcf", "linalg.softmax", "scf.while",
               "linalg.transpose", "linalg.pooling_ncw_sum"});
  Operation *match =
      insertText(spot->place, spot->handle,
                 "%m = transform.structured.match ops{[\"" + kind +
                     "\"]} in %h : (" + spot->type + ") -> !transform.any_op");
  if (!match)
    return false;
  Value empty = match->getResult(0);
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i) {
    static constexpr StringLiteral steps[] = {
        "%t, %l = transform.structured.tile_using_for %h tile_sizes [4] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)",
        "%t, %l = transform.structured.tile_using_forall %h num_threads [4] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)",
        "%g = transform.structured.generalize %h : (!transform.any_op) -> "
        "!transform.any_op",
        "%p = transform.get_parent_op %h {isolated_from_above} : "
        "(!transform.any_op) -> !transform.any_op",
        "%s = transform.split_handle %h : (!transform.any_op) -> "
        "!transform.any_op",
        "%s:2 = transform.split_handle %h {pass_through_empty_handle = false} "
        ": (!transform.any_op) -> (!transform.any_op, !transform.any_op)",
        "transform.structured.vectorize %h : !transform.any_op",
        "%p = transform.get_producer_of_operand %h[0] : (!transform.any_op) -> "
        "!transform.any_op",
        "%v = transform.get_result %h[0] : (!transform.any_op) -> "
        "!transform.any_value",
        "transform.foreach %h : !transform.any_op {\n^bb0(%x: "
        "!transform.any_op):\n%g = transform.structured.generalize %x : "
        "(!transform.any_op) -> !transform.any_op\n}"};
    Operation *step =
        insertText(spot->place, empty, steps[random.below(std::size(steps))]);
    if (!step)
      return false;
    // The next step is for what this one made, or for the match still.
    if (step->getNumResults() != 0 && isOpHandle(step->getResult(0)) &&
        random.chance(0.7))
      empty = step->getResult(0);
  }
  if (random.chance(0.3))
    insertUse(spot->place, match->getResult(0));
  return true;
}

bool formwork::testing::expectShape(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot =
      pickSpotOf(entry, random, [](StringRef kind) { return !kind.empty(); });
  if (!spot)
    return false;
  StringRef kind = guessKind(spot->handle);
  std::string number = std::to_string(random.between(1, 2));
  std::string count = "%n = transform.num_associations %h : (" + spot->type +
                      ") -> !transform.param<i64>\n"
                      "%c = transform.param.constant " +
                      number +
                      " : i64 -> !transform.param<i64>\n"
                      "transform.match.param.cmpi ";
  unsigned form = random.below(isStructuredKind(kind) ? 4 : 2);
  if (form == 0) {
    StringRef predicate = pickText(random, {"eq", "eq", "le", "ge", "ne"});
    return insertText(spot->place, spot->handle,
                      count + predicate + " %n, %c : !transform.param<i64>");
  }
  if (form == 1) {
    StringRef asked = random.chance(0.6)
                          ? kind
                          : pickText(random, {"linalg.generic", "linalg.matmul",
                                              "scf.for", "func.func"});
    return insertText(spot->place, spot->handle,
                      "transform.match.operation_name %h [\"" + asked +
                          "\"] : " + spot->type);
  }
  StringRef inside = pickText(
      random,
      {"transform.match.structured.dim %s[-1] {reduction} : !transform.any_op",
       "transform.match.structured.dim %s[0] {parallel} : !transform.any_op",
       "transform.match.structured.dim %s[all] {parallel} : !transform.any_op",
       "transform.match.structured.dim %s[-1] divisible_by 4 : "
       "!transform.any_op"});
  std::string any = "!transform.any_op";
  return insertText(spot->place, spot->handle,
                    "%k = transform.cast %h : " + spot->type + " to " + any +
                        "\ntransform.match.structured failures(propagate) %k : "
                        "(!transform.any_op) -> () {\n^bb0(%s: "
                        "!transform.any_op):\n" +
                        inside + "\ntransform.match.structured.yield\n}");
}

bool formwork::testing::actOnMatches(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isScopeKind);
  if (!spot)
    return false;
  StringRef kind =
      pickText(random, {"linalg.matmul", "linalg.fill", "linalg.generic",
                        "linalg.add", "scf.for", "func.func"});
  struct Action {
    StringLiteral annotation, result, text;
  };
  static constexpr Action actions[] = {
      {"readonly", "",
       "transform.annotate %op \"mutant.seen\" : !transform.any_op\n"},
      {"readonly", "%op", ""},
      {"readonly", "",
       "%f = transform.get_parent_op %op {isolated_from_above} : "
       "(!transform.any_op) -> !transform.any_op\n"
       "transform.apply_patterns to %f {\n"
       "transform.apply_patterns.canonicalization\n} : !transform.any_op\n"},
      {"readonly", "",
       "%f = transform.get_parent_op %op : (!transform.any_op) -> "
       "!transform.any_op\n"
       "%g = transform.apply_registered_pass \"cse\" to %f : "
       "(!transform.any_op) -> !transform.any_op\n"},
      {"consumed", "%g",
       "%g = transform.structured.generalize %op : (!transform.any_op) -> "
       "!transform.any_op\n"},
      {"consumed", "%l",
       "%t, %l = transform.structured.tile_using_for %op tile_sizes [2] : "
       "(!transform.any_op) -> (!transform.any_op, !transform.any_op)\n"},
      {"consumed", "",
       "%c = transform.loop.coalesce %op : (!transform.any_op) -> "
       "!transform.any_op\n"}};
  const Action &action = actions[random.below(std::size(actions))];
  bool gives = !action.result.empty();
  if (!insertSequences(
          entry,
          "transform.named_sequence @mutant_is(%op: !transform.any_op "
          "{transform.readonly}) -> !transform.any_op {\n"
          "transform.match.operation_name %op [\"" +
              kind +
              "\"] : !transform.any_op\n"
              "transform.yield %op : !transform.any_op\n}\n"
              "transform.named_sequence @mutant_act(%op: !transform.any_op "
              "{transform." +
              action.annotation + "}) " +
              (gives ? "-> !transform.any_op " : "") + "{\n" + action.text +
              "transform.yield" +
              (gives ? " " + action.result.str() + " : " + anyOp.str()
                     : std::string()) +
              "\n}"))
    return false;
  Operation *step = insertText(
      spot->place, spot->handle,
      "%r" + Twine(gives ? ":2" : "") +
          " = transform.foreach_match in %h @mutant_is -> @mutant_act : (" +
          spot->type + ") -> " +
          (gives ? "(" + spot->type + ", " + anyOp.str() + ")" : spot->type));
  return goOnWith(step, spot->handle, 0.85, random);
}

bool formwork::testing::throughValues(NamedSequenceOp entry, Random &random) {
  Uses uses;
  bool any = random.chance(0.2);
  for (OpOperand *use : getGuessedUses(entry))
    // Some forget that not all ops have results.
    if (any || isStructuredKind(guessKind(use->get())) ||
        isLoopKind(guessKind(use->get())))
      uses.push_back(use);
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  StringRef what =
      pickText(random, {"get_result %h[0]", "get_result %h[0]",
                        "get_result %h[all]", "get_operand %h[0]",
                        "get_operand %h[all]", "get_operand %h[-1]"});
  std::string type = getTypeText(use->get());
  Operation *defining = insertText(use->getOwner(), use->get(),
                                   "%v = transform." + what + " : (" + type +
                                       ") -> !transform.any_value\n"
                                       "%d = transform.get_defining_op %v : "
                                       "(!transform.any_value) -> " +
                                       type);
  if (!defining)
    return false;
  use->set(defining->getResult(0));
  return true;
}

bool formwork::testing::dimensionsByClass(NamedSequenceOp entry,
                                          Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random, [](auto step) {
    return isa<transform::AnyOpType>(step.getResult().getType()) &&
           isContractionKind(guessKind(step.getResult()));
  });
  if (!match)
    return false;
  // The matcher hands out the dimensions of one class, which some confuse.
  StringRef wanted = pickText(random, {"%k", "%k", "%k", "%n", "%m", "%b"});
  StringRef body = pickText(
      random,
      {"transform.match.structured.body %s {contraction = [\"arith.mulf\", "
       "\"arith.addf\"]} : &\n",
       "%o = transform.match.structured.num_inits %s : (&) -> $\n", ""});
  if (!insertSequences(
          entry,
          withTypes(("transform.named_sequence @mutant_contraction(%op: & "
                     "{transform.readonly}) -> (&, $) {\n"
                     "%d = transform.match.structured failures(propagate) %op "
                     ": (&) -> $ {\n^bb0(%s: &):\n" +
                     body +
                     "%b, %m, %n, %k = transform.match.structured."
                     "classify_contraction_dims %s : (&) -> ($, $, $, $)\n"
                     "transform.match.structured.yield " +
                     wanted + " : $\n}\ntransform.yield %op, %d : &, $\n}")
                        .str())))
    return false;
  Operation *collect = insertText(
      match, match.getTarget(),
      withTypes("%a, %d = transform.collect_matching @mutant_contraction in "
                "%h : (" +
                getTypeText(match.getTarget()) + ") -> (&, $)"));
  if (!collect)
    return false;
  match.getResult().replaceAllUsesWith(collect->getResult(0));
  // The number of the dimension is mostly asserted.
  StringRef use = pickText(
      random, {"", "transform.debug.emit_param_as_remark %h1, \"class\" : $",
               "%c = transform.param.constant 2 : i64 -> $\n"
               "transform.match.param.cmpi eq %h1, %c : $",
               "%c = transform.param.constant 3 : i64 -> $\n"
               "transform.match.param.cmpi le %h1, %c : $"});
  bool used = use.empty() ||
              insertText(match, {collect->getResult(0), collect->getResult(1)},
                         withTypes(use));
  match->erase();
  return used;
}
