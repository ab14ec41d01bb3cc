//===- ContractReader.h - From declarations to contracts --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a `normalform.contract` op into a value and reports its errors. Layer:
// normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACTREADER_H
#define FORMWORK_NORMALFORMS_CONTRACTREADER_H

#include "normalforms/Contract.h"
#include "normalforms/IR/NormalFormOps.h"

namespace formwork::normalforms {

/// Reads `op`; its forms must be in `lattice`. Emits the first error at its
/// clause; `ContractLibrary::load` lists the ids.
llvm::FailureOr<Contract> readContract(const FormLattice &lattice,
                                       ContractOp op);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACTREADER_H
