//===- TensorCores.h - Contractions on tensor cores -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision that tensor cores do a contraction, as an attribute of the
// contraction, and the requirements for it. Layer: transforms. It builds no
// code.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_TENSORCORES_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_TENSORCORES_H

#include "transforms/distribute/Axes.h"

namespace formwork::transforms::distribute {

/// The number of rows of a matrix of `ldmatrix`. The result of `mma.sync` has
/// 16 rows, which are two chunks, and 8 columns, which are one.
constexpr int64_t kChunk = 8;
/// The number of bytes of a row of a matrix of `ldmatrix`.
constexpr int64_t kChunkBytes = 16;

/// The decision of the schedule's author.
struct TensorCoreDecision {
  /// The numbers of warps along the rows and along the columns of the result.
  int64_t rowWarps = 1, columnWarps = 1;
  /// Whether operands of f32 are rounded to tf32.
  bool roundToTf32 = false;
  /// Whether operands of f32 are taken as tf32, without their last bits.
  bool truncateToTf32 = false;

  bool usesTf32() const { return roundToTf32 || truncateToTf32; }
};

/// Records a decision at `contract`, or returns the recorded one. The decision
/// is a discardable attribute. If a step drops it, the threads do the
/// contraction without tensor cores.
void setDecision(mlir::vector::ContractionOp contract,
                 const TensorCoreDecision &decision);
std::optional<TensorCoreDecision>
getDecision(mlir::vector::ContractionOp contract);

/// An operand of a contraction on tensor cores. The *outer* loop of A is the
/// rows of the result, of B its columns; *depth* is the loop of the sum.
struct MatrixOperand {
  /// The read of the operand from workgroup memory. Null if the threads have
  /// computed the operand: then their registers are its fragments.
  mlir::vector::TransferReadOp read;
  /// The dimensions of the buffer that the outer loop and the depth go along.
  unsigned outerDim = 0, depthDim = 0;
  /// Whether neighbouring elements in memory are neighbours along the depth.
  bool isDepthContiguous = true;
};

/// A contraction as `mma.sync` sees it.
struct TensorCoreProduct {
  mlir::vector::ContractionOp contract;
  TensorCoreDecision decision;
  /// The numbers of the contraction's loops, and their sizes.
  unsigned row = 0, column = 0, depth = 0;
  int64_t rows = 1, columns = 1, depths = 1;
  /// The number of steps of one instruction along the depth.
  int64_t instructionDepth = 16;
  MatrixOperand a, b;
  mlir::Type operandType, resultType;

  /// The number of elements of a row of a matrix of `ldmatrix`.
  int64_t getChunkDepth() const {
    return kChunkBytes * 8 / operandType.getIntOrFloatBitWidth();
  }
  /// The number of matrices of one instruction along the depth, and the number
  /// of instructions along it.
  int64_t getInstructionChunks() const {
    return instructionDepth / getChunkDepth();
  }
  int64_t getNumSteps() const { return depths / instructionDepth; }
};

/// Describes `contract` for a decision. Returns why tensor cores cannot do it
/// (`fw-not-for-tensor-cores`): it is no product of two matrices in f16, bf16,
/// or f32 that is rounded to tf32, its sizes are not multiples of those of one
/// instruction of all warps, or an operand is not read from workgroup memory in
/// rows that start at multiples of 16 bytes. The left operand may also be
/// computed in the kernel, in a type of 16 bits. Without `checksWriters`, what
/// may write the buffers between the reads and the contraction is not looked
/// at: while vectors are shared, barriers appear there.
std::optional<Refusal> describe(mlir::vector::ContractionOp contract,
                                const TensorCoreDecision &decision,
                                TensorCoreProduct &product,
                                bool checksWriters = true);

/// Whether only contractions on tensor cores use the result of `read`. They
/// load fragments from the buffer, so no thread needs the vector.
bool isFragmentSource(mlir::vector::TransferReadOp read);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_TENSORCORES_H
