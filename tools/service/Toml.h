//===- Toml.h - The part of TOML that settings need -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads files with keys and values in TOML, as far as those are strings, lists
// and flags. LLVM has no reader of TOML. Layer: tools; text alone.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_TOML_H
#define FORMWORK_TOOLS_SERVICE_TOML_H

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace formwork::tools {

/// Where a text is not what it should be: from which byte on.
struct TomlFault {
  size_t offset;
  std::string message;
};

/// One line `key = value` of a text, with the bytes at which both begin.
struct TomlEntry {
  std::string key;
  size_t keyOffset = 0;
  /// A string, a boolean, or an array of values; null where it has a fault.
  llvm::json::Value value = nullptr;
  size_t valueOffset = 0;
};

/// The entries of a text up to its first fault.
struct TomlFile {
  std::vector<TomlEntry> entries;
  std::optional<TomlFault> fault;
};

/// Reads `text`. Text that is no TOML is a fault, and so is TOML of another
/// kind: tables, dotted keys, inline tables, numbers, dates, and strings of
/// several lines. A list may have several lines, comments, and a comma at its
/// end. Whether a key is set twice is not looked at. Cost: linear in the text.
///
/// Source: TOML 1.0.0, https://toml.io/en/v1.0.0
///
/// Example: silence = [
///            'fw-unproved', # a literal string
///          ]
TomlFile readToml(llvm::StringRef text);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_TOML_H
