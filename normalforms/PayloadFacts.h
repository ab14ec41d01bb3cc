//===- PayloadFacts.h - Properties of one payload op ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The properties that conditions of clauses name (`fact N is NAME`): what the
// implementation of a transform op looks at before it goes on. Layer:
// normalforms; pure, of the op as it stands, and of nothing that a schedule
// did.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PAYLOADFACTS_H
#define FORMWORK_NORMALFORMS_PAYLOADFACTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace formwork::normalforms {

/// A property of one payload op. Exact: where `holds` has an answer, it is the
/// one that the transforms which ask for it act on.
///
/// Example: of `%r = linalg.fill ins(%c : f32) outs(%t : tensor<4xf32>)`,
/// `on-tensors` holds, `on-buffers` does not, and `constant-bounds`, a fact of
/// loops, does not, either.
struct PayloadFact {
  llvm::StringLiteral name;
  /// What an op has that has the property: "requires an op that …".
  llvm::StringLiteral meaning;
  /// Whether it depends on what the op holds, so that it can only be told while
  /// that is as it was given.
  bool looksInside;
  /// Whether it depends on the layout of its operands, which steps on what
  /// defines them change: it can only be told while nothing has changed.
  bool looksAround;
  std::optional<bool> (*holds)(mlir::Operation *op);
  /// Whether it depends on nothing but what a structured op computes and on its
  /// maps, so that a tile of the op has it, too.
  bool isOfBody = false;
  /// As above, but bufferization changes it.
  bool isOfValues = false;
};

/// All facts, by name.
llvm::ArrayRef<PayloadFact> getPayloadFacts();
/// The fact called `name`, or null.
const PayloadFact *lookupPayloadFact(llvm::StringRef name);

/// Whether the elements of all operands of `op` are integers or floats.
bool hasElementsOfWidth(mlir::Operation *op);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_PAYLOADFACTS_H
