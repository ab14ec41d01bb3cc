//===- Toml.cpp - The part of TOML that settings need -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/Toml.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace formwork::tools;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// Lists in lists beyond this depth are refused.
static constexpr unsigned kMaxDepth = 16;

namespace {
/// A reader at one byte of the text. Each `read*` returns whether it read what
/// its name says; where it did not, `fault` is set.
class Reader {
public:
  explicit Reader(StringRef text) : text(text) {
    consume("\xEF\xBB\xBF"); // the byte order mark of some editors
  }

  /// To the next entry; at the end of the text, `isAtEnd` holds.
  bool skipLines();
  /// The key and "=".
  bool readKey(TomlEntry &entry);
  bool readValue(TomlEntry &entry);
  bool isAtEnd() const { return at == text.size(); }
  /// The end of the line behind an entry.
  bool readEnd();

  std::optional<TomlFault> fault;

private:
  bool fail(size_t offset, const Twine &message) {
    fault = TomlFault{offset, message.str()};
    return false;
  }
  StringRef rest() const { return text.drop_front(at); }
  bool consume(StringRef token) {
    if (!rest().starts_with(token))
      return false;
    at += token.size();
    return true;
  }
  void skipSpace() {
    at = std::min(text.find_first_not_of(" \t", at), text.size());
  }
  bool skipComment();
  bool readKey(std::string &key);
  bool readValue(json::Value &value, unsigned depth);
  bool readList(json::Value &value, unsigned depth);
  /// Both from their opening quote on.
  bool readBasicString(std::string &string);
  bool readLiteralString(std::string &string);
  bool readEscape(std::string &string);

  StringRef text;
  size_t at = 0;
};
} // namespace

static bool isControl(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
}

bool Reader::skipComment() {
  if (!consume("#"))
    return true;
  while (!isAtEnd() && text[at] != '\n' && !rest().starts_with("\r\n")) {
    if (isControl(text[at]))
      return fail(at, "a comment may not hold control characters");
    ++at;
  }
  return true;
}

bool Reader::skipLines() {
  while (true) {
    skipSpace();
    if (!skipComment())
      return false;
    if (!consume("\n") && !consume("\r\n"))
      return true;
  }
}

bool Reader::readEnd() {
  skipSpace();
  if (!skipComment())
    return false;
  if (isAtEnd() || consume("\n") || consume("\r\n"))
    return true;
  return fail(at, "requires the end of the line after the value");
}

bool Reader::readEscape(std::string &string) {
  static constexpr std::pair<char, char> kShort[] = {
      {'b', '\b'}, {'t', '\t'}, {'n', '\n'}, {'f', '\f'},
      {'r', '\r'}, {'"', '"'},  {'\\', '\\'}};
  size_t begin = at++;
  char kind = isAtEnd() ? '\0' : text[at];
  for (auto [written, meant] : kShort)
    if (kind == written) {
      ++at;
      string += meant;
      return true;
    }
  if (kind == 'u' || kind == 'U') {
    StringRef digits = text.substr(++at, kind == 'u' ? 4 : 8);
    llvm::UTF32 code = 0;
    bool isNumber = digits.size() == (kind == 'u' ? 4 : 8) &&
                    llvm::all_of(digits, llvm::isHexDigit) &&
                    !digits.getAsInteger(16, code);
    char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
    char *end = bytes;
    // It refuses surrogates and what is beyond the last character.
    if (isNumber && llvm::ConvertCodePointToUTF8(code, end)) {
      at += digits.size();
      string.append(bytes, end);
      return true;
    }
  }
  return fail(begin, "unknown escape sequence in a string; in a string in "
                     "single quotes, a backslash is itself");
}

bool Reader::readBasicString(std::string &string) {
  size_t begin = at++;
  while (!isAtEnd() && !isControl(text[at])) {
    if (consume("\""))
      return true;
    if (text[at] == '\\') {
      if (!readEscape(string))
        return false;
      continue;
    }
    string += text[at++];
  }
  return fail(begin, "a string is not closed in its line");
}

bool Reader::readLiteralString(std::string &string) {
  size_t begin = at++;
  while (!isAtEnd() && !isControl(text[at])) {
    if (consume("'"))
      return true;
    string += text[at++];
  }
  return fail(begin, "a string is not closed in its line");
}

bool Reader::readList(json::Value &value, unsigned depth) {
  size_t begin = at++;
  if (depth > kMaxDepth)
    return fail(begin, "lists are nested too deeply");
  json::Array list;
  while (true) {
    if (!skipLines())
      return false;
    if (consume("]"))
      break;
    if (isAtEnd())
      return fail(begin, "a list is not closed");
    json::Value element = nullptr;
    if (!readValue(element, depth + 1))
      return false;
    list.push_back(std::move(element));
    if (!skipLines())
      return false;
    if (!consume(",") && !rest().starts_with("]"))
      return isAtEnd() ? fail(begin, "a list is not closed")
                       : fail(at, "requires ',' or ']' after the value");
  }
  value = std::move(list);
  return true;
}

bool Reader::readValue(json::Value &value, unsigned depth) {
  if (rest().starts_with("\"\"\"") || rest().starts_with("'''"))
    return fail(at, "strings of several lines are not accepted here");
  std::string string;
  if (rest().starts_with("\"") || rest().starts_with("'")) {
    bool isBasic = text[at] == '"';
    if (!(isBasic ? readBasicString(string) : readLiteralString(string)))
      return false;
    value = std::move(string);
    return true;
  }
  if (rest().starts_with("["))
    return readList(value, depth);
  StringRef word = rest().take_until(
      [](char c) { return StringRef(" \t\r\n#,]").contains(c); });
  if (word == "true" || word == "false") {
    at += word.size();
    value = word == "true";
    return true;
  }
  return fail(at, "requires a string in quotes, a list of strings, true or "
                  "false");
}

bool Reader::readKey(std::string &key) {
  if (rest().starts_with("["))
    return fail(at, "tables are not accepted here");
  if (rest().starts_with("\"\"\"") || rest().starts_with("'''"))
    return fail(at, "requires a key");
  if (rest().starts_with("\""))
    return readBasicString(key);
  if (rest().starts_with("'"))
    return readLiteralString(key);
  StringRef bare = rest().take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
  if (bare.empty())
    return fail(at, "requires a line 'key = value'");
  at += bare.size();
  key = bare;
  return true;
}

bool Reader::readKey(TomlEntry &entry) {
  entry.keyOffset = at;
  if (!readKey(entry.key))
    return false;
  skipSpace();
  if (rest().starts_with("."))
    return fail(at, "keys with dots are not accepted here");
  return consume("=") || fail(at, "requires '=' after the key");
}

bool Reader::readValue(TomlEntry &entry) {
  skipSpace();
  entry.valueOffset = at;
  return readValue(entry.value, 0);
}

TomlFile formwork::tools::readToml(StringRef text) {
  TomlFile file;
  if (size_t offset = 0; !json::isUTF8(text, &offset)) {
    file.fault = TomlFault{offset, "the text is not UTF-8"};
    return file;
  }
  Reader reader(text);
  while (reader.skipLines() && !reader.isAtEnd()) {
    TomlEntry entry;
    if (!reader.readKey(entry))
      break;
    bool isRead = reader.readValue(entry);
    file.entries.push_back(std::move(entry));
    if (!isRead || !reader.readEnd())
      break;
  }
  file.fault = std::move(reader.fault);
  return file;
}
