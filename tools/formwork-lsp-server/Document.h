//===- Document.h - An open text and what is known of it --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer: tools; plain values.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_DOCUMENT_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_DOCUMENT_H

#include "tools/service/DocumentFacts.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace formwork::tools {

/// A text that is open in the editor, and what the last checks found out.
struct Document {
  int64_t version = 0;
  std::string text;
  bool isDirty = false;
  std::chrono::steady_clock::time_point due;
  /// The last check: its inputs and its result.
  bool isChecked = false;
  std::string checkedText, checkedSettings;
  /// Whether the check came to an end; another try may do so.
  bool isFinished = false;
  std::vector<DocumentDiagnostic> diagnostics;
  /// Whether all of its fix-its were tried, too.
  bool isRepaired = false;
  /// With all fix-its that help, once it is known.
  std::optional<std::string> repaired;
  /// The last text that could be read, and what is known of it.
  std::string readText;
  DocumentFacts readFacts;
  KnownNames names;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_DOCUMENT_H
