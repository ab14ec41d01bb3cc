//===- Printing.h - Forms as text and as a diagram --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a library for `formwork forms` and for the generated catalogue. Layer:
// normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PRINTING_H
#define FORMWORK_NORMALFORMS_PRINTING_H

#include "normalforms/FormLibrary.h"
#include "normalforms/Needs.h"

#include "llvm/Support/raw_ostream.h"

namespace formwork::normalforms {

/// The payload level of a form: "any", "tensors", "loops", "vectors",
/// "buffers", "gpu", "llvm", or the prefix of a user's form.
llvm::StringRef getLevel(const Form &form);

/// Prints the declarations of all forms in the syntax of a form file. Parsing
/// the result declares the same forms.
void printLibrary(const FormLibrary &library, llvm::raw_ostream &os);

/// Prints the Hasse diagram of `refines` in Graphviz's language. It has one
/// cluster for each level, an edge from each form to each form that it refines
/// directly, and dashed edges for `excludes`. Forms that no plan inserts have
/// dashed borders.
void printDot(const FormLibrary &library, llvm::raw_ostream &os);

/// Prints the catalogue as Markdown, one section for each level. Each form has
/// its summary, order, rules, procedures, clauses, users, and whether a plan
/// inserts it.
void printCatalogue(const FormLibrary &library,
                    const ContractLibrary &contracts, llvm::raw_ostream &os);

/// Whether `a` ≤ `b`, that is, being in `a` implies being in `b`. Prints the
/// reason in one or more lines: a path of `refines`, or the part of `b` that
/// `a` lacks.
bool explainLeq(const FormLibrary &library, const Form &a, const Form &b,
                llvm::raw_ostream &os);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PRINTING_H
