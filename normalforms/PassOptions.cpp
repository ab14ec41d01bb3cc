//===- PassOptions.cpp - Passes and their options by name -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/PassOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

bool formwork::normalforms::isRegisteredPass(StringRef name) {
  return PassInfo::lookup(name) || PassPipelineInfo::lookup(name);
}

/// Adds the pass `name` with these options to `pipeline`; fails, and says
/// nothing, where it is not registered or does not take them.
static LogicalResult addPass(OpPassManager &pipeline, StringRef name,
                             const Twine &options = "") {
  const PassInfo *info = PassInfo::lookup(name);
  return info ? info->addToPipeline(pipeline, options.str(),
                                    [](const Twine &) { return failure(); })
              : failure();
}

/// The pass `name` with its default options, as text; empty if it cannot be
/// made.
static std::string printDefaults(StringRef name) {
  OpPassManager pipeline;
  std::string printed;
  if (failed(addPass(pipeline, name)))
    return printed;
  llvm::raw_string_ostream os(printed);
  for (Pass &pass : pipeline)
    pass.printAsTextualPipeline(os);
  return printed;
}

SmallVector<std::string> formwork::normalforms::getPassOptions(StringRef name) {
  std::string printed = printDefaults(name);
  // The text has the form `name{option=value option={a,b}}`.
  SmallVector<std::string> options;
  unsigned depth = 0;
  StringRef text = printed;
  size_t start = 0;
  for (auto [i, c] : llvm::enumerate(text)) {
    if (c == '{' && ++depth == 1)
      start = i + 1;
    else if (c == '}')
      --depth;
    else if (c == ' ' && depth == 1)
      start = i + 1;
    else if (c == '=' && depth == 1 && start != 0) {
      options.push_back(text.slice(start, i).str());
      start = 0;
    }
  }
  return options;
}

/// Whether the default of `option` of the pass `name` is a Boolean or a number.
static bool isFlagOrNumber(StringRef name, StringRef option) {
  std::string printed = printDefaults(name);
  for (char before : {'{', ' '}) {
    std::string start = (Twine(before) + option + "=").str();
    auto [rest, value] = StringRef(printed).split(start);
    value = value.take_until([](char c) { return c == ' ' || c == '}'; });
    int64_t number;
    if (value == "true" || value == "false" || !value.getAsInteger(0, number))
      return true;
  }
  return false;
}

bool formwork::normalforms::takesAnyText(StringRef name, StringRef option) {
  // For these options, LLVM would print its own error about the text.
  if (isFlagOrNumber(name, option))
    return false;
  OpPassManager pipeline;
  return succeeded(addPass(pipeline, name, option + "=no-such-word"));
}

bool formwork::normalforms::mayHavePassOption(StringRef name,
                                              StringRef option) {
  const PassInfo *info = PassInfo::lookup(name);
  if (!info || llvm::is_contained(getPassOptions(name), option))
    return true;
  // Lists without a default are not printed. A list of numbers or texts accepts
  // 1.
  OpPassManager pipeline;
  std::string why;
  (void)info->addToPipeline(pipeline, (option + "=1").str(),
                            [&](const Twine &message) {
                              why += message.str();
                              return failure();
                            });
  return !StringRef(why).contains("no such option");
}

SmallVector<std::string>
formwork::normalforms::getPassDialects(StringRef name) {
  OpPassManager pipeline;
  if (failed(addPass(pipeline, name)))
    return {};
  DialectRegistry registry;
  pipeline.getDependentDialects(registry);
  SmallVector<std::string> names;
  for (StringRef dialect : registry.getDialectNames())
    names.push_back(dialect.str());
  return names;
}
