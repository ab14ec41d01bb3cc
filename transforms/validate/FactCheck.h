//===- FactCheck.h - An inferred state against the payload ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what the abstract interpreter inferred behind one step with what the
// stock interpreter has there: handles, parameters, places, loops, forms.
// Layer: transforms; it changes neither side.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_FACTCHECK_H
#define FORMWORK_TRANSFORMS_VALIDATE_FACTCHECK_H

#include "normalforms/FormLibrary.h"
#include "transforms/validate/Instrument.h"
#include "verifier/state/State.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>

namespace formwork::transforms {

/// Something that was inferred and is not so.
struct FalseFact {
  /// "requires <claim> but has <actual>".
  std::string claim;
  std::string actual;
  /// The handle that it is about, of the original schedule; may be null.
  mlir::Value handle;
  /// A payload op that shows it, if there is one to show.
  std::optional<mlir::Location> payload;
};

/// The data that all checks share.
struct FactContext {
  const normalforms::FormLibrary &forms;
  const InstrumentedSchedule &schedule;
  /// From the payload that was checked to the one that is transformed.
  mlir::IRMapping &payload;
  std::function<std::string(mlir::Value)> nameOf;
  /// The payload that was checked.
  mlir::Operation *checked;
  /// How many facts were compared.
  uint64_t numFacts = 0;
  /// Alternatives have put a copy of their scope in its place.
  bool hasCopies = false;
  /// Anchors that were found to be in a form, and were not written since.
  llvm::DenseSet<std::pair<mlir::Operation *, normalforms::AtomId>> inForm = {};
};

/// Checks every fact of `inferred` that is about live payload, in a fixed
/// order, and returns the first that is false. Handles that no later step uses
/// are left out: the interpreter stops to keep them up to date. Facts:
///
///  - a handle is valid, or is not, as an op that used it now would find;
///  - the number of entries, their kinds, that no op is among them twice and,
///    where the order is known, which entry is which op; the number, the values
///    and the types of parameters;
///  - one op is at or below another, or is not; two handles share an op;
///  - an op that no step can have changed is still there, as it was;
///  - iteration spaces, trip counts, mappings, liveness, discardable
///  attributes,
///    the kinds of ops in a body;
///  - how many ops of each kind, and with each attribute, the payload has;
///  - an anchor is in a form: its predicates hold, and its rules change
///    nothing on a clone.
std::optional<FalseFact> findFalseFact(const verifier::State &inferred,
                                       mlir::transform::TransformState &actual,
                                       const ObservedStep &step,
                                       FactContext &context);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_FACTCHECK_H
