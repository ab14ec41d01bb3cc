//===- TensorCores.h - Which contractions tensor cores do -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision that the tensor cores do a contraction, as an attribute of the
// contraction, and what the contraction must be for that. Layer: transforms. It
// builds no code.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_TENSORCORES_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_TENSORCORES_H

#include "transforms/distribute/Axes.h"

namespace formwork::transforms::distribute {

/// The rows of a matrix of `ldmatrix`, and the rows and columns that one warp has
/// of the result of `mma.sync`: 16 rows in two chunks, 8 columns in one.
constexpr int64_t kChunk = 8;
/// The bytes of a row of a matrix of `ldmatrix`.
constexpr int64_t kChunkBytes = 16;

/// What the author decides.
struct TensorCoreDecision {
  /// The warps along the rows and along the columns of the result.
  int64_t rowWarps = 1, columnWarps = 1;
  /// Operands of f32 are rounded to tf32.
  bool roundToTf32 = false;
};

/// Records a decision at `contract`, or returns the one that was recorded. The
/// attribute is discardable: a step that drops it leaves a contraction that
/// threads do by themselves.
void setDecision(mlir::vector::ContractionOp contract,
                 const TensorCoreDecision &decision);
std::optional<TensorCoreDecision>
getDecision(mlir::vector::ContractionOp contract);

/// An operand of a contraction on tensor cores. The *outer* loop of A is the
/// rows of the result, of B its columns; *depth* is the loop of the sum.
struct MatrixOperand {
  /// What reads the operand from workgroup memory; null for one that the threads
  /// have computed: their registers are its fragments.
  mlir::vector::TransferReadOp read;
  /// The dimensions of the buffer that the two loops go along.
  unsigned outerDim = 0, depthDim = 0;
  /// Whether neighbours in memory are neighbours along the depth.
  bool isDepthContiguous = true;
};

/// A contraction as `mma.sync` sees it.
struct TensorCoreProduct {
  TensorCoreDecision decision;
  /// Numbers of loops of the contraction, and their sizes.
  unsigned row = 0, column = 0, depth = 0;
  int64_t rows = 1, columns = 1, depths = 1;
  /// Steps along the depth of one instruction.
  int64_t instructionDepth = 16;
  MatrixOperand a, b;
  mlir::Type operandType, resultType;

  /// The elements of a row of a matrix of `ldmatrix`.
  int64_t getChunkDepth() const {
    return kChunkBytes * 8 / operandType.getIntOrFloatBitWidth();
  }
};

/// Describes `contract` for a decision, or says why the tensor cores cannot do it
/// (`fw-not-for-tensor-cores`): it is no product of two matrices in f16, bf16 or
/// f32 that is rounded to tf32, its sizes are no multiples of what the warps do
/// with one instruction, or an operand is not read from workgroup memory in rows
/// that start at multiples of 16 bytes. The left one can also be computed in the
/// kernel, in a type of 16 bits.
std::optional<Refusal> describe(mlir::vector::ContractionOp contract,
                                const TensorCoreDecision &decision,
                                TensorCoreProduct &product);

/// Whether only contractions on tensor cores read the result of `read`. They load
/// fragments from the buffer, so no thread needs the vector.
bool isFragmentSource(mlir::vector::TransferReadOp read);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_TENSORCORES_H
