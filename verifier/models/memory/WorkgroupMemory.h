//===- WorkgroupMemory.h - What blocks share, in bytes --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bytes of workgroup memory a kernel needs: what steps allocate and
// what the payload comes with, times the buffers that later steps make of one.
// What is there for sure is an error where it is too much; what may be there
// keeps a schedule from being proved. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPMEMORY_H
#define FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPMEMORY_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Adds what `op` allocates for each op of `node`, or once for `times` of
/// them, `bytes` each, to what the kernel around it needs. Returns the
/// buffers, to which the node of the allocation may be added.
WorkgroupBuffer &countWorkgroupBytes(const Step &step, NodeId node,
                                     const Size &bytes, const llvm::Twine &what,
                                     std::optional<Count> times = {});

/// What the payload comes with.
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

/// What the payload comes with is there for sure, in kernels that no step has
/// touched; reports at `op` where that is too much.
void confirmGivenMemory(const Step &step);

/// What kernels whose need is symbolic, or that may need more than is sure,
/// or whose launch asks for more, require of the target.
void requireWorkgroupMemory(Analysis &analysis);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPMEMORY_H
