//===- PassOptions.h - Passes and their options by name ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks MLIR's pass registry about a name. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PASSOPTIONS_H
#define FORMWORK_NORMALFORMS_PASSOPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace formwork::normalforms {

/// Whether a pass or a pipeline is registered under `name`.
bool isRegisteredPass(llvm::StringRef name);

/// The option names of the registered pass `name` that have a default value.
/// Empty for a pipeline, whose options are not known. Cost: makes and prints
/// one pass.
llvm::SmallVector<std::string> getPassOptions(llvm::StringRef name);

/// Whether the pass `name` has an option called `option`, found by making the
/// pass with that option. True if unknown: for a pipeline, and for a pass that
/// is not registered. Cost: makes two passes.
bool mayHavePassOption(llvm::StringRef name, llvm::StringRef option);

/// Whether option `option` of the pass `name` accepts any text when the pass is
/// made; only the pass knows what such a text means. False for pipelines,
/// numbers, and options with a fixed set of words. Cost: makes one pass.
bool takesAnyText(llvm::StringRef name, llvm::StringRef option);

/// The dialects that the registered pass `name` declares that its ops need, in
/// alphabetical order. Empty for a pipeline. Cost: makes one pass.
llvm::SmallVector<std::string> getPassDialects(llvm::StringRef name);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PASSOPTIONS_H
