//===- Types.h - Types of one payload ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How unusual the types of a payload are: its element type, and the sizes,
// layouts, encodings and memory spaces of what has a shape. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_TYPES_H
#define FORMWORK_BENCH_CAMPAIGN_TYPES_H

#include "bench/campaign/Template.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace formwork::campaign {

/// MLIR's mark of a size that is not static.
inline constexpr int64_t kDynamic = std::numeric_limits<int64_t>::min();

class Types {
public:
  /// Draws the style. About half of the payloads are ordinary.
  explicit Types(Random &random);

  bool areBuffers() const { return buffers; }
  void setBuffers(bool newBuffers) { buffers = newBuffers; }
  llvm::StringRef getElement() const { return element; }
  bool isFloat() const;
  /// Whether it is an integer without a sign.
  bool isInteger() const;
  /// The type of an accumulator: now and then wider than the inputs.
  llvm::StringRef getAccumulator() const { return accumulator; }
  /// The name of an elementwise op of Linalg with one input, mostly one that
  /// takes the element.
  std::string drawUnary();

  /// The size called `dim`: the same at each call. A number is itself.
  int64_t getSize(llvm::StringRef dim);

  /// The type with these sizes.
  std::string getType(llvm::ArrayRef<int64_t> shape, llvm::StringRef element);
  /// The same for names of sizes, as in "m,k"; `h@p` is what a window of `p`
  /// needs around `h` results, with the stride and dilation of `setWindow`.
  std::string getType(llvm::StringRef dims, llvm::StringRef element);
  llvm::SmallVector<int64_t> getShape(llvm::StringRef dims);

  void setWindow(int64_t newStride, int64_t newDilation) {
    stride = newStride;
    dilation = newDilation;
  }

  /// A statement that gives `result` the sum or product of two values of
  /// `element`, or empty if it has none.
  static std::string combine(llvm::StringRef result, llvm::StringRef left,
                             llvm::StringRef right, llvm::StringRef element,
                             bool isProduct);
  /// A constant of `element`, with its type, as in `0.0 : f32`; empty if it has
  /// none.
  static std::string getZero(llvm::StringRef element);
  /// A statement that gives `result` the value zero, or empty.
  static std::string makeZero(llvm::StringRef result, llvm::StringRef element);

private:
  int64_t drawSize();

  Random &random;
  bool isOrdinary, buffers;
  std::string element, accumulator;
  double oddSizes = 0, oddLayouts = 0, oddEncodings = 0, oddSpaces = 0,
         dynamic = 0;
  llvm::StringMap<int64_t> sizes;
  int64_t stride = 1, dilation = 1;
};

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_TYPES_H
