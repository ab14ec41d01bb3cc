//===- ChosenValues.h - An assignment as attributes -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An assignment as attributes of the ops of a schedule, which the
// interpreter reads; for whoever writes text or changes IR. Layer: verifier;
// changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVING_CHOSENVALUES_H
#define FORMWORK_VERIFIER_SOLVING_CHOSENVALUES_H

#include "verifier/parameters/ParameterModel.h"

#include "llvm/ADT/MapVector.h"

namespace formwork::verifier {

/// `value` as an attribute that a parameter of type `type` can hold.
mlir::IntegerAttr makeParameterAttribute(mlir::Type type, int64_t value);

/// The attribute `selected` that gives `knob` the value `value`: the option
/// itself if the knob lists options, because upstream compares attributes, and
/// so types.
mlir::Attribute getSelectedAttribute(mlir::transform::tune::KnobOp knob,
                                     int64_t value);

/// The selected attribute of a knob without integer options.
mlir::Attribute getFirstOption(mlir::transform::tune::KnobOp knob);

/// Emits fw-solve-unwritable at `op`.
llvm::LogicalResult refuseToWrite(mlir::Operation *op,
                                  const llvm::Twine &message);

/// The value of each result of each constrain_params; of a result that nothing
/// uses, there may be none.
using ConstrainedValues =
    llvm::MapVector<mlir::Operation *,
                    llvm::SmallVector<std::optional<int64_t>>>;

/// Errors: fw-solve-unwritable, for a result in use that is not modelled, and
/// for a sequence that is included with different values.
llvm::FailureOr<ConstrainedValues>
getConstrainedValues(const ParameterModel &model,
                     const solver::Assignment &assignment);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOLVING_CHOSENVALUES_H
