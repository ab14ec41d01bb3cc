//===- ScheduleGenerator.cpp - Seeded schedules over payload --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleGenerator.h"

#include "test/lib/generator/PayloadGenerator.h"
#include "test/lib/generator/Random.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork::testing;

static constexpr StringLiteral anyOp = "!transform.any_op";

std::string ScheduleText::print(bool consumesRoot) const {
  std::string text = R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_one(%op: !transform.any_op {transform.consumed}) -> (!transform.any_op, !transform.any_op) {
    %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %t, %l : !transform.any_op, !transform.any_op
  }
  transform.named_sequence @look(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %f = transform.get_parent_op %op {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.any_op
    transform.yield %f : !transform.any_op
  }
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "formwork.marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.)";
  text += consumesRoot ? "consumed}) {\n" : "readonly}) {\n";
  for (const std::string &step : steps)
    text += "    " + step + "\n";
  return text + "    transform.yield\n  }\n}\n";
}

OwningOpRef<ModuleOp>
formwork::testing::parseSchedule(MLIRContext *context,
                                 const ScheduleText &text) {
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  for (bool consumesRoot : {false, true})
    if (auto module = parseSourceString<ModuleOp>(text.print(consumesRoot),
                                                  ParserConfig(context)))
      return module;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Payload
//===----------------------------------------------------------------------===//

/// A function with a contraction, what fills its result and what is done to it.
static std::string makeChain(Random &random, unsigned number) {
  static constexpr int64_t sizes[] = {4, 6, 7, 8, 12, 16};
  int64_t m = sizes[random.below(6)], n = sizes[random.below(6)],
          k = sizes[random.below(6)];
  bool dynamic = random.chance(0.15);
  std::string rows = dynamic ? "?" : std::to_string(m);
  std::string a = llvm::formatv("tensor<{0}x{1}xf32>", rows, k),
              b = llvm::formatv("tensor<{0}x{1}xf32>", k, n),
              c = llvm::formatv("tensor<{0}x{1}xf32>", rows, n);
  std::string text = llvm::formatv(
      "func.func @f{0}(%A: {1}, %B: {2}, %C: {3}, %D: {3}) -> {3} {{\n"
      "  %zero = arith.constant 0.0 : f32\n",
      number, a, b, c);
  std::string init = "%C";
  if (random.chance(0.7)) {
    std::string destination = "%C";
    if (!dynamic && random.chance(0.7)) {
      text += "  %empty = tensor.empty() : " + c + "\n";
      destination = "%empty";
    }
    text += "  %fill = linalg.fill ins(%zero : f32) outs(" + destination +
            " : " + c + ") -> " + c + "\n";
    init = "%fill";
  }
  text += "  %mm = linalg.matmul ins(%A, %B : " + a + ", " + b + ") outs(" +
          init + " : " + c + ") -> " + c + "\n";
  std::string last = "%mm";
  if (random.chance(0.5)) {
    text += "  %sum = linalg.add ins(" + last + ", %D : " + c + ", " + c +
            ") outs(%D : " + c + ") -> " + c + "\n";
    last = "%sum";
  }
  if (random.chance(0.4)) {
    text += "  %relu = linalg.generic {indexing_maps = [affine_map<(i, j) -> "
            "(i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = "
            "[\"parallel\", \"parallel\"]} ins(" +
            last + " : " + c + ") outs(%C : " + c +
            ") {\n  ^bb0(%x: f32, %y: f32):\n    %z = arith.maximumf %x, %zero "
            ": f32\n    linalg.yield %z : f32\n  } -> " +
            c + "\n";
    last = "%relu";
  }
  return text + "  return " + last + " : " + c + "\n}\n";
}

static OwningOpRef<ModuleOp> makePayload(MLIRContext *context, Random &random) {
  if (random.chance(0.33)) {
    GeneratorOptions options;
    options.functions = random.between(1, 2);
    options.ops = random.between(8, 25);
    static constexpr Level levels[] = {Level::Linalg,  Level::Linalg,
                                       Level::Loops,   Level::Vector,
                                       Level::Buffers, Level::Mixed};
    options.level = levels[random.below(6)];
    options.dynamic = 0.1;
    return generatePayload(context, random.next(), options);
  }
  std::string text;
  unsigned functions = random.chance(0.8) ? 1 : 2;
  for (unsigned i = 0; i < functions; ++i)
    text += makeChain(random, i);
  return parseSourceString<ModuleOp>(text, ParserConfig(context));
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

namespace {
/// What the generator believes of a handle; wrong now and then, on purpose.
struct Handle {
  std::string name;
  std::string kind; ///< an op name, or empty
  int64_t count = 1;
  bool many = false; ///< of another number, or of one that is not known
};

class Writer {
public:
  Writer(ModuleOp payload, Random &random) : random(random) {
    payload.walk([&](Operation *op) {
      if (op != payload.getOperation())
        ++present[op->getName().getStringRef()];
    });
    for (const auto &entry : present)
      if (StringRef(entry.getKey()) != "func.return")
        names.push_back(entry.getKey().str());
    llvm::sort(names);
    handles.push_back({"%module", "builtin.module"});
  }

  ScheduleText write() {
    unsigned wanted = random.between(2, 14);
    for (unsigned tries = 0; text.steps.size() < wanted && tries < 200; ++tries)
      step();
    return std::move(text);
  }

private:
  std::string fresh() { return "%h" + std::to_string(next++); }

  void emit(const Twine &step) { text.steps.push_back(step.str()); }

  void add(StringRef name, StringRef kind, int64_t count = 1,
           bool many = false) {
    handles.push_back({name.str(), kind.str(), count, many});
  }

  /// A handle that `fits` accepts, or null.
  const Handle *pick(llvm::function_ref<bool(const Handle &)> fits) {
    SmallVector<const Handle *> found;
    for (const Handle &handle : handles)
      if (fits(handle))
        found.push_back(&handle);
    return found.empty() ? nullptr : found[random.below(found.size())];
  }
  const Handle *pickKind(StringRef kind) {
    return pick([&](const Handle &handle) { return handle.kind == kind; });
  }
  const Handle *pickLinalg() {
    return pick([](const Handle &handle) {
      return StringRef(handle.kind).starts_with("linalg.");
    });
  }

  /// Handles to this kind are not used again; now and then one is.
  void forget(StringRef kind) {
    if (random.chance(0.06))
      return;
    llvm::erase_if(handles, [&](const Handle &handle) {
      return handle.kind == kind || handle.kind.empty() ||
             StringRef(handle.kind).starts_with("arith.");
    });
  }
  void forgetAll() {
    if (random.chance(0.06))
      return;
    handles.erase(handles.begin() + 1, handles.end());
  }

  void step() {
    static constexpr void (Writer::*steps[])() = {
        &Writer::match,      &Writer::match,       &Writer::match,
        &Writer::match,      &Writer::matchClass,  &Writer::tileFor,
        &Writer::tileFor,    &Writer::tileForall,  &Writer::tileForall,
        &Writer::fuse,       &Writer::cleanUp,     &Writer::cleanUp,
        &Writer::cleanUp,    &Writer::parent,      &Writer::producer,
        &Writer::navigate,   &Writer::castOrMerge, &Writer::split,
        &Writer::rewriteOne, &Writer::rewriteOne,  &Writer::loopOp,
        &Writer::loopOp,     &Writer::vectorize,   &Writer::bufferize,
        &Writer::pass,       &Writer::foreach,     &Writer::alternatives,
        &Writer::sequence,   &Writer::include,     &Writer::include,
        &Writer::annotate,   &Writer::parameters,  &Writer::use,
        &Writer::use,        &Writer::values,      &Writer::collect};
    (this->*steps[random.below(std::size(steps))])();
  }

  void match() {
    if (names.empty())
      return;
    std::string kind = names[random.below(names.size())];
    // What can be scheduled is looked for more often.
    for (unsigned i = 0; i < 2; ++i)
      if (!StringRef(kind).starts_with("linalg.") && kind != "func.func" &&
          !StringRef(kind).starts_with("scf."))
        kind = names[random.below(names.size())];
    if (StringRef(kind).ends_with("yield"))
      return;
    const Handle *scope =
        random.chance(0.8) ? &handles.front() : pickKind("func.func");
    if (!scope)
      return;
    std::string name = fresh();
    emit(name + " = transform.structured.match ops{[\"" + kind + "\"]} in " +
         scope->name + " : (" + anyOp + ") -> " + anyOp);
    int64_t count = present.lookup(kind);
    add(name, kind, count, count != 1);
  }

  void matchClass() {
    std::string name = fresh();
    bool loops = random.chance(0.3);
    emit(name + " = transform.structured.match interface{" +
         (loops ? "LoopLikeInterface" : "LinalgOp") + "} in %module : (" +
         anyOp + ") -> " + anyOp);
    add(name, loops ? "scf.for" : "linalg.generic", 2, true);
  }

  unsigned rankOf(StringRef kind) {
    if (kind == "linalg.matmul")
      return 3;
    if (kind == "linalg.batch_matmul")
      return 4;
    return 2;
  }

  std::string sizes(unsigned rank, bool someZero) {
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

  void tileFor() {
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
         " = transform.structured.tile_using_for " + old.name +
         " tile_sizes [" + list + "] : (" + anyOp + ") -> (" + anyOp + types +
         ")");
    forget(old.kind);
    present["scf.for"] += loops * old.count;
    add(name + "#0", old.kind, old.count, old.many);
    for (unsigned i = 0; i < loops; ++i)
      add(name + "#" + std::to_string(i + 1), "scf.for", old.count, old.many);
  }

  void tileForall() {
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
      mapping = loops == 1 ? " (mapping = [#gpu." + unit + "<x>])"
                           : " (mapping = [#gpu." + unit + "<y>, #gpu." + unit +
                                 "<x>])";
    }
    std::string name = fresh();
    emit(name + ":2 = transform.structured.tile_using_forall " + old.name +
         (random.chance(0.7) ? " tile_sizes [" : " num_threads [") + list +
         "]" + mapping + " : (" + anyOp + ") -> (" + anyOp + ", " + anyOp +
         ")");
    forget(old.kind);
    present["scf.forall"] += old.count;
    add(name + "#0", old.kind, old.count, old.many);
    add(name + "#1", "scf.forall", old.count, old.many);
  }

  void fuse() {
    const Handle *producer = pickKind("linalg.fill");
    if (!producer)
      producer = pickLinalg();
    const Handle *loop = pickKind("scf.forall");
    if (!producer || !loop || (loop->many && random.chance(0.8)))
      return;
    Handle old = *producer, into = *loop;
    std::string name = fresh();
    emit(name + ":2 = transform.structured.fuse_into_containing_op " +
         old.name + " into " + into.name + " : (" + anyOp + ", " + anyOp +
         ") -> (" + anyOp + ", " + anyOp + ")");
    forget(old.kind);
    forget("scf.forall");
    add(name + "#0", old.kind, old.count, old.many);
    add(name + "#1", "scf.forall");
  }

  void cleanUp() {
    const Handle *target = pickKind("func.func");
    if (!target || random.chance(0.3))
      target = &handles.front();
    switch (random.below(4)) {
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
          "linalg.erase_unnecessary_inputs"};
      std::string patterns;
      unsigned number = random.between(0, 3);
      for (unsigned i = 0; i < number; ++i)
        patterns +=
            ("transform.apply_patterns." + groups[random.below(10)] + " ")
                .str();
      emit("transform.apply_patterns to " + target->name + " { " + patterns +
           "} " + (random.chance(0.2) ? "{apply_cse} " : "") + ": " + anyOp);
    }
  }

  void parent() {
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

  void producer() {
    const Handle *target = pickLinalg();
    if (!target)
      return;
    std::string name = fresh();
    emit(name + " = transform.get_producer_of_operand " + target->name + "[" +
         Twine(random.below(3)) + "] : (" + anyOp + ") -> " + anyOp);
    add(name, "");
  }

  void navigate() {
    const Handle *target = pickLinalg();
    if (!target || target->many)
      return;
    std::string name = fresh();
    emit(name + " = transform.get_consumers_of_result " + target->name +
         "[0] : (" + anyOp + ") -> " + anyOp);
    add(name, "", 1, true);
  }

  void castOrMerge() {
    Handle a = handles[random.below(handles.size())];
    Handle b = handles[random.below(handles.size())];
    std::string name = fresh();
    if (random.chance(0.4)) {
      emit(name + " = transform.cast " + a.name + " : " + anyOp + " to " +
           anyOp);
      return add(name, a.kind, a.count, a.many);
    }
    emit(name + " = transform.merge_handles " +
         (random.chance(0.5) ? "deduplicate " : "") + a.name + ", " + b.name +
         " : " + anyOp);
    add(name, a.kind == b.kind ? a.kind : "", a.count + b.count, true);
  }

  void split() {
    const Handle *target = pick([](const Handle &h) { return h.many; });
    if (!target || target->count < 1 || target->count > 5)
      return;
    Handle old = *target;
    std::string name = fresh(), types;
    int64_t number = random.chance(0.9) ? old.count : old.count + 1;
    for (int64_t i = 0; i < number; ++i)
      types += (i ? ", " : "") + anyOp.str();
    emit(name + ":" + Twine(number) + " = transform.split_handle " + old.name +
         (random.chance(0.15) ? " {overflow_result = 0}" : "") + " : (" +
         anyOp + ") -> (" + types + ")");
    for (int64_t i = 0; i < number; ++i)
      add(name + "#" + std::to_string(i), old.kind);
  }

  void rewriteOne() {
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
           (random.chance(0.3) ? " vector_sizes [8, 8, 8]" : "") + " : " +
           anyOp);
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

  void loopOp() {
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

  void vectorize() {
    const Handle *target = pickKind("func.func");
    if (!target || random.chance(0.5))
      return;
    Handle old = *target;
    std::string name = fresh();
    emit(name +
         " = transform.structured.vectorize_children_and_apply_patterns " +
         old.name + " : (" + anyOp + ") -> " + anyOp);
    forgetAll();
    add(name, "func.func", old.count, old.many);
  }

  void bufferize() {
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

  void pass() {
    const Handle *target = pickKind("func.func");
    if (!target)
      return;
    Handle old = *target;
    static constexpr StringLiteral passes[] = {"canonicalize", "cse",
                                               "loop-invariant-code-motion",
                                               "convert-linalg-to-loops"};
    std::string name = fresh();
    emit(name + " = transform.apply_registered_pass \"" +
         passes[random.below(4)] + "\" to " + old.name + " : (" + anyOp +
         ") -> " + anyOp);
    forgetAll();
    add(name, "func.func", old.count, old.many);
  }

  /// A step that reads, or one that consumes, for the body of a region.
  std::string bodyFor(StringRef argument, StringRef kind, bool consumes) {
    std::string name = fresh();
    if (consumes && kind.starts_with("linalg."))
      return name + ":2 = transform.structured.tile_using_for " +
             argument.str() + " tile_sizes [2] : (" + anyOp.str() + ") -> (" +
             anyOp.str() + ", " + anyOp.str() + ")";
    if (consumes && kind == "func.func")
      return name + " = transform.apply_registered_pass \"cse\" to " +
             argument.str() + " : (" + anyOp.str() + ") -> " + anyOp.str();
    if (random.chance(0.5))
      return "transform.annotate " + argument.str() +
             " \"formwork.seen\" : " + anyOp.str();
    return name + " = transform.cast " + argument.str() + " : " + anyOp.str() +
           " to " + anyOp.str();
  }

  void foreach () {
    Handle over = handles[random.below(handles.size())];
    bool consumes = random.chance(0.5);
    std::string name = fresh(), argument = fresh();
    bool yields = random.chance(0.5);
    std::string body = bodyFor(argument, over.kind, consumes);
    bool consumed = StringRef(body).contains("tile_using") ||
                    StringRef(body).contains("registered_pass");
    std::string result =
        StringRef(body).split(' ').first.split(':').first.str();
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

  void alternatives() {
    const Handle *scope = pickKind("func.func");
    if (!scope || random.chance(0.4))
      return;
    Handle over = *scope;
    std::string argument = fresh(), inner = fresh(), second = fresh();
    std::string kind = names[random.below(names.size())];
    emit("transform.alternatives " + over.name + " : " + anyOp + " {\n^bb0(" +
         argument + ": " + anyOp + "):\n" + inner +
         " = transform.structured.match ops{[\"" + kind + "\"]} in " +
         argument + " : (" + anyOp + ") -> " + anyOp + "\n" +
         bodyFor(inner, kind, random.chance(0.5)) + "\n}, {\n^bb0(" + second +
         ": " + anyOp + "):\n}");
    forgetAll();
  }

  void sequence() {
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

  void include() {
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

  void annotate() {
    Handle target = handles[random.below(handles.size())];
    emit("transform.annotate " + target.name + " \"formwork.note\" : " + anyOp);
  }

  void parameters() {
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

  /// Keeps a handle alive, so that what is known of it is looked at.
  void use() {
    const Handle &target = handles[random.below(handles.size())];
    emit("transform.debug.emit_remark_at " + target.name +
         ", \"use\" : " + anyOp);
  }

  void values() {
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

  void collect() {
    std::string name = fresh();
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

  Random &random;
  ScheduleText text;
  std::vector<Handle> handles;
  /// How many ops of each kind there are, as far as steps are followed.
  llvm::StringMap<int64_t> present;
  std::vector<std::string> names;
  unsigned next = 0;
};
} // namespace

GeneratedPair formwork::testing::generatePair(MLIRContext *context,
                                              uint64_t seed) {
  // What does not parse is thrown away; the next stream is tried.
  for (uint64_t stream = 0;; ++stream) {
    Random random = Random::forStream(seed, stream);
    GeneratedPair pair;
    pair.payload = makePayload(context, random);
    pair.text = Writer(*pair.payload, random).write();
    pair.schedule = parseSchedule(context, pair.text);
    if (!pair.schedule)
      continue;
    pair.entry = pair.schedule->lookupSymbol<transform::NamedSequenceOp>(
        transform::TransformDialect::kTransformEntryPointSymbolName);
    return pair;
  }
}
