//===- SolverVersion.h - Which Z3 is linked ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_SOLVERVERSION_H
#define FORMWORK_VERIFIER_SOLVER_SOLVERVERSION_H

#include <string>

namespace formwork::verifier {

/// The version of the Z3 library at run time, such as "4.8.12".
std::string getSolverVersion();

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOLVER_SOLVERVERSION_H
