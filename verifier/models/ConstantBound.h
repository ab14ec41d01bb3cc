//===- ConstantBound.h - What a value is at most ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's bounds of values, asked where it does not crash. Layer: verifier;
// reads payload and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_CONSTANTBOUND_H
#define FORMWORK_VERIFIER_MODELS_CONSTANTBOUND_H

#include "engine/AnyBelow.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace formwork::verifier {

/// The constant bound of `variable`, which is in `around`, an op isolated from
/// above. None if there may be none, or if a dimension is asked for in `around`
/// that its operand does not have: there MLIR crashes. Cost: one walk.
inline std::optional<int64_t>
findConstantBound(mlir::Operation *around, mlir::presburger::BoundType type,
                  mlir::ValueBoundsConstraintSet::Variable variable,
                  bool closedUB = false) {
  using namespace mlir;
  bool mayCrash = engine::anyBelow(around, [](ShapedDimOpInterface dim) {
    std::optional<int64_t> number = getConstantIntValue(dim.getDimension());
    auto shaped = dyn_cast<ShapedType>(dim.getShapedValue().getType());
    return number && shaped && shaped.hasRank() &&
           (*number < 0 || *number >= shaped.getRank());
  });
  if (mayCrash)
    return std::nullopt;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      type, std::move(variable), /*stopCondition=*/nullptr, closedUB);
  return succeeded(bound) ? std::optional(*bound) : std::nullopt;
}

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_CONSTANTBOUND_H
