//===- FatalInput.cpp - Input that MLIR does not survive --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/FatalInput.h"

#include "engine/Diagnostics.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

using namespace mlir;
using namespace formwork;
using engine::Finding;
using engine::NoteKind;

LogicalResult formwork::transforms::checkForeachBodies(Block &block) {
  WalkResult result = block.walk([](transform::ForeachOp foreach) {
    for (Block &body : foreach->getRegion(0))
      for (Operation &op : body) {
        if (isa<transform::TransformOpInterface>(op) || &op == &body.back())
          continue;
        (void)emitFinding(
            Finding(op.getLoc(), "fw-not-a-transform-op",
                    "requires a registered transform op in the body of a "
                    "foreach but has '" +
                        op.getName().getStringRef() + "'"));
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
/// A list of sizes, and the group of operands that its open entries stand for.
struct SizeList {
  StringLiteral op, sizes;
  unsigned group;
};
} // namespace

/// The lists of operations with several groups of operands.
static constexpr SizeList kSizeLists[] = {
    {"transform.formwork.distribute_vectors", "static_threads", 1},
    {"transform.formwork.distribute_vectors", "static_width", 2},
    {"transform.formwork.stage", "static_operand_numbers", 1},
    {"transform.formwork.stage", "static_padding", 2},
    {"transform.formwork.stage", "static_swizzle", 3},
    {"transform.structured.fuse", "static_tile_sizes", 1},
    {"transform.structured.fuse", "static_tile_interchange", 2},
    {"transform.structured.tile_using_forall", "static_num_threads", 1},
    {"transform.structured.tile_using_forall", "static_tile_sizes", 2},
};

namespace {
/// How many operands the open entries of a list can stand for.
struct OpenOperands {
  int64_t most;
  /// Whether the operands are for nothing else.
  bool areExact;
};
} // namespace

/// The operands for `sizes`; those behind the first, where the operation has no
/// more than one list.
static OpenOperands countOperands(Operation *op, StringRef sizes) {
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  for (const SizeList &list : kSizeLists)
    if (list.op == op->getName().getStringRef() && list.sizes == sizes &&
        segments && list.group < segments.size())
      return {segments[list.group], /*areExact=*/true};
  return {std::max<int64_t>(0, int64_t(op->getNumOperands()) - 1),
          /*areExact=*/!segments};
}

static LogicalResult checkSizeList(Operation *op, StringRef name,
                                   ArrayRef<int64_t> sizes) {
  int64_t numOpen = llvm::count_if(sizes, ShapedType::isDynamic);
  OpenOperands operands = countOperands(op, name);
  if (numOpen < operands.most && operands.areExact)
    return emitFinding(Finding(op->getLoc(), "fw-size-sentinel",
                               "requires no more operands than '" + name +
                                   "' has sizes that stand for one, " +
                                   Twine(numOpen) + ", but has " +
                                   Twine(operands.most)));
  if (numOpen <= operands.most)
    return success();
  return emitFinding(
      Finding(op->getLoc(), "fw-size-sentinel",
              "requires sizes other than " + Twine(ShapedType::kDynamic) +
                  " but '" + name + "' has that one")
          .note(NoteKind::Evidence, op->getLoc(),
                "this number stands for a size in an operand, and there is no "
                "operand for it: MLIR crashes"));
}

LogicalResult formwork::transforms::checkSizeLists(Block &block) {
  WalkResult result = block.walk([](Operation *op) {
    std::optional<RegisteredOperationName> known = op->getRegisteredInfo();
    if (!known || !isa<transform::TransformOpInterface>(op))
      return WalkResult::advance();
    for (StringAttr name : known->getAttributeNames()) {
      if (!name.strref().starts_with("static_"))
        continue;
      auto sizes = op->getAttrOfType<DenseI64ArrayAttr>(name);
      if (sizes && failed(checkSizeList(op, name, sizes)))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult formwork::transforms::checkLostOperands(Block &block) {
  auto isLost = [](Value operand) {
    Operation *source = operand ? operand.getDefiningOp() : nullptr;
    return !operand || (source && !source->getBlock());
  };
  WalkResult result = block.walk([&](Operation *op) {
    auto *lost = llvm::find_if(op->getOpOperands(), [&](OpOperand &operand) {
      return isLost(operand.get());
    });
    if (lost == op->getOpOperands().end())
      return WalkResult::advance();
    op->emitError() << "operand #" << lost->getOperandNumber()
                    << " is not defined before this use";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult formwork::transforms::checkOperands(Operation &op) {
  for (auto [number, operand] : llvm::enumerate(op.getOperands())) {
    if (operand.getParentBlock() == op.getBlock())
      continue;
    InFlightDiagnostic error = op.emitError() << "operand #" << number
                                              << " does not dominate this use";
    error.attachNote(operand.getLoc()) << "operand defined here";
    return error;
  }
  return success();
}
