//===- TermPrinter.h - Terms as a reader writes them ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Terms as infix text, in the user's names. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_TERMPRINTER_H
#define FORMWORK_VERIFIER_SOLVER_TERMPRINTER_H

#include "verifier/solver/Term.h"

namespace formwork::verifier::solver {

/// The term in infix, with the parentheses that it needs:
/// "@tile_m * 2 <= 64 and @tile_m divides 320". Beyond about 1000 characters or
/// a nesting of 64, the rest is "...": terms share, so text can be far larger.
std::string toInfix(IntTerm term);
std::string toInfix(BoolTerm term);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_TERMPRINTER_H
