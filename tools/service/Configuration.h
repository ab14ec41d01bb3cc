//===- Configuration.h - What a folder says of its schedules ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the settings of a document: a file formwork.toml in its folder or
// around that, and a comment in the document itself. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_CONFIGURATION_H
#define FORMWORK_TOOLS_SERVICE_CONFIGURATION_H

#include "tools/service/CheckSettings.h"

#include "llvm/Support/Error.h"

namespace formwork::tools {

/// The name of the file; the nearest one around the document counts.
inline constexpr llvm::StringLiteral kConfigurationFile = "formwork.toml";

/// What `text`, the content of `path`, sets; paths in it are relative to its
/// folder. The language is the part of TOML that has lines `key = value`, where
/// a value is a basic string, a list of such strings in one line, `true` or
/// `false`. Keys are those of CheckSettings with dashes. The error names the
/// first line that is not understood.
///
/// Example: payload = "payload.mlir"
///          silence = ["fw-unproved"]
llvm::Error readConfiguration(llvm::StringRef path, llvm::StringRef text,
                              CheckSettings &settings);

/// What comments `// formwork: key=value ...` of `text` set: `payload` and
/// `target`. The error names the first that is not understood.
///
/// Example: // formwork: payload=../payload.mlir target=sm_90
llvm::Error readComments(llvm::StringRef path, llvm::StringRef text,
                         CheckSettings &settings);

/// The settings of the document `text` in `path`: `base`, then the file, then
/// the comments. A document that is the payload or a library of its own
/// settings is checked without that.
llvm::Expected<CheckSettings> findSettings(llvm::StringRef path,
                                           llvm::StringRef text,
                                           const CheckSettings &base);

/// `settings` with the state of the files that they name: two that are equal
/// give the same result for the same text.
std::string describeSettings(const CheckSettings &settings);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_CONFIGURATION_H
