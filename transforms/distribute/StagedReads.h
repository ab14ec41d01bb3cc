//===- StagedReads.h - Delays reads of workgroup memory ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves reads of workgroup memory to the first use of the data, so that
// registers hold fewer values at a time. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_STAGEDREADS_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_STAGEDREADS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::distribute {

/// match:  %r = vector.transfer_read %buffer; ...; op(%r)
/// result: ...; %r = vector.transfer_read %buffer; op(%r)
/// when:   `op` is the first user, in the same block; `%buffer` is in workgroup
///         memory; and nothing in between has an effect, such as a barrier
///
/// A contraction over many steps reads its operands as a whole, which needs
/// more registers than a thread has. Cost: linear in the operations of `launch`
/// and their users.
void delayStagedReads(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_STAGEDREADS_H
