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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace formwork::verifier;

/// Whether only a run tells `value`, which may be any of its type then.
static bool isGivenAtRunTime(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa_and_nonnull<FunctionOpInterface, gpu::LaunchOp>(
        argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  bool isId = isa<gpu::GPUDialect>(op->getDialect()) &&
              op->getNumOperands() == 0 && op->getNumRegions() == 0;
  return isId || !isMemoryEffectFree(op);
}

namespace {
/// Whether an expression takes more than one value: each of the values that it
/// is computed of has its own, and is in it once.
class Expression {
public:
  explicit Expression(Value value) : isKnown(read(value)) {}

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

  /// Adds what `value` is computed of; false where that is not known to be as
  /// said.
  bool read(Value value) {
    Operation *op = value.getDefiningOp();
    if (isGivenAtRunTime(value))
      return leaves.insert(value).second;
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

  llvm::DenseSet<Value> leaves;
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
