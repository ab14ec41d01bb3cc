//===- DiagnosticIds.cpp - What diagnostics there are -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/DiagnosticIds.h"

#include "embedded/diagnosticCatalogue.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

/// Lines of the index are `- [ID](PAGE) (SEVERITY): SUMMARY`.
static llvm::SmallVector<StringRef, 0> readIds() {
  llvm::SmallVector<StringRef, 0> ids;
  for (StringRef line :
       llvm::split(formwork::embedded::diagnosticCatalogue, '\n'))
    if (line.consume_front("- [") &&
        line.split(": ").first.ends_with("(error)"))
      ids.push_back(line.split(']').first);
  return ids;
}

llvm::ArrayRef<StringRef> formwork::normalforms::getErrorIds() {
  static const llvm::SmallVector<StringRef, 0> ids = readIds();
  return ids;
}
