//===- Needs.h - Who needs a form -------------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form earns its place by being needed: required or wanted by the contract of
// a transform op, or reached in a schedule that someone wrote, or part of a
// form of which that is true. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_NEEDS_H
#define FORMWORK_NORMALFORMS_NEEDS_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"

#include <vector>

namespace formwork::normalforms {

/// Who needs one form itself.
struct Needs {
  /// Names of contracts, sorted; each once.
  llvm::SmallVector<llvm::StringRef> requiredBy;
  llvm::SmallVector<llvm::StringRef> wantedBy;
  /// As the form's declaration has it.
  llvm::ArrayRef<std::string> seenIn;

  bool empty() const {
    return requiredBy.empty() && wantedBy.empty() && seenIn.empty();
  }
};

/// Of each form of `forms`, by atom. The names are owned by `contracts`. Cost:
/// linear in the clauses.
std::vector<Needs> collectNeeds(const FormLibrary &forms,
                                const ContractLibrary &contracts);

/// The forms that nobody needs, not even as a part of another.
llvm::SmallVector<const Form *> findUnneeded(const FormLibrary &forms,
                                             const ContractLibrary &contracts);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_NEEDS_H
