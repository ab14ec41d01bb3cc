//===- Color.cpp - Colours on a terminal ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Color.h"

#include "tools/formwork/Options.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace formwork::tools;
namespace cl = llvm::cl;

ColorOption::ColorOption() {
  // LLVM registers its own at the latest when it is asked for all of them.
  auto &options = cl::getRegisteredOptions();
  if (auto it = options.find("color"); it != options.end())
    it->second->removeArgument();
  mode = std::make_unique<cl::opt<ColorMode>>(
      "color", cl::desc("Use colors"), cl::init(ColorMode::Auto),
      cl::ValueOptional,
      cl::values(clEnumValN(ColorMode::Auto, "auto",
                            "on a terminal, without NO_COLOR (the default)"),
                 clEnumValN(ColorMode::Always, "always",
                            "also in files and "
                            "pipes"),
                 clEnumValN(ColorMode::Always, "", ""),
                 clEnumValN(ColorMode::Never, "never", "nowhere")),
      cl::cat(getDebugCategory()));
}

void ColorOption::apply() const {
  const char *noColor = std::getenv("NO_COLOR");
  switch (*mode) {
  case ColorMode::Auto:
    if (!noColor || !*noColor)
      return;
    [[fallthrough]];
  case ColorMode::Never:
    llvm::WithColor::setAutoDetectFunction(
        [](const llvm::raw_ostream &) { return false; });
    return;
  case ColorMode::Always:
    llvm::outs().enable_colors(true);
    llvm::errs().enable_colors(true);
    llvm::WithColor::setAutoDetectFunction([](const llvm::raw_ostream &os) {
      return &os == &llvm::outs() || &os == &llvm::errs();
    });
    return;
  }
}
