//===- Color.h - Colours on a terminal --------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --color, which every command takes. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_COLOR_H
#define FORMWORK_TOOLS_FORMWORK_COLOR_H

#include "llvm/Support/CommandLine.h"

#include <memory>

namespace formwork::tools {

enum class ColorMode { Auto, Always, Never };

/// --color, in the place of LLVM's own option of that name, which is `true` or
/// `false` and hidden. One at a time.
class ColorOption {
public:
  ColorOption();
  /// Makes diagnostics and pages follow the option. `auto` means a terminal,
  /// and no variable NO_COLOR in the environment.
  void apply() const;

private:
  std::unique_ptr<llvm::cl::opt<ColorMode>> mode;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_COLOR_H
