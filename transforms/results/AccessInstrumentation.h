//===- AccessInstrumentation.h - Accesses in LLVM IR ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets host code tell the access runtime of each access, once it is LLVM IR:
// there, nothing is left that accesses memory in a way of its own. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_ACCESSINSTRUMENTATION_H
#define FORMWORK_TRANSFORMS_RESULTS_ACCESSINSTRUMENTATION_H

#include "transforms/emulate/ModuleInfo.h"

#include <cstdint>
#include <vector>

namespace llvm {
class Module;
}

namespace formwork::transforms {

/// The kinds of access::touch.
inline constexpr uint32_t accessReads = 0, accessWrites = 1, accessIsAtomic = 2;

/// Adds to all functions of `module` a call of access::touch in front of each
/// access of memory that is not seen to be a stack slot of its own function.
/// Sites are numbers in `places`, which grows. Returns the largest power of
/// two, up to eight, that divides the size of every access.
uint64_t instrumentAccesses(llvm::Module &module,
                            std::vector<emulate::Place> &places);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_ACCESSINSTRUMENTATION_H
