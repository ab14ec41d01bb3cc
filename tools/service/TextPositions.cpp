//===- TextPositions.cpp - Bytes and positions of a text --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/TextPositions.h"

#include "tools/report/SourceFiles.h"

#include "llvm/Support/ConvertUTF.h"

#include <algorithm>

using namespace formwork::tools;
using llvm::StringRef;
using llvm::lsp::Position;

TextPositions::TextPositions(StringRef text) : text(text), starts(1, 0) {
  for (size_t at = text.find('\n'); at != StringRef::npos;
       at = text.find('\n', at + 1))
    starts.push_back(at + 1);
}

StringRef TextPositions::getLine(size_t number) const {
  if (number >= starts.size())
    return "";
  StringRef line = text.substr(starts[number]);
  return line.take_front(line.find('\n')).rtrim('\r');
}

Position TextPositions::toPosition(size_t offset) const {
  offset = std::min(offset, text.size());
  size_t line = std::upper_bound(starts.begin(), starts.end(), offset) -
                starts.begin() - 1;
  return Position(line, countUtf16(text.slice(starts[line], offset)));
}

size_t TextPositions::toOffset(Position position) const {
  if (position.line < 0)
    return 0;
  if (static_cast<size_t>(position.line) >= starts.size())
    return text.size();
  StringRef line = getLine(position.line);
  size_t at = 0;
  for (int units = 0; at < line.size();) {
    size_t length = std::clamp<size_t>(
        llvm::getNumBytesForUTF8(static_cast<llvm::UTF8>(line[at])), 1,
        line.size() - at);
    if (countUtf16(line.substr(at, length)) > 2)
      length = 1;
    units += countUtf16(line.substr(at, length));
    if (units > position.character)
      break;
    at += length;
  }
  return starts[position.line] + at;
}
