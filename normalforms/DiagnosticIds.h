//===- DiagnosticIds.h - What diagnostics there are -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ids of errors, as the index of the catalogue lists them. Contracts name
// some. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_DIAGNOSTICIDS_H
#define FORMWORK_NORMALFORMS_DIAGNOSTICIDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace formwork::normalforms {

/// The ids of all diagnostics that are errors, in the order of the index.
llvm::ArrayRef<llvm::StringRef> getErrorIds();

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_DIAGNOSTICIDS_H
