//===- ReferenceTest.cpp - Tests of the reference against plain C++ -------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Reference.h"
#include "ProgramFixture.h"

#include "llvm/Support/Process.h"

#include <chrono>
#include <cmath>

using namespace mlir;
using namespace formwork::transforms;

namespace {
class ReferenceTest : public ProgramFixture {
protected:
  /// Compiles the reference of the only function in `text` and calls it on
  /// arguments filled from the seed 7, results poisoned. The buffers are left
  /// in `buffers`.
  void run(StringRef text, ArrayRef<EntryParameter> arguments,
           ArrayRef<EntryParameter> results, int calls = 1) {
    payload = parse(text);
    auto entry = *payload->getOps<func::FuncOp>().begin();
    FailureOr<OwningOpRef<ModuleOp>> lowered =
        lowerReference(*payload, entry.getSymName());
    ASSERT_TRUE(succeeded(lowered)) << llvm::join(diagnostics, "\n");
    FailureOr<Jit> jit = Jit::create(**lowered, referenceTrampoline);
    ASSERT_TRUE(succeeded(jit)) << llvm::join(diagnostics, "\n");
    parameters.append(arguments.begin(), arguments.end());
    parameters.append(results.begin(), results.end());
    std::vector<void *> pointers;
    for (auto [i, parameter] : llvm::enumerate(parameters)) {
      buffers.push_back(std::make_unique<ArgumentBuffer>(parameter));
      if (i < arguments.size())
        buffers.back()->fill(7, i);
      else
        buffers.back()->poison();
      pointers.push_back(buffers.back()->getArgument());
    }
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      EXPECT_FALSE(jit->call(pointers.data()));
    seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
  }

  double at(unsigned buffer, uint64_t i) {
    return fwLoad(parameters[buffer].type, buffers[buffer]->getBytes().data(),
                  i);
  }
  float f32(unsigned buffer, uint64_t i) {
    return static_cast<float>(at(buffer, i));
  }

  static EntryParameter make(ArrayRef<int64_t> shape, FwElementType type) {
    EntryParameter parameter;
    parameter.shape = llvm::to_vector(shape);
    parameter.type = type;
    return parameter;
  }

  OwningOpRef<ModuleOp> payload;
  SmallVector<EntryParameter> parameters;
  std::vector<std::unique_ptr<ArgumentBuffer>> buffers;
  double seconds = 0;
};
} // namespace

TEST_F(ReferenceTest, batchMatmulIsExactAndFast) {
  run(R"(func.func @batch_matmul(%A: tensor<128x80x32xf32>,
                                 %B: tensor<128x32x320xf32>)
             -> tensor<128x80x320xf32> {
           %zero = arith.constant 0.0 : f32
           %empty = tensor.empty() : tensor<128x80x320xf32>
           %init = linalg.fill ins(%zero : f32)
             outs(%empty : tensor<128x80x320xf32>) -> tensor<128x80x320xf32>
           %C = linalg.batch_matmul
             ins(%A, %B : tensor<128x80x32xf32>, tensor<128x32x320xf32>)
             outs(%init : tensor<128x80x320xf32>) -> tensor<128x80x320xf32>
           return %C : tensor<128x80x320xf32>
         })",
      {make({128, 80, 32}, FwElementF32), make({128, 32, 320}, FwElementF32)},
      {make({128, 80, 320}, FwElementF32)});
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_LT(seconds, 1.0);
  for (int b = 0; b < 128; b += 31)
    for (int i = 0; i < 80; ++i)
      for (int j = 0; j < 320; ++j) {
        float sum = 0;
        for (int k = 0; k < 32; ++k)
          sum += f32(0, (b * 80 + i) * 32 + k) * f32(1, (b * 32 + k) * 320 + j);
        ASSERT_EQ(f32(2, (b * 80 + i) * 320 + j), sum) << b << i << j;
      }
}

TEST_F(ReferenceTest, elementwiseWithLibm) {
  run(R"(func.func @f(%a: tensor<16xf32>, %s: f32) -> tensor<16xf32> {
           %e = tensor.empty() : tensor<16xf32>
           %0 = linalg.generic {
               indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
               iterator_types = ["parallel"]}
               ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) {
             ^bb0(%x: f32, %o: f32):
               %t = math.tanh %x : f32
               %u = math.exp %t : f32
               %m = arith.mulf %u, %s : f32
               linalg.yield %m : f32
           } -> tensor<16xf32>
           return %0 : tensor<16xf32>
         })",
      {make({16}, FwElementF32),
       [] {
         EntryParameter scalar = make({}, FwElementF32);
         scalar.byValue = true;
         return scalar;
       }()},
      {make({16}, FwElementF32)});
  ASSERT_EQ(buffers.size(), 3u);
  for (int i = 0; i < 16; ++i)
    EXPECT_NEAR(f32(2, i), std::exp(std::tanh(f32(0, i))) * f32(1, 0), 1e-6);
}

TEST_F(ReferenceTest, longSumsOfBf16Grow) {
  run(R"(func.func @f() -> tensor<2xbf16> {
           %one = arith.constant 1.0 : bf16
           %zero = arith.constant 0.0 : bf16
           %e = tensor.empty() : tensor<2x4096xbf16>
           %ones = linalg.fill ins(%one : bf16)
             outs(%e : tensor<2x4096xbf16>) -> tensor<2x4096xbf16>
           %r = tensor.empty() : tensor<2xbf16>
           %init = linalg.fill ins(%zero : bf16)
             outs(%r : tensor<2xbf16>) -> tensor<2xbf16>
           %sum = linalg.reduce {arith.addf}
             ins(%ones : tensor<2x4096xbf16>)
             outs(%init : tensor<2xbf16>) dimensions = [1]
           return %sum : tensor<2xbf16>
         })",
      {}, {make({2}, FwElementBF16)});
  ASSERT_EQ(buffers.size(), 1u);
  EXPECT_EQ(at(0, 0), 4096.0);
  EXPECT_EQ(at(0, 1), 4096.0);
}

TEST_F(ReferenceTest, productsOfBf16RoundOnce) {
  run(R"(func.func @f(%a: tensor<3x512xbf16>, %b: tensor<512x5xbf16>,
                      %c: tensor<3x5xbf16>) -> tensor<3x5xbf16> {
           %0 = linalg.matmul
             ins(%a, %b : tensor<3x512xbf16>, tensor<512x5xbf16>)
             outs(%c : tensor<3x5xbf16>) -> tensor<3x5xbf16>
           return %0 : tensor<3x5xbf16>
         })",
      {make({3, 512}, FwElementBF16), make({512, 5}, FwElementBF16),
       make({3, 5}, FwElementBF16)},
      {make({3, 5}, FwElementBF16)});
  ASSERT_EQ(buffers.size(), 4u);
  // The reference may compute in its arguments.
  ArgumentBuffer start(parameters[2]);
  start.fill(7, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) {
      double sum = fwLoad(FwElementBF16, start.getBytes().data(), i * 5 + j);
      for (int k = 0; k < 512; ++k)
        sum += at(0, i * 512 + k) * at(1, k * 5 + j);
      // Half a unit in the last place, and the roundings of f32.
      EXPECT_NEAR(at(3, i * 5 + j), sum, std::abs(sum) / 256 + 1e-4);
    }
}

TEST_F(ReferenceTest, otherReductionsOfBf16KeepTheirType) {
  // A running maximum is exact in any type. The second body reads the sum that
  // it has so far, so that the type of the sum is its own matter.
  run(R"(#in = affine_map<(i, j) -> (i, j)>
         #out = affine_map<(i, j) -> (i)>
         func.func @f(%a: tensor<2x64xbf16>, %m: tensor<2xbf16>,
                      %s: tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xbf16>) {
           %max = linalg.reduce {arith.maximumf} ins(%a : tensor<2x64xbf16>)
             outs(%m : tensor<2xbf16>) dimensions = [1]
           %sum = linalg.generic {indexing_maps = [#in, #out],
               iterator_types = ["parallel", "reduction"]}
               ins(%a : tensor<2x64xbf16>) outs(%s : tensor<2xbf16>) {
             ^bb0(%x: bf16, %o: bf16):
               %d = arith.subf %x, %o : bf16
               %t = arith.addf %o, %d : bf16
               linalg.yield %t : bf16
           } -> tensor<2xbf16>
           return %max, %sum : tensor<2xbf16>, tensor<2xbf16>
         })",
      {make({2, 64}, FwElementBF16), make({2}, FwElementBF16),
       make({2}, FwElementBF16)},
      {make({2}, FwElementBF16), make({2}, FwElementBF16)});
  ASSERT_EQ(buffers.size(), 5u);
  for (int i = 0; i < 2; ++i) {
    double largest = at(1, i);
    for (int k = 0; k < 64; ++k)
      largest = std::max(largest, at(0, i * 64 + k));
    EXPECT_EQ(at(3, i), largest);
    EXPECT_NEAR(at(4, i), at(0, i * 64 + 63), 1.0 / 64);
  }
}

TEST_F(ReferenceTest, reductionInHalfPrecisionToInt) {
  // f16 and bf16 conversions both ways, and two results.
  run(R"(func.func @f(%a: tensor<4x64xf16>) -> (tensor<4xbf16>, tensor<4xf16>) {
           %z = arith.constant 0.0 : f32
           %e = tensor.empty() : tensor<4xf32>
           %i = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>)
             -> tensor<4xf32>
           %s = linalg.generic {
               indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                affine_map<(i, j) -> (i)>],
               iterator_types = ["parallel", "reduction"]}
               ins(%a : tensor<4x64xf16>) outs(%i : tensor<4xf32>) {
             ^bb0(%x: f16, %o: f32):
               %w = arith.extf %x : f16 to f32
               %n = arith.addf %o, %w : f32
               linalg.yield %n : f32
           } -> tensor<4xf32>
           %b = arith.truncf %s : tensor<4xf32> to tensor<4xbf16>
           %h = arith.truncf %s : tensor<4xf32> to tensor<4xf16>
           return %b, %h : tensor<4xbf16>, tensor<4xf16>
         })",
      {make({4, 64}, FwElementF16)},
      {make({4}, FwElementBF16), make({4}, FwElementF16)});
  ASSERT_EQ(buffers.size(), 3u);
  for (int i = 0; i < 4; ++i) {
    float sum = 0;
    for (int j = 0; j < 64; ++j)
      sum += f32(0, i * 64 + j);
    EXPECT_NEAR(at(1, i), sum, std::abs(sum) / 256) << i;
    EXPECT_NEAR(at(2, i), sum, std::abs(sum) / 2048) << i;
  }
}

TEST_F(ReferenceTest, argumentComputedInPlaceStillHasItsOwnResult) {
  run(R"(func.func @f(%a: tensor<8xf32>, %out: tensor<8xf32>)
             -> tensor<8xf32> {
           %0 = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>)
             outs(%out : tensor<8xf32>) -> tensor<8xf32>
           return %0 : tensor<8xf32>
         })",
      {make({8}, FwElementF32), make({8}, FwElementF32)},
      {make({8}, FwElementF32)});
  ASSERT_EQ(buffers.size(), 3u);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(f32(2, i), 2 * f32(0, i));
}

TEST_F(ReferenceTest, memrefPayloadWithCopyAndLoops) {
  run(R"(func.func @f(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
           %t = memref.alloc() : memref<4x4xi32>
           linalg.transpose ins(%a : memref<4x4xi32>)
             outs(%t : memref<4x4xi32>) permutation = [1, 0]
           %v = memref.subview %t[0, 2] [4, 2] [1, 1]
             : memref<4x4xi32> to memref<4x2xi32, strided<[4, 1], offset: 2>>
           %w = memref.subview %b[0, 0] [4, 2] [1, 1]
             : memref<4x4xi32> to memref<4x2xi32, strided<[4, 1]>>
           memref.copy %v, %w : memref<4x2xi32, strided<[4, 1], offset: 2>>
             to memref<4x2xi32, strided<[4, 1]>>
           scf.forall (%i, %j) in (4, 2) {
             %c2 = arith.constant 2 : index
             %k = arith.addi %j, %c2 : index
             %x = arith.index_cast %i : index to i32
             memref.store %x, %b[%i, %k] : memref<4x4xi32>
           }
           return
         })",
      {make({4, 4}, FwElementI32), make({4, 4}, FwElementI32)}, {});
  ASSERT_EQ(buffers.size(), 2u);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 2; ++j)
      EXPECT_EQ(at(1, i * 4 + j), at(0, (j + 2) * 4 + i));
    for (int j = 2; j < 4; ++j)
      EXPECT_EQ(at(1, i * 4 + j), i);
  }
}

TEST_F(ReferenceTest, softmaxAndPack) {
  run(R"(func.func @f(%a: tensor<2x8xf32>)
             -> (tensor<2x8xf32>, tensor<1x2x2x4xf32>) {
           %e = tensor.empty() : tensor<2x8xf32>
           %s = linalg.softmax dimension(1) ins(%a : tensor<2x8xf32>)
             outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
           %p = tensor.empty() : tensor<1x2x2x4xf32>
           %k = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4]
             into %p : tensor<2x8xf32> -> tensor<1x2x2x4xf32>
           return %s, %k : tensor<2x8xf32>, tensor<1x2x2x4xf32>
         })",
      {make({2, 8}, FwElementF32)},
      {make({2, 8}, FwElementF32), make({1, 2, 2, 4}, FwElementF32)});
  ASSERT_EQ(buffers.size(), 3u);
  for (int i = 0; i < 2; ++i) {
    double sum = 0;
    for (int j = 0; j < 8; ++j)
      sum += std::exp(at(0, i * 8 + j));
    for (int j = 0; j < 8; ++j) {
      EXPECT_NEAR(at(1, i * 8 + j), std::exp(at(0, i * 8 + j)) / sum, 1e-6);
      EXPECT_EQ(at(2, (j / 4 * 2 + i) * 4 + j % 4), at(0, i * 8 + j));
    }
  }
}

TEST_F(ReferenceTest, memoryIsGivenBack) {
  // Blocks of 4 and 64 KiB; the payload gives the small one back itself. As
  // MLIR leaves it, a thousand calls would keep 64 MiB.
  size_t before = llvm::sys::Process::GetMallocUsage();
  run(R"(func.func @f(%a: memref<4xf32>) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c100 = arith.constant 100 : index
           %small = memref.alloc() : memref<1024xf32>
           %x = memref.load %a[%c0] : memref<4xf32>
           linalg.fill ins(%x : f32) outs(%small : memref<1024xf32>)
           %y = memref.load %small[%c100] : memref<1024xf32>
           memref.dealloc %small : memref<1024xf32>
           %t = memref.alloc() : memref<16384xf32>
           linalg.fill ins(%y : f32) outs(%t : memref<16384xf32>)
           %z = memref.load %t[%c1] : memref<16384xf32>
           memref.store %z, %a[%c1] : memref<4xf32>
           return
         })",
      {make({4}, FwElementF32)}, {}, /*calls=*/1000);
  ASSERT_EQ(buffers.size(), 1u);
  EXPECT_EQ(at(0, 1), at(0, 0));
  EXPECT_LT(llvm::sys::Process::GetMallocUsage(), before + (16 << 20));
}

TEST_F(ReferenceTest, scheduleInThePayloadIsLeftOut) {
  run(R"(func.func @f(%a: memref<2xf32>) {
           %c0 = arith.constant 0 : index
           %z = arith.constant 3.0 : f32
           memref.store %z, %a[%c0] : memref<2xf32>
           func.call @g(%a) : (memref<2xf32>) -> ()
           return
         }
         func.func @g(%a: memref<2xf32>) {
           %c1 = arith.constant 1 : index
           %z = arith.constant 4.0 : f32
           memref.store %z, %a[%c1] : memref<2xf32>
           return
         }
         module attributes {transform.with_named_sequence} {
           transform.named_sequence @__transform_main(%m: !transform.any_op) {
             transform.yield
           }
         })",
      {make({2}, FwElementF32)}, {});
  ASSERT_EQ(buffers.size(), 1u);
  EXPECT_EQ(at(0, 0), 3.0);
  EXPECT_EQ(at(0, 1), 4.0);
}

TEST_F(ReferenceTest, unsupportedPayload) {
  context.allowUnregisteredDialects();
  payload = parse(R"(func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "elsewhere.op"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  })");
  EXPECT_TRUE(failed(lowerReference(*payload, "f")));
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0],
            "requires a payload that compiles without its schedule as "
            "reference but 'f' does not [fw-reference-unsupported]");
  EXPECT_GE(diagnostics.size(), 2u);
}
