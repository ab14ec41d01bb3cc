//===- StepText.cpp - Steps as text -----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/StepText.h"

#include "llvm/ADT/Twine.h"

using llvm::StringRef;

std::string formwork::verifier::writeIsolatedParent(StringRef parent,
                                                    StringRef handle,
                                                    StringRef type) {
  return (parent + " = transform.get_parent_op " + handle +
          " {deduplicate, isolated_from_above} : (" + type +
          ") -> !transform.any_op\n")
      .str();
}

std::string formwork::verifier::writeNormalize(StringRef handle, StringRef form,
                                               StringRef type) {
  return ("transform.normalform.normalize " + handle + " to @" + form + " : " +
          type)
      .str();
}
