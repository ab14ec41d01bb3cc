//===- LoopSteps.cpp - Steps on loops -------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleWriter.h"

using namespace mlir;
using namespace formwork::testing;

void ScheduleWriter::loopOp() {
  const Handle *target = pick([](const Handle &h) {
    return h.kind == "scf.for" || h.kind == "scf.forall";
  });
  if (!target)
    return;
  Handle loop = *target;
  std::string name = fresh();
  if (loop.kind == "scf.forall") {
    emit(name + " = transform.loop.forall_to_for " + loop.name + " : (" +
         anyOp + ") -> " + anyOp);
    forget("scf.forall");
    return add(name, "scf.for", 2, true);
  }
  switch (random.below(6)) {
  case 0:
    emit("transform.loop.unroll " + loop.name +
         " {factor = " + Twine(random.between(1, 4)) + "} : " + anyOp);
    return forgetAll();
  case 1:
    emit("transform.loop.hoist_loop_invariant_subsets " + loop.name + " : " +
         anyOp);
    return;
  case 2: {
    std::string typed = fresh();
    emit(typed + " = transform.cast " + loop.name + " : " + anyOp +
         " to !transform.op<\"scf.for\">");
    emit(name + ":2 = transform.loop.peel " + typed +
         " : (!transform.op<\"scf.for\">) -> (" + anyOp + ", " + anyOp + ")");
    forget("scf.for");
    add(name + "#0", "scf.for", loop.count, loop.many);
    return add(name + "#1", "scf.for", loop.count, true);
  }
  case 3:
    emit(name + " = transform.loop.coalesce " + loop.name + " : (" + anyOp +
         ") -> " + anyOp);
    forget("scf.for");
    return add(name, "scf.for", loop.count, loop.many);
  case 4:
    emit("transform.loop.promote_if_one_iteration " + loop.name + " : " +
         anyOp);
    return;
  default:
    emit(name + ":2 = transform.loop.outline " + loop.name +
         " {func_name = \"outlined\"} : (" + anyOp + ") -> (" + anyOp + ", " +
         anyOp + ")");
    forgetAll();
    return add(name + "#0", "func.func", loop.count, loop.many);
  }
}

void ScheduleWriter::loopMore() {
  const Handle *target = pickLoop();
  if (!target)
    return;
  Handle loop = *target;
  std::string name = fresh();
  switch (random.below(6)) {
  case 0:
    emit(name + " = transform.loop.forall_to_parallel " + loop.name + " : " +
         oneToOne);
    forget(loop.kind);
    return add(name, "scf.parallel", loop.count, loop.many);
  case 1: {
    const Handle *other = pickLoop();
    emit(name + " = transform.loop.fuse_sibling " + loop.name + " into " +
         std::string(other->name) + " : (" + anyOp + ", " + anyOp + ") -> " +
         anyOp);
    forget(loop.kind);
    return add(name, loop.kind);
  }
  case 2:
    emit("transform.loop.unroll_and_jam " + loop.name +
         " {factor = " + Twine(random.between(1, 4)) + "} : " + anyOp);
    return forgetAll();
  case 3:
    emit("transform.apply_licm to " + loop.name + " : " + anyOp);
    return;
  case 4:
    emit("transform.verify " + loop.name + " : " + anyOp);
    return;
  default:
    emit("transform.apply_patterns to " + loop.name +
         " { transform.apply_patterns.canonicalization } : " + anyOp);
  }
}

void ScheduleWriter::mapToGPU() {
  const Handle *function = pickKind("func.func");
  if (!function)
    return;
  Handle old = *function;
  std::string name = fresh();
  if (random.chance(0.6)) {
    emit(name + " = transform.gpu.map_forall_to_blocks " + old.name +
         " generate_gpu_launch" +
         (random.chance(0.3) ? " grid_dims = [4, 4, 1]" : "") + " : " +
         oneToOne);
    forgetAll();
    return add(name, "gpu.launch", old.count, old.many);
  }
  std::string launch = fresh();
  emit(launch + " = transform.structured.match ops{[\"gpu.launch\"]} in " +
       old.name + " : " + oneToOne);
  emit(name + " = transform.gpu.map_nested_forall_to_threads " + launch +
       " block_dims = [" + Twine(random.chance(0.5) ? 4 : 16) + ", 4, 1]" +
       (random.chance(0.3) ? " sync_after_distribute = false" : "") + " : " +
       oneToOne);
  forget("scf.forall");
  add(name, "gpu.launch", old.count, true);
}
