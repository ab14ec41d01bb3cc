//===- Needs.cpp - The users of a form --------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Needs.h"

using namespace mlir;
using namespace formwork::normalforms;

std::vector<Needs>
formwork::normalforms::collectNeeds(const FormLibrary &forms,
                                    const ContractLibrary &contracts) {
  std::vector<Needs> needs(forms.getForms().size());
  for (const Form &form : forms.getForms())
    needs[form.atom].seenIn = form.seenIn;
  for (StringRef name : contracts.getOpNames())
    for (const FormClause &clause : contracts.lookup(name)->forms) {
      Needs &of = needs[clause.form];
      auto &names = clause.required ? of.requiredBy : of.wantedBy;
      if (names.empty() || names.back() != name)
        names.push_back(name);
    }
  return needs;
}

SmallVector<const Form *>
formwork::normalforms::findUnneeded(const FormLibrary &forms,
                                    const ContractLibrary &contracts) {
  std::vector<Needs> needs = collectNeeds(forms, contracts);
  FormSet needed = forms.lattice().top();
  for (const Form &form : forms.getForms())
    if (!needs[form.atom].empty())
      needed = forms.lattice().meet(needed, forms.lattice().closure(form.atom));
  SmallVector<const Form *> unneeded;
  for (const Form &form : forms.getForms())
    if (!needed.contains(form.atom))
      unneeded.push_back(&form);
  return unneeded;
}
