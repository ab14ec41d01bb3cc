//===- Conversion.h - Models of dialect conversion --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The effect of an apply_conversion_patterns on the payload model, and when it
// cannot fail. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_CONVERSION_H
#define FORMWORK_VERIFIER_CLAUSES_CONVERSION_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The failures of `contract` that are left.
llvm::SmallVector<normalforms::FailureClause, 1>
getConversionFailures(const Step &step, const normalforms::Contract &contract);

/// The payload clause for the writes of the conversion.
normalforms::PayloadClause getConversion(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_CONVERSION_H
