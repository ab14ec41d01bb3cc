//===- Padding.h - Shapes that are padded -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Pads the shape of one operand: pure functions of sizes, without handles.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_PADDING_H
#define FORMWORK_VERIFIER_SPACES_PADDING_H

#include "verifier/spaces/Extents.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier {

/// How operands are padded: each loop of `dims` to a multiple of the number in
/// the same place.
struct PadSpec {
  llvm::SmallVector<int64_t> dims;
  llvm::SmallVector<bool> nofold;
  llvm::SmallVector<Size> multiples;

  bool keeps(unsigned operand) const {
    return operand < nofold.size() && nofold[operand];
  }
};

/// One operand after padding.
struct PaddedOperand {
  /// The shape, of which every size is static once the op has succeeded.
  llvm::SmallVector<Extent> shape;
  /// The same, but of a symbolic size, static only where nothing is added to
  /// it: what the operand is when it is not padded, and a copy of it.
  llvm::SmallVector<Extent> unpadded;
  /// The symbolic sizes to which nothing must be added for that.
  llvm::SmallVector<Extent> padded;
  /// Whether there is a tensor.pad: `Maybe` when a size is not known.
  Certainty isPadded = Certainty::No;
  /// Whether all widths are 0, so that it is a mere copy.
  bool isCopy = true;
};

/// Facts about the sizes of an operand besides its loops.
struct OperandSizes {
  /// The size of dimension `dim`, given that of its loop.
  llvm::function_ref<Extent(unsigned dim, const Extent &loop)> getExtent;
  /// The constant up to which upstream pads dimension `dim` if it is dynamic.
  llvm::function_ref<std::optional<int64_t>(unsigned dim, const Extent &loop)>
      findBound;
  /// Whether a condition on open knobs holds for all their values.
  llvm::function_ref<bool(solver::BoolTerm)> isSurely;
};

/// The padded shape of operand `operand` of `space`; none when the indexing map
/// is not that of a permutation of loops. Examples: 50 to a multiple of 16 is
/// 64; @t to a multiple of 4 is 4 * (@t ceildiv 4); a dynamic size of at most
/// 20, to a multiple of 8, is 24.
std::optional<PaddedOperand> padOperand(solver::TermContext &terms,
                                        const IterationSpace &space,
                                        unsigned operand, const PadSpec &spec,
                                        const OperandSizes &sizes);

/// The space of an op that writes each element of a tensor of `shape` once, and
/// reads `numInputs` of the same shape.
std::shared_ptr<const IterationSpace>
getElementwiseSpace(mlir::MLIRContext *context, llvm::ArrayRef<Extent> shape,
                    mlir::Type elementType, unsigned numInputs);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_PADDING_H
