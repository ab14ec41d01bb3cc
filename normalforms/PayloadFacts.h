//===- PayloadFacts.h - Properties of one payload op ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The properties that conditions of clauses name (`fact N is NAME`): what the
// implementation of a transform op checks before it goes on. Layer:
// normalforms; pure: it reads the op as it stands, and nothing about the
// schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_PAYLOADFACTS_H
#define FORMWORK_NORMALFORMS_PAYLOADFACTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace formwork::normalforms {

/// A property of one payload op. Exact: where `holds` has an answer, the
/// transforms that check the property act on the same answer.
///
/// Example: for `%r = linalg.fill ins(%c : f32) outs(%t : tensor<4xf32>)`,
/// `on-tensors` holds and `on-buffers` does not.
struct PayloadFact {
  llvm::StringLiteral name;
  /// The property in words that complete "requires an op that …".
  llvm::StringLiteral meaning;
  /// Whether the property depends on the ops inside the op, so that it is known
  /// only while they are as given.
  bool looksInside;
  /// Whether the property depends on the layouts of the operands. Steps on
  /// their definitions change these, so that it is known only while nothing has
  /// changed.
  bool looksAround;
  std::optional<bool> (*holds)(mlir::Operation *op);
  /// Whether the property depends only on the computation and the maps of a
  /// structured op, so that a tile of the op has it, too.
  bool isOfBody = false;
  /// As `isOfBody`, but bufferization changes it.
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
