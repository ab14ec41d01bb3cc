//===- Branches.cpp - Branches that clean-up may choose -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/Branches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace formwork::verifier;

/// What only a run tells, and may be anything then. Two that clean-up may find
/// to be the same are one.
using Unknown = std::pair<const void *, Attribute>;

/// Whether `value` is an argument of a function or of a kernel.
static bool isGivenAtRunTime(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa_and_nonnull<FunctionOpInterface, gpu::LaunchOp>(
                         argument.getOwner()->getParentOp());
}

/// The size that `op` asks of an argument, if the type does not have it.
static std::optional<Unknown> getGivenSize(Operation *op) {
  if (!isa<tensor::DimOp, memref::DimOp>(op))
    return std::nullopt;
  Value shaped = op->getOperand(0);
  auto type = dyn_cast<ShapedType>(shaped.getType());
  std::optional<int64_t> dim = getConstantIntValue(op->getOperand(1));
  if (!isGivenAtRunTime(shaped) || !type.hasRank() || !dim || *dim < 0 ||
      *dim >= type.getRank() || !type.isDynamicDim(*dim))
    return std::nullopt;
  return Unknown(shaped.getAsOpaquePointer(),
                 IntegerAttr::get(IndexType::get(op->getContext()), *dim));
}

static std::optional<Unknown> getUnknown(Value value) {
  if (isGivenAtRunTime(value))
    return Unknown(value.getAsOpaquePointer(), nullptr);
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return std::nullopt;
  const void *kind = op->getName().getAsOpaquePointer();
  if (isa<gpu::GPUDialect>(op->getDialect()) && op->getNumOperands() == 0)
    return Unknown(kind, op->getPropertiesAsAttribute());
  if (hasSingleEffect<MemoryEffects::Read>(op))
    return Unknown(kind, nullptr);
  if (!isMemoryEffectFree(op))
    return Unknown(value.getAsOpaquePointer(), nullptr);
  return getGivenSize(op);
}

namespace {
/// Whether an expression takes more than one value: each of the values that it
/// is computed of has its own, and is in it once.
class Expression {
public:
  explicit Expression(Value value) : isKnown(read(value)) {}
  /// The difference of two numbers.
  Expression(OpFoldResult from, OpFoldResult to)
      : isKnown(read(from) && read(to)) {}

  bool varies() const { return isKnown && !leaves.empty(); }
  /// Whether it may be the same one.
  bool mayBe(const Expression &other) const {
    return !isKnown || !other.isKnown || leaves == other.leaves;
  }

private:
  bool readBoth(Operation *op) {
    return read(op->getOperand(0)) && read(op->getOperand(1));
  }

  /// Whether the constant at an end of its type decides the comparison.
  static bool isDecidedByConstant(arith::CmpIOp compare) {
    APInt number;
    if (!matchPattern(compare.getLhs(), m_ConstantInt(&number)) &&
        !matchPattern(compare.getRhs(), m_ConstantInt(&number)))
      return false;
    return compare.getPredicate() != arith::CmpIPredicate::eq &&
           compare.getPredicate() != arith::CmpIPredicate::ne &&
           (number.isMinValue() || number.isMaxValue() ||
            number.isMinSignedValue() || number.isMaxSignedValue());
  }

  bool read(OpFoldResult number) {
    auto value = dyn_cast<Value>(number);
    return !value || read(value);
  }

  /// Adds what `value` is computed of; false where that is not known to be as
  /// said.
  bool read(Value value) {
    if (std::optional<Unknown> unknown = getUnknown(value))
      return leaves.insert(*unknown).second;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (matchPattern(op, m_Constant()))
      return true;
    if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return read(op->getOperand(0));
    if (isa<arith::AddIOp, arith::SubIOp>(op))
      return readBoth(op);
    if (isa<arith::MulIOp>(op))
      return matchPattern(op->getOperand(1), m_Constant()) &&
             !matchPattern(op->getOperand(1), m_Zero()) &&
             read(op->getOperand(0));
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return !isDecidedByConstant(compare) && readBoth(op);
    return false;
  }

  llvm::DenseSet<Unknown> leaves;
  bool isKnown;
};
} // namespace

bool formwork::verifier::mayBeDecided(Operation *op) {
  if (!isa_and_nonnull<scf::IfOp, scf::IndexSwitchOp>(op))
    return false;
  Expression condition(op->getOperand(0));
  if (!condition.varies())
    return true;
  // Inside of a branch, the condition of that is known.
  for (Operation *above = op->getParentOp(); above;
       above = above->getParentOp())
    if (isa<scf::IfOp, scf::IndexSwitchOp>(above) &&
        condition.mayBe(Expression(above->getOperand(0))))
      return true;
  return false;
}

bool formwork::verifier::mayNeverRun(Operation *op) {
  auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op);
  if (!loop)
    return false;
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                           upper = loop.getLoopUpperBounds();
  if (!lower || !upper)
    return false;
  return llvm::any_of(llvm::zip_equal(*lower, *upper), [](auto bounds) {
    auto [low, high] = bounds;
    std::optional<int64_t> from = getConstantIntValue(low),
                           to = getConstantIntValue(high);
    return from && to ? *from >= *to : !Expression(low, high).varies();
  });
}
