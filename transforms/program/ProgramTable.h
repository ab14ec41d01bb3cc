//===- ProgramTable.h - The table of an emitted program ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds runtime/FormworkProgram.h's table in an LLVM module. Layer:
// transforms; the only place that knows the table's layout beside the header.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_PROGRAMTABLE_H
#define FORMWORK_TRANSFORMS_PROGRAM_PROGRAMTABLE_H

#include "transforms/program/ObjectEmitter.h"

namespace formwork::transforms {

/// Adds the constant `formwork_program` to `module`, which defines both
/// trampolines and has the data layout of this machine.
void addProgramTable(llvm::Module &module, const Program &program,
                     const EmitOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_PROGRAMTABLE_H
