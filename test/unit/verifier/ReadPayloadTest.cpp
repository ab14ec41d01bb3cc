//===- ReadPayloadTest.cpp - The payload before the first step --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"
#include "verifier/payload/ReadOp.h"

#include "verifier/state/PayloadModel.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
class ReadPayloadTest : public VerifierTest {
protected:
  StringRef text = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0, d1) -> ()>
func.func @f(%z: f32, %v: vector<4xf32>, %a: memref<16x?xf32>, %b: memref<?x8xf32>,
             %c: memref<16x8xf32>, %d: memref<3xvector<4xf32>>, %e: memref<f32>,
             %t: tensor<4x6xf32>, %u: tensor<6x4xf32>) -> tensor<4x6xf32> {
  linalg.fill ins(%z : f32) outs(%c : memref<16x8xf32>)
  linalg.fill ins(%z : f32) outs(%e : memref<f32>)
  linalg.fill ins(%v : vector<4xf32>) outs(%d : memref<3xvector<4xf32>>)
  linalg.matmul ins(%a, %b : memref<16x?xf32>, memref<?x8xf32>)
                outs(%c : memref<16x8xf32>)
  %0 = linalg.fill ins(%z : f32) outs(%t : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #none, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%u, %z : tensor<6x4xf32>, f32) outs(%0 : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32):
    %s = arith.addf %x, %y {inner} : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
})";
};
} // namespace

TEST_F(ReadPayloadTest, SpacesAreWhatOpsSay) {
  unsigned numSpaces = 0;
  parse(text)->walk([&](Operation *op) {
    std::shared_ptr<const IterationSpace> space = readSpace(op);
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    ASSERT_EQ(space != nullptr, structured != nullptr);
    if (!space)
      return;
    ++numSpaces;
    EXPECT_EQ(ArrayRef(space->maps),
              ArrayRef(structured.getIndexingMapsArray()));
    EXPECT_EQ(ArrayRef(space->iterators),
              ArrayRef(structured.getIteratorTypesArray()));
    EXPECT_EQ(space->numInits, structured.getNumDpsInits());
    EXPECT_EQ(space->onTensors, structured.hasPureTensorSemantics());
    for (auto [loop, size] :
         llvm::zip_equal(space->loops, structured.getStaticLoopRanges()))
      EXPECT_EQ(loop.size, ShapedType::isDynamic(size) ? Size() : Size(size));
    for (auto [type, value] :
         llvm::zip_equal(space->elementTypes, op->getOperands()))
      EXPECT_EQ(type, getElementTypeOrSelf(value));
  });
  EXPECT_EQ(numSpaces, 6u);
}

TEST_F(ReadPayloadTest, NodesAreInTheOrderOfTheText) {
  ModuleOp payload = parse(text);
  PayloadModel model;
  NodeId next = model.addPayload(payload);
  unsigned position = 0;
  payload->walk<WalkOrder::PreOrder>([&](Operation *op) {
    NodeId id = model.lookup(op);
    EXPECT_EQ(id, next++);
    EXPECT_EQ(model[id].op, op);
    EXPECT_EQ(model[id].ups.front().node, model.lookup(op->getParentOp()));
  });
  payload->walk([&](Operation *op) {
    EXPECT_EQ(model[model.lookup(op)].position, position++);
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      const Node &node = model[model.lookup(op)];
      NodeId fill = model.lookup(generic.getOutputs()[0].getDefiningOp());
      EXPECT_EQ(
          ArrayRef(node.producers),
          ArrayRef({PayloadModel::universe, PayloadModel::universe, fill}));
    }
  });
}

TEST_F(ReadPayloadTest, TagsInABodyAreThoseOfItsParts) {
  auto mayHide = [&](StringRef body) {
    std::string all = text.str();
    size_t place = all.find("    %s = ");
    all.insert(place, body);
    ModuleOp payload = parse(all);
    PayloadModel model;
    NodeId root = model.addPayload(payload), generic = root;
    payload->walk([&](linalg::GenericOp op) { generic = model.lookup(op); });
    NodeId part = model.addFresh(root, *model[generic].kind, nullptr);
    EXPECT_FALSE(model.mayHideTag(StringAttr::get(&context, "inner")));
    model.inheritContents(generic, part);
    return std::pair(model.mayHideTag(StringAttr::get(&context, "inner")),
                     model.mayHideTag(StringAttr::get(&context, "deep")));
  };
  EXPECT_EQ(mayHide(""), std::pair(true, false));
  EXPECT_EQ(mayHide(R"(
    %p = arith.cmpf olt, %x, %y : f32
    scf.if %p {
      %q = arith.mulf %x, %y {deep} : f32
    }
)"),
            std::pair(true, true));
}
