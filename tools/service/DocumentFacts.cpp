//===- DocumentFacts.cpp - What a check says of a document ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/DocumentFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

//===----------------------------------------------------------------------===//
// The members of each value
//===----------------------------------------------------------------------===//

// `archive` takes the members of a value, to write or to read them.

template <typename Archive>
static bool carry(Archive &archive, lsp::Position &it) {
  return archive(it.line, it.character);
}

template <typename Archive>
static bool carry(Archive &archive, lsp::Range &it) {
  return archive(it.start, it.end);
}

template <typename Archive>
static bool carry(Archive &archive, lsp::TextEdit &it) {
  return archive(it.range, it.newText);
}

template <typename Archive>
static bool carry(Archive &archive, RelatedPlace &it) {
  return archive(it.file, it.range, it.message);
}

template <typename Archive>
static bool carry(Archive &archive, DocumentFix &it) {
  return archive(it.title, it.edits);
}

template <typename Archive>
static bool carry(Archive &archive, DocumentDiagnostic &it) {
  return archive(it.range, it.severity, it.id, it.message, it.related,
                 it.fixes);
}

template <typename Archive>
static bool carry(Archive &archive, NamedEntity &it) {
  return archive(it.kind, it.name, it.file, it.definition, it.uses, it.scopeEnd,
                 it.hover, it.hint);
}

template <typename Archive>
static bool carry(Archive &archive, HandleFacts &it) {
  return archive(it.name, it.payload, it.forms, it.validity);
}

template <typename Archive> static bool carry(Archive &archive, StepFacts &it) {
  return archive(it.range, it.operation, it.hover);
}

template <typename Archive>
static bool carry(Archive &archive, DocumentFacts &it) {
  return archive(it.isParsed, it.diagnostics, it.findings, it.entities,
                 it.handles, it.steps, it.operations, it.verdict);
}

template <typename Archive>
static bool carry(Archive &archive, KnownOperation &it) {
  return archive(it.name, it.detail, it.isRuleGroup);
}

template <typename Archive> static bool carry(Archive &archive, KnownForm &it) {
  return archive(it.name, it.detail);
}

template <typename Archive>
static bool carry(Archive &archive, KnownNames &it) {
  return archive(it.operations, it.forms);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Writes numbers in decimal and a blank, in front of a string its length.
class Packer {
public:
  template <typename... T> bool operator()(const T &...values) {
    (add(values), ...);
    return true;
  }

  std::string text;

private:
  void addNumber(int64_t number) {
    text += std::to_string(number);
    text += ' ';
  }
  void add(int number) { addNumber(number); }
  void add(bool flag) { addNumber(flag); }
  void add(const std::string &given) {
    // Strings may hold any bytes of a document.
    if (!json::isUTF8(given))
      return add(json::fixUTF8(given));
    addNumber(given.size());
    text += given;
  }
  template <typename T> void add(const std::vector<T> &all) {
    addNumber(all.size());
    for (const T &one : all)
      add(one);
  }
  void add(const std::map<std::string, std::string> &all) {
    addNumber(all.size());
    for (const auto &[key, value] : all)
      (*this)(key, value);
  }
  template <typename T> void add(const T &value) {
    // Only a reader changes a value.
    carry(*this, const_cast<T &>(value));
  }
};

/// Reads what Packer writes.
class Unpacker {
public:
  explicit Unpacker(StringRef text) : rest(text) {}

  template <typename... T> bool operator()(T &...values) {
    return (read(values) && ...);
  }

  StringRef rest;

private:
  template <typename T> bool readNumber(T &number) {
    return !rest.consumeInteger(10, number) && rest.consume_front(" ");
  }
  bool read(int &number) { return readNumber(number); }
  bool read(bool &flag) {
    int number = 0;
    bool isRead = read(number);
    flag = number != 0;
    return isRead;
  }
  bool readSize(size_t &size) {
    return readNumber(size) && size <= rest.size();
  }
  bool read(std::string &given) {
    size_t size;
    if (!readSize(size))
      return false;
    given = rest.take_front(size);
    rest = rest.drop_front(size);
    return true;
  }
  template <typename T> bool read(std::vector<T> &all) {
    size_t size;
    if (!readSize(size))
      return false;
    all.resize(size);
    return llvm::all_of(all, [&](T &one) { return read(one); });
  }
  bool read(std::map<std::string, std::string> &all) {
    size_t size;
    if (!readSize(size))
      return false;
    for (; size != 0; --size)
      if (std::string key; !read(key) || !read(all[key]))
        return false;
    return true;
  }
  template <typename T> bool read(T &value) { return carry(*this, value); }
};
} // namespace

template <typename T> static std::string packValue(const T &value) {
  Packer packer;
  packer(value);
  return std::move(packer.text);
}

template <typename T> static std::optional<T> unpackValue(StringRef text) {
  Unpacker unpacker(text);
  T value;
  if (!unpacker(value) || !unpacker.rest.empty())
    return std::nullopt;
  return value;
}

std::string formwork::tools::pack(const DocumentFacts &facts) {
  return packValue(facts);
}

std::string formwork::tools::pack(const KnownNames &names) {
  return packValue(names);
}

std::optional<DocumentFacts> formwork::tools::unpackFacts(StringRef text) {
  return unpackValue<DocumentFacts>(text);
}

std::optional<KnownNames> formwork::tools::unpackNames(StringRef text) {
  return unpackValue<KnownNames>(text);
}
