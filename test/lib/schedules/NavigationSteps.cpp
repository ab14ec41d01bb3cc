//===- NavigationSteps.cpp - Steps that look for payload ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleWriter.h"

using namespace mlir;
using namespace formwork::testing;

void ScheduleWriter::match() {
  if (names.empty())
    return;
  std::string kind = names[random.below(names.size())];
  // Kinds that can be scheduled are looked for more often.
  for (unsigned i = 0; i < 2; ++i)
    if (!StringRef(kind).starts_with("linalg.") && kind != "func.func" &&
        !StringRef(kind).starts_with("scf."))
      kind = names[random.below(names.size())];
  if (StringRef(kind).ends_with("yield"))
    return;
  matchKind(kind);
}

void ScheduleWriter::matchKind(StringRef kind) {
  // Not in what has to be matched first.
  const Handle *scope =
      pick([](const Handle &handle) { return handle.kind == "func.func"; });
  if (!scope || random.chance(0.8))
    scope = &handles.front();
  std::string name = fresh();
  emit(name + " = transform.structured.match ops{[\"" + kind + "\"]} in " +
       scope->name + " : " + oneToOne);
  int64_t count = present.lookup(kind);
  add(name, kind, count, count != 1);
}

void ScheduleWriter::matchClass() {
  std::string name = fresh();
  bool loops = random.chance(0.3);
  emit(name + " = transform.structured.match interface{" +
       (loops ? "LoopLikeInterface" : "LinalgOp") + "} in %module : (" + anyOp +
       ") -> " + anyOp);
  add(name, loops ? "scf.for" : "linalg.generic", 2, true);
}

void ScheduleWriter::parent() {
  const Handle *inner =
      pick([](const Handle &h) { return h.kind != "builtin.module"; });
  if (!inner)
    return;
  Handle of = *inner;
  std::string name = fresh();
  switch (random.below(3)) {
  case 0:
    emit(name + " = transform.get_parent_op " + of.name +
         " {isolated_from_above} : (" + anyOp + ") -> " + anyOp);
    return add(name, of.kind == "func.func" ? "builtin.module" : "func.func",
               of.count, of.many);
  case 1:
    emit(name + " = transform.get_parent_op " + of.name +
         " {op_name = \"func.func\", deduplicate} : (" + anyOp + ") -> " +
         anyOp);
    return add(name, "func.func", 1, of.many);
  default:
    emit(name + " = transform.get_parent_op " + of.name +
         (random.chance(0.3) ? " {allow_empty_results, op_name = "
                               "\"scf.for\"}"
                             : "") +
         " : (" + anyOp + ") -> " + anyOp);
    add(name, "", of.count, of.many);
  }
}

void ScheduleWriter::producer() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  std::string name = fresh();
  emit(name + " = transform.get_producer_of_operand " + target->name + "[" +
       Twine(random.below(3)) + "] : (" + anyOp + ") -> " + anyOp);
  add(name, "");
}

void ScheduleWriter::navigate() {
  const Handle *target = pickLinalg();
  if (!target || target->many)
    return;
  std::string name = fresh();
  emit(name + " = transform.get_consumers_of_result " + target->name +
       "[0] : (" + anyOp + ") -> " + anyOp);
  add(name, "", 1, true);
}

void ScheduleWriter::castOrMerge() {
  Handle a = handles[random.below(handles.size())];
  Handle b = handles[random.below(handles.size())];
  std::string name = fresh();
  if (random.chance(0.4)) {
    emit(name + " = transform.cast " + a.name + " : " + anyOp + " to " + anyOp);
    return add(name, a.kind, a.count, a.many);
  }
  emit(name + " = transform.merge_handles " +
       (random.chance(0.5) ? "deduplicate " : "") + a.name + ", " + b.name +
       " : " + anyOp);
  add(name, a.kind == b.kind ? a.kind : "", a.count + b.count, true);
}

void ScheduleWriter::split() {
  const Handle *target = pick([](const Handle &h) { return h.many; });
  if (!target || target->count < 1 || target->count > 5)
    return;
  Handle old = *target;
  std::string name = fresh(), types;
  int64_t number = random.chance(0.9) ? old.count : old.count + 1;
  for (int64_t i = 0; i < number; ++i)
    types += (i ? ", " : "") + anyOp.str();
  emit(name + ":" + Twine(number) + " = transform.split_handle " + old.name +
       (random.chance(0.15)  ? " {overflow_result = 0}"
        : random.chance(0.1) ? " {fail_on_payload_too_small = false}"
                             : "") +
       " : (" + anyOp + ") -> (" + types + ")");
  for (int64_t i = 0; i < number; ++i)
    add(name + "#" + std::to_string(i), old.kind);
}

void ScheduleWriter::values() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  std::string value = fresh(), name = fresh();
  bool operand = random.chance(0.5);
  emit(value + " = transform." + (operand ? "get_operand " : "get_result ") +
       target->name + "[0] : (" + anyOp + ") -> !transform.any_value");
  if (random.chance(0.5))
    return;
  emit(name + " = transform.get_defining_op " + value +
       " : (!transform.any_value) -> " + anyOp);
  add(name, operand ? "" : target->kind, target->count, target->many);
}

void ScheduleWriter::annotate() {
  Handle target = handles[random.below(handles.size())];
  emit("transform.annotate " + target.name + " \"formwork.note\" : " + anyOp);
}

void ScheduleWriter::use() {
  const Handle &target = handles[random.below(handles.size())];
  emit("transform.debug.emit_remark_at " + target.name +
       ", \"use\" : " + anyOp);
}
