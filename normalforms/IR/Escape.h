//===- Escape.h - Names in messages -----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Escapes an arbitrary name for a message. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_ESCAPE_H
#define FORMWORK_NORMALFORMS_IR_ESCAPE_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace formwork::normalforms {

/// `text` with unprintable characters escaped in the parser's notation.
inline std::string escape(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printEscapedString(text, os);
  return escaped;
}

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_IR_ESCAPE_H
