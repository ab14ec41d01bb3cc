//===- CheckSettings.h - What a check is done with --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The settings of a check as a value, whoever gives them. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_CHECKSETTINGS_H
#define FORMWORK_TOOLS_SERVICE_CHECKSETTINGS_H

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace formwork::tools {

/// Named as the options of the command line. Paths are absolute, or relative to
/// the working directory.
struct CheckSettings {
  /// The file with the payload of a schedule that has none beside it; empty:
  /// the schedule is checked for any payload.
  std::string payload;
  /// Empty: the limits that all targets have.
  std::string target;
  std::string entryPoint = "__transform_main";
  std::vector<std::string> libraries;
  std::vector<std::string> forms;
  std::vector<std::string> contracts;
  std::vector<std::string> dialectPlugins;
  std::vector<std::string> passPlugins;
  /// Ids of warnings that are not shown.
  std::vector<std::string> silenced;
  bool allowUnregisteredDialects = false;
  /// The budget of the solver, in seconds; 0 for no limit.
  double budget = 2;
  /// Whether a check keeps what earlier ones found out and what still holds, or
  /// starts anew, which gives the same result. For tests of that.
  bool isIncremental = true;

  bool operator==(const CheckSettings &other) const = default;
};

/// From an object with the keys of formwork.toml (docs/editor.md) and `budget`.
/// Settings without a key stay; other keys are refused.
bool fromJSON(const llvm::json::Value &value, CheckSettings &settings,
              llvm::json::Path path);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_CHECKSETTINGS_H
