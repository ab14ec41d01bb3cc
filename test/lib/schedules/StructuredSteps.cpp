//===- StructuredSteps.cpp - Steps on structured ops ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleWriter.h"

using namespace mlir;
using namespace formwork::testing;

unsigned ScheduleWriter::rankOf(StringRef kind) {
  if (kind == "linalg.matmul")
    return 3;
  if (kind == "linalg.batch_matmul")
    return 4;
  return 2;
}

std::string ScheduleWriter::sizes(unsigned rank, bool someZero) {
  static constexpr int64_t choices[] = {1, 2, 3, 4, 4, 8, 8, 16};
  std::string list;
  bool tiled = false;
  unsigned given = random.chance(0.7) ? rank : random.between(1, rank);
  for (unsigned i = 0; i < given; ++i) {
    bool zero = someZero && random.chance(0.35) && (tiled || i + 1 < given);
    tiled |= !zero;
    list +=
        (i ? ", " : "") + std::to_string(zero ? 0 : choices[random.below(8)]);
  }
  return list;
}

void ScheduleWriter::tileFor() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  Handle old = *target;
  std::string list = sizes(rankOf(old.kind), true);
  unsigned loops = 0;
  SmallVector<StringRef> parts;
  StringRef(list).split(parts, ", ");
  for (StringRef part : parts)
    loops += part != "0";
  std::string name = fresh(), types;
  for (unsigned i = 0; i < loops; ++i)
    types += (", " + anyOp).str();
  emit(name + ":" + Twine(loops + 1) +
       " = transform.structured.tile_using_for " + old.name + " tile_sizes [" +
       list + "] : (" + anyOp + ") -> (" + anyOp + types + ")");
  forget(old.kind);
  present["scf.for"] += loops * old.count;
  add(name + "#0", old.kind, old.count, old.many);
  for (unsigned i = 0; i < loops; ++i)
    add(name + "#" + std::to_string(i + 1), "scf.for", old.count, old.many);
}

void ScheduleWriter::tileForall() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  Handle old = *target;
  // Reductions race.
  unsigned rank = old.kind == "linalg.matmul" && random.chance(0.95)
                      ? 2
                      : std::min(2u, rankOf(old.kind));
  std::string list = sizes(rank, false);
  unsigned loops = llvm::count(list, ',') + 1;
  std::string mapping;
  if (random.chance(0.4)) {
    std::string unit = random.chance(0.5) ? "block" : "thread";
    mapping = loops == 1
                  ? " (mapping = [#gpu." + unit + "<x>])"
                  : " (mapping = [#gpu." + unit + "<y>, #gpu." + unit + "<x>])";
  }
  std::string name = fresh();
  emit(name + ":2 = transform.structured.tile_using_forall " + old.name +
       (random.chance(0.7) ? " tile_sizes [" : " num_threads [") + list + "]" +
       mapping + " : (" + anyOp + ") -> (" + anyOp + ", " + anyOp + ")");
  forget(old.kind);
  present["scf.forall"] += old.count;
  add(name + "#0", old.kind, old.count, old.many);
  add(name + "#1", "scf.forall", old.count, old.many);
}

void ScheduleWriter::fuse() {
  const Handle *producer = pickKind("linalg.fill");
  if (!producer)
    producer = pickLinalg();
  const Handle *loop = pickKind("scf.forall");
  if (!producer || !loop || (loop->many && random.chance(0.8)))
    return;
  Handle old = *producer, into = *loop;
  std::string name = fresh();
  emit(name + ":2 = transform.structured.fuse_into_containing_op " + old.name +
       " into " + into.name + " : (" + anyOp + ", " + anyOp + ") -> (" + anyOp +
       ", " + anyOp + ")");
  forget(old.kind);
  forget("scf.forall");
  add(name + "#0", old.kind, old.count, old.many);
  add(name + "#1", "scf.forall");
}

void ScheduleWriter::rewriteOne() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  Handle old = *target;
  std::string name = fresh();
  std::string one = " : (" + anyOp.str() + ") -> " + anyOp.str();
  switch (random.below(6)) {
  case 0:
    if (old.kind == "linalg.generic")
      return;
    emit(name + " = transform.structured.generalize " + old.name + one);
    forget(old.kind);
    present["linalg.generic"] += old.count;
    return add(name, "linalg.generic", old.count, old.many);
  case 1:
    if (old.kind != "linalg.generic")
      return;
    emit(name + " = transform.structured.interchange " + old.name +
         " iterator_interchange = [1, 0]" + one);
    forget(old.kind);
    return add(name, old.kind, old.count, old.many);
  case 2:
    emit(name + ":3 = transform.structured.pad " + old.name +
         " {padding_dimensions = [0, 1], padding_values = [0.0 : f32, 0.0 : "
         "f32, 0.0 : f32], nofold_flags = [1, 1, 0]} : (" +
         anyOp + ") -> (" + anyOp + ", " + anyOp + ", " + anyOp + ")");
    forget(old.kind);
    add(name + "#0", old.kind, old.count, old.many);
    return add(name + "#1", "tensor.pad", 2, true);
  case 3:
    emit("transform.structured.vectorize " + old.name +
         (random.chance(0.3) ? " vector_sizes [8, 8, 8]" : "") + " : " + anyOp);
    return forget(old.kind);
  case 4:
    emit(name + ":2 = transform.structured.split " + old.name +
         " after 2 {dimension = 0} : " + anyOp + ", " + anyOp);
    text.steps.pop_back();
    emit(name + " = transform.structured.split " + old.name +
         " after 2 {dimension = 0} : " + anyOp);
    forget(old.kind);
    return add(name, old.kind, 2, true);
  default:
    emit(name + " = transform.structured.decompose " + old.name + one);
    forget(old.kind);
    return add(name, "", old.count, true);
  }
}

void ScheduleWriter::parameters() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  Handle old = *target;
  std::string name = fresh(), tiled = fresh();
  if (random.chance(0.3)) {
    emit(name + " = transform.num_associations " + old.name + " : (" + anyOp +
         ") -> !transform.param<i64>");
    return;
  }
  emit(name + " = transform.param.constant " + Twine(random.between(1, 5)) +
       " : i64 -> !transform.param<i64>");
  emit(tiled + ":2 = transform.structured.tile_using_for " + old.name +
       " tile_sizes [" + name + "] : (" + anyOp +
       ", !transform.param<i64>) -> (" + anyOp + ", " + anyOp + ")");
  forget(old.kind);
  add(tiled + "#0", old.kind, old.count, old.many);
  add(tiled + "#1", "scf.for", old.count, old.many);
}

void ScheduleWriter::fuseNest() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  Handle old = *target;
  std::string list = sizes(std::min(2u, rankOf(old.kind)), false);
  unsigned loops = llvm::count(list, ',') + 1;
  bool forall = random.chance(0.3);
  std::string name = fresh(), types;
  for (unsigned i = 0; i < (forall ? 1 : loops); ++i)
    types += (", " + anyOp).str();
  emit(name + ":" + Twine((forall ? 1 : loops) + 1) +
       " = transform.structured.fuse " + old.name + " tile_sizes [" + list +
       "] {" + (forall ? "use_forall" : "") +
       (random.chance(0.3) ? (forall ? ", apply_cleanup}" : "apply_cleanup}")
                           : "}") +
       " : (" + anyOp + ") -> (" + anyOp + types + ")");
  // A fused op is another op, whatever its kind.
  forgetAll();
  add(name + "#0", old.kind, old.count, old.many);
  add(name + "#1", forall ? "scf.forall" : "scf.for", old.count, old.many);
}

void ScheduleWriter::tileReduction() {
  const Handle *target = pickLinalg();
  if (!target || rankOf(target->kind) < 3)
    return;
  Handle old = *target;
  std::string name = fresh(), zeros;
  for (unsigned i = 1; i < rankOf(old.kind); ++i)
    zeros += "0, ";
  bool forall = random.chance(0.4);
  emit(name + ":4 = transform.structured.tile_reduction_using_" +
       (forall ? "forall " : "for ") + old.name + " by " +
       (forall ? "num_threads = [" : "tile_sizes = [") + zeros +
       (random.chance(0.5) ? "2" : "4") + "]" +
       (forall ? " tile_sizes = []" : "") + " : (" + anyOp + ") -> (" + anyOp +
       ", " + anyOp + ", " + anyOp + ", " + anyOp + ")");
  forgetAll();
  add(name + "#0", "linalg.fill", old.count, old.many);
  add(name + "#1", "linalg.generic", old.count, old.many);
  add(name + "#2", "linalg.generic", old.count, old.many);
  add(name + "#3", forall ? "scf.forall" : "scf.for", old.count, old.many);
}

void ScheduleWriter::rewriteMore() {
  const Handle *target = pickLinalg();
  if (!target)
    return;
  Handle old = *target;
  struct Rewrite {
    StringLiteral op;
    /// The kind of the result's payload; empty: any op.
    StringLiteral kind;
  };
  static constexpr Rewrite rewrites[] = {
      {"structured.specialize", ""},
      {"structured.flatten_elementwise", ""},
      {"structured.transpose_matmul", "linalg.generic"},
      {"structured.insert_slice_to_copy", "linalg.copy"},
      {"structured.rewrite_in_destination_passing_style", ""},
      {"structured.generalize", "linalg.generic"},
      {"structured.convert_to_loops", "scf.for"},
      {"structured.decompose_interface", ""}};
  const Rewrite &rewrite = rewrites[random.below(std::size(rewrites))];
  std::string name = fresh();
  emit(name + " = transform." + rewrite.op + " " + old.name + " : " + oneToOne);
  forget(old.kind);
  add(name, rewrite.kind, old.count, true);
}
