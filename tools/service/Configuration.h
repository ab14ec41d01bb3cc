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
#include "llvm/Support/LSP/Protocol.h"

namespace formwork::tools {

/// The name of the file; the nearest one around the document counts.
inline constexpr llvm::StringLiteral kConfigurationFile = "formwork.toml";

/// Settings that are wrong, and where they stand.
class SettingsError : public llvm::ErrorInfo<SettingsError> {
public:
  static char ID;

  SettingsError(llvm::StringRef file, llvm::lsp::Range range,
                const llvm::Twine &message)
      : file(file), range(range), message(message.str()) {}

  /// `FILE:LINE:COLUMN: MESSAGE`, counted from 1.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  const std::string file;
  const llvm::lsp::Range range;
  const std::string message;
};

/// The settings of `text`, the content of `path`, in the language of readToml;
/// paths are relative to its folder. Keys are those of CheckSettings with
/// dashes. A SettingsError is at the first place that is not understood.
///
/// Example: payload = "payload.mlir"
///          silence = ["fw-unproved"]
llvm::Error readConfiguration(llvm::StringRef path, llvm::StringRef text,
                              CheckSettings &settings);

/// The settings of comments `// formwork: key=value ...` of `text`: `payload`
/// and `target`. A SettingsError is at the first word that is not understood.
///
/// Example: // formwork: payload=../payload.mlir target=sm_90
llvm::Error readComments(llvm::StringRef path, llvm::StringRef text,
                         CheckSettings &settings);

/// The settings of the document `text` in `path`: `base`, then the file, then
/// the comments. A document that is the payload or a library of its own
/// settings is checked without that; folders of libraries that hold the
/// document are replaced by their other files.
llvm::Expected<CheckSettings> findSettings(llvm::StringRef path,
                                           llvm::StringRef text,
                                           const CheckSettings &base);

/// `settings` with the content of the files that they name, those in folders of
/// libraries, too, and the time of plugins: two that are equal give the same
/// result for the same text. Cost: each file but plugins is read.
std::string describeSettings(const CheckSettings &settings);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_CONFIGURATION_H
