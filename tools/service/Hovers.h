//===- Hovers.h - What an editor says of a name -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations, forms, handles and knobs as Markdown for people. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_HOVERS_H
#define FORMWORK_TOOLS_SERVICE_HOVERS_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "tools/service/HandleHistory.h"
#include "verifier/parameters/ParameterModel.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

#include <string>

namespace formwork::tools {

/// The needs and effects of `operation`: its contract, if it has one, and the
/// description in its definition.
std::string describeOperation(llvm::StringRef operation,
                              const normalforms::ContractLibrary &contracts,
                              const normalforms::FormLibrary &forms);

std::string describeForm(const normalforms::Form &form,
                         const normalforms::FormLibrary &forms);

/// The arguments of `sequence`, what becomes of them, and the results.
std::string describeSequence(mlir::transform::NamedSequenceOp sequence);

/// The facts about the handle called `name`, from where it is set on.
std::string describeHandle(llvm::StringRef name,
                           llvm::ArrayRef<HandleEvent> events);

/// The values that a knob can have, and what the steps and the author require
/// of them; empty for an operation that is no knob.
std::string describeKnob(mlir::Operation *op,
                         const verifier::ParameterModel *parameters);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_HOVERS_H
