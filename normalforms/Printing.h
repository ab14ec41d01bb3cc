//===- Printing.h - Forms as text and as a diagram --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `formwork forms` shows of a library, and the generated catalogue. Layer:
// normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PRINTING_H
#define FORMWORK_NORMALFORMS_PRINTING_H

#include "normalforms/FormLibrary.h"
#include "normalforms/Needs.h"

#include "llvm/Support/raw_ostream.h"

namespace formwork::normalforms {

/// The level of payload that a form speaks of: "any", "tensors", "loops",
/// "vectors", "buffers", "gpu", "llvm", or the prefix of a user's form.
llvm::StringRef getLevel(const Form &form);

/// The declarations of all forms, in the syntax of a form file: parsing the
/// result declares the same forms.
void printLibrary(const FormLibrary &library, llvm::raw_ostream &os);

/// The Hasse diagram of `refines` in Graphviz's language: one cluster a level,
/// an edge from each form to what it refines directly, dashed edges for
/// `excludes`; forms that no plan inserts have dashed borders.
void printDot(const FormLibrary &library, llvm::raw_ostream &os);

/// The catalogue: one section a level, for each form its summary, order, rules,
/// procedures, clauses, who needs it, and whether a plan inserts it. Markdown.
void printCatalogue(const FormLibrary &library,
                    const ContractLibrary &contracts, llvm::raw_ostream &os);

/// Whether `a` ≤ `b`, being in `a` implies being in `b`, and why: a path of
/// `refines`, or what `a` lacks of `b`. One or more lines.
bool explainLeq(const FormLibrary &library, const Form &a, const Form &b,
                llvm::raw_ostream &os);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PRINTING_H
