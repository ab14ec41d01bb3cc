//===- LineBuffer.cpp - Bytes of a pipe, line by line -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/LineBuffer.h"

#include <cerrno>
#include <unistd.h>

using namespace formwork::tools;

bool formwork::tools::writeAll(int fd, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    text = text.drop_front(written);
  }
  return true;
}

/// `text` without ends of lines, behind a tab.
static void append(std::string &line, llvm::StringRef text) {
  line += '\t';
  for (char c : text)
    if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
}

static std::string unescape(llvm::StringRef text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      result += text[at];
      continue;
    }
    char next = text[++at];
    result += next == 'n' ? '\n' : next == 't' ? '\t' : next;
  }
  return result;
}

std::string formwork::tools::toLine(const CheckRequest &request) {
  std::string line = std::to_string(request.id);
  line.reserve(request.file.size() + request.text.size() * 17 / 16);
  append(line, request.file);
  append(line, request.text);
  return line + '\n';
}

std::optional<CheckRequest> formwork::tools::readRequest(llvm::StringRef line) {
  CheckRequest request;
  auto [id, rest] = line.split('\t');
  auto [file, text] = rest.split('\t');
  if (id.getAsInteger(10, request.id) || file.size() == rest.size())
    return std::nullopt;
  request.file = unescape(file);
  request.text = unescape(text);
  return request;
}

std::optional<std::string> LineBuffer::takeLine() {
  size_t end = pending.find('\n', numSearched);
  if (end == std::string::npos) {
    numSearched = pending.size();
    return std::nullopt;
  }
  std::string line = pending.substr(0, end);
  pending.erase(0, end + 1);
  numSearched = 0;
  return line;
}

bool LineBuffer::readSome(int fd) {
  char buffer[1 << 16];
  ssize_t size;
  do
    size = read(fd, buffer, sizeof(buffer));
  while (size < 0 && errno == EINTR);
  if (size <= 0)
    return false;
  pending.append(buffer, size);
  return true;
}
