//===- Mutations.h - Inputs that are nearly right ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes an input in one of three ways: bytes, words, or operations. Bench; it
// knows nothing of what is done with an input.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_FUZZ_MUTATIONS_H
#define FORMWORK_BENCH_FUZZ_MUTATIONS_H

#include "bench/fuzz/Corpus.h"
#include "test/lib/generator/Random.h"

#include "mlir/IR/MLIRContext.h"

namespace formwork::fuzz {

using testing::Random;

enum class Level { Bytes, Words, Structure };
inline constexpr unsigned numLevels = 3;

llvm::StringRef getName(Level level);

/// One to three operations are gone, moved, there twice, or have other
/// operands, attributes or types. The text stays as it is, and the result is
/// false, if it does not parse.
bool mutateStructure(std::string &text, const Corpus &corpus, Random &random,
                     mlir::MLIRContext &context);

/// Input `number` of those that `seed` decides, and how it was changed.
Input mutate(const Corpus &corpus, uint64_t seed, uint64_t number,
             mlir::MLIRContext &context, Level &level);

} // namespace formwork::fuzz

#endif // FORMWORK_BENCH_FUZZ_MUTATIONS_H
