//===- Template.h - Text with choices ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands the templates that payloads and schedules are written in. Bench; it
// knows nothing of either.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_TEMPLATE_H
#define FORMWORK_BENCH_CAMPAIGN_TEMPLATE_H

#include "test/lib/generator/Random.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace formwork::campaign {

using testing::Random;

/// The text for `$name(argument)`; the argument is expanded before.
using Placeholder = llvm::function_ref<std::string(llvm::StringRef name,
                                                   llvm::StringRef argument)>;

/// `text` with one alternative of each choice `$<a~b~c$>`, which nest, and with
/// each `$name` and `$name(argument)` replaced, from left to right.
///
/// Example: `$<exp~log$> $t(m,n)` is `log tensor<4x?xf32>`.
std::string expand(llvm::StringRef text, Random &random, Placeholder value);

/// `text` with `to` in the place of each `from`.
std::string replaceAll(llvm::StringRef text, llvm::StringRef from,
                       llvm::StringRef to);

/// One of `choices`, drawn uniformly.
llvm::StringRef pick(Random &random,
                     llvm::ArrayRef<llvm::StringLiteral> choices);

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_TEMPLATE_H
