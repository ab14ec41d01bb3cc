//===- DynamicMemory.h - Workgroup memory of a launch -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that a launch asks for. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_DYNAMICMEMORY_H
#define FORMWORK_VERIFIER_MODELS_GPU_DYNAMICMEMORY_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

class ModelRegistry;

/// Why a step is not proved that may need more than a launch can request.
constexpr llvm::StringLiteral reusesUnknownBytes =
    "may need more workgroup memory than a launch can request, as far as it is "
    "known which buffers have the same bytes";

/// The launch of `launch` requests the workgroup memory that steps have put
/// into its kernel so far, at most as much as the target allows for a launch;
/// the kernel declares none of it from now on. `saved` bytes of it are those of
/// buffers that have the same bytes as others; none if not known. Does nothing
/// if it is not certain which launch is meant.
void takeMemoryFromLaunch(const Step &step, NodeId launch,
                          std::optional<int64_t> saved);

/// Whether `op` gives buffers the same bytes that are not in use at the same
/// time.
bool reusesWorkgroupMemory(mlir::Operation *op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_DYNAMICMEMORY_H
