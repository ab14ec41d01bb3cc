//===- SourceFiles.cpp - Places as other tools count them -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/SourceFiles.h"

#include "engine/SourcePlace.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace formwork::tools;

SourceFiles::SourceFiles() = default;
SourceFiles::~SourceFiles() = default;

unsigned formwork::tools::countUtf16(StringRef text) {
  unsigned units = 0;
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  while (at != end) {
    unsigned length = llvm::getNumBytesForUTF8(*at);
    if (length > static_cast<size_t>(end - at) ||
        !llvm::isLegalUTF8Sequence(at, at + length))
      length = 1;
    // A character of four bytes in UTF-8 has two units in UTF-16.
    units += length == 4 ? 2 : 1;
    at += length;
  }
  return units;
}

std::pair<std::string, unsigned>
formwork::tools::resolveSplitName(StringRef name) {
  StringRef rest = name;
  unsigned line = 0;
  if (!rest.consume_front("within split at ") || !rest.consume_back(" offset "))
    return {name.str(), 0};
  auto [file, number] = rest.rsplit(':');
  if (number.getAsInteger(10, line) || line == 0)
    return {name.str(), 0};
  return {file.str(), line - 1};
}

FileLineColRange formwork::tools::locateInFile(FileLineColRange range) {
  auto [name, before] = resolveSplitName(range.getFilename().strref());
  if (before == 0 && name == range.getFilename().strref())
    return range;
  return FileLineColRange::get(
      StringAttr::get(range.getContext(), name), range.getStartLine() + before,
      range.getStartColumn(), range.getEndLine() + before,
      range.getEndColumn());
}

void SourceFiles::add(StringRef name, StringRef text) {
  File &file = files[name];
  file.text = text;
  file.lineStarts.assign(1, 0);
  for (size_t at = text.find('\n'); at != StringRef::npos;
       at = text.find('\n', at + 1))
    file.lineStarts.push_back(at + 1);
}

const SourceFiles::File *SourceFiles::lookup(StringRef name) {
  auto known = files.find(name);
  if (known == files.end()) {
    if (auto buffer = llvm::MemoryBuffer::getFile(name)) {
      buffers.push_back(std::move(*buffer));
      add(name, buffers.back()->getBuffer());
    } else {
      files[name];
    }
    known = files.find(name);
  }
  return known->second.lineStarts.empty() ? nullptr : &known->second;
}

/// The text of line `number`, counted from 1, without its end.
static StringRef getLine(StringRef text, ArrayRef<size_t> starts,
                         unsigned number) {
  if (number == 0 || number > starts.size())
    return "";
  StringRef line = text.substr(starts[number - 1]);
  return line.take_front(line.find('\n')).rtrim('\r');
}

/// A 1-based column in bytes as one in code units.
static unsigned toUtf16(StringRef line, unsigned column) {
  if (column == 0)
    return 1;
  return countUtf16(line.take_front(column - 1)) + 1;
}

/// The length in bytes of the word at the start of `text`.
static size_t getWordLength(StringRef text) {
  if (text.empty())
    return 0;
  size_t length = StringRef("%@#!^").contains(text[0]) ? 1 : 0;
  while (length < text.size() && (llvm::isAlnum(text[length]) ||
                                  StringRef("_$.-").contains(text[length])))
    ++length;
  if (length != 0)
    return length;
  unsigned bytes =
      llvm::getNumBytesForUTF8(static_cast<llvm::UTF8>(text.front()));
  return std::min<size_t>(bytes, text.size());
}

std::optional<Place> SourceFiles::locate(Location loc) {
  FileLineColLoc found = formwork::engine::findSourcePlace(loc);
  if (!found || found.getLine() == 0)
    return std::nullopt;
  auto [name, before] = resolveSplitName(found.getFilename().strref());
  Place place{name, found.getLine() + before, found.getColumn(),
              found.getLine() + before, found.getColumn()};
  if (const File *file = lookup(found.getFilename().strref())) {
    StringRef line = getLine(file->text, file->lineStarts, found.getLine());
    size_t begin = found.getColumn() == 0 ? 0 : found.getColumn() - 1;
    size_t end = begin + getWordLength(line.substr(begin));
    place.column = toUtf16(line, begin + 1);
    place.endColumn = toUtf16(line, end + 1);
  }
  return place;
}

StringRef SourceFiles::getLineAt(Location loc) {
  FileLineColLoc found = formwork::engine::findSourcePlace(loc);
  const File *file = found ? lookup(found.getFilename().strref()) : nullptr;
  return file ? getLine(file->text, file->lineStarts, found.getLine()) : "";
}

Place SourceFiles::locate(FileLineColRange range) {
  auto [name, before] = resolveSplitName(range.getFilename().strref());
  Place place{name, range.getStartLine() + before, range.getStartColumn(),
              range.getEndLine() + before, range.getEndColumn()};
  if (const File *file = lookup(range.getFilename().strref())) {
    place.column =
        toUtf16(getLine(file->text, file->lineStarts, range.getStartLine()),
                range.getStartColumn());
    place.endColumn =
        toUtf16(getLine(file->text, file->lineStarts, range.getEndLine()),
                range.getEndColumn());
  }
  return place;
}
