//===- MarkKinds.cpp - Breakage by marks and names ------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/MarkKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::gatherMarks(NamedSequenceOp entry, Random &random) {
  Operation *end = entry.getBody().front().getTerminator();
  auto isMark = [](Operation &op) {
    return isa<transform::AnnotateOp, transform::PrintOp>(op);
  };
  // Those at the end stand where they go already.
  Operation *last = end->getPrevNode();
  while (last && isMark(*last))
    last = last->getPrevNode();
  Ops marks;
  for (; last; last = last->getPrevNode())
    if (isMark(*last))
      marks.push_back(last);
  bool all = random.chance(0.6);
  if (!marks.empty()) {
    unsigned moved = random.below(marks.size());
    for (auto [number, mark] : llvm::enumerate(llvm::reverse(marks)))
      if (all || number >= moved)
        mark->moveBefore(end);
    return true;
  }
  // There is none: the loops get theirs when all is done.
  bool marked = false;
  for (Value handle : getVisibleHandles(end))
    if (isLoopKind(guessKind(handle)) && (all || random.chance(0.5)))
      marked |= insertText(end, handle,
                           "transform.annotate %h \"mutant.loop\" : " +
                               getTypeText(handle)) != nullptr;
  return marked;
}

/// Inserts before `place` a match of what carries a mark, `attribute`, in the
/// payload as a whole. Null where the schedule has no handle to that.
static Operation *insertMatchOf(NamedSequenceOp entry, Operation *place,
                                const Twine &attribute, StringRef type) {
  Block &body = entry.getBody().front();
  if (body.getNumArguments() == 0)
    return nullptr;
  bool atEnd = place == body.getTerminator();
  Value root = atEnd ? getRootAtEnd(entry) : Value(body.getArgument(0));
  if (!root)
    return nullptr;
  return insertText(place, root,
                    "%m = transform.structured.match attributes{" + attribute +
                        "} in %h : (" + getTypeText(root) + ") -> " + type);
}

bool formwork::testing::loopByMark(NamedSequenceOp entry, Random &random) {
  auto mark =
      pickStep<transform::AnnotateOp>(entry, random, [&](auto annotate) {
        return !annotate.getParam() &&
               annotate->getBlock() == &entry.getBody().front();
      });
  if (!mark)
    return false;
  Value handle = mark.getTarget();
  std::string name = "\"" + mark.getName().str() + "\"";
  Uses uses;
  for (OpOperand &use : handle.getUses())
    if (use.getOwner() != mark &&
        use.getOwner()->getBlock() == mark->getBlock() &&
        mark->isBeforeInBlock(use.getOwner()))
      uses.push_back(&use);
  if (random.chance(0.2))
    mark.setName((mark.getName() + "_0").str());
  if (!uses.empty()) {
    OpOperand *use = uses[random.below(uses.size())];
    Operation *match =
        insertMatchOf(entry, use->getOwner(), name, getTypeText(handle));
    if (match)
      use->set(match->getResult(0));
    return match;
  }
  // Nothing else was done with it, so far.
  Operation *end = entry.getBody().front().getTerminator();
  Operation *match = insertMatchOf(entry, end, name, anyOp);
  StringRef step = pickText(
      random, {"transform.loop.unroll %h {factor = 2} : ",
               "transform.apply_licm to %h : ",
               "transform.loop.promote_if_one_iteration %h : ",
               // There may be more than one of this mark.
               "%s = transform.split_handle %h : (!transform.any_op) -> "
               "!transform.any_op\ntransform.annotate %s \"mutant.one\" : ",
               "%c = transform.loop.coalesce %h : (!transform.any_op) -> "
               "!transform.any_op\ntransform.annotate %c \"mutant.one\" : ",
               "%p = transform.get_parent_op %h {op_name = \"scf.for\"} : "
               "(!transform.any_op) -> !transform.any_op\n"
               "transform.annotate %p \"mutant.outer\" : "});
  return match && insertText(end, match->getResult(0), step + anyOp);
}

bool formwork::testing::numberMark(NamedSequenceOp entry, Random &random) {
  auto mark = pickStep<transform::AnnotateOp>(
      entry, random, [](auto annotate) { return !annotate.getParam(); });
  Operation *place = nullptr;
  Value handle;
  std::string name = "mutant.size";
  if (mark && random.chance(0.6)) {
    place = mark;
    handle = mark.getTarget();
    name = mark.getName().str();
  } else {
    std::optional<Spot> spot =
        pickSpotToAppend(entry, random, [](StringRef kind) {
          return isStructuredKind(kind) || isLoopKind(kind);
        });
    if (!spot)
      return false;
    place = spot->place;
    handle = spot->handle;
    mark = nullptr;
  }
  std::string type = getTypeText(handle), i64 = "!transform.param<i64>";
  std::string constant = "transform.param.constant 4 : i64 -> " + i64 + "\n";
  std::string number;
  switch (random.below(6)) {
  case 0:
    number =
        "%p = transform.num_associations %h : (" + type + ") -> " + i64 + "\n";
    break;
  case 1:
    number = "%q = " + constant +
             "%p = transform.merge_handles %q, %q : " + i64 + "\n";
    break;
  default:
    number = "%p = " + constant;
  }
  Operation *made = insertText(place, handle,
                               number + "transform.annotate %h \"" + name +
                                   "\" = %p : " + type + ", " + i64);
  if (!made)
    return false;
  if (mark)
    mark->erase();
  if (random.chance(0.4))
    return true;
  // The number belongs to the mark, which some forget.
  Operation *end = entry.getBody().front().getTerminator();
  std::string value = random.chance(0.7) ? " = 4 : i64" : "";
  Operation *match =
      insertMatchOf(entry, end, "\"" + name + "\"" + value, anyOp);
  if (!match)
    return false;
  Value found = match->getResult(0);
  if (random.chance(0.5))
    return insertText(end, found,
                      "%s = transform.split_handle %h : (" + anyOp + ") -> " +
                          anyOp +
                          "\ntransform.annotate %s \"mutant.one\" : " + anyOp);
  insertUse(end, found);
  return true;
}

/// `name` with a mistake in it.
static std::string misspell(StringRef name, Random &random) {
  auto [dialect, rest] = name.split('.');
  std::string text = name.str();
  switch (random.below(5)) {
  case 0:
    return name.drop_back().str();
  case 1:
    return text + "s";
  case 2:
    return rest.str();
  case 3:
    llvm::replace(text, '.', '_');
    return text;
  default:
    return text.size() < 2 ? text : (rest.empty() ? text + "_0" : text + "_op");
  }
}

bool formwork::testing::misspeltName(NamedSequenceOp entry, Random &random) {
  // Marks are many, and of most of them nothing is asked.
  bool marks = random.chance(0.2);
  SmallVector<std::pair<Operation *, NamedAttribute>> found;
  for (Operation *op : getSteps(entry))
    for (NamedAttribute attr : op->getAttrs()) {
      auto names = dyn_cast<ArrayAttr>(attr.getValue());
      bool isName = isa<StringAttr>(attr.getValue()) ||
                    (names && !names.empty() && isa<StringAttr>(names[0])) ||
                    attr.getName() == "op_attrs";
      if (isName && (marks || !isa<transform::AnnotateOp>(op)))
        found.push_back({op, attr});
    }
  if (found.empty())
    return false;
  auto [op, attr] = found[random.below(found.size())];
  Builder builder(entry.getContext());
  Attribute changed;
  if (auto name = dyn_cast<StringAttr>(attr.getValue())) {
    changed = builder.getStringAttr(misspell(name, random));
  } else if (auto names = dyn_cast<ArrayAttr>(attr.getValue())) {
    SmallVector<Attribute> list(names.getValue());
    Attribute &one = list[random.below(list.size())];
    one = builder.getStringAttr(misspell(cast<StringAttr>(one), random));
    changed = builder.getArrayAttr(list);
  } else {
    // The name of the mark, or the text that it is to have.
    auto asked = dyn_cast<DictionaryAttr>(attr.getValue());
    if (!asked || asked.empty())
      return false;
    NamedAttribute first = *asked.begin();
    auto text = dyn_cast<StringAttr>(first.getValue());
    std::string name =
        misspell(text ? text.getValue() : first.getName().getValue(), random);
    if (name.empty())
      return false;
    changed = builder.getDictionaryAttr(
        text
            ? builder.getNamedAttr(first.getName(), builder.getStringAttr(name))
            : builder.getNamedAttr(name, first.getValue()));
  }
  op->setAttr(attr.getName(), changed);
  return changed != attr.getValue();
}
