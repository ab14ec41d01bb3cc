//===- CheckSettings.cpp - What a check is done with ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/CheckSettings.h"

#include "llvm/ADT/STLExtras.h"

namespace json = llvm::json;

bool formwork::tools::fromJSON(const json::Value &value,
                               CheckSettings &settings, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.mapOptional("payload", settings.payload) ||
      !map.mapOptional("target", settings.target) ||
      !map.mapOptional("entry-point", settings.entryPoint) ||
      !map.mapOptional("libraries", settings.libraries) ||
      !map.mapOptional("forms", settings.forms) ||
      !map.mapOptional("contracts", settings.contracts) ||
      !map.mapOptional("dialect-plugins", settings.dialectPlugins) ||
      !map.mapOptional("pass-plugins", settings.passPlugins) ||
      !map.mapOptional("silence", settings.silenced) ||
      !map.mapOptional("allow-unregistered-dialect",
                       settings.allowUnregisteredDialects) ||
      !map.mapOptional("budget", settings.budget))
    return false;
  static constexpr llvm::StringLiteral keys[] = {
      "payload",      "target",
      "entry-point",  "libraries",
      "forms",        "contracts",
      "pass-plugins", "dialect-plugins",
      "silence",      "allow-unregistered-dialect",
      "budget"};
  for (const auto &[key, ignored] : *value.getAsObject())
    if (!llvm::is_contained(keys, llvm::StringRef(key))) {
      path.field(key).report("unknown key");
      return false;
    }
  return true;
}
