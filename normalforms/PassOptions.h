//===- PassOptions.h - Passes and their options by name ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MLIR's registry of passes tells of a name. Layer: normalforms.
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

/// The names of options of the registered pass `name`, those that have a value
/// when none is given; none of a pipeline, which does not tell. Cost: one pass,
/// made and printed.
llvm::SmallVector<std::string> getPassOptions(llvm::StringRef name);

/// Whether the pass `name` has an option called `option`, as it says when it is
/// made with one; true where that does not tell: of a pipeline, and of a pass
/// that is not registered. Cost: two passes, made.
bool mayHavePassOption(llvm::StringRef name, llvm::StringRef option);

/// Whether option `option` of the pass `name` takes any text, as far as the pass
/// says when it is made: what such a text means, only the pass knows. False of
/// pipelines, numbers, and options that have words of their own. Cost: one pass,
/// made.
bool takesAnyText(llvm::StringRef name, llvm::StringRef option);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PASSOPTIONS_H
