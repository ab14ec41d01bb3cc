//===- LibraryFiles.h - Files that belong to a context ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form and contract files that a context loads besides the built-in
// libraries. For hosts such as a plugin, whose options are known before a
// schedule is parsed. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_LIBRARYFILES_H
#define FORMWORK_NORMALFORMS_LIBRARYFILES_H

#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace formwork::normalforms {

/// Attached to the `normalform` dialect by the host that knows the files.
struct LibraryFiles : public mlir::DialectInterface::Base<LibraryFiles> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LibraryFiles)

  explicit LibraryFiles(mlir::Dialect *dialect) : Base(dialect) {}

  /// In load order, each once.
  std::vector<std::string> forms, contracts;

  /// The files of `context`, or null when none were attached.
  static const LibraryFiles *lookup(mlir::MLIRContext *context);
};

/// Adds those of `files` that are not yet form files of `context`. If there are
/// any, loads the form library of the context again. Do not call this while
/// anything uses the old library, nor from a running pass. Errors: those of the
/// files.
llvm::LogicalResult addFormFiles(mlir::MLIRContext *context,
                                 llvm::ArrayRef<std::string> files);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_LIBRARYFILES_H
