//===- DocumentDiagnostics.h - Findings in a document -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Findings as an editor shows them. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_DOCUMENTDIAGNOSTICS_H
#define FORMWORK_TOOLS_SERVICE_DOCUMENTDIAGNOSTICS_H

#include "engine/Diagnostics.h"
#include "tools/report/SourceFiles.h"
#include "tools/service/DocumentFacts.h"

namespace formwork::tools {

/// `place` as the protocol counts: from 0.
llvm::lsp::Range toRange(const Place &place);

/// `finding` as a diagnostic of `file`: at its place, or at the beginning of
/// the file with the place beside it.
DocumentDiagnostic toDiagnostic(const engine::Finding &finding,
                                llvm::StringRef file, SourceFiles &files);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_DOCUMENTDIAGNOSTICS_H
