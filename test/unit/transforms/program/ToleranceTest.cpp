//===- ToleranceTest.cpp - Tests of least tolerances ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include "transforms/program/Tolerance.h"

using namespace mlir;
using namespace formwork::transforms;

namespace {
class ToleranceTest : public ProgramFixture {
protected:
  /// The least tolerance of the last parameter of @f, a function on buffers or
  /// scalars whose lowered form is itself. `reason` receives why.
  double find(StringRef text, StringRef entryName = "f") {
    payload = parse(text);
    FailureOr<EntryPoint> entry =
        inferEntryPoint(*payload, *payload, entryName);
    EXPECT_TRUE(succeeded(entry));
    if (failed(entry))
      return -1;
    setLeastTolerances(*entry, *payload, *payload);
    reason = entry->parameters.back().toleranceReason;
    return entry->parameters.back().leastTolerance;
  }

  /// As above, of the result of a function on tensors; the lowered one has a
  /// buffer for each argument and for the result.
  double findOfTensors(StringRef text, StringRef loweredText) {
    payload = parse(text);
    lowered = parse(loweredText);
    FailureOr<EntryPoint> entry = inferEntryPoint(*payload, *lowered, "f");
    EXPECT_TRUE(succeeded(entry));
    if (failed(entry))
      return -1;
    setLeastTolerances(*entry, *payload, *lowered);
    const EntryParameter &result =
        entry->parameters[entry->resultParameters.back()];
    reason = result.toleranceReason;
    return result.leastTolerance;
  }

  OwningOpRef<ModuleOp> payload, lowered;
  std::string reason;
};
} // namespace

/// A body of one vector operation after another, from `%x : f32` to `%y`.
static std::string elementwise(StringRef body, StringRef from = "f32",
                               StringRef to = "f32") {
  return (R"(#map = affine_map<(i) -> (i)>
             func.func @f(%a: tensor<8x)" +
          from + ">) -> tensor<8x" + to + R"(> {
             %e = tensor.empty() : tensor<8x)" +
          to + R"(>
             %r = linalg.generic {indexing_maps = [#map, #map],
                 iterator_types = ["parallel"]}
                 ins(%a : tensor<8x)" +
          from + ">) outs(%e : tensor<8x" + to + ">) {\n^bb0(%x: " + from +
          ", %o: " + to + "):\n" + body + "\nlinalg.yield %y : " + to +
          "\n} -> tensor<8x" + to + ">\nreturn %r : tensor<8x" + to + ">\n}")
      .str();
}

static std::string buffers(StringRef from = "f32", StringRef to = "f32") {
  return ("func.func @f(%a: memref<8x" + from + ">, %r: memref<8x" + to +
          ">) { return }")
      .str();
}

TEST_F(ToleranceTest, exactChainsKeepTheToleranceOfTheirType) {
  EXPECT_EQ(findOfTensors(elementwise("%y = math.exp %x : f32"), buffers()), 0);
  EXPECT_EQ(reason, "");
  // An argument is what it is, and to extend it or choose loses nothing.
  EXPECT_EQ(findOfTensors(elementwise(R"(%z = arith.constant 0.0 : bf16
                                         %m = arith.maximumf %x, %z : bf16
                                         %n = math.absf %m : bf16
                                         %y = arith.extf %n : bf16 to f32)",
                                      "bf16"),
                          buffers("bf16")),
            0);
  // A result is rounded to its own type in any case.
  EXPECT_EQ(findOfTensors(elementwise("%y = arith.truncf %x : f32 to bf16",
                                      "f32", "bf16"),
                          buffers("f32", "bf16")),
            0);
}

TEST_F(ToleranceTest, eachRoundingCounts) {
  std::string once = R"(%b = arith.truncf %x : f32 to bf16
                        %y = arith.extf %b : bf16 to f32)";
  EXPECT_EQ(findOfTensors(elementwise(once), buffers()), 1.0 / 64);
  EXPECT_EQ(reason, "a rounding to bf16");
  std::string twice = R"(%b = arith.truncf %x : f32 to bf16
                         %c = math.exp %b : bf16
                         %y = arith.extf %c : bf16 to f32)";
  EXPECT_EQ(findOfTensors(elementwise(twice), buffers()), 2.0 / 64);
  EXPECT_EQ(reason, "2 roundings to bf16");
  // Ways beside each other do not add up.
  std::string beside = R"(%b = arith.truncf %x : f32 to f16
                          %c = math.exp %b : f16
                          %d = math.tanh %b : f16
                          %g = arith.extf %c : f16 to f32
                          %h = arith.extf %d : f16 to f32
                          %y = arith.addf %g, %h : f32)";
  EXPECT_EQ(findOfTensors(elementwise(beside), buffers()), 2.0 / 512);
  EXPECT_EQ(reason, "2 roundings to f16");
}

TEST_F(ToleranceTest, isAtMostThatOfTheNarrowType) {
  std::string body = "%b0 = arith.truncf %x : f32 to bf16\n";
  for (int i = 0; i < 6; ++i)
    body += "%b" + std::to_string(i + 1) + " = math.tanh %b" +
            std::to_string(i) + " : bf16\n";
  body += "%y = arith.extf %b6 : bf16 to f32";
  EXPECT_EQ(findOfTensors(elementwise(body), buffers()), 1.0 / 16);
  EXPECT_EQ(reason, "7 roundings to bf16");
}

TEST_F(ToleranceTest, ofTwoNarrowTypesTheLessExactCounts) {
  std::string body = R"(%b = arith.truncf %x : f32 to f16
                        %c = arith.extf %b : f16 to f32
                        %d = arith.truncf %c : f32 to bf16
                        %y = arith.extf %d : bf16 to f32)";
  EXPECT_EQ(findOfTensors(elementwise(body), buffers()), 1.0 / 64);
  // To f16, a rounding to f16 is nothing new; one to bf16 is.
  std::string narrow = R"(%b = arith.mulf %x, %x : f16
                          %c = arith.extf %b : f16 to f32
                          %d = arith.truncf %c : f32 to bf16
                          %g = arith.extf %d : bf16 to f32
                          %y = arith.truncf %g : f32 to f16)";
  EXPECT_EQ(
      findOfTensors(elementwise(narrow, "f16", "f16"), buffers("f16", "f16")),
      0)
      << "2^-6 is f16's own";
  std::string doubles = R"(%b = arith.truncf %x : f64 to f32
                           %y = arith.extf %b : f32 to f64)";
  EXPECT_EQ(
      findOfTensors(elementwise(doubles, "f64", "f64"), buffers("f64", "f64")),
      std::ldexp(1.0, -22));
  EXPECT_EQ(reason, "a rounding to f32");
}

TEST_F(ToleranceTest, integersAreExact) {
  EXPECT_EQ(findOfTensors(elementwise(R"(%b = arith.truncf %x : f32 to bf16
                                         %y = arith.fptosi %b : bf16 to i32)",
                                      "f32", "i32"),
                          buffers("f32", "i32")),
            0);
  // Eight bits fit into any type.
  EXPECT_EQ(findOfTensors(elementwise(R"(%b = arith.sitofp %x : i8 to bf16
                                         %y = arith.extf %b : bf16 to f32)",
                                      "i8", "f32"),
                          buffers("i8", "f32")),
            0);
  EXPECT_EQ(findOfTensors(elementwise(R"(%b = arith.sitofp %x : i32 to bf16
                                         %y = arith.extf %b : bf16 to f32)",
                                      "i32", "f32"),
                          buffers("i32", "f32")),
            1.0 / 64);
}

TEST_F(ToleranceTest, aSumOfBf16RoundsOnce) {
  constexpr StringLiteral text = R"(
    func.func @f(%a: tensor<4x64xbf16>, %b: tensor<64x8xbf16>) -> tensor<4x8xf32> {
      %zero = arith.constant 0.0 : bf16
      %e = tensor.empty() : tensor<4x8xbf16>
      %init = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x8xbf16>) -> tensor<4x8xbf16>
      %p = linalg.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x8xbf16>)
          outs(%init : tensor<4x8xbf16>) -> tensor<4x8xbf16>
      %w = arith.extf %p : tensor<4x8xbf16> to tensor<4x8xf32>
      return %w : tensor<4x8xf32>
    })";
  EXPECT_EQ(findOfTensors(text, R"(
    func.func @f(%a: memref<4x64xbf16>, %b: memref<64x8xbf16>,
                 %r: memref<4x8xf32>) { return })"),
            1.0 / 64);
  EXPECT_EQ(reason, "a rounding to bf16");
}

TEST_F(ToleranceTest, aSumOnBuffersIsAsInexactAsItsType) {
  EXPECT_EQ(find(R"(
    func.func @f(%a: memref<4x64xbf16>, %b: memref<64x8xbf16>,
                 %t: memref<4x8xbf16>, %r: memref<4x8xf32>) {
      linalg.matmul ins(%a, %b : memref<4x64xbf16>, memref<64x8xbf16>)
          outs(%t : memref<4x8xbf16>)
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                       affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%t : memref<4x8xbf16>) outs(%r : memref<4x8xf32>) {
      ^bb0(%x: bf16, %o: f32):
        %y = arith.extf %x : bf16 to f32
        linalg.yield %y : f32
      }
      return
    })"),
            1.0 / 16);
  EXPECT_EQ(reason, "roundings to bf16");
}

TEST_F(ToleranceTest, whatAViewIsWrittenIsInItsBuffer) {
  EXPECT_EQ(find(R"(
    func.func @f(%a: memref<8xf32>, %r: memref<8xf32>) {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0] : memref<8xf32>
      %b = arith.truncf %x : f32 to bf16
      %y = arith.extf %b : bf16 to f32
      %v = memref.subview %r[0] [4] [1] : memref<8xf32> to memref<4xf32>
      memref.store %y, %v[%c0] : memref<4xf32>
      return
    })"),
            1.0 / 64);
}

TEST_F(ToleranceTest, loopsRoundAnyNumberOfTimes) {
  EXPECT_EQ(find(R"(
    func.func @f(%a: memref<8xbf16>, %r: memref<8xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %x = memref.load %a[%c0] : memref<8xbf16>
      %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %x) -> bf16 {
        %u = arith.addf %t, %t : bf16
        scf.yield %u : bf16
      }
      %y = arith.extf %s : bf16 to f32
      memref.store %y, %r[%c0] : memref<8xf32>
      return
    })"),
            1.0 / 16);
}

TEST_F(ToleranceTest, calleesAndBlocksAreFollowed) {
  EXPECT_EQ(find(R"(
    func.func private @g(%x: f32, %c: i1) -> f32 {
      %b = arith.truncf %x : f32 to bf16
      cf.cond_br %c, ^one(%b : bf16), ^two
    ^one(%p: bf16):
      %y = arith.extf %p : bf16 to f32
      return %y : f32
    ^two:
      return %x : f32
    }
    func.func @f(%a: memref<8xf32>, %c: i1, %r: memref<8xf32>) {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0] : memref<8xf32>
      %y = func.call @g(%x, %c) : (f32, i1) -> f32
      memref.store %y, %r[%c0] : memref<8xf32>
      return
    })"),
            1.0 / 64);
}
