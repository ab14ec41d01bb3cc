//===- Option.h - How options are declared ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of a program, each with its category of --help. Layer: tools; it
// knows no option.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_OPTION_H
#define FORMWORK_TOOLS_OPTION_H

#include "llvm/Support/CommandLine.h"

namespace formwork::tools {

/// An option called `name`, in a category of --help. `modifiers` are those of
/// llvm::cl.
template <typename Base, llvm::cl::OptionCategory &(&getCategory)()>
struct CategorizedOption : Base {
  template <typename... Modifiers>
  CategorizedOption(llvm::StringRef name, llvm::StringRef description,
                    const Modifiers &...modifiers)
      : Base(name, llvm::cl::desc(description), modifiers...,
             llvm::cl::cat(getCategory())) {}
  using Base::operator=;
};

/// The category of a program with one kind of options.
inline llvm::cl::OptionCategory &getToolCategory() {
  static llvm::cl::OptionCategory category("Options");
  return category;
}
template <typename T>
using ToolOption = CategorizedOption<llvm::cl::opt<T>, getToolCategory>;
template <typename T>
using ToolOptionList = CategorizedOption<llvm::cl::list<T>, getToolCategory>;

/// Parses the command line of such a program; --help shows `overview` and the
/// options of the category. Ends the program where the line is wrong.
inline void parseToolOptions(int argc, char **argv, llvm::StringRef overview) {
  llvm::cl::HideUnrelatedOptions(getToolCategory());
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
}

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_OPTION_H
