//===- LineBuffer.h - Bytes of a pipe, line by line -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_LINEBUFFER_H
#define FORMWORK_TOOLS_SERVICE_LINEBUFFER_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace formwork::tools {

/// Bytes of a pipe, taken line by line. Cost: linear in the bytes.
class LineBuffer {
public:
  /// Adds what can be read from `fd`, and waits for it; false at the end.
  bool readSome(int fd);
  /// The first line without its end, if it is whole.
  std::optional<std::string> takeLine();

private:
  std::string pending;
  /// The length of the part of `pending` that holds no end of a line.
  size_t numSearched = 0;
};

/// The check that a line asks for. A text of a megabyte takes JSON longer than
/// the check of a schedule in it.
struct CheckRequest {
  unsigned id = 0;
  std::string file, text;
};
/// The line of a request, with its end. Cost: linear in the text.
std::string toLine(const CheckRequest &request);
/// The request of a line without its end; none of another line.
std::optional<CheckRequest> readRequest(llvm::StringRef line);
/// The line, without its end, that asks to abandon the check under way.
inline constexpr llvm::StringLiteral kCancel = "cancel";

/// Writes all of `text`; false where nobody can read it any more.
bool writeAll(int fd, llvm::StringRef text);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_LINEBUFFER_H
