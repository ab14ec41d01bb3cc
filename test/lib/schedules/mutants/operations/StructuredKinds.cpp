//===- StructuredKinds.cpp - Breakage on structured ops -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/operations/StructuredKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// A padding of what `spot` holds; its first result is of the same type.
static Operation *insertPad(Spot &spot, Random &random) {
  unsigned number = random.chance(0.8) ? 3 : random.between(1, 4);
  StringRef type = random.chance(0.95) ? "f32" : "f16";
  std::string values, flags, dims,
      zero = type == "f32" ? "0.0 : f32" : "0.0 : f16";
  for (unsigned i = 0; i < number; ++i) {
    values += (i ? ", " : "") + zero;
    flags += std::string(i ? ", " : "") + (random.chance(0.5) ? "1" : "0");
  }
  unsigned numDims = random.between(1, 3);
  for (unsigned i = 0; i < numDims; ++i)
    dims += (i ? ", " : "") + std::to_string(i);
  std::string multiple;
  if (random.chance(0.5))
    multiple = " pad_to_multiple_of [" +
               pickNumbers(random, numDims, {1, 2, 4, 8}) + "]";
  StringRef copy = pickText(random, {"", ", copy_back_op = \"none\"",
                                     ", copy_back_op = \"linalg.copy\""});
  return insertText(
      spot.place, spot.handle,
      "%p, %d, %c = transform.structured.pad %h" + multiple +
          " {padding_values = [" + values + "], padding_dimensions = [" + dims +
          "], nofold_flags = [" + flags + "]" + copy + "} : (" + spot.type +
          ") -> (" + spot.type + ", !transform.any_op, !transform.any_op)");
}

bool formwork::testing::padOperands(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  Operation *pad = spot ? insertPad(*spot, random) : nullptr;
  return goOnWith(pad, spot->handle, 0.7, random);
}

bool formwork::testing::hoistPad(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  // Mostly what stands in loops.
  for (unsigned i = 0; i < 3 && spot; ++i)
    if (!isa_and_nonnull<transform::TileUsingForOp>(
            spot->handle.getDefiningOp()))
      spot = pickSpotToAppend(entry, random, isStructuredKind);
  Operation *pad = spot ? insertPad(*spot, random) : nullptr;
  if (!pad)
    return false;
  unsigned operand = random.below(3);
  unsigned loops = random.oneOf(ArrayRef<unsigned>{1, 1, 2, 3});
  std::string text = "%o = transform.get_producer_of_operand %h[" +
                     std::to_string(operand) + "] : (" + spot->type +
                     ") -> !transform.op<\"tensor.pad\">\n";
  Value loop = pickVisible(pad, random, isLoopKind);
  bool above = loop && random.chance(0.3);
  if (above)
    text += "%n = transform.structured.hoist_pad.build_packing_loop_nest %o "
            "above %h1 : (!transform.op<\"tensor.pad\">, " +
            getTypeText(loop) + ") -> !transform.any_op";
  else
    text += "%n = transform.structured.hoist_pad %o by " +
            std::to_string(loops) +
            " loops : (!transform.op<\"tensor.pad\">) -> !transform.any_op";
  Values read{pad->getResult(0)};
  if (above)
    read.push_back(loop);
  if (!insertText(spot->place, read, text))
    return false;
  return goOnWith(pad, spot->handle, 0.7, random);
}

bool formwork::testing::splitDimension(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  unsigned dimension = random.chance(0.9) ? random.below(2) : 5;
  int64_t at = random.oneOf(ArrayRef<int64_t>{1, 2, 3, 4, 8, 64});
  Operation *split = insertText(
      spot->place, spot->handle,
      "%s = transform.structured.split %h after " + std::to_string(at) +
          " {dimension = " + std::to_string(dimension) + "} : " + spot->type);
  if (!split)
    return false;
  if (random.chance(0.3)) {
    rebindToResult(split, spot->handle);
    return true;
  }
  Operation *parts =
      insertText(spot->place, split->getResult(0),
                 "%a, %b = transform.split_handle %h : (" +
                     getTypeText(split->getResult(0)) + ") -> (" + spot->type +
                     ", " + spot->type + ")");
  if (!parts)
    return false;
  if (random.chance(0.8))
    rebindToResult(parts, spot->handle, random.below(2));
  return true;
}

bool formwork::testing::splitReduction(NamedSequenceOp entry, Random &random) {
  // Takes other ops than contractions now and then.
  bool any = random.chance(0.2);
  std::optional<Spot> spot =
      pickSpotToAppend(entry, random, [&](StringRef kind) {
        return any ? isStructuredKind(kind) : kind == "linalg.matmul";
      });
  if (!spot)
    return false;
  std::string results = " : (" + spot->type +
                        ") -> (!transform.any_op, "
                        "!transform.any_op, " +
                        spot->type + ", !transform.any_op)";
  std::string factor =
      std::to_string(random.oneOf(ArrayRef<int64_t>{1, 2, 2, 3, 4}));
  unsigned form = random.below(3);
  std::string text;
  if (form == 0) {
    std::string where = std::to_string(random.below(3));
    StringRef more =
        pickText(random, {"", ", inner_parallel", ", use_scaling_algorithm",
                          ", use_alloc"});
    text = "%a, %b, %c, %d = transform.structured.split_reduction %h "
           "{split_factor = " +
           factor + " : i64, insert_split_dimension = " + where + " : i64" +
           more.str() + "}" + results;
  } else {
    StringRef zeros =
        pickText(random, {"0, 0, ", "0, 0, ", "0, 0, ", "0, ", ""});
    std::string sizes = "[" + zeros.str() + factor + "]";
    text = form == 1 ? "%a, %b, %c, %d = transform.structured."
                       "tile_reduction_using_for %h by tile_sizes = " +
                           sizes
                     : "%a, %b, %c, %d = transform.structured."
                       "tile_reduction_using_forall %h by num_threads = " +
                           sizes + " tile_sizes = []";
    // The op that is tiled comes second.
    results = " : (" + spot->type + ") -> (!transform.any_op, " + spot->type +
              ", !transform.any_op, !transform.any_op)";
    text += results;
  }
  Operation *split = insertText(spot->place, spot->handle, text);
  return goOnWith(split, spot->handle, 0.7, random, form == 0 ? 2 : 1);
}

bool formwork::testing::packOp(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  unsigned rank = guessKind(spot->handle) == "linalg.matmul" ? 3 : 2;
  unsigned number = random.chance(0.8) ? rank : random.between(1, 3);
  std::string sizes = pickNumbers(random, number, {0, 2, 2, 4});
  Operation *pack =
      insertText(spot->place, spot->handle,
                 "%p = transform.structured.pack %h packed_sizes = [" + sizes +
                     "] : (" + spot->type + ") -> !transform.any_op");
  if (!pack)
    return false;
  if (random.chance(0.4)) {
    unsigned operand = random.below(3);
    Operation *lower = insertText(
        spot->place, pack->getResult(0),
        "%o = transform.get_producer_of_operand %h[" + std::to_string(operand) +
            "] : (!transform.any_op) -> !transform.op<\"linalg.pack\">\n"
            "%a, %b, %c = transform.structured.lower_pack %o : "
            "(!transform.op<\"linalg.pack\">) -> "
            "(!transform.op<\"tensor.pad\">, "
            "!transform.op<\"tensor.expand_shape\">, "
            "!transform.op<\"linalg.transpose\">)");
    if (!lower)
      return false;
  }
  return goOnWith(pack, spot->handle, 0.7, random);
}

bool formwork::testing::multiSizes(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  std::string size = std::to_string(random.between(2, 5));
  std::string divisor = std::to_string(random.chance(0.9) ? 1 : 2);
  unsigned first = random.below(2);
  unsigned second = random.chance(0.8) ? first : 1 - first;
  StringRef param =
      random.chance(0.8) ? "!transform.param<i64>" : "!transform.any_op";
  std::string any = spot->type, by = param.str();
  std::string text =
      "%low, %high, %at = transform.structured.multitile_sizes %h "
      "{dimension = " +
      std::to_string(first) + ", target_size = " + size +
      ", divisor = " + divisor + "} : (" + any + ") -> " + by + "\n";
  // Some tile the whole by one of the sizes.
  bool whole = random.chance(0.3);
  std::string zeros = second == 1 ? "0, " : "";
  std::string tiles =
      "] : (" + any + ", " + by + ") -> (" + any + ", !transform.any_op)";
  if (!whole) {
    bool swapped = random.chance(0.3);
    text += "%s = transform.structured.split %h after %at {dimension = " +
            std::to_string(first) + "} : " + any + ", " + by +
            "\n%a, %b = transform.split_handle %s : (" + any + ") -> (" + any +
            ", " + any +
            ")\n%u, %m = transform.structured.tile_using_for %b "
            "tile_sizes [" +
            zeros + (swapped ? "%low" : "%high") + tiles +
            "\n%t, %l = transform.structured.tile_using_for %a tile_sizes [" +
            zeros + (swapped ? "%high" : "%low") + tiles;
  } else {
    text += "%t, %l = transform.structured.tile_using_for %h tile_sizes [" +
            zeros + "%low" + tiles;
  }
  Operation *tile = insertText(spot->place, spot->handle, text);
  return goOnWith(tile, spot->handle, 0.7, random);
}

bool formwork::testing::interchangeLoops(NamedSequenceOp entry,
                                         Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  bool deep = guessKind(spot->handle) == "linalg.matmul";
  StringRef fits = deep ? pickText(random, {"1, 0, 2", "2, 0, 1", "0, 2, 1"})
                        : StringRef("1, 0");
  StringRef order = pickText(
      random, {fits, fits, fits, fits, "0", "1, 0", "2, 1, 0", "1, 2, 0, 3"});
  bool forgets = random.chance(0.2);
  std::string generalize = "%g = transform.structured.generalize %h : (" +
                           spot->type + ") -> !transform.any_op\n";
  Operation *interchange = insertText(
      spot->place, spot->handle,
      (forgets ? std::string() : generalize) +
          "%i = transform.structured.interchange " + (forgets ? "%h" : "%g") +
          " iterator_interchange = [" + order.str() + "] : (" +
          (forgets ? spot->type : "!transform.any_op") + ") -> " + spot->type);
  return goOnWith(interchange, spot->handle, 0.8, random);
}

bool formwork::testing::vectorSizes(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOf(entry, random, isStructuredKind);
  if (!spot)
    return false;
  std::string sizes =
      pickNumbers(random, random.between(1, 3), {2, 4, 8, 8, 16, 16, 32, 64});
  StringRef flags = pickText(random, {"", "", " {create_named_contraction}",
                                      " {vectorize_nd_extract}"});
  return insertText(spot->place, spot->handle,
                    "transform.structured.vectorize %h vector_sizes [" + sizes +
                        "]" + flags + " : " + spot->type);
}

bool formwork::testing::allocateEarly(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  if (random.chance(0.4)) {
    std::string operand = std::to_string(random.below(3));
    return insertText(spot->place, spot->handle,
                      "%v = transform.get_operand %h[" + operand + "] : (" +
                          spot->type + ") -> !transform.any_value\n" +
                          "%b = transform.structured.promote_tensor %v : "
                          "!transform.any_value");
  }
  StringRef how = pickText(
      random, {"", " {bufferize_destination_only}",
               " {bufferize_destination_only, emit_dealloc}",
               " {memcpy_op = \"linalg.copy\"}", " {memory_space = 3}",
               " {alloc_op = \"memref.alloca\", memcpy_op = \"memref.copy\"}"});
  return insertText(spot->place, spot->handle,
                    "%b, %o = transform.structured.bufferize_to_allocation %h" +
                        how + " : " + spot->type);
}

bool formwork::testing::paramPerOp(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  // The pattern that is repeated over; some take another, some forget it.
  Value over = spot->handle;
  if (random.chance(0.3))
    over = pickVisible(spot->place, random, [](StringRef) { return true; });
  if (!over)
    return false;
  bool forgets = random.chance(0.25);
  std::string size = std::to_string(random.between(1, 4));
  StringRef type =
      random.chance(0.92) ? "!transform.param<i64>" : "!transform.any_param";
  std::string replicate =
      "%r = transform.replicate num(%h1) %n : " + getTypeText(over) + ", " +
      type.str() + "\n";
  StringRef zeros = pickText(random, {"", "", "0, "});
  Operation *tile = insertText(
      spot->place, {spot->handle, over},
      "%n = transform.param.constant " + size + " : i64 -> " + type + "\n" +
          (forgets ? std::string() : replicate) +
          "%t, %l = transform.structured.tile_using_for %h tile_sizes [" +
          zeros + (forgets ? "%n" : "%r") + "] : (" + spot->type + ", " + type +
          ") -> (" + spot->type + ", !transform.any_op)");
  return goOnWith(tile, spot->handle, 0.7, random);
}
