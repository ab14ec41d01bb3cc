//===- Payloads.h - Payloads of a campaign ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes payloads: structured operations of every kind, other templates, cases
// of the corpus of witnesses with their types changed, and what the payload
// generator of the tests makes; alone or beside and inside of each other.
// Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_PAYLOADS_H
#define FORMWORK_BENCH_CAMPAIGN_PAYLOADS_H

#include "bench/campaign/Types.h"

#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace formwork::campaign {

/// A function `@f` with one op marked `t` and those that produce its operands
/// marked `p`. It may be invalid.
std::string makeStructuredPayload(Random &random);

/// One of payloads.txt, with its choices drawn.
std::string makeTemplatePayload(Random &random);

/// A payload of the payload generator of the tests.
std::string makeGeneratedPayload(mlir::MLIRContext *context, Random &random);

/// Changes element types, sizes, layouts, spaces and encodings that are written
/// in `text`. It may become invalid.
std::string varyText(llvm::StringRef text, Random &random);

/// `text`, functions, beside others, or in a module of its own, or with what
/// they hold in loops, branches or several blocks.
std::string addSurroundings(std::string text, Random &random);

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_PAYLOADS_H
