//===- Npy.cpp - NumPy array files ------------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/Npy.h"

#include "engine/Check.h"
#include "engine/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::transforms;

namespace {
struct NpyHeader {
  StringRef descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};

/// Reads the header's text: one Python dictionary of strings, booleans and
/// tuples of integers. Each function consumes what it reads from `text` and
/// returns false when something else stands there.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : text(text) {}

  bool parse(NpyHeader &header) {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!consume("{"))
      return false;
    while (!consume("}")) {
      StringRef key;
      if (!parseString(key) || !consume(":"))
        return false;
      if (key == "descr" && !hasDescr)
        hasDescr = parseString(header.descr);
      else if (key == "fortran_order" && !hasOrder)
        hasOrder = parseBool(header.fortranOrder);
      else if (key == "shape" && !hasShape)
        hasShape = parseShape(header.shape);
      else
        return false;
      if (consume(","))
        continue;
      if (!consume("}"))
        return false;
      break;
    }
    return hasDescr && hasOrder && hasShape && text.trim().empty();
  }

private:
  bool consume(StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }
  bool parseString(StringRef &value) {
    text = text.ltrim();
    if (text.empty() || (text.front() != '\'' && text.front() != '"'))
      return false;
    char quote = text.front();
    size_t end = text.find(quote, 1);
    if (end == StringRef::npos)
      return false;
    value = text.slice(1, end);
    text = text.drop_front(end + 1);
    return true;
  }
  bool parseBool(bool &value) {
    value = consume("True");
    return value || consume("False");
  }
  bool parseShape(SmallVector<int64_t> &shape) {
    if (!consume("("))
      return false;
    while (!consume(")")) {
      int64_t extent;
      text = text.ltrim();
      if (text.consumeInteger(10, extent) || extent < 0)
        return false;
      shape.push_back(extent);
      if (consume(","))
        continue;
      if (!consume(")"))
        return false;
      break;
    }
    return true;
  }

  StringRef text;
};
} // namespace

/// The header of `file`, and in `data` the bytes after it; nothing if it is
/// not in the format.
static std::optional<NpyHeader> parseHeader(StringRef file, StringRef &data) {
  if (!file.consume_front("\x93NUMPY") || file.size() < 4)
    return std::nullopt;
  unsigned major = static_cast<unsigned char>(file[0]);
  size_t length;
  if (major == 1) {
    length = llvm::support::endian::read16le(file.data() + 2);
    file = file.drop_front(4);
  } else if ((major == 2 || major == 3) && file.size() >= 6) {
    length = llvm::support::endian::read32le(file.data() + 2);
    file = file.drop_front(6);
  } else {
    return std::nullopt;
  }
  if (file.size() < length)
    return std::nullopt;
  NpyHeader header;
  if (!HeaderParser(file.take_front(length)).parse(header))
    return std::nullopt;
  data = file.drop_front(length);
  return header;
}

/// NumPy's names for an element type in a file, the one to write first.
/// Integers have no sign here, so that a file may have one or not. A file may
/// have bf16, which NumPy does not know, as its bits.
static ArrayRef<StringRef> getDescrs(FwElementType type) {
  static const std::map<FwElementType, std::vector<StringRef>> descrs = {
      {FwElementF16, {"<f2"}},
      {FwElementBF16, {"<V2", "|V2", "<u2"}},
      {FwElementF32, {"<f4"}},
      {FwElementF64, {"<f8"}},
      {FwElementI1, {"|b1"}},
      {FwElementI8, {"|i1", "<i1", "|u1", "<u1"}},
      {FwElementI16, {"<i2", "<u2"}},
      {FwElementI32, {"<i4", "<u4"}},
      {FwElementI64, {"<i8", "<u8"}},
      {FwElementIndex, {"<i8", "<u8"}}};
  return descrs.at(type);
}

static std::string formatShape(ArrayRef<int64_t> shape) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, ", ");
  os << (shape.size() == 1 ? ",)" : ")");
  return text;
}

namespace {
struct NpyFile {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  NpyHeader header;
  StringRef data;
};
} // namespace

static FailureOr<NpyFile> openNpy(StringRef path, Location loc) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return emitFinding(
        Finding(loc, "fw-input-unreadable",
                llvm::formatv("cannot read input '{0}': {1}", path,
                              buffer.getError().message())));
  StringRef data;
  std::optional<NpyHeader> header = parseHeader((*buffer)->getBuffer(), data);
  if (!header)
    return emitFinding(
        Finding(loc, "fw-input-malformed",
                llvm::formatv("requires a NumPy array file but '{0}' has no "
                              "valid header",
                              path)));
  return NpyFile{std::move(*buffer), std::move(*header), data};
}

FailureOr<SmallVector<int64_t>>
formwork::transforms::readNpyShape(StringRef path, Location loc) {
  FailureOr<NpyFile> file = openNpy(path, loc);
  if (failed(file))
    return failure();
  return std::move(file->header.shape);
}

LogicalResult formwork::transforms::readNpy(StringRef path,
                                            const EntryParameter &parameter,
                                            MutableArrayRef<char> out,
                                            Location loc) {
  FW_CHECK(out.size() == parameter.getByteSize(), "memory of another size");
  FailureOr<NpyFile> file = openNpy(path, loc);
  if (failed(file))
    return failure();
  const NpyHeader *header = &file->header;
  StringRef data = file->data;
  ArrayRef<StringRef> descrs = getDescrs(parameter.type);
  if (!llvm::is_contained(descrs, header->descr))
    return emitFinding(Finding(
        loc, "fw-input-mismatch",
        llvm::formatv("requires elements of type '{0}' for '{1}' but '{2}' has "
                      "'{3}'",
                      descrs.front(), parameter.name, path, header->descr)));
  if (header->shape != parameter.shape)
    return emitFinding(
        Finding(loc, "fw-input-mismatch",
                llvm::formatv("requires shape {0} for '{1}' but '{2}' has {3}",
                              formatShape(parameter.shape), parameter.name,
                              path, formatShape(header->shape))));
  // The order is of no consequence where at most one dimension is stepped over.
  if (header->fortranOrder &&
      llvm::count_if(header->shape, [](int64_t n) { return n != 1; }) > 1)
    return emitFinding(Finding(
        loc, "fw-input-mismatch",
        llvm::formatv("requires C order for '{0}' but '{1}' has Fortran order",
                      parameter.name, path)));
  if (data.size() != out.size())
    return emitFinding(Finding(
        loc, "fw-input-malformed",
        llvm::formatv("requires {0} bytes of elements but '{1}' has {2}",
                      out.size(), path, data.size())));
  if (parameter.type == FwElementI1 &&
      llvm::any_of(data, [](char byte) { return byte != 0 && byte != 1; }))
    return emitFinding(
        Finding(loc, "fw-input-malformed",
                llvm::formatv(
                    "requires booleans of 0 or 1 but '{0}' has others", path)));
  llvm::copy(data, out.begin());
  return success();
}

std::string formwork::transforms::formatNpy(const EntryParameter &parameter,
                                            ArrayRef<char> bytes) {
  std::string header = llvm::formatv(
      "{{'descr': '{0}', 'fortran_order': False, 'shape': {1}, }",
      getDescrs(parameter.type).front(), formatShape(parameter.shape));
  // Magic, version and length take ten bytes; elements begin at a multiple of
  // 64, behind a line end.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  FW_CHECK(header.size() < 1 << 16, "a header of version 1 has 16 bits");
  std::string file("\x93NUMPY\1\0", 8);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(bytes.begin(), bytes.end());
  return file;
}
