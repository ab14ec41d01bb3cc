//===- RewireKinds.cpp - Breakage by a handle to something else -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/RewireKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::oldName(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<OpOperand *, Value>> found;
  for (OpOperand *use : getHandleUses(entry)) {
    Operation *made = use->get().getDefiningOp();
    if (!made)
      continue;
    for (Value old : made->getOperands())
      if (isOpHandle(old) && old.getType() == use->get().getType() &&
          consumes(made, old))
        found.push_back({use, old});
  }
  if (found.empty())
    return false;
  auto [use, old] = found[random.below(found.size())];
  // Some see it, and drop the step that consumed; others only in one place.
  Operation *made = use->get().getDefiningOp();
  bool drops = random.chance(0.4);
  use->set(old);
  if (drops && made->use_empty())
    made->erase();
  return true;
}

/// The number of the loop that `value` is among those of its tiling, from 1;
/// 0: it is none.
static unsigned getLoopNumber(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result || !isa<transform::TileUsingForOp, transform::TileUsingForallOp,
                      transform::FuseOp>(result.getOwner()))
    return 0;
  return result.getResultNumber();
}

bool formwork::testing::loopByParent(NamedSequenceOp entry, Random &random) {
  Uses uses;
  for (OpOperand *use : getHandleUses(entry))
    if (getLoopNumber(use->get()) != 0)
      uses.push_back(use);
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Operation *tiling = use->get().getDefiningOp();
  // The likeliest handle in the loop: the tiled one, or the one made last.
  Value inside = tiling->getResult(0);
  if (random.chance(0.4))
    inside = pickVisible(use->getOwner(), random, isStructuredKind);
  if (!inside)
    return false;
  unsigned nth = tiling->getNumResults() - getLoopNumber(use->get());
  if (random.chance(0.3))
    nth = random.between(1, 3);
  StringRef kind =
      isa<transform::TileUsingForallOp>(tiling) ? "scf.forall" : "scf.for";
  std::string name = random.chance(0.85)
                         ? ("op_name = \"" + kind + "\", ").str()
                         : std::string();
  StringRef more = pickText(random, {"", "", ", deduplicate"});
  Operation *parent =
      insertText(use->getOwner(), inside,
                 "%p = transform.get_parent_op %h {" + name +
                     "nth_parent = " + Twine(nth) + " : i64" + more + "} : (" +
                     getTypeText(inside) + ") -> " + getTypeText(use->get()));
  if (!parent)
    return false;
  use->set(parent->getResult(0));
  return true;
}

bool formwork::testing::pickOfMatch(NamedSequenceOp entry, Random &random) {
  std::optional<ScopedUse> found = pickScopedUse(entry, random);
  if (!found)
    return false;
  auto [use, scope] = *found;
  unsigned number = random.oneOf(ArrayRef<unsigned>{1, 1, 2, 2, 3});
  unsigned which = random.below(number);
  StringRef manner = pickText(random, {"", "", "{overflow_result = 0}",
                                       "{overflow_result = 0}",
                                       "{fail_on_payload_too_small = false}"});
  std::string type = getTypeText(use->get()), types;
  for (unsigned i = 0; i < number; ++i)
    types += (i ? ", " : "") + type;
  Operation *split = insertText(
      use->getOwner(), scope,
      "%m = transform.structured.match ops{[\"" + guessKind(use->get()) +
          "\"]} in %h : (" + getTypeText(scope) + ") -> " + type +
          "\n%s:" + Twine(number) + " = transform.split_handle %m " + manner +
          " : (" + type + ") -> (" + types + ")");
  if (!split)
    return false;
  use->set(split->getResult(which));
  return true;
}

static bool hasMark(transform::MatchOp match) {
  return match.getOpAttrs() && !match.getOpAttrs()->empty();
}

bool formwork::testing::otherMark(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random, hasMark);
  if (!match)
    return false;
  SmallVector<DictionaryAttr> others;
  for (Operation *op : getSteps(entry))
    if (auto other = dyn_cast<transform::MatchOp>(op))
      if (hasMark(other) && other.getOpAttrsAttr() != match.getOpAttrsAttr())
        others.push_back(other.getOpAttrsAttr());
  Builder builder(entry.getContext());
  NamedAttribute mark = *match.getOpAttrs()->begin();
  DictionaryAttr changed;
  if (!others.empty() && random.chance(0.7)) {
    changed = others[random.below(others.size())];
  } else if (isa<UnitAttr>(mark.getValue()) || random.chance(0.5)) {
    changed = builder.getDictionaryAttr(builder.getNamedAttr(
        mark.getName().getValue().drop_back(), mark.getValue()));
  } else {
    changed = builder.getDictionaryAttr(
        builder.getNamedAttr(mark.getName(), builder.getUnitAttr()));
  }
  if (match.getOpAttrsAttr().begin()->getName().size() < 2)
    return false;
  match.setOpAttrsAttr(changed);
  return true;
}

bool formwork::testing::broadMark(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random, [](auto step) {
    return hasMark(step) || step.getFilterResultType();
  });
  if (!match)
    return false;
  match.removeOpAttrsAttr();
  match.removeFilterResultTypeAttr();
  if (!match.getOps() && !match.getInterface())
    match.setInterfaceAttr(transform::MatchInterfaceEnumAttr::get(
        entry.getContext(),
        random.chance(0.7) ? transform::MatchInterfaceEnum::LinalgOp
                           : transform::MatchInterfaceEnum::TilingInterface));
  if (random.chance(0.5))
    return true;
  // The first of them, they think, is the one.
  Value all = match.getResult();
  std::string type = getTypeText(all);
  Operation *split =
      insertText(match->getNextNode(), all,
                 "%a, %b = transform.split_handle %h {overflow_result = 1, "
                 "fail_on_payload_too_small = false} : (" +
                     type + ") -> (" + type + ", " + type + ")");
  return goOnWith(split, all, 1.0, random, random.below(2));
}

bool formwork::testing::printHandles(NamedSequenceOp entry, Random &random) {
  Operation *place = random.chance(0.3)
                         ? entry.getBody().front().getTerminator()
                         : pickStep(getSteps(entry), random);
  if (!place)
    return false;
  bool any = random.chance(0.35);
  auto fits = [](StringRef) { return true; };
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i) {
    Values visible = getVisibleHandles(place);
    if (visible.empty())
      return false;
    Value handle = any ? random.oneOf(ArrayRef<Value>(visible))
                       : pickVisible(place, random, fits);
    if (!handle)
      return i != 0;
    StringRef step = pickText(
        random,
        {"transform.print %h {name = \"mutant\"} : ",
         "transform.print %h {skip_regions, use_local_scope} : ",
         "transform.verify %h : ", "%n = transform.num_associations %h : ("});
    bool counts = step.starts_with("%n");
    if (!insertText(place, handle,
                    step + getTypeText(handle) +
                        (counts ? ") -> !transform.param<i64>\n"
                                  "transform.debug.emit_param_as_remark %n : "
                                  "!transform.param<i64>"
                                : "")))
      return false;
  }
  return true;
}

bool formwork::testing::overwrittenName(NamedSequenceOp entry, Random &random) {
  struct Overwriting {
    Value old, made;
  };
  SmallVector<Overwriting> alike, any;
  for (Operation *step : getOuterSteps(entry))
    for (Value made : step->getResults())
      for (Value old : getVisibleHandles(step)) {
        bool isRead = llvm::any_of(old.getUsers(), [&](Operation *user) {
          Operation *next = step->getBlock()->findAncestorOpInBlock(*user);
          return next && step->isBeforeInBlock(next);
        });
        if (!isRead || old.getType() != made.getType())
          continue;
        StringRef kind = guessKind(made), other = guessKind(old);
        (kind == other || (isStructuredKind(kind) && isStructuredKind(other))
             ? alike
             : any)
            .push_back({old, made});
      }
  auto &found =
      alike.empty() || (!any.empty() && random.chance(0.15)) ? any : alike;
  if (found.empty())
    return false;
  auto [old, made] = found[random.below(found.size())];
  return rebindBehind(made.getDefiningOp(), old, made);
}
