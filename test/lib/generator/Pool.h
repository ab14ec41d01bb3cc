//===- Pool.h - The values that new ops may use -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's typed value pool. A stack: what a region adds is taken away
// when the region ends, so whatever is in the pool dominates the insertion
// point. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_GENERATOR_POOL_H
#define FORMWORK_TEST_LIB_GENERATOR_POOL_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <vector>

namespace formwork::testing {

enum class Kind { Index, Integer, Float, Tensor, Vector, Buffer };

/// A value with what the generator knows about it and its type does not say.
struct Entry {
  mlir::Value value;
  /// The type with every size known and no layout: the run-time type. Values
  /// of one model can stand for each other, up to a cast.
  mlir::Type model;
  /// How many regions around the definition; 0 is the function's own.
  unsigned depth = 0;
  /// Buffers with equal roots may overlap.
  unsigned root = 0;
  /// Its content was never written.
  bool undefined = false;
  /// For an index, the range of the value; `low > high` when unknown.
  int64_t low = 1;
  int64_t high = 0;

  bool hasRange() const { return low <= high; }
  llvm::ArrayRef<int64_t> shape() const {
    return llvm::cast<mlir::ShapedType>(model).getShape();
  }
  int64_t rank() const { return shape().size(); }
  mlir::Type element() const { return mlir::getElementTypeOrSelf(model); }
};

/// Laws: an entry is seen until the pool is rolled back to a mark taken before
/// it was added; adding and rolling back cost O(1) an entry.
class Pool {
public:
  static Kind getKind(mlir::Type model);

  void add(const Entry &entry);
  size_t mark() const { return entries.size(); }
  void rollback(size_t mark);

  const Entry &operator[](unsigned index) const { return entries[index]; }
  size_t size() const { return entries.size(); }

  /// Indices of entries, oldest first.
  llvm::ArrayRef<unsigned> ofKind(Kind kind) const {
    return byKind[static_cast<size_t>(kind)];
  }
  llvm::ArrayRef<unsigned> ofModel(mlir::Type model) const;

private:
  std::vector<Entry> entries;
  std::array<std::vector<unsigned>, 6> byKind;
  llvm::DenseMap<mlir::Type, std::vector<unsigned>> byModel;
};

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_GENERATOR_POOL_H
