//===- Corpus.cpp - What mutations start from -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/fuzz/Corpus.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace formwork::fuzz;
using llvm::SmallVector;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Longer texts take too long to be mutated often.
static constexpr size_t kMaxSize = 40'000;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

/// The first token of `text`, which is not empty.
static Token readToken(StringRef text) {
  auto take = [&](Token::Kind kind, size_t size) {
    return Token{kind, text.take_front(std::max<size_t>(size, 1))};
  };
  auto nameEnd = [&](size_t from) {
    return from + text.drop_front(from).take_while(isNamePart).size();
  };
  char first = text.front();
  if (llvm::isSpace(first))
    return take(Token::Space, text.take_while(llvm::isSpace).size());
  if (text.starts_with("//"))
    return take(Token::Space, std::min(text.find('\n'), text.size()));
  switch (first) {
  case '"': {
    size_t end = 1;
    while (end < text.size() && text[end] != '"' && text[end] != '\n')
      end += text[end] == '\\' ? 2 : 1;
    return take(Token::Text, std::min(end + 1, text.size()));
  }
  case '%':
    return take(Token::Value, nameEnd(1));
  case '@':
    return take(Token::Symbol, nameEnd(1));
  case '#':
    return take(Token::Alias, nameEnd(1));
  case '!':
    return take(Token::Type, nameEnd(1));
  default:
    break;
  }
  if (llvm::isDigit(first) ||
      (first == '-' && text.size() > 1 && llvm::isDigit(text[1])))
    return take(Token::Number, 1 + text.drop_front()
                                       .take_while([](char c) {
                                         return llvm::isAlnum(c) || c == '.';
                                       })
                                       .size());
  if (llvm::isAlpha(first) || first == '_')
    return take(Token::Name, nameEnd(0));
  return take(Token::Sign, 1);
}

std::vector<Token> formwork::fuzz::tokenize(StringRef text) {
  std::vector<Token> tokens;
  while (!text.empty()) {
    tokens.push_back(readToken(text));
    text = text.drop_front(tokens.back().text.size());
  }
  return tokens;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool isSchedule(StringRef text) {
  return text.contains("transform.named_sequence");
}

void Corpus::addInput(StringRef payload, StringRef schedule) {
  if (payload.size() + schedule.size() <= kMaxSize)
    inputs.push_back({payload.str(), schedule.str()});
}

/// The files that split-file makes of `text`, or its pieces.
static SmallVector<StringRef> split(StringRef text) {
  SmallVector<StringRef> parts;
  for (StringRef marker : {"//--- ", "#--- ", "---"}) {
    StringRef rest = text;
    bool isFound = false;
    size_t at;
    while ((at = rest.find(("\n" + marker).str())) != StringRef::npos) {
      if (isFound)
        parts.push_back(rest.take_front(at + 1));
      rest = rest.drop_front(at + 1);
      // The rest of the line is a name.
      rest = rest.drop_front(std::min(rest.find('\n'), rest.size() - 1) + 1);
      isFound = true;
    }
    if (!isFound)
      continue;
    parts.push_back(rest);
    return parts;
  }
  text.split(parts, "// -----");
  return parts;
}

bool Corpus::addFile(StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(name);
  if (!file)
    return false;
  SmallVector<StringRef> payloads, schedules;
  for (StringRef part : split((*file)->getBuffer()))
    (isSchedule(part) ? schedules : payloads).push_back(part);
  llvm::SmallString<128> beside = path::parent_path(name);
  path::append(beside, "payload.mlir");
  std::unique_ptr<llvm::MemoryBuffer> given;
  if (auto found = llvm::MemoryBuffer::getFile(beside)) {
    given = std::move(*found);
    payloads.assign({given->getBuffer()});
  }
  llvm::erase_if(payloads, [](StringRef text) {
    return !text.contains("func") && !text.contains(" = ");
  });
  for (StringRef schedule : schedules) {
    if (given || !schedule.contains("func.func"))
      for (StringRef payload : llvm::ArrayRef(payloads).take_front(3))
        addInput(payload, schedule);
    addInput(schedule, "");
  }
  return true;
}

bool Corpus::add(StringRef name) {
  if (!fs::is_directory(name)) {
    if (!addFile(name))
      return false;
  } else {
    // In one order on every machine.
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator it(name, error), end;
         it != end && !error; it.increment(error))
      if (StringRef file = it->path();
          file.ends_with(".mlir") || file.ends_with(".test"))
        names.push_back(file.str());
    llvm::sort(names);
    for (const std::string &file : names)
      addFile(file);
  }
  for (std::vector<std::string> &list : words)
    list.clear();
  for (const Input &input : inputs)
    for (StringRef text : {StringRef(input.payload), StringRef(input.schedule)})
      for (const Token &token : tokenize(text))
        words[token.kind].push_back(token.text.str());
  for (std::vector<std::string> &list : words) {
    llvm::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return true;
}
