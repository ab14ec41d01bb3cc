//===- KindPattern.h - A kind of op as contracts write it -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pattern of the notation in which contracts speak of op kinds: an op name,
// `dialect.*`, `"*"`, a class (`$isolated`, `$loop`, `$structured`,
// `$tileable`), or the type of a value (`!tensor`, `!memref`, `!vector`);
// before it perhaps `+`, behind it perhaps `?` and a property. What it says is
// read once, when it is made, since a check asks for it at every step. Layer:
// normalforms; a value that points at its text.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_KINDPATTERN_H
#define FORMWORK_NORMALFORMS_KINDPATTERN_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace formwork::normalforms {

class KindPattern {
public:
  enum class Form : uint8_t {
    Any,
    Dialect,
    Isolated,
    Loop,
    Structured,
    Tileable,
    Type,
    Name
  };

  template <size_t N>
  consteval KindPattern(const char (&literal)[N])
      : KindPattern(literal, N - 1) {}
  constexpr KindPattern(llvm::StringLiteral literal)
      : KindPattern(literal.data(), literal.size()) {}
  /// Texts that live as long as the context.
  KindPattern(mlir::StringAttr text) : KindPattern(text.data(), text.size()) {}
  KindPattern(mlir::OperationName name)
      : KindPattern(name.getStringRef().data(), name.getStringRef().size()) {}
  /// `text` has to outlive the pattern and its copies.
  static constexpr KindPattern of(llvm::StringRef text) {
    return KindPattern(text.data(), text.size());
  }

  constexpr llvm::StringRef getText() const { return {text, size}; }
  constexpr operator llvm::StringRef() const { return getText(); }

  Form getForm() const { return form; }
  bool isAny() const { return form == Form::Any; }
  bool isClass() const {
    return form >= Form::Isolated && form <= Form::Tileable;
  }
  /// Whether it is a name, as that of an op is: a schedule can ask for ops
  /// called like a word of the language, of which there are none.
  bool isName() const {
    return form == Form::Name && kindSize == size && size != 0 &&
           *text != '+' && *text != '-';
  }
  /// Comes only where one is already; the rest is a pattern of its own.
  bool isMoreOfThem() const { return size != 0 && *text == '+'; }
  KindPattern getThem() const { return of(getText().drop_front()); }

  /// Without what follows a `?`, and that.
  llvm::StringRef getKind() const { return {text, kindSize}; }
  llvm::StringRef getProperty() const {
    return getText().drop_front(kindSize + (kindSize != size));
  }
  KindPattern withoutProperty() const {
    return kindSize == size ? *this : of(getKind());
  }

  /// Whether `name` is one of those that the pattern spells out: itself, one of
  /// its dialect, or any.
  bool names(llvm::StringRef name) const {
    switch (form) {
    case Form::Any:
      return true;
    case Form::Dialect:
      return name.starts_with(getKind().drop_back());
    default:
      return name == getKind();
    }
  }

  /// Whether ops called `name` are of the kind, of which the property is not
  /// looked at: as `names`, or of the class.
  bool matches(mlir::OperationName name) const;

  /// Of one text, and most likely of no other.
  uint32_t getHash() const { return hash; }
  /// A bit for the dialect of the ops that it names, the same for all of one;
  /// all bits, if it names no ops of one dialect. What two patterns have none
  /// of in common, no op is of both kinds.
  constexpr uint64_t getDialectBits() const {
    bool isOfOne =
        (form == Form::Dialect || form == Form::Name) && dialect != noDialect;
    return isOfOne ? uint64_t(1) << dialect : ~uint64_t(0);
  }
  /// That bit, from the name of the dialect alone.
  static constexpr uint64_t getDialectBit(llvm::StringRef dialect) {
    return uint64_t(1) << getDialectNumber(dialect.data(), dialect.size());
  }

  friend bool operator==(const KindPattern &a, const KindPattern &b) {
    // Most texts are the context's own, of which there is one each.
    return a.hash == b.hash && a.size == b.size &&
           (a.text == b.text || a.getText() == b.getText());
  }
  friend bool operator==(const KindPattern &a, llvm::StringRef b) {
    return a.getText() == b;
  }
  template <size_t N>
  friend bool operator==(const KindPattern &a, const char (&literal)[N]) {
    return a.getText() == llvm::StringRef(literal, N - 1);
  }

private:
  constexpr KindPattern(const char *text, size_t length)
      : text(text), size(length), kindSize(length) {
    std::string_view all(text, length);
    if (size_t end = all.find('?'); end != all.npos)
      kindSize = end;
    size_t dot = all.substr(0, kindSize).find('.');
    if (dot != all.npos)
      dialect = getDialectNumber(text, dot);
    // Of the last word, what is in the one before is read twice.
    uint64_t sum = length;
    for (size_t i = 0; i + 8 < length; i += 8)
      sum = mix(sum ^ readWord(text + i, 8));
    hash = mix(sum ^ (length < 8 ? readWord(text, length)
                                 : readWord(text + length - 8, 8)));
    if (kindSize == 1 && text[0] == '*')
      form = Form::Any;
    else if (kindSize > 1 && text[kindSize - 2] == '.' &&
             text[kindSize - 1] == '*')
      form = Form::Dialect;
    else if (kindSize > 0 && text[0] == '!')
      form = Form::Type;
    else if (kindSize > 0 && text[0] == '$')
      form = readClass({text, kindSize});
  }

  static constexpr Form readClass(std::string_view cls) {
    return cls == "$isolated"     ? Form::Isolated
           : cls == "$loop"       ? Form::Loop
           : cls == "$structured" ? Form::Structured
           : cls == "$tileable"   ? Form::Tileable
                                  : Form::Name;
  }

  /// The bytes of `text`, at most eight, the first one lowest.
  static constexpr uint64_t readWord(const char *text, size_t length) {
    if (length == 8 && !std::is_constant_evaluated())
      return llvm::support::endian::read64le(text);
    uint64_t word = 0;
    for (size_t i = 0; i < length; ++i)
      word |= uint64_t(static_cast<unsigned char>(text[i])) << 8 * i;
    return word;
  }
  /// Spreads what differs over all bits.
  static constexpr uint64_t mix(uint64_t word) {
    word *= 0x9e3779b97f4a7c15;
    return word ^ word >> 32;
  }

  static constexpr uint8_t noDialect = 64;
  static constexpr uint8_t getDialectNumber(const char *name, size_t length) {
    return mix(readWord(name, std::min<size_t>(length, 8)) + length) %
           noDialect;
  }

  const char *text;
  uint32_t size, kindSize, hash = 0;
  Form form = Form::Name;
  uint8_t dialect = noDialect;
};

/// A set of op kinds: of what goes, also types of values; of what comes, also
/// kinds with a `+`.
using KindPatterns = llvm::SmallVector<KindPattern, 2>;

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_KINDPATTERN_H
