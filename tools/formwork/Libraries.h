//===- Libraries.h - Forms and contracts of a session -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The built-in libraries with the files of --forms and --contracts on top.
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LIBRARIES_H
#define FORMWORK_TOOLS_FORMWORK_LIBRARIES_H

#include "normalforms/Libraries.h"
#include "tools/formwork/Options.h"

namespace formwork::tools {

using normalforms::Libraries;

/// Loads both into `context`, where the operations of schedules find the forms.
/// Errors are located in the user's files.
llvm::FailureOr<Libraries> loadLibraries(mlir::MLIRContext *context,
                                         const FormsOption &forms,
                                         const ContractsOption &contracts);

/// The form that `option` names, with or without its sigil; null, after an
/// error, when there is none.
const normalforms::Form *
lookupNamedForm(const normalforms::FormLibrary &library, llvm::StringRef name,
                llvm::StringRef option);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LIBRARIES_H
