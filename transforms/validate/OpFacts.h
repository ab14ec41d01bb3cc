//===- OpFacts.h - What is inferred of one payload op -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the iteration space and the loop that a node has with those of the
// op that it stands for. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_OPFACTS_H
#define FORMWORK_TRANSFORMS_VALIDATE_OPFACTS_H

#include "verifier/state/PayloadModel.h"

#include <optional>
#include <string>

namespace formwork::transforms {

struct OpDifference {
  std::string claim;
  std::string actual;
};

/// The first fact of `node` about shapes, loops and mappings that does not hold
/// for `op`. The iteration space of an op is compared only if linalg's
/// interface defines it.
std::optional<OpDifference> compareFacts(const verifier::Node &node,
                                         mlir::Operation *op);

/// "2", "between 0 and 3", "at least 1".
std::string stringify(const verifier::Count &count);
std::string stringify(mlir::Attribute attribute);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_OPFACTS_H
