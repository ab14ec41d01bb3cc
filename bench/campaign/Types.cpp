//===- Types.cpp - Types of one payload -----------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Types.h"

#include "llvm/ADT/StringExtras.h"

using namespace formwork::campaign;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringLiteral;
using llvm::StringRef;

static constexpr StringLiteral ordinaryElements[] = {
    "f32", "f32", "f32", "f32", "f16", "bf16", "f64",
    "i32", "i8",  "i64", "i16", "i1",  "index"};
static constexpr StringLiteral oddElements[] = {"i4",
                                                "i7",
                                                "i33",
                                                "i65",
                                                "i128",
                                                "i256",
                                                "f80",
                                                "f128",
                                                "tf32",
                                                "f8E4M3FN",
                                                "f8E5M2",
                                                "f8E4M3B11FNUZ",
                                                "f8E5M2FNUZ",
                                                "f8E8M0FNU",
                                                "f6E3M2FN",
                                                "f4E2M1FN",
                                                "complex<f32>",
                                                "complex<f64>",
                                                "complex<i32>",
                                                "complex<f16>",
                                                "si32",
                                                "ui8",
                                                "si64",
                                                "ui1",
                                                "vector<4xf32>",
                                                "!llvm.ptr",
                                                "memref<4xf32>",
                                                "none"};
static constexpr int64_t ordinarySizes[] = {1, 2,  3,  4,  4,  5,  7,  8,
                                            8, 12, 16, 16, 32, 33, 64, 128};
static constexpr int64_t oddSizeList[] = {
    0,          0,          0,          1,          65537,
    2147483647, 2147483648, 4294967296, 1000000007, 9223372036854775807};

Types::Types(Random &random) : random(random) {
  isOrdinary = random.chance(0.5);
  buffers = random.chance(0.35);
  dynamic = random.chance(0.3) ? 0.4 : 0.03;
  element = pick(random, ordinaryElements);
  if (!isOrdinary) {
    if (random.chance(0.4))
      element = pick(random, oddElements);
    if (random.chance(0.4))
      oddSizes = random.chance(0.5) ? 0.2 : 0.6;
    if (random.chance(0.5))
      oddLayouts = 0.5;
    if (random.chance(0.25))
      oddEncodings = 0.5;
    if (random.chance(0.25))
      oddSpaces = 0.5;
  }
  accumulator = element;
  if (random.chance(0.15))
    accumulator = random.chance(0.7) ? "i32" : "f64";
}

static bool isSignlessInteger(StringRef element) {
  return element == "index" ||
         (element.starts_with("i") && llvm::isDigit(element[1]));
}

static bool isFloatName(StringRef element) {
  return element.starts_with("f") || element == "bf16" || element == "tf32";
}

std::string Types::drawUnary() {
  static constexpr StringLiteral ofFloats[] = {"exp", "abs", "negf", "copy",
                                               "square"};
  static constexpr StringLiteral ofIntegers[] = {"copy", "square"};
  if (isFloat() || random.chance(0.05))
    return pick(random, ofFloats).str();
  return isInteger() ? pick(random, ofIntegers).str() : "copy";
}

bool Types::isFloat() const { return isFloatName(element); }

bool Types::isInteger() const {
  return element != "index" && isSignlessInteger(element);
}

int64_t Types::drawSize() {
  if (random.chance(dynamic))
    return kDynamic;
  if (random.chance(oddSizes))
    return oddSizeList[random.below(std::size(oddSizeList))];
  return ordinarySizes[random.below(std::size(ordinarySizes))];
}

int64_t Types::getSize(StringRef dim) {
  int64_t number;
  if (!dim.getAsInteger(10, number))
    return number;
  auto [it, isNew] = sizes.try_emplace(dim, 0);
  if (isNew)
    it->second = drawSize();
  return it->second;
}

SmallVector<int64_t> Types::getShape(StringRef dims) {
  SmallVector<int64_t> shape;
  SmallVector<StringRef> names;
  dims.split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    auto [inner, window] = name.trim().split('@');
    int64_t size = getSize(inner);
    if (!window.empty()) {
      int64_t width = getSize(window);
      bool isStatic = size != kDynamic && width != kDynamic;
      // Wraps where sizes are odd; then the payload is not valid, or is odd.
      size = isStatic ? static_cast<int64_t>(
                            (static_cast<uint64_t>(size) - 1) * stride +
                            (static_cast<uint64_t>(width) - 1) * dilation + 1)
                      : kDynamic;
      if (size < 0)
        size = kDynamic;
    }
    shape.push_back(size);
  }
  return shape;
}

std::string Types::getType(StringRef dims, StringRef element) {
  return getType(getShape(dims), element);
}

static std::string getMap(ArrayRef<unsigned> order, StringRef suffix = "") {
  std::string from, to;
  for (unsigned i = 0; i < order.size(); ++i) {
    from += (i ? ", d" : "d") + std::to_string(i);
    to += (i ? ", d" : "d") + std::to_string(order[i]);
  }
  return "affine_map<(" + from + ") -> (" + to + suffix.str() + ")>";
}

static std::string drawLayout(ArrayRef<int64_t> shape, Random &random) {
  unsigned rank = shape.size();
  auto all = [&](StringRef word) {
    return llvm::join(SmallVector<StringRef>(rank, word), ", ");
  };
  std::string strides;
  uint64_t stride = 1;
  SmallVector<std::string> each(rank);
  for (unsigned i = rank; i-- > 0;) {
    each[i] = std::to_string(static_cast<int64_t>(stride & 0x7fffffff));
    stride *= shape[i] == kDynamic ? 64 : static_cast<uint64_t>(shape[i]) + 2;
  }
  strides = llvm::join(each, ", ");
  SmallVector<unsigned> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = rank - 1 - i;
  switch (random.below(10)) {
  case 0:
    return ", strided<[" + all("?") + "], offset: ?>";
  case 1:
    return ", strided<[" + strides + "], offset: 5>";
  case 2:
    return ", strided<[" + strides + "], offset: ?>";
  case 3:
    return ", strided<[" + strides + "]>";
  case 4:
    return ", strided<[" + all("0") + "]>";
  case 5:
    return ", strided<[" + all("-1") + "], offset: 100>";
  case 6:
    return ", " + getMap(order);
  case 7:
    return rank ? ", " + getMap(order, " mod 2") : std::string();
  case 8:
    return rank ? ", " + getMap(order, " floordiv 4") : std::string();
  default: {
    std::string dims;
    for (unsigned i = 0; i < rank; ++i)
      dims += (i ? ", d" : "d") + std::to_string(i);
    return ", affine_map<(" + dims + ")[s0] -> (" +
           (rank ? "d0 * 4 + s0" : "s0") + ")>";
  }
  }
}

std::string Types::getType(ArrayRef<int64_t> shape, StringRef element) {
  std::string type = buffers ? "memref<" : "tensor<";
  for (int64_t size : shape)
    type += (size == kDynamic ? "?" : std::to_string(size)) + "x";
  type += element;
  if (buffers) {
    static constexpr StringLiteral spaces[] = {
        "1",
        "3",
        "-1",
        "4294967296",
        "\"shared\"",
        "#gpu.address_space<workgroup>",
        "#gpu.address_space<private>",
        "#spirv.storage_class<StorageBuffer>",
        "[1, 2]"};
    if (random.chance(oddLayouts))
      type += drawLayout(shape, random);
    if (random.chance(oddSpaces))
      type += ", " + pick(random, spaces).str();
  } else if (random.chance(oddEncodings)) {
    type += random.chance(0.5) ? ", \"packed\"" : ", 7 : i32";
  }
  return type + ">";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string Types::combine(StringRef result, StringRef left, StringRef right,
                           StringRef element, bool isProduct) {
  std::string op;
  if (isSignlessInteger(element))
    op = isProduct ? "arith.muli" : "arith.addi";
  else if (isFloatName(element) || element.starts_with("vector"))
    op = isProduct ? "arith.mulf" : "arith.addf";
  else if (element.starts_with("complex<f"))
    op = isProduct ? "complex.mul" : "complex.add";
  else
    return "";
  return (result + " = " + op + " " + left + ", " + right + " : " + element)
      .str();
}

std::string Types::getZero(StringRef element) {
  if (isSignlessInteger(element))
    return ("0 : " + element).str();
  if (isFloatName(element))
    return ("0.0 : " + element).str();
  return "";
}

std::string Types::makeZero(StringRef result, StringRef element) {
  if (std::string zero = getZero(element); !zero.empty())
    return (result + " = arith.constant " + zero).str();
  if (element == "vector<4xf32>")
    return (result + " = arith.constant dense<0.0> : " + element).str();
  StringRef part = element;
  if (part.consume_front("complex<") && part.consume_back(">") &&
      isFloatName(part))
    return (result + " = complex.constant [0.0 : " + part + ", 0.0 : " + part +
            "] : " + element)
        .str();
  return "";
}
