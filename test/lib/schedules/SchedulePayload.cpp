//===- SchedulePayload.cpp - Payload worth scheduling ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/SchedulePayload.h"

#include "test/lib/generator/PayloadGenerator.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork::testing;

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

OwningOpRef<ModuleOp>
formwork::testing::makeSchedulePayload(MLIRContext *context, Random &random) {
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
