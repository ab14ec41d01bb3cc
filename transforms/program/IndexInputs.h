//===- IndexInputs.h - Inputs that say where to read ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the arguments whose integers are indices of other buffers, such as the
// tokens of an embedding, so that generated ones are within these. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_INDEXINPUTS_H
#define FORMWORK_TRANSFORMS_PROGRAM_INDEXINPUTS_H

#include "transforms/program/EntryPoint.h"

namespace formwork::transforms {

/// Limits the integers of each argument of `function` to the sizes of which
/// they are indices as they are given: converted, loaded or passed on, but not
/// computed with. `arguments` describes the arguments in order. An argument of
/// which some uses are not understood is limited by the others. Cost: the uses
/// of the arguments, and of what they become.
void limitIndexInputs(mlir::func::FuncOp function,
                      llvm::MutableArrayRef<EntryParameter> arguments);

/// Adds the limits by sizes of arguments that were open and are known now.
void limitByKnownSizes(llvm::MutableArrayRef<EntryParameter> arguments);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_INDEXINPUTS_H
