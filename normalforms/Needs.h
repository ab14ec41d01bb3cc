//===- Needs.h - The users of a form ----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the users of each form. A form is needed if a contract of a transform
// op requires or wants it, if a written schedule reaches it, or if it is part
// of a needed form. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_NEEDS_H
#define FORMWORK_NORMALFORMS_NEEDS_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"

#include <vector>

namespace formwork::normalforms {

/// The direct users of one form.
struct Needs {
  /// Names of contracts, sorted; each once.
  llvm::SmallVector<llvm::StringRef> requiredBy;
  llvm::SmallVector<llvm::StringRef> wantedBy;
  /// The schedules that the form's declaration lists.
  llvm::ArrayRef<std::string> seenIn;

  bool empty() const {
    return requiredBy.empty() && wantedBy.empty() && seenIn.empty();
  }
};

/// The users of each form of `forms`, indexed by atom. The names are owned by
/// `contracts`. Cost: linear in the clauses.
std::vector<Needs> collectNeeds(const FormLibrary &forms,
                                const ContractLibrary &contracts);

/// The forms without any user, direct or as a part of another form.
llvm::SmallVector<const Form *> findUnneeded(const FormLibrary &forms,
                                             const ContractLibrary &contracts);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_NEEDS_H
