//===- WorkgroupMemory.h - What blocks share, in bytes ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the bytes of workgroup memory that a kernel needs: the allocations of
// steps and of the payload, times the number of buffers that later steps make
// of one. Certain allocations beyond the limit are an error. Possible ones keep
// the schedule from being proved. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPMEMORY_H
#define FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPMEMORY_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The alignment that the shipped lowering gives each buffer; ptxas places them
/// one after the other.
constexpr int64_t bufferAlignment = 16;

/// Whether `space` is the memory that the threads of a block share.
bool isWorkgroupSpace(mlir::Attribute space);

/// Adds what `op` allocates for each op of `node`, or once for `times` of
/// them, `bytes` each, to what the kernel around it needs. Returns the
/// buffers, to which the node of the allocation may be added.
WorkgroupBuffer &countWorkgroupBytes(const Step &step, NodeId node,
                                     const Size &bytes, const llvm::Twine &what,
                                     std::optional<Count> times = {});

/// Counts the allocations of the payload as it is given.
void countGivenWorkgroupMemory(Analysis &analysis);

/// Those that may be at or below `scope`.
bool isBufferBelow(const Analysis &analysis, const WorkgroupBuffer &buffer,
                   NodeId scope);

/// Those that ops of `target`, which are allocations, may be.
bool mayBeBuffer(const Analysis &analysis, const WorkgroupBuffer &buffer,
                 NodeId target);

/// There may be `factor.hi` times as many buffers as there were, of those
/// that `concerns` does not exclude, and `factor.lo` times at least of those
/// that it is sure of.
void growWorkgroupMemory(
    const Step &step, Count factor, const llvm::Twine &text,
    llvm::function_ref<Certainty(const WorkgroupBuffer &)> concerns);

/// The allocations of the payload are certain in kernels that no step has
/// changed; reports at `op` if they exceed the limit.
void confirmGivenMemory(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPMEMORY_H
