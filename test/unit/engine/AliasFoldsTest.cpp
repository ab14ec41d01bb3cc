//===- AliasFoldsTest.cpp - Folds of views keep elements --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses to views of all shapes: those that the guard lets through access the
// same elements of the buffer afterwards, and those that it is known to refuse
// stay.
//
//===----------------------------------------------------------------------===//

#include "TestPayload.h"

#include "engine/AliasFolds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/TransformOps/MemRefTransformOps.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <random>

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::test;

namespace {

class AliasFoldsTest : public EngineTest {
protected:
  AliasFoldsTest() {
    DialectRegistry registry;
    registry
        .insert<gpu::GPUDialect, nvgpu::NVGPUDialect, vector::VectorDialect>();
    memref::registerTransformDialectExtension(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    rules = makeDriver(aliasFoldGroup).rules;
  }

  /// Folds what the rules fold in the body of a function with `arguments`.
  std::string fold(StringRef arguments, StringRef body) {
    auto module =
        parse(("func.func @f(" + arguments + ", %i: index) {\n" +
               "%c = arith.constant 0.0 : f32\n" + body + "\nreturn\n}")
                  .str());
    EXPECT_TRUE(
        succeeded(applyPatternsGreedily(*module, rules->getPatterns())));
    EXPECT_TRUE(succeeded(verify(*module)));
    return print(*module);
  }
  bool folds(StringRef arguments, StringRef body, StringRef view) {
    return !StringRef(fold(arguments, body)).contains(view);
  }

  std::shared_ptr<const RuleSet> rules;
};

constexpr StringLiteral expand4x8 =
    "%v = memref.expand_shape %m [[0, 1]] output_shape [4, 8] "
    ": memref<32xf32> into memref<4x8xf32>\n";

TEST_F(AliasFoldsTest, ReadsTheLastDimensionOfAGroup) {
  EXPECT_TRUE(folds("%m: memref<32xf32>",
                    expand4x8.str() +
                        "%r = vector.transfer_read %v[%i, %i], %c {in_bounds "
                        "= [true]} : memref<4x8xf32>, vector<8xf32>\n"
                        "vector.print %r : vector<8xf32>",
                    "expand_shape"));
}

TEST_F(AliasFoldsTest, KeepsAReadWithTheBoundsOfTheView) {
  EXPECT_FALSE(folds("%m: memref<32xf32>",
                     expand4x8.str() +
                         "%r = vector.transfer_read %v[%i, %i], %c : "
                         "memref<4x8xf32>, vector<8xf32>\n"
                         "vector.print %r : vector<8xf32>",
                     "expand_shape"));
}

TEST_F(AliasFoldsTest, KeepsAReadAcrossADimensionInsideAGroup) {
  // As a group norm reads: rows of the view are parts of one row of the buffer.
  EXPECT_FALSE(
      folds("%m: memref<2x32xf32>",
            "%v = memref.expand_shape %m [[0], [1, 2]] output_shape [2, 4, 8] "
            ": memref<2x32xf32> into memref<2x4x8xf32>\n"
            "%r = vector.transfer_read %v[%i, %i, %i], %c {in_bounds = [true, "
            "true]} : memref<2x4x8xf32>, vector<4x8xf32>\n"
            "vector.print %r : vector<4x8xf32>",
            "expand_shape"));
}

TEST_F(AliasFoldsTest, KeepsAPermutedRead) {
  EXPECT_FALSE(
      folds("%m: memref<4x8xf32>",
            "%v = memref.expand_shape %m [[0, 1], [2]] output_shape [4, 1, 8] "
            ": memref<4x8xf32> into memref<4x1x8xf32>\n"
            "%r = vector.transfer_read %v[%i, %i, %i], %c {in_bounds = [true, "
            "true], permutation_map = affine_map<(a, b, c) -> (c, a)>} : "
            "memref<4x1x8xf32>, vector<8x4xf32>\n"
            "vector.print %r : vector<8x4xf32>",
            "expand_shape"));
}

TEST_F(AliasFoldsTest, ReadsPastDimensionsOfSizeOne) {
  EXPECT_TRUE(
      folds("%m: memref<4x8xf32>",
            "%v = memref.expand_shape %m [[0, 1], [2]] output_shape [1, 4, 8] "
            ": memref<4x8xf32> into memref<1x4x8xf32>\n"
            "%r = vector.transfer_read %v[%i, %i, %i], %c : "
            "memref<1x4x8xf32>, vector<4x8xf32>\n"
            "vector.print %r : vector<4x8xf32>",
            "expand_shape"));
}

TEST_F(AliasFoldsTest, KeepsRowsThatASubviewSkips) {
  EXPECT_FALSE(folds("%m: memref<8x8xf32>",
                     "%v = memref.subview %m[0, 0] [4, 8] [2, 1] : "
                     "memref<8x8xf32> to memref<4x8xf32, strided<[16, 1]>>\n"
                     "%r = vector.load %v[%i, %i] : memref<4x8xf32, "
                     "strided<[16, 1]>>, vector<2x4xf32>\n"
                     "vector.print %r : vector<2x4xf32>",
                     "subview"));
}

TEST_F(AliasFoldsTest, KeepsASubviewWhoseDroppedDimensionsMlirCannotTell) {
  // MLIR compares strides to find them, and crashes where none is equal.
  EXPECT_FALSE(
      folds("%m: memref<2x4x1x1xf32>",
            "%v = memref.subview %m[1, 0, 0, 0] [1, 2, 1, 1] [1, 2, 1, 1] : "
            "memref<2x4x1x1xf32> to memref<2x1xf32, strided<[2, 1], offset: "
            "4>>\n"
            "memref.store %c, %v[%i, %i] : memref<2x1xf32, strided<[2, 1], "
            "offset: 4>>",
            "subview"));
}

TEST_F(AliasFoldsTest, FoldsSingleElementsAndRuns) {
  EXPECT_TRUE(folds("%m: memref<8x4xf32>",
                    "%v = memref.collapse_shape %m [[0, 1]] : memref<8x4xf32> "
                    "into memref<32xf32>\n"
                    "memref.store %c, %v[%i] : memref<32xf32>\n"
                    "%r = vector.load %v[%i] : memref<32xf32>, vector<4xf32>\n"
                    "vector.store %r, %v[%i] : memref<32xf32>, vector<4xf32>",
                    "collapse_shape"));
}

TEST_F(AliasFoldsTest, RulesKeepTheirNames) {
  unsigned named = 0;
  for (const auto &[root, group] :
       rules->getPatterns().getOpSpecificNativePatterns())
    for (const RewritePattern *rule : group)
      named += StringRef(getRuleName(rule->getDebugName())).contains("Fold");
  EXPECT_GE(named, 20u);
}

//===----------------------------------------------------------------------===//
// The elements, counted
//===----------------------------------------------------------------------===//

/// A constant access to a view of a constant shape.
class RandomAccess {
public:
  RandomAccess(MLIRContext *context, unsigned seed)
      : random(seed), builder(context) {
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
    Value view = makeView();
    Operation *access = makeAccess(view);
    if (access->getNumResults())
      vector::PrintOp::create(builder, access->getLoc(), access->getResult(0));
  }

  ModuleOp getModule() { return *module; }

  /// The address of each element of the vector in order; -1 for padding.
  std::vector<int64_t> findAddresses() {
    Operation *op = nullptr;
    module->walk([&](Operation *other) {
      if (isa<vector::LoadOp, vector::StoreOp, vector::TransferReadOp>(other))
        op = other;
    });
    EXPECT_TRUE(op);
    auto read = dyn_cast<vector::TransferReadOp>(op);
    MemRefType type;
    SmallVector<Value> indices;
    for (Value operand : op->getOperands()) {
      if (auto buffer = dyn_cast<MemRefType>(operand.getType()))
        type = buffer;
      if (operand.getType().isIndex())
        indices.push_back(operand);
    }
    SmallVector<int64_t> strides, start;
    int64_t offset;
    EXPECT_TRUE(succeeded(type.getStridesAndOffset(strides, offset)));
    for (Value index : indices) {
      std::optional<int64_t> constant = getConstantIntValue(index);
      EXPECT_TRUE(constant);
      start.push_back(constant.value_or(0));
    }
    std::vector<int64_t> addresses;
    SmallVector<int64_t> place(shape.size(), 0);
    int64_t count = ShapedType::getNumElements(shape);
    for (int64_t element = 0; element < count; ++element) {
      int64_t rest = element, address = offset;
      bool padding = false;
      SmallVector<int64_t> at = start;
      for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
        int64_t viewDim = at.size() - shape.size() + dim;
        if (read)
          viewDim = read.getPermutationMap().getDimPosition(dim);
        at[viewDim] += rest % shape[dim];
        rest /= shape[dim];
        padding |= read && !read.isDimInBounds(dim) &&
                   at[viewDim] >= type.getDimSize(viewDim);
      }
      for (auto [index, stride] : llvm::zip_equal(at, strides))
        address += index * stride;
      addresses.push_back(padding ? -1 : address);
    }
    return addresses;
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return low + random() % (high - low + 1);
  }
  Value makeBuffer(ArrayRef<int64_t> sizes) {
    return memref::AllocOp::create(
        builder, builder.getUnknownLoc(),
        MemRefType::get(sizes, builder.getF32Type()));
  }

  Value makeView() {
    Location loc = builder.getUnknownLoc();
    SmallVector<int64_t> fine, coarse;
    SmallVector<ReassociationIndices> groups;
    for (int64_t group = 0, number = pick(1, 3); group < number; ++group) {
      groups.emplace_back();
      coarse.push_back(1);
      for (int64_t i = 0, size = pick(1, 3); i < size; ++i) {
        groups.back().push_back(fine.size());
        fine.push_back(pick(1, 4));
        coarse.back() *= fine.back();
      }
    }
    switch (pick(0, 2)) {
    case 0:
      return memref::ExpandShapeOp::create(builder, loc, fine,
                                           makeBuffer(coarse), groups);
    case 1:
      return memref::CollapseShapeOp::create(builder, loc, makeBuffer(fine),
                                             groups);
    }
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<int64_t> reduced;
    for (int64_t size : fine) {
      int64_t stride = size == 4 && pick(0, 2) == 0 ? 2 : 1;
      int64_t offset = pick(0, stride == 2 ? 0 : size - 1);
      int64_t length = stride == 2 ? 2 : pick(1, size - offset);
      offsets.push_back(builder.getIndexAttr(offset));
      sizes.push_back(builder.getIndexAttr(length));
      strides.push_back(builder.getIndexAttr(stride));
      if (length != 1 || pick(0, 1))
        reduced.push_back(length);
    }
    Value buffer = makeBuffer(fine);
    auto type = memref::SubViewOp::inferRankReducedResultType(
        reduced, cast<MemRefType>(buffer.getType()), offsets, sizes, strides);
    return memref::SubViewOp::create(builder, loc, cast<MemRefType>(type),
                                     buffer, offsets, sizes, strides);
  }

  Operation *makeAccess(Value view) {
    Location loc = builder.getUnknownLoc();
    auto type = cast<MemRefType>(view.getType());
    int64_t rank = pick(std::min<int64_t>(type.getRank(), 1),
                        std::min<int64_t>(type.getRank(), 3));
    bool transfers = pick(0, 1) || !type.isLastDimUnitStride();
    SmallVector<Value> indices;
    SmallVector<bool> inBounds;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t size = type.getDimSize(dim), start = pick(0, size - 1);
      indices.push_back(arith::ConstantIndexOp::create(builder, loc, start));
      if (dim < type.getRank() - rank)
        continue;
      bool beyond = transfers && pick(0, 2) == 0;
      shape.push_back(pick(1, beyond ? size + 1 : size - start));
      inBounds.push_back(start + shape.back() <= size && pick(0, 3));
    }
    auto vector = VectorType::get(shape, builder.getF32Type());
    if (transfers)
      return vector::TransferReadOp::create(
          builder, loc, vector, view, indices,
          arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0)),
          AffineMap::getMinorIdentityMap(type.getRank(), rank,
                                         builder.getContext()),
          ArrayRef<bool>(inBounds));
    if (pick(0, 1))
      return vector::LoadOp::create(builder, loc, vector, view, indices);
    return vector::StoreOp::create(
        builder, loc,
        arith::ConstantOp::create(
            builder, loc,
            DenseElementsAttr::get(vector, builder.getF32FloatAttr(0))),
        view, indices);
  }

  std::mt19937 random;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  SmallVector<int64_t> shape;
};

TEST_F(AliasFoldsTest, FoldedAccessesAccessTheSameElements) {
  unsigned folded = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RandomAccess random(&context, seed);
    ASSERT_TRUE(succeeded(verify(random.getModule()))) << seed;
    std::vector<int64_t> before = random.findAddresses();
    std::string text = print(random.getModule());
    ASSERT_TRUE(succeeded(
        applyPatternsGreedily(random.getModule(), rules->getPatterns())));
    ASSERT_TRUE(succeeded(verify(random.getModule()))) << text;
    ASSERT_EQ(random.findAddresses(), before)
        << "seed " << seed << "\n"
        << text << print(random.getModule());
    std::string after = print(random.getModule());
    folded += !StringRef(after).contains("_shape") &&
              !StringRef(after).contains("subview");
  }
  // A guard that refuses all would be no guard.
  EXPECT_GT(folded, 1000u);
}

} // namespace
