//===- ControlSteps.cpp - Steps with regions and calls --------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleWriter.h"

using namespace mlir;
using namespace formwork::testing;

std::string ScheduleWriter::bodyFor(StringRef argument, StringRef kind,
                                    bool consumes) {
  std::string name = fresh();
  if (consumes && kind.starts_with("linalg."))
    return name + ":2 = transform.structured.tile_using_for " + argument.str() +
           " tile_sizes [2] : (" + anyOp.str() + ") -> (" + anyOp.str() + ", " +
           anyOp.str() + ")";
  if (consumes && kind == "func.func")
    return name + " = transform.apply_registered_pass \"cse\" to " +
           argument.str() + " : (" + anyOp.str() + ") -> " + anyOp.str();
  if (random.chance(0.5))
    return "transform.annotate " + argument.str() +
           " \"formwork.seen\" : " + anyOp.str();
  return name + " = transform.cast " + argument.str() + " : " + anyOp.str() +
         " to " + anyOp.str();
}

void ScheduleWriter::foreach () {
  Handle over = handles[random.below(handles.size())];
  bool consumes = random.chance(0.5);
  std::string name = fresh(), argument = fresh();
  bool yields = random.chance(0.5);
  std::string body = bodyFor(argument, over.kind, consumes);
  bool consumed = StringRef(body).contains("tile_using") ||
                  StringRef(body).contains("registered_pass");
  std::string result = StringRef(body).split(' ').first.split(':').first.str();
  bool hasResult = StringRef(result).starts_with("%") && yields;
  if (StringRef(body).contains(":2 ="))
    result += "#0";
  emit((hasResult ? name + " = " : std::string()) + "transform.foreach " +
       over.name + " : " + anyOp + (hasResult ? (" -> " + anyOp).str() : "") +
       " {\n^bb0(" + argument + ": " + anyOp + "):\n" + body +
       (hasResult ? "\ntransform.yield " + result + " : " + anyOp.str()
                  : std::string()) +
       "\n}");
  if (consumed)
    over.kind == "func.func" ? forgetAll() : forget(over.kind);
  if (hasResult)
    add(name, over.kind, over.count, over.many);
}

void ScheduleWriter::alternatives() {
  const Handle *scope = pickKind("func.func");
  if (!scope || random.chance(0.4))
    return;
  Handle over = *scope;
  std::string argument = fresh(), inner = fresh(), second = fresh();
  std::string kind = names[random.below(names.size())];
  emit("transform.alternatives " + over.name + " : " + anyOp + " {\n^bb0(" +
       argument + ": " + anyOp + "):\n" + inner +
       " = transform.structured.match ops{[\"" + kind + "\"]} in " + argument +
       " : (" + anyOp + ") -> " + anyOp + "\n" +
       bodyFor(inner, kind, random.chance(0.5)) + "\n}, {\n^bb0(" + second +
       ": " + anyOp + "):\n}");
  forgetAll();
}

void ScheduleWriter::sequence() {
  Handle over = handles[random.below(handles.size())];
  std::string argument = fresh();
  bool consumes = random.chance(0.4);
  emit("transform.sequence " + over.name + " : " + anyOp + " failures(" +
       (random.chance(0.3) ? "suppress" : "propagate") + ") {\n^bb0(" +
       argument + ": " + anyOp + "):\n" +
       bodyFor(argument, over.kind, consumes) + "\n}");
  if (consumes)
    over.kind == "func.func" ? forgetAll() : forget(over.kind);
}

void ScheduleWriter::include() {
  std::string mode = random.chance(0.85) ? "propagate" : "suppress";
  std::string name = fresh();
  if (random.chance(0.5)) {
    const Handle *target = pickLinalg();
    if (!target)
      return;
    Handle old = *target;
    emit(name + ":2 = transform.include @tile_one failures(" + mode + ") (" +
         old.name + ") : (" + anyOp + ") -> (" + anyOp + ", " + anyOp + ")");
    forget(old.kind);
    add(name + "#0", old.kind, old.count, old.many);
    return add(name + "#1", "scf.for", old.count, old.many);
  }
  const Handle *inner = pickLinalg();
  if (!inner)
    return;
  emit(name + " = transform.include @look failures(" + mode + ") (" +
       inner->name + ") : (" + anyOp + ") -> " + anyOp);
  add(name, "func.func", 1, inner->many);
}

void ScheduleWriter::collect() {
  std::string name = fresh();
  if (random.chance(0.3)) {
    emit(name + ":2 = transform.collect_matching @is_filled in %module : (" +
         anyOp + ") -> (" + anyOp + ", " + anyOp + ")");
    add(name + "#0", "linalg.matmul", 1, true);
    return add(name + "#1", "linalg.fill", 1, true);
  }
  if (random.chance(0.5)) {
    emit(name + " = transform.collect_matching @is_matmul in %module : (" +
         anyOp + ") -> " + anyOp);
    return add(name, "linalg.matmul", present.lookup("linalg.matmul"),
               present.lookup("linalg.matmul") != 1);
  }
  emit(name +
       " = transform.foreach_match in %module @is_matmul -> @mark : "
       "(" +
       anyOp + ") -> " + anyOp);
  handles.clear();
  handles.push_back({name, "builtin.module"});
}

StringRef formwork::testing::getSharedSequences() {
  return R"(
  transform.named_sequence @tile_one(%op: !transform.any_op {transform.consumed}) -> (!transform.any_op, !transform.any_op) {
    %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %t, %l : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @look(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %f = transform.get_parent_op %op {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.any_op
    transform.yield %f : !transform.any_op
  }
  transform.named_sequence @clean(%op: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %op {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %op : !transform.any_op
    transform.yield
  }
  transform.named_sequence @clean_around(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %f = transform.include @look failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
    transform.include @clean failures(suppress) (%f) : (!transform.any_op) -> ()
    transform.yield %f : !transform.any_op
  }
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_loop(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["scf.for", "scf.forall"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_reduction(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.structured %op : !transform.any_op {
    ^bb0(%s: !transform.any_op):
      transform.match.structured.dim %s[-1] {reduction} : !transform.any_op
      transform.match.structured.yield
    }
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_filled(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_op) {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    %init = transform.get_producer_of_operand %op[2] : (!transform.any_op) -> !transform.any_op
    transform.match.operation_name %init ["linalg.fill"] : !transform.any_op
    transform.yield %op, %init : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "formwork.marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @mark_both(%op: !transform.any_op {transform.readonly}, %init: !transform.any_op {transform.readonly}) {
    transform.annotate %init "formwork.marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @give(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @tile_it(%op: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %l : !transform.any_op
  }
)";
}

void ScheduleWriter::foreachSeveral() {
  Handle a = pickAny(), b = pickAny();
  std::string first = fresh(), second = fresh(), name = fresh();
  bool yields = random.chance(0.4);
  std::string body = bodyFor(first, a.kind, random.chance(0.3)) + "\n" +
                     bodyFor(second, b.kind, random.chance(0.2));
  bool consumes = StringRef(body).contains("tile_using") ||
                  StringRef(body).contains("registered_pass");
  emit((yields ? name + " = " : std::string()) + "transform.foreach " + a.name +
       ", " + b.name + (random.chance(0.4) ? " with_zip_shortest" : "") +
       " : " + anyOp + ", " + anyOp + (yields ? (" -> " + anyOp).str() : "") +
       " {\n^bb0(" + first + ": " + anyOp + ", " + second + ": " + anyOp +
       "):\n" + body +
       (yields ? "\ntransform.yield " + second + " : " + anyOp.str()
               : std::string()) +
       "\n}");
  if (consumes)
    forgetAll();
  if (yields && !consumes)
    add(name, b.kind, b.count, b.many);
}

void ScheduleWriter::alternativesWithResults() {
  const Handle *scope = pickKind("func.func");
  if (!scope)
    return;
  Handle over = *scope;
  std::string name = fresh(), regions;
  unsigned number = random.between(2, 3);
  std::string found = names[random.below(names.size())];
  for (unsigned i = 0; i < number; ++i) {
    std::string argument = fresh(), inner = fresh(), more = fresh();
    std::string kind =
        random.chance(0.5) ? found : names[random.below(names.size())];
    regions += std::string(i ? ", " : "") + "{\n^bb0(" + argument + ": " +
               anyOp.str() + "):\n" + inner +
               " = transform.structured.match ops{[\"" + kind + "\"]} in " +
               argument + " : " + oneToOne.str() + "\n";
    switch (random.below(4)) {
    case 0: // fails: a scope is in no function
      regions += more + " = transform.get_parent_op " + argument +
                 " {op_name = \"func.func\"} : " + oneToOne.str() + "\n";
      break;
    case 1:
      regions += more + " = transform.split_handle " + inner + " : " +
                 oneToOne.str() + "\n";
      break;
    case 2:
      regions += bodyFor(inner, kind, true) + "\n";
      inner = argument;
      break;
    default:
      regions += bodyFor(inner, kind, false) + "\n";
    }
    regions += "transform.yield " + inner + " : " + anyOp.str() + "\n}";
  }
  emit(name + " = transform.alternatives " + over.name + " : " + anyOp +
       " -> " + anyOp + " " + regions);
  forgetAll();
  add(name, "", 1, true);
}

void ScheduleWriter::sequenceWithResults() {
  Handle over = pickAny();
  std::string argument = fresh(), name = fresh(), kept = fresh();
  bool consumes = random.chance(0.3);
  emit(name + " = transform.sequence " + over.name + " : " + anyOp + " -> " +
       anyOp + " failures(" + (random.chance(0.5) ? "suppress" : "propagate") +
       ") {\n^bb0(" + argument + ": " + anyOp + "):\n" + kept +
       " = transform.get_parent_op " + argument +
       (random.chance(0.5) ? " {isolated_from_above}" : "") + " : " + oneToOne +
       "\n" + bodyFor(argument, over.kind, consumes) + "\ntransform.yield " +
       kept + " : " + anyOp + "\n}");
  if (consumes)
    over.kind == "func.func" ? forgetAll() : forget(over.kind);
  add(name, "", over.count, true);
}

void ScheduleWriter::includeMore() {
  std::string mode = random.chance(0.7) ? "propagate" : "suppress";
  std::string name = fresh();
  if (random.chance(0.5)) {
    const Handle *function = pickKind("func.func");
    if (function)
      emit("transform.include @clean failures(" + mode + ") (" +
           function->name + ") : (" + anyOp + ") -> ()");
    return;
  }
  const Handle *inner = pickLinalg();
  if (!inner)
    return;
  emit(name + " = transform.include @clean_around failures(" + mode + ") (" +
       inner->name + ") : " + oneToOne);
  add(name, "func.func", 1, inner->many);
}

void ScheduleWriter::foreachMatch() {
  static constexpr StringLiteral pairs[] = {
      "@is_matmul -> @mark", "@is_loop -> @mark", "@is_reduction -> @mark",
      "@is_filled -> @mark_both"};
  static constexpr StringLiteral giving[] = {
      "@is_matmul -> @give", "@is_loop -> @give", "@is_reduction -> @give",
      "@is_matmul -> @tile_it", "@is_reduction -> @tile_it"};
  bool gives = random.chance(0.6);
  const Handle *function = pickKind("func.func");
  Handle in = function && random.chance(0.4) ? *function : handles.front();
  std::string name = fresh(), list;
  for (unsigned i = 0, e = random.between(1, 3); i < e; ++i)
    list += std::string(i ? ", " : "") +
            (gives ? giving[random.below(std::size(giving))]
                   : pairs[random.below(std::size(pairs))])
                .str();
  emit(name + (gives ? ":2" : "") + " = transform.foreach_match " +
       (random.chance(0.2) ? "restrict_root " : "") +
       (random.chance(0.3) ? "flatten_results " : "") + "in " + in.name + " " +
       list + " : (" + anyOp + ") -> " +
       (gives ? "(" + anyOp.str() + ", " + anyOp.str() + ")" : anyOp.str()));
  std::string root = gives ? name + "#0" : name;
  if (in.kind == "builtin.module") {
    handles.clear();
    handles.push_back({root, "builtin.module"});
  } else {
    forgetAll();
    add(root, "func.func", in.count, in.many);
  }
  if (gives)
    add(name + "#1", "", 1, true);
}

void ScheduleWriter::tuneAlternatives() {
  Handle over = pickAny();
  std::string knob = fresh();
  bool selected = random.chance(0.8);
  std::string number = std::to_string(random.below(2));
  emit("transform.tune.alternatives<\"" + knob.substr(1) + "\"> " +
       (selected ? "selected_region = " + number + " " : std::string()) +
       "{\n" + bodyFor(over.name, over.kind, random.chance(0.3)) + "\n}, {\n" +
       bodyFor(over.name, over.kind, random.chance(0.3)) + "\n}");
  if (StringRef(text.steps.back()).contains("tile_using") ||
      StringRef(text.steps.back()).contains("registered_pass"))
    over.kind == "func.func" ? forgetAll() : forget(over.kind);
}
