//===- Miscompile.cpp - A plugin that breaks payload ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `transform.miscompile.break`, written against MLIR alone.
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#define GET_OP_CLASSES
#include "MiscompileOps.h.inc"

using namespace mlir;
using namespace miscompile;

#define GET_OP_CLASSES
#include "MiscompileOps.cpp.inc"

namespace {
/// One way to break the payload.
using Break = std::function<void(RewriterBase &)>;

/// Lists the ways to break what is below `root` in one kind.
class Breaks {
public:
  Breaks(Operation *root, StringRef kind) : kind(kind) {
    root->walk([&](Operation *op) { visit(op); });
  }

  SmallVector<Break> ways;

private:
  void visit(Operation *op) {
    if (kind == "pattern")
      breakPattern(op);
    else if (kind == "tile")
      breakTile(op);
    else if (kind == "barrier")
      breakBarrier(op);
    else if (kind == "race")
      breakRace(op);
    else if (kind == "view")
      breakView(op);
  }

  template <typename Op> void replaceWith(Operation *op) {
    ways.push_back([op](RewriterBase &rewriter) {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<Op>(op, op->getOperand(0), op->getOperand(1));
    });
  }

  void breakPattern(Operation *op) {
    // The body of a named operation follows from its name.
    Operation *parent = op->getParentOp();
    if (isa_and_present<linalg::LinalgOp>(parent) &&
        !isa<linalg::GenericOp>(parent))
      return;
    if (isa<arith::AddFOp>(op))
      return replaceWith<arith::SubFOp>(op);
    if (isa<arith::MulFOp>(op))
      return replaceWith<arith::AddFOp>(op);
    if (isa<arith::MaximumFOp>(op))
      return replaceWith<arith::MinimumFOp>(op);
    auto fill = dyn_cast<linalg::FillOp>(op);
    FloatAttr value;
    if (fill && matchPattern(fill.getInputs()[0], m_Constant(&value)) &&
        value.getValue().isFinite())
      ways.push_back([fill, value](RewriterBase &rewriter) mutable {
        rewriter.setInsertionPoint(fill);
        Value more = arith::ConstantOp::create(
            rewriter, fill.getLoc(),
            FloatAttr::get(value.getType(), value.getValueAsDouble() + 1));
        rewriter.modifyOpInPlace(fill,
                                 [&] { fill.getInputsMutable()[0].set(more); });
      });
  }

  void breakTile(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound()),
                             end = getConstantIntValue(loop.getUpperBound()),
                             step = getConstantIntValue(loop.getStep());
      if (!first || !end || !step || *end - *first <= *step)
        return;
      // The last iteration goes, whether it is a full one or not.
      int64_t last = *first + (*end - *first - 1) / *step * *step;
      ways.push_back([loop, last](RewriterBase &rewriter) mutable {
        rewriter.setInsertionPoint(loop);
        Value bound = arith::ConstantOp::create(
            rewriter, loop.getLoc(),
            rewriter.getIntegerAttr(loop.getUpperBound().getType(), last));
        rewriter.modifyOpInPlace(loop, [&] { loop.setUpperBound(bound); });
      });
      return;
    }
    if (auto loop = dyn_cast<scf::ForallOp>(op)) {
      for (auto [i, bounds] : llvm::enumerate(llvm::zip_equal(
               loop.getStaticLowerBound(), loop.getStaticUpperBound(),
               loop.getStaticStep()))) {
        auto [first, end, step] = bounds;
        if (ShapedType::isDynamic(first) || ShapedType::isDynamic(end) ||
            ShapedType::isDynamic(step) || end - first <= step)
          continue;
        SmallVector<int64_t> ends(loop.getStaticUpperBound());
        ends[i] = first + (end - first - 1) / step * step;
        ways.push_back([loop, ends](RewriterBase &rewriter) mutable {
          rewriter.modifyOpInPlace(loop,
                                   [&] { loop.setStaticUpperBound(ends); });
        });
      }
      return;
    }
    auto launch = dyn_cast<gpu::LaunchOp>(op);
    if (!launch)
      return;
    for (OpOperand *size :
         {&launch.getGridSizeXMutable(), &launch.getGridSizeYMutable()}) {
      std::optional<int64_t> blocks = getConstantIntValue(size->get());
      if (blocks && *blocks > 1)
        ways.push_back([launch, size, count = *blocks](RewriterBase &rewriter) {
          rewriter.setInsertionPoint(launch);
          Value fewer = arith::ConstantIndexOp::create(
              rewriter, launch->getLoc(), count - 1);
          rewriter.modifyOpInPlace(launch, [&] { size->set(fewer); });
        });
    }
  }

  void breakBarrier(Operation *op) {
    if (isa<gpu::BarrierOp>(op))
      ways.push_back([op](RewriterBase &rewriter) { rewriter.eraseOp(op); });
  }

  /// Gives `operand` another value in front of its owner.
  void change(OpOperand &operand, int64_t add, bool isAbsolute = false) {
    Operation *op = operand.getOwner();
    OpOperand *place = &operand;
    ways.push_back([op, place, add, isAbsolute](RewriterBase &rewriter) {
      // In the terminator of a forall, nothing else may stand.
      Operation *at = op;
      if (isa<scf::InParallelOp>(op->getParentOp()))
        at = op->getParentOp();
      rewriter.setInsertionPoint(at);
      Value value = arith::ConstantIndexOp::create(rewriter, op->getLoc(), add);
      if (!isAbsolute)
        value =
            arith::AddIOp::create(rewriter, op->getLoc(), place->get(), value);
      rewriter.modifyOpInPlace(op, [&] { place->set(value); });
    });
  }

  /// The operands of `op` from `first` on, `count` of them.
  void changeAll(Operation *op, unsigned first, unsigned count, int64_t add,
                 bool isAbsolute = false) {
    for (OpOperand &operand : op->getOpOperands().slice(first, count))
      if (!matchPattern(operand.get(), m_Constant()))
        change(operand, add, isAbsolute);
  }

  void breakRace(Operation *op) {
    if (auto inserted = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      for (OpOperand &offset : inserted.getOffsetsMutable())
        change(offset, 0, /*isAbsolute=*/true);
    auto view = dyn_cast<memref::SubViewOp>(op);
    if (!view || !op->getParentOfType<scf::ForallOp>())
      return;
    bool isWritten = llvm::any_of(op->getUses(), [](OpOperand &use) {
      auto store = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      return (store && store.isDpsInit(&use)) ||
             isa<vector::TransferWriteOp>(use.getOwner());
    });
    if (isWritten)
      changeAll(op, view.getOffsetSizeAndStrideStartOperandIndex(),
                view.getOffsets().size(), 0, /*isAbsolute=*/true);
  }

  void breakView(Operation *op) {
    if (auto view = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
        view && isa<tensor::ExtractSliceOp, memref::SubViewOp>(op))
      changeAll(op, view.getOffsetSizeAndStrideStartOperandIndex(),
                view.getOffsets().size(), 1);
    if (auto load = dyn_cast<memref::LoadOp>(op))
      changeAll(op, 1, load.getIndices().size(), 1);
    if (auto load = dyn_cast<vector::LoadOp>(op))
      changeAll(op, 1, load.getIndices().size(), 1);
    if (auto read = dyn_cast<vector::TransferReadOp>(op);
        read && !read.getMask() && !read.hasOutOfBoundsDim())
      changeAll(op, 1, read.getIndices().size(), 1);
  }

  StringRef kind;
};
} // namespace

DiagnosedSilenceableFailure
BreakOp::apply(transform::TransformRewriter &rewriter,
               transform::TransformResults &results,
               transform::TransformState &state) {
  Breaks breaks(state.getTopLevel(), getKind());
  if (breaks.ways.empty())
    return emitSilenceableError() << "nothing to break";
  breaks.ways[getIndex() % breaks.ways.size()](rewriter);
  return DiagnosedSilenceableFailure::success();
}

void BreakOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::modifiesPayload(effects);
}

namespace {
class MiscompileExtension
    : public transform::TransformDialectExtension<MiscompileExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MiscompileExtension)

  void init() {
    declareGeneratedDialect<arith::ArithDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "MiscompileOps.cpp.inc"
        >();
  }
};
} // namespace

extern "C" DialectPluginLibraryInfo LLVM_ATTRIBUTE_WEAK
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Miscompile", "1",
          [](DialectRegistry *registry) {
            registry->addExtensions<MiscompileExtension>();
          }};
}
