//===- Tolerance.cpp - How exact results can be -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Tolerance.h"

#include "engine/AnyBelow.h"
#include "runtime/FormworkComparison.h"
#include "transforms/sums/WidenSum.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace formwork::transforms;

namespace {
/// The types that a result of another one may be rounded to on the way.
constexpr std::array<FwElementType, 3> kNarrowTypes = {
    FwElementBF16, FwElementF16, FwElementF32};

/// Significant bits of a floating-point type.
int getPrecision(FwElementType type) {
  switch (type) {
  case FwElementBF16:
    return 8;
  case FwElementF16:
    return 11;
  case FwElementF32:
    return 24;
  default:
    return 53;
  }
}

/// How often a value was rounded to each of `kNarrowTypes`, on the longest way
/// to it. A join takes the larger number of each.
struct Roundings {
  /// Stands for more as well: for a sum, or a loop.
  static constexpr unsigned many = 16;
  std::array<unsigned, kNarrowTypes.size()> counts = {};

  bool join(const Roundings &other) {
    bool isChanged = false;
    for (auto [count, more] : llvm::zip_equal(counts, other.counts)) {
      isChanged |= more > count;
      count = std::max(count, more);
    }
    return isChanged;
  }

  /// Adds `times` roundings to `type`, if it is one of the types.
  Roundings plus(Type type, unsigned times) const {
    Roundings more = *this;
    Type element = getElementTypeOrSelf(type);
    std::optional<unsigned> index;
    if (element.isBF16())
      index = 0;
    else if (element.isF16())
      index = 1;
    else if (element.isF32())
      index = 2;
    if (index)
      more.counts[*index] = std::min(many, more.counts[*index] + times);
    return more;
  }
};
} // namespace

/// How often `op` rounds each of its results.
static unsigned countRoundings(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return getElementTypeOrSelf(op->getOperand(0).getType())
                       .getIntOrFloatBitWidth() > 8
               ? 1
               : 0;
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::TruncFOp>(op))
    return 1;
  if (isa<math::MathDialect>(op->getDialect()))
    return isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
               math::RoundEvenOp, math::RoundOp, math::TruncOp>(op)
               ? 0
               : 1;
  if (isa<vector::ContractionOp, vector::MultiDimReductionOp,
          vector::ReductionOp, vector::OuterProductOp, vector::ScanOp>(op))
    return Roundings::many;
  if (isa<vector::FMAOp>(op))
    return 1;
  // Differences, exponentials, a sum and a quotient.
  if (isa<linalg::SoftmaxOp>(op))
    return 4;
  if (isa<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
          linalg::WinogradOutputTransformOp>(op))
    return Roundings::many;
  return 0;
}

/// Whether the reference makes `op` in f32: it is a sum of f16 or bf16, or a
/// product that is a term of one.
static bool isPartOfWideSum(Operation *op) {
  auto structured = dyn_cast_or_null<linalg::LinalgOp>(op->getParentOp());
  if (!structured || !isa<arith::AddFOp, arith::MulFOp>(op))
    return false;
  for (unsigned number = 0; number != structured->getNumResults(); ++number)
    if (arith::AddFOp sum = sums::findNarrowSum(structured, number))
      if (op == sum || (isa<arith::MulFOp>(op) && op->hasOneUse() &&
                        *op->getUsers().begin() == sum))
        return true;
  return false;
}

namespace {
/// Finds the roundings of all values of a function and of what it calls, by
/// going over them until nothing changes.
class RoundingAnalysis {
public:
  explicit RoundingAnalysis(func::FuncOp entry) {
    functions.insert(entry);
    do {
      isChanged = false;
      for (unsigned index = 0; index < functions.size(); ++index) {
        func::FuncOp function = functions[index];
        function->walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
      }
    } while (isChanged);
  }

  Roundings get(Value value) const { return found.lookup(value); }
  Roundings getReturned(func::FuncOp function, unsigned number) const {
    Roundings joined;
    function.walk(
        [&](func::ReturnOp op) { joined.join(get(op.getOperand(number))); });
    return joined;
  }

private:
  void add(Value value, const Roundings &roundings) {
    isChanged |= found[value].join(roundings);
  }
  /// As `add`, for what is written to a buffer.
  void addToBuffer(Value buffer, const Roundings &roundings) {
    add(buffer, roundings);
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
      buffer = view.getViewSource();
      add(buffer, roundings);
    }
  }
  void visit(Operation *op);
  void visitStructured(linalg::LinalgOp op);
  void visitCall(CallOpInterface op);
  /// The blocks of a loop or a branch get all that it is given and passes on.
  void visitRegions(Operation *op);

  llvm::DenseMap<Value, Roundings> found;
  llvm::SetVector<func::FuncOp> functions;
  bool isChanged = false;
};
} // namespace

void RoundingAnalysis::visit(Operation *op) {
  if (isa<func::FuncOp>(op))
    return;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return visitStructured(structured);
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call);
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (auto [index, block] : llvm::enumerate(op->getSuccessors())) {
      SuccessorOperands operands = branch.getSuccessorOperands(index);
      for (unsigned number = operands.getProducedOperandCount();
           number != operands.size(); ++number)
        add(block->getArgument(number), get(operands[number]));
    }
    return;
  }
  if (op->getNumRegions() != 0)
    return visitRegions(op);
  Roundings joined;
  for (Value operand : op->getOperands())
    joined.join(get(operand));
  unsigned times = isPartOfWideSum(op) ? 0 : countRoundings(op);
  for (Value result : op->getResults())
    add(result, joined.plus(result.getType(), times));
  if (!isMemoryEffectFree(op))
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        addToBuffer(operand, joined);
}

void RoundingAnalysis::visitStructured(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (OpOperand &operand : op->getOpOperands())
    add(op.getMatchingBlockArgument(&operand), get(operand.get()));
  Operation *yield = body->getTerminator();
  for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    Roundings made = get(yield->getOperand(number));
    // A sum goes through the body again.
    if (op.getNumReductionLoops() != 0)
      add(op.getMatchingBlockArgument(&init), made);
    if (op.hasPureBufferSemantics()) {
      addToBuffer(init.get(), made);
      continue;
    }
    OpResult result = op->getResult(number);
    bool isRounded = bool(sums::findNarrowSum(op, number));
    add(result, made.plus(result.getType(), isRounded ? 1 : 0));
  }
}

void RoundingAnalysis::visitCall(CallOpInterface op) {
  auto callee = dyn_cast_or_null<func::FuncOp>(op.resolveCallable());
  if (!callee || callee.isExternal()) {
    for (Value result : op->getResults())
      add(result, Roundings().plus(result.getType(), Roundings::many));
    return;
  }
  functions.insert(callee);
  for (auto [operand, argument] :
       llvm::zip_equal(op.getArgOperands(), callee.getArguments())) {
    add(argument, get(operand));
    if (isa<BaseMemRefType>(operand.getType()))
      addToBuffer(operand, get(argument));
  }
  for (auto [number, result] : llvm::enumerate(op->getResults()))
    add(result, getReturned(callee, number));
}

void RoundingAnalysis::visitRegions(Operation *op) {
  Roundings joined;
  for (Value operand : op->getOperands())
    joined.join(get(operand));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        for (Value operand : block.getTerminator()->getOperands())
          joined.join(get(operand));
  for (Region &region : op->getRegions())
    if (!region.empty())
      for (BlockArgument argument : region.getArguments())
        add(argument, joined);
  for (Value result : op->getResults())
    add(result, joined);
}

/// Raises the least tolerance of `parameter` to `tolerance`, for `reason`.
static void raise(EntryParameter &parameter, double tolerance,
                  const Twine &reason) {
  if (!fwIsFloat(parameter.type) ||
      tolerance <= std::max(parameter.leastTolerance,
                            fwDefaultTolerance(parameter.type)))
    return;
  parameter.leastTolerance = tolerance;
  parameter.toleranceReason = reason.str();
}

static void raiseFor(EntryParameter &parameter, const Roundings &roundings) {
  for (auto [type, count] : llvm::zip_equal(kNarrowTypes, roundings.counts)) {
    int precision = getPrecision(type);
    if (count == 0 || !fwIsFloat(parameter.type) ||
        precision >= getPrecision(parameter.type))
      continue;
    double most = fwDefaultTolerance(type);
    // A unit in the last place is 2^(1 - precision) of the number, at most.
    double tolerance =
        count == Roundings::many
            ? most
            : std::min(most, count * std::ldexp(1.0, 2 - precision));
    raise(parameter, tolerance,
          (count == Roundings::many ? Twine("roundings")
           : count == 1             ? Twine("a rounding")
                                    : Twine(count) + " roundings") +
              " to " + fwElementName(type));
  }
}

static bool roundsToTF32(ModuleOp lowered) {
  return formwork::engine::anyBelow(lowered, [](Operation *op) {
    return llvm::any_of(op->getAttrDictionary(), [](NamedAttribute attribute) {
      auto type = dyn_cast<NVVM::MMATypesAttr>(attribute.getValue());
      return type && type.getValue() == NVVM::MMATypes::tf32;
    });
  });
}

void formwork::transforms::setLeastTolerances(EntryPoint &entry,
                                              ModuleOp payload,
                                              ModuleOp lowered) {
  auto function = payload.lookupSymbol<func::FuncOp>(entry.name);
  RoundingAnalysis analysis(function);
  for (BlockArgument argument : function.getArguments())
    raiseFor(entry.parameters[argument.getArgNumber()], analysis.get(argument));
  for (auto [number, parameter] : llvm::enumerate(entry.resultParameters))
    raiseFor(entry.parameters[parameter],
             analysis.getReturned(function, number));
  if (roundsToTF32(lowered))
    for (EntryParameter &parameter : entry.parameters)
      raise(parameter, 1.0 / 256, "factors in tf32");
}
