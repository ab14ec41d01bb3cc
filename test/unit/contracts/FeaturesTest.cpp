//===- FeaturesTest.cpp - Unusual payload -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One payload op for each feature, which has that one alone; ordinary payload,
// which has none; and how contracts admit them.
//
//===----------------------------------------------------------------------===//

#include "LanguageFixture.h"

#include "normalforms/PayloadFeatures.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

class FeaturesTest : public test::LanguageTest {
protected:
  /// The features of the op with attribute `t` in `text`, by name.
  std::vector<std::string> getNames(StringRef text) {
    context.allowUnregisteredDialects();
    OwningOpRef<ModuleOp> module = parse(text);
    std::vector<std::string> names;
    bool found = false;
    if (!module)
      return names;
    module->walk([&](Operation *op) {
      if (!op->hasAttr("t"))
        return;
      found = true;
      for (StringRef name : getFeatures(op).getNames())
        names.push_back(name.str());
    });
    EXPECT_TRUE(found);
    return names;
  }
};

/// Payload of which the op with attribute `t` has one feature.
struct Example {
  const char *feature;
  const char *text;
};

// A function has the features of what it takes.
TEST_F(FeaturesTest, OfTypes) {
  const Example examples[] = {
      {"element:complex", "tensor<4xcomplex<f32>>"},
      {"element:complex", "complex<f32>"},
      {"element:unusual-float", "tensor<4xf8E4M3FN>"},
      {"element:unusual-float", "f128"},
      {"element:no-number", "memref<4xmemref<4xf32>>"},
      {"element:signed", "tensor<4xsi8>"},
      {"element:signed", "vector<4xui32>"},
      {"element:vector", "tensor<4xvector<4xf32>>"},
      {"element:vector", "memref<4xvector<4xf32>>"},
      {"element:wide", "tensor<4xi128>"},
      {"layout:not-strided",
       "memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j)>>"},
      {"layout:overlapping", "memref<4x4xf32, strided<[0, 1]>>"},
      {"layout:overlapping", "memref<4xf32, strided<[-1], offset: 3>>"},
      {"encoding", "tensor<4xf32, 1 : i64>"},
      {"size:zero", "tensor<0x4xf32>"},
      {"size:huge", "tensor<65536x65536xf32>"},
      {"rank:high", "tensor<1x1x1x1x1x1x1xf32>"},
      {"rank:unranked", "memref<*xf32>"},
      {"vector:scalable", "vector<[4]xf32>"},
      {"memory-space:other", "memref<4xf32, \"far\">"},
      {"dialect:unknown", "!nonesuch.type"}};
  for (const Example &example : examples)
    EXPECT_THAT(getNames((Twine("func.func private @f(") + example.text +
                          ") attributes {t}")
                             .str()),
                ElementsAre(example.feature))
        << example.text;
}

TEST_F(FeaturesTest, OfOrdinaryTypes) {
  for (const char *type :
       {"tensor<4x?xf32>", "memref<4x4xf16, strided<[?, 1], offset: ?>>",
        "vector<4x8xbf16>", "tensor<f64>", "i1", "index", "tensor<8xi64>",
        "memref<4xf32, #gpu.address_space<workgroup>>", "memref<4xi8, 3>",
        "memref<1x4xf32, strided<[0, 1]>>", "tensor<1024x65536xf32>"})
    EXPECT_THAT(
        getNames(
            (Twine("func.func private @f(") + type + ") attributes {t}").str()),
        IsEmpty())
        << type;
}

TEST_F(FeaturesTest, OfOps) {
  const Example examples[] = {{"loop:not-index", R"(
func.func @f(%n: i32) {
  scf.for %i = %n to %n step %n : i32 {
  } {t}
  return
})"},
                              {"loop:unsigned", R"(
func.func @f(%n: index) {
  scf.for unsigned %i = %n to %n step %n {
  } {t}
  return
})"},
                              {"loops:none", R"(
func.func @f(%x: f32, %t: tensor<f32>) -> tensor<f32> {
  %r = linalg.fill {t} ins(%x : f32) outs(%t : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})"},
                              {"index:out-of-bounds", R"(
func.func @f(%m: memref<4xf32>) -> f32 {
  %c4 = arith.constant 4 : index
  %x = memref.load %m[%c4] {t} : memref<4xf32>
  return %x : f32
})"},
                              {"index:out-of-bounds", R"(
func.func @f(%a: tensor<4x?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %n = tensor.dim {t} %a, %c2 : tensor<4x?xf32>
  return %n : index
})"},
                              {"view:unclear", R"(
func.func @f(%m: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>, %n: index) {
  %v = memref.subview %m[0, 0, 0] [1, %n, 1] [1, 1, 1] {t}
    : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to memref<1x?xf32, strided<[?, ?], offset: ?>>
  return
})"},
                              {"body:structured", R"(
#id = affine_map<(i) -> (i)>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %z: f32) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : memref<4xf32>) attrs = {t} {
  ^bb0(%x: f32):
    linalg.fill ins(%z : f32) outs(%b : memref<4xf32>)
    linalg.yield %x : f32
  }
  return
})"},
                              {"init:none", R"(
#id = affine_map<(i) -> (i)>
func.func @f(%a: tensor<4xf32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
    ins(%a : tensor<4xf32>) attrs = {t} {
  ^bb0(%x: f32):
    linalg.yield
  }
  return
})"},
                              {"element:mixed", R"(
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
func.func @f(%a: vector<4x4xf32>, %o: vector<4x4xi32>) -> vector<4x4xi32> {
  %r = vector.contract {t, indexing_maps = [#m, #n, #o],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %a, %a, %o : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xi32>
  return %r : vector<4x4xi32>
})"},
                              {"element:mixed", R"(
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
func.func @f(%a: vector<4x4xindex>, %o: vector<4x4xindex>) -> vector<4x4xindex> {
  %r = vector.contract {t, indexing_maps = [#m, #n, #o],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %a, %a, %o : vector<4x4xindex>, vector<4x4xindex> into vector<4x4xindex>
  return %r : vector<4x4xindex>
})"},
                              {"init:tied", R"(
#id = affine_map<(i) -> (i)>
func.func @f(%a: tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    outs(%a, %a : tensor<4xf32>, tensor<4xf32>) attrs = {t} {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x, %y : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return
})"},
                              {"destination:in-place", R"(
func.func @f(%a: memref<4xf32>) {
  linalg.exp {t} ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  return
})"},
                              {"semantics:mixed", R"(
func.func @f(%a: tensor<4xf32>, %b: memref<4xf32>) {
  bufferization.materialize_in_destination %a in writable %b {t}
    : (tensor<4xf32>, memref<4xf32>) -> ()
  return
})"},
                              {"size:misfit", R"(
func.func @f(%a: tensor<1x?x1x?xf32>, %b: tensor<2x3x3x?xf32>, %c: tensor<1x5x1x2xf32>) -> tensor<1x5x1x2xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {t} ins(%a, %b : tensor<1x?x1x?xf32>, tensor<2x3x3x?xf32>) outs(%c : tensor<1x5x1x2xf32>) -> tensor<1x5x1x2xf32>
  return %r : tensor<1x5x1x2xf32>
})"},
                              {"size:misfit", R"(
func.func @f(%a: tensor<4x?xf32>, %b: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %r = linalg.exp {t} ins(%a : tensor<4x?xf32>) outs(%b : tensor<5x?xf32>) -> tensor<5x?xf32>
  return %r : tensor<5x?xf32>
})"},
                              {"size:misfit", R"(
func.func @f(%a: tensor<8xi8>, %b: tensor<8xi8>) -> tensor<8xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 7)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<8xi8>) outs(%b : tensor<8xi8>) attrs = {t} {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  } -> tensor<8xi8>
  return %r : tensor<8xi8>
})"},
                              {"size:misfit", R"(
func.func @f(%a: tensor<4x?xf32>, %b: tensor<5x8xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %b1 = tensor.cast %b : tensor<5x8xf32> to tensor<?x?xf32>
  %r = linalg.add {t} ins(%a, %b1 : tensor<4x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})"},
                              {"size:misfit", R"(
func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
  %c5 = arith.constant 5 : index
  %a1 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %e = tensor.empty(%c5) : tensor<?xf32>
  %r = linalg.exp {t} ins(%a1 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
})"},
                              {"pad:foldable", R"(
func.func @f(%a: tensor<6xf32>, %x: f32) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %a low[%c1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } {t} : tensor<6xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
})"},
                              {"pad:negative", R"(
func.func @f(%a: tensor<32x8xf32>, %x: f32) -> tensor<31x8xf32> {
  %p = tensor.pad %a low[-1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } {t} : tensor<32x8xf32> to tensor<31x8xf32>
  return %p : tensor<31x8xf32>
})"},
                              {"blocks:several", R"(
func.func @f() attributes {t} {
  cf.br ^bb1
^bb1:
  return
})"},
                              {"dialect:unknown", R"(
func.func @f() {
  "nonesuch.op"() {t} : () -> ()
  return
})"}};
  for (const Example &example : examples)
    EXPECT_THAT(getNames(example.text), ElementsAre(example.feature))
        << example.text;
}

TEST_F(FeaturesTest, OfOpsWithoutOperands) {
  EXPECT_THAT(getNames(R"(
func.func @f() {
  linalg.generic {indexing_maps = [], iterator_types = []} attrs = {t} {
    linalg.yield
  }
  return
})"),
              ElementsAre("loops:none", "operands:none"));
}

TEST_F(FeaturesTest, OfOrdinaryOps) {
  EXPECT_THAT(getNames(R"(
func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %a1 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %e = tensor.empty(%c4) : tensor<?xf32>
  %r = linalg.exp {t} ins(%a1 : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
})"),
              IsEmpty());
  EXPECT_THAT(getNames(R"(
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {t} {
  %r = linalg.matmul {t} ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
})"),
              IsEmpty());
  EXPECT_THAT(getNames(R"(
func.func @f(%a: tensor<1x?x3x?xf32>, %b: tensor<2x3x3x?xf32>, %c: tensor<1x5x1x2xf32>) -> tensor<1x5x1x2xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {t} ins(%a, %b : tensor<1x?x3x?xf32>, tensor<2x3x3x?xf32>) outs(%c : tensor<1x5x1x2xf32>) -> tensor<1x5x1x2xf32>
  return %r : tensor<1x5x1x2xf32>
})"),
              IsEmpty());
  EXPECT_THAT(getNames(R"(
func.func @f(%m: memref<8x4x?xf32>, %n: index) -> (memref<?xf32, strided<[1], offset: ?>>, f32) {
  %c3 = arith.constant 3 : index
  %v = memref.subview %m[%n, 0, 0] [1, 1, %n] [1, 1, 1] {t}
    : memref<8x4x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %x = memref.load %m[%n, %c3, %c3] {t} : memref<8x4x?xf32>
  return %v, %x : memref<?xf32, strided<[1], offset: ?>>, f32
})"),
              IsEmpty());
}

TEST_F(FeaturesTest, EveryFeatureHasItsPlace) {
  ArrayRef<PayloadFeature> features = getPayloadFeatures();
  EXPECT_EQ(features.size(), kNumFeatures);
  for (auto [i, feature] : llvm::enumerate(features)) {
    EXPECT_EQ(static_cast<unsigned>(feature.feature), i);
    EXPECT_EQ(lookupPayloadFeature(feature.name), &feature);
    EXPECT_TRUE(FeatureSet::all().contains(feature.feature));
  }
  EXPECT_EQ(lookupPayloadFeature("nonesuch"), nullptr);
}

TEST_F(FeaturesTest, TermsOfASizeAreFollowedOnce) {
  // 2^64 ways lead from the last one to the first.
  std::string chain;
  for (int i = 0; i != 64; ++i)
    chain +=
        llvm::formatv("  %n{1} = arith.addi %n{0}, %n{0} : index\n", i, i + 1)
            .str();
  EXPECT_THAT(getNames(R"(
func.func @f(%a: tensor<6xf32>, %x: f32) -> tensor<?xf32> {
  %n0 = arith.constant 1 : index
)" + chain + R"(  %p = tensor.pad %a low[%n64] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } {t} : tensor<6xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
})"),
              ElementsAre("pad:foldable"));
  // In a graph region, a value may be a term of itself.
  EXPECT_THAT(getNames(R"(
%x = arith.constant 0.0 : f32
%n = arith.addi %n, %n : index
%a = tensor.empty() : tensor<6xf32>
%p = tensor.pad %a low[%n] high[1] {
^bb0(%i: index):
  tensor.yield %x : f32
} {t} : tensor<6xf32> to tensor<?xf32>
)"),
              ElementsAre("pad:foldable"));
}

TEST_F(FeaturesTest, ContractsAdmitThem) {
  FailureOr<Contract> contract = readContract(forms->lattice(), declare(R"(
normalform.contract "transform.apply_cse" {
  normalform.admits ["size:zero", "encoding"] by "a test"
  normalform.admits ["rank:high"] by "a test" when ["count 0 is 1"]
})"));
  ASSERT_TRUE(succeeded(contract));
  FeatureSet admitted = contract->getAdmitted();
  EXPECT_TRUE(admitted.contains(Feature::SizeZero));
  EXPECT_FALSE(admitted.contains(Feature::RankHigh));
  EXPECT_TRUE(contract->hasConditions());
  FeatureSet seen;
  seen.insert(Feature::SizeZero);
  EXPECT_TRUE(seen.without(admitted).empty());
  seen.insert(Feature::RankHigh);
  EXPECT_THAT(seen.without(admitted).getNames(), ElementsAre("rank:high"));
  // A feature under a condition that holds is admitted.
  Contract settled = contract->settle(
      contract->decide([](const Condition &) { return std::optional(true); }));
  EXPECT_TRUE(seen.without(settled.getAdmitted()).empty());
}

} // namespace
