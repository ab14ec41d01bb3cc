//===- KindPattern.h - A kind of op as contracts write it -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pattern for op kinds as contracts write it: an op name, `dialect.*`,
// `"*"`, a class (`$isolated`, `$loop`, `$structured`, `$tileable`), or a value
// type (`!tensor`, `!memref`, `!vector`). A `+` may precede the pattern; `?`
// and a property may follow it. The pattern is parsed once, at construction,
// because a check uses it at every step. Layer: normalforms; a value that
// points at its text.
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
  /// The text lives as long as the context.
  KindPattern(mlir::StringAttr text) : KindPattern(text.data(), text.size()) {}
  KindPattern(mlir::OperationName name)
      : KindPattern(name.getStringRef().data(), name.getStringRef().size()) {}
  /// `text` must outlive the pattern and its copies.
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
  /// Whether the pattern is an op name. A schedule can ask for ops with a name
  /// like a word of the pattern language; no such ops exist.
  bool isName() const {
    return form == Form::Name && kindSize == size && size != 0 &&
           *text != '+' && *text != '-';
  }
  /// Whether the pattern starts with `+`: the op comes only where one exists
  /// already. `getThem` is the pattern without the `+`.
  bool isMoreOfThem() const { return size != 0 && *text == '+'; }
  KindPattern getThem() const { return of(getText().drop_front()); }

  /// The pattern without `?` and the property after it.
  llvm::StringRef getKind() const { return {text, kindSize}; }
  llvm::StringRef getProperty() const {
    return getText().drop_front(kindSize + (kindSize != size));
  }
  KindPattern withoutProperty() const {
    return kindSize == size ? *this : of(getKind());
  }

  /// Whether the pattern spells out `name`: the name itself, its dialect, or
  /// any.
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

  /// Whether ops called `name` are of the kind: `names`, or of the class.
  /// Ignores the property.
  bool matches(mlir::OperationName name) const;

  /// Equal for equal texts, and most likely different for different ones.
  uint32_t getHash() const { return hash; }
  /// A bit for the dialect of the named ops, the same for all ops of one
  /// dialect. All bits, if the pattern does not name ops of one dialect. If two
  /// patterns have no bit in common, no op is of both kinds.
  constexpr uint64_t getDialectBits() const {
    bool isOfOne =
        (form == Form::Dialect || form == Form::Name) && dialect != noDialect;
    return isOfOne ? uint64_t(1) << dialect : ~uint64_t(0);
  }
  /// The dialect bit, from the name of the dialect alone.
  static constexpr uint64_t getDialectBit(llvm::StringRef dialect) {
    return uint64_t(1) << getDialectNumber(dialect.data(), dialect.size());
  }

  friend bool operator==(const KindPattern &a, const KindPattern &b) {
    // Most texts are uniqued strings of the context.
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
    // The last word may overlap the one before it; those bytes are read twice.
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

  /// The bytes of `text`, at most eight, in little-endian order.
  static constexpr uint64_t readWord(const char *text, size_t length) {
    if (length == 8 && !std::is_constant_evaluated())
      return llvm::support::endian::read64le(text);
    uint64_t word = 0;
    for (size_t i = 0; i < length; ++i)
      word |= uint64_t(static_cast<unsigned char>(text[i])) << 8 * i;
    return word;
  }
  /// Spreads differences over all bits.
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

/// A set of op kinds. Removed kinds may include value types; introduced kinds
/// may include kinds with a `+`.
using KindPatterns = llvm::SmallVector<KindPattern, 2>;

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_KINDPATTERN_H
