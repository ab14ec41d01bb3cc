//===- Envelope.h - Where a contract was tried ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The claims of a contract hold for the payload, and for the values of
// attributes and options, on which they were tried (DESIGN §4, "Envelope").
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_ENVELOPE_H
#define FORMWORK_VERIFIER_CLAUSES_ENVELOPE_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The features of the step or its payload for which the contract was not
/// tried, by the name of the attribute or of the payload features; none if
/// there are none. Asked before the step has changed anything. Cost: linear in
/// the attributes, and in the payload of the operands where some payload has a
/// feature.
std::optional<std::string> getWhyOutsideEnvelope(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_ENVELOPE_H
