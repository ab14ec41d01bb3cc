//===- KernelVectors.h - Constraints of steps on a kernel -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints on open knobs that follow from the requirements of our own steps
// on the code of a kernel. With numbers, a trial of the step decides them.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_KERNELVECTORS_H
#define FORMWORK_VERIFIER_MODELS_GPU_KERNELVECTORS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Notes that the ops of `node` are computed with vectors: of `sizes`, one for
/// each loop, or of their own. Nothing is noted of an op of unknown sizes.
void noteVectors(const Step &step, NodeId node,
                 llvm::ArrayRef<Size> sizes = {});

/// Whether a match, or a part of what it found, makes `handle`, and the match
/// asks for ops of `kind` and nothing else. Where it matches in payload that is
/// not followed, nothing else says what the handle holds.
bool isMatched(mlir::Value handle, llvm::StringRef kind);

/// Constraints `tensor.tile` and `tensor.rows`: the tile of each product that
/// the step is given is made of whole instructions for each of `warps`, and so
/// are the rows that were staged.
void requireTensorTile(const Step &step, llvm::ArrayRef<Size> warps,
                       bool roundsToTf32);

/// Constraint `tensor.threads`: the block has `threads`, as many as the warps
/// of its tensor cores.
void requireTensorThreads(const Step &step, solver::IntTerm threads);

/// How operands go through workgroup memory.
struct StagedLayout {
  Size padding = 0;
  /// 1 where rows are swizzled.
  Size swizzle = 0;
  llvm::ArrayRef<int64_t> order;

  bool isKnown() const { return !padding.isUnknown() && !swizzle.isUnknown(); }
};

/// Constraints of operand number `operand` of the products that the step is
/// given: `stage.swizzle` of its rows, and `workgroup.bytes` of all operands
/// that are staged.
void requireStaged(const Step &step, int64_t operand,
                   const StagedLayout &layout);

/// As above, of what the kernel writes, by itself.
void requireStagedWrite(const Step &step, const StagedLayout &layout);

/// Constraints `copies.depth`, unless another one states it, and
/// `workgroup.bytes`: a loop that runs more than once has copies at least 2
/// deep, and the staged operands fit `depth` times.
void requireStagedDepth(const Step &step, const Size &depth, bool isStated);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_KERNELVECTORS_H
