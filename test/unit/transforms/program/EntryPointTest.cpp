//===- EntryPointTest.cpp - Tests of entry inference ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

using namespace mlir;
using namespace formwork::transforms;
using ::testing::ElementsAre;

namespace {
class EntryPointTest : public ProgramFixture {
protected:
  FailureOr<EntryPoint>
  infer(StringRef payloadText, StringRef loweredText, StringRef name = "",
        std::optional<int64_t> dynamicSize = std::nullopt) {
    payload = parse(payloadText);
    lowered = parse(loweredText);
    return inferEntryPoint(*payload, *lowered, name, dynamicSize);
  }

  OwningOpRef<ModuleOp> payload, lowered;
};
} // namespace

TEST_F(EntryPointTest, freshResultsFollowTheArguments) {
  FailureOr<EntryPoint> entry = infer(
      R"(func.func @f(%a: tensor<4x8xf16>, %s: f32)
             -> (tensor<4xbf16>, tensor<2xindex>) {
           %0 = tensor.empty() : tensor<4xbf16>
           %1 = tensor.empty() : tensor<2xindex>
           return %0, %1 : tensor<4xbf16>, tensor<2xindex>
         })",
      R"(func.func @f(%a: memref<4x8xf16, strided<[?, ?], offset: ?>>, %s: f32,
                      %0: memref<4xbf16>, %1: memref<2xindex>) { return })");
  ASSERT_TRUE(succeeded(entry));
  EXPECT_EQ(entry->name, "f");
  EXPECT_EQ(entry->numArguments, 2u);
  ASSERT_EQ(entry->parameters.size(), 4u);
  EXPECT_THAT(entry->resultParameters, ElementsAre(2, 3));
  const EntryParameter &a = entry->parameters[0];
  EXPECT_EQ(a.name, "arg0");
  EXPECT_EQ(a.getTypeText(), "4x8xf16");
  EXPECT_EQ(a.getByteSize(), 64u);
  EXPECT_EQ(a.role, FwRoleInput);
  EXPECT_FALSE(a.byValue);
  EXPECT_TRUE(entry->parameters[1].byValue);
  EXPECT_EQ(entry->parameters[1].type, FwElementF32);
  EXPECT_EQ(entry->parameters[2].name, "result0");
  EXPECT_EQ(entry->parameters[2].role, FwRoleOutput);
  EXPECT_EQ(entry->parameters[3].getTypeText(), "2xindex");
}

TEST_F(EntryPointTest, droppedResultIsFoundThroughDestinations) {
  FailureOr<EntryPoint> entry = infer(
      R"(func.func @f(%a: tensor<8xf32>, %out: tensor<8xf32>)
             -> (tensor<8xf32>, tensor<4xf32>) {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c2 = arith.constant 2 : index
           %z = arith.constant 0.0 : f32
           %filled = linalg.fill ins(%z : f32) outs(%out : tensor<8xf32>)
             -> tensor<8xf32>
           %r = scf.for %i = %c0 to %c2 step %c1
               iter_args(%acc = %filled) -> (tensor<8xf32>) {
             %s = tensor.extract_slice %a[%i] [4] [1]
               : tensor<8xf32> to tensor<4xf32>
             %n = tensor.insert_slice %s into %acc[%i] [4] [1]
               : tensor<4xf32> into tensor<8xf32>
             scf.yield %n : tensor<8xf32>
           }
           %e = tensor.empty() : tensor<4xf32>
           %g = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>)
             -> tensor<4xf32>
           return %r, %g : tensor<8xf32>, tensor<4xf32>
         })",
      R"(func.func @f(%a: memref<8xf32>, %out: memref<8xf32>,
                      %g: memref<4xf32>) { return })");
  ASSERT_TRUE(succeeded(entry));
  EXPECT_THAT(entry->resultParameters, ElementsAre(1, 2));
  EXPECT_EQ(entry->parameters[0].role, FwRoleInput);
  EXPECT_EQ(entry->parameters[1].role, FwRoleInOut);
  EXPECT_EQ(entry->parameters[2].role, FwRoleOutput);
}

TEST_F(EntryPointTest, droppedResultThroughForall) {
  FailureOr<EntryPoint> entry = infer(
      R"(func.func @f(%a: tensor<8xf32>, %out: tensor<8xf32>)
             -> tensor<8xf32> {
           %r = scf.forall (%i) in (2) shared_outs(%o = %out)
               -> (tensor<8xf32>) {
             %s = tensor.extract_slice %a[%i] [4] [1]
               : tensor<8xf32> to tensor<4xf32>
             scf.forall.in_parallel {
               tensor.parallel_insert_slice %s into %o[%i] [4] [1]
                 : tensor<4xf32> into tensor<8xf32>
             }
           }
           return %r : tensor<8xf32>
         })",
      "func.func @f(%a: memref<8xf32>, %out: memref<8xf32>) { return }");
  ASSERT_TRUE(succeeded(entry));
  EXPECT_THAT(entry->resultParameters, ElementsAre(1));
}

TEST_F(EntryPointTest, lostResultIsAnError) {
  EXPECT_TRUE(failed(infer(
      R"(func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
           %0 = tensor.empty() : tensor<8xf32>
           return %0 : tensor<8xf32>
         })",
      "func.func @f(%a: memref<8xf32>) { return }")));
  EXPECT_THAT(
      diagnostics,
      ElementsAre("requires to know where the results of 'f' end but the "
                  "lowered function has 0 out-parameters for 1 results, of "
                  "which 0 are computed in an argument of their own "
                  "[fw-entry-lost-result]",
                  "note: the lowered function has type (memref<8xf32>) -> ()"));
}

TEST_F(EntryPointTest, memrefArgumentsAreInOut) {
  StringRef text =
      "func.func @f(%a: memref<8xi32>, %b: memref<i64>) { return }";
  FailureOr<EntryPoint> entry = infer(text, text);
  ASSERT_TRUE(succeeded(entry));
  EXPECT_TRUE(entry->resultParameters.empty());
  EXPECT_EQ(entry->parameters[0].role, FwRoleInOut);
  EXPECT_EQ(entry->parameters[1].role, FwRoleInOut);
  EXPECT_TRUE(entry->parameters[1].shape.empty());
  EXPECT_FALSE(entry->parameters[1].byValue);
}

TEST_F(EntryPointTest, entryIsChosenByName) {
  StringRef text = R"(func.func @f() { return }
                      func.func @g(%a: f32) { return }
                      func.func private @h() { return }
                      func.func private @d())";
  EXPECT_TRUE(failed(infer(text, text)));
  EXPECT_THAT(diagnostics,
              ElementsAre("requires one public function as entry but has 2 "
                          "[fw-entry-ambiguous]",
                          "note: candidate 'f'", "note: candidate 'g'",
                          "note: fix-it: choose one with --entry=f"));
  FailureOr<EntryPoint> entry = infer(text, text, "g");
  ASSERT_TRUE(succeeded(entry));
  EXPECT_EQ(entry->name, "g");

  diagnostics.clear();
  EXPECT_TRUE(failed(infer(text, text, "d")));
  EXPECT_THAT(diagnostics, ElementsAre("requires a function 'd' with a body as "
                                       "entry but has its declaration only "
                                       "[fw-entry-missing]"));
  diagnostics.clear();
  EXPECT_TRUE(failed(infer(text, text, "x")));
  EXPECT_TRUE(hasDiagnostic("[fw-entry-missing]"));
}

TEST_F(EntryPointTest, noEntry) {
  EXPECT_TRUE(failed(infer("func.func private @d()", "")));
  EXPECT_TRUE(hasDiagnostic("[fw-entry-missing]"));
}

TEST_F(EntryPointTest, dynamicShapes) {
  EXPECT_TRUE(failed(infer("func.func @f(%a: tensor<4x?xf32>) { return }",
                           "func.func @f(%a: memref<4x?xf32>) { return }")));
  EXPECT_THAT(diagnostics,
              ElementsAre("requires static shapes at the entry but argument 0 "
                          "has type tensor<4x?xf32> [fw-entry-dynamic-shape]",
                          "note: fix-it: write the payload for one shape; "
                          "formwork run takes any"));
}

TEST_F(EntryPointTest, openSizes) {
  FailureOr<EntryPoint> entry = infer(
      "func.func @f(%a: tensor<4x?xf32>) { return }",
      "func.func @f(%a: memref<4x?xf32>) { return }", "", ShapedType::kDynamic);
  ASSERT_TRUE(succeeded(entry));
  EntryParameter &parameter = entry->parameters.front();
  EXPECT_TRUE(parameter.hasOpenSize());
  EXPECT_EQ(parameter.getTypeText(), "4x?xf32");
  parameter.shape[1] = 8;
  EXPECT_FALSE(parameter.hasOpenSize());
  EXPECT_EQ(parameter.getByteSize(), 4u * 8 * 4);
  // A lowered function may know less than the payload, but nothing else.
  EXPECT_TRUE(succeeded(infer("func.func @f(%a: tensor<4x8xf32>) { return }",
                              "func.func @f(%a: memref<4x?xf32>) { return }",
                              "", ShapedType::kDynamic)));
  EXPECT_TRUE(failed(infer("func.func @f(%a: tensor<4x?xf32>) { return }",
                           "func.func @f(%a: memref<4x8xf32>) { return }", "",
                           ShapedType::kDynamic)));
  EXPECT_TRUE(hasDiagnostic("[fw-entry-mismatch]"));
}

TEST_F(EntryPointTest, sizesThatNoDeviceHas) {
  for (StringRef type :
       {"tensor<4611686018427387904x4xf32>", "tensor<1048577x1048576xi8>",
        "tensor<0x9223372036854775807xi8>"}) {
    std::string text = ("func.func @f(%a: " + type + ") { return }").str();
    diagnostics.clear();
    EXPECT_TRUE(failed(infer(text, text))) << type.str();
    EXPECT_TRUE(hasDiagnostic("[fw-entry-too-large]")) << type.str();
  }
}

TEST_F(EntryPointTest, unsupportedTypes) {
  for (StringRef type :
       {"tensor<4xcomplex<f32>>", "memref<4xvector<4xf32>>", "tensor<*xf32>",
        "i7", "tensor<4xui8>", "memref<4x4xf32, strided<[8, 1]>>",
        "memref<4x4xf32, affine_map<(i, j) -> (j, i)>>"}) {
    std::string text = ("func.func @f(%a: " + type + ") { return }").str();
    diagnostics.clear();
    EXPECT_TRUE(failed(infer(text, text))) << type.str();
    EXPECT_TRUE(hasDiagnostic("[fw-entry-unsupported-type]")) << type.str();
  }
  diagnostics.clear();
  StringRef scalar = "func.func @f(%a: f32) -> f32 { return %a : f32 }";
  EXPECT_TRUE(failed(infer(scalar, scalar)));
  EXPECT_TRUE(hasDiagnostic("[fw-entry-unsupported-type]"));
}

TEST_F(EntryPointTest, loweredFunctionOfAnotherShape) {
  StringRef payloadText =
      R"(func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
           %0 = tensor.empty() : tensor<8xf32>
           return %0 : tensor<8xf32>
         })";
  for (StringRef loweredText :
       {"func.func @g() { return }", "func.func @f() { return }",
        "func.func @f(%a: memref<8xf32>) -> memref<8xf32> "
        "{ return %a : memref<8xf32> }",
        "func.func @f(%a: memref<8xf32>, %b: memref<4xf32>) { return }",
        "func.func @f(%a: memref<8xf16>, %b: memref<8xf32>) { return }",
        "func.func @f(%a: f32, %b: memref<8xf32>) { return }"}) {
    diagnostics.clear();
    EXPECT_TRUE(failed(infer(payloadText, loweredText))) << loweredText.str();
    EXPECT_TRUE(hasDiagnostic("[fw-entry-mismatch]")) << loweredText.str();
  }
}

TEST_F(EntryPointTest, indicesAreLimitedByWhatTheyIndex) {
  StringRef text = R"(
    func.func private @at(%table: memref<9x5xf32>, %i: index, %j: index) -> f32 {
      %v = memref.load %table[%i, %j] : memref<9x5xf32>
      return %v : f32
    }
    func.func @f(%table: memref<9x5xf32>, %ids: memref<4xi32>, %begin: index,
                 %computed: index, %narrow: memref<4xi8>, %data: memref<4xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %id = memref.load %ids[%c0] : memref<4xi32>
      %i = arith.index_cast %id : i32 to index
      %n = memref.load %narrow[%i] : memref<4xi8>
      %j = arith.index_cast %n : i8 to index
      %next = arith.addi %computed, %c1 : index
      %v = func.call @at(%table, %i, %j) : (memref<9x5xf32>, index, index) -> f32
      %w = memref.load %table[%next, %c0] : memref<9x5xf32>
      %s = memref.subview %table[%begin, 0] [3, 5] [2, 1]
          : memref<9x5xf32> to memref<3x5xf32, strided<[10, 1], offset: ?>>
      return
    })";
  FailureOr<EntryPoint> entry = infer(text, text);
  ASSERT_TRUE(succeeded(entry));
  SmallVector<uint64_t> limits;
  for (const EntryParameter &parameter : entry->parameters)
    limits.push_back(parameter.indexLimit);
  EXPECT_THAT(limits, ElementsAre(0, 4, 5, 0, 5, 0));
}

TEST_F(EntryPointTest, indicesAreLimitedByOpenSizes) {
  StringRef text = R"(
    func.func @f(%table: memref<?x300xf32>, %row: memref<4xindex>, %column: i8) {
      %c0 = arith.constant 0 : index
      %i = memref.load %row[%c0] : memref<4xindex>
      %j = arith.index_cast %column : i8 to index
      %v = memref.load %table[%i, %j] : memref<?x300xf32>
      return
    })";
  FailureOr<EntryPoint> entry = infer(text, text, "", 17);
  ASSERT_TRUE(succeeded(entry));
  EXPECT_EQ(entry->parameters[1].indexLimit, 17u);
  // What a byte holds that is not negative.
  EXPECT_EQ(entry->parameters[2].indexLimit, 128u);
}
