//===- Expansion.h - Normalizations as upstream ops -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a normalization as transform ops that stock MLIR has. Layer: verifier;
// text in, text out.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_EXPANSION_H
#define FORMWORK_VERIFIER_PLAN_EXPANSION_H

#include "normalforms/FormLibrary.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace formwork::verifier {

/// One normalization, as its source has it.
struct WrittenNormalization {
  std::string handle; ///< with its `%`
  std::string type;
  std::string indent;
  const normalforms::Form *form;
  /// The handle is to a module that may hold the schedule itself, on which
  /// upstream refuses to apply patterns: its functions are taken instead.
  bool onFunctions = false;
};

/// The first procedure of `form` that no upstream op performs, or none.
std::optional<llvm::StringRef> findUnexpandable(const normalforms::Form &form);

/// `written` as upstream ops, one a line, each line ended but the first not
/// indented: `rounds` times the rule groups, as apply_patterns, then the
/// procedures in order. `makeName` gives a name that the file does not use. The
/// form has no procedure that `findUnexpandable` finds.
std::string
expandNormalization(const WrittenNormalization &written, unsigned rounds,
                    llvm::function_ref<std::string(llvm::StringRef)> makeName);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_EXPANSION_H
