//===- Condition.h - When a clause of a contract holds ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conditions that clauses of contracts carry, as values; the grammar is in
// the documentation of `normalform.contract`. What is decided by a transform op
// alone is decided here; what depends on its payload, by whoever models that.
// Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONDITION_H
#define FORMWORK_NORMALFORMS_CONDITION_H

#include "normalforms/KindPattern.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace formwork::normalforms {

/// One condition on an instance of a transform op.
struct Condition {
  enum Subject {
    Always,
    /// Of the op: `name` is there, is `value`, or compares with `number`.
    Attribute,
    Operand,      ///< the op has an operand `index`
    Type,         ///< of operand `index`: `value`
    PayloadCount, ///< of operand `index`: `comparison` with `number`
    PayloadKind,  ///< of operand `index`: all is of kind `value`
    PayloadFact,  ///< of operand `index`: all has the property `value`
    /// Of operand `index`: folding may make a size of a structured op static,
    /// at or below it.
    FoldableSizes,
    /// Of operand `index`: a structured op at or below it may have a size that
    /// is not static.
    DynamicSizes,
    /// Of operand `index`: an op of kind `value` may be at or below it.
    Holds,
    /// Of operand `index`: an op of kind `value` was given at or below it; what
    /// steps made does not count.
    Given,
    /// Of operand `index`: the step succeeds on each of its ops by itself.
    RunsAlone,
    /// Of operand `index`: one of its ops holds the schedule that is checked.
    HoldsSchedule,
    /// Of operand `index`, a parameter: each value is `value`, or compares with
    /// `number`.
    ParamValue,
    Option ///< of the pass that the op runs, as an attribute
  };
  enum Comparison { Is, AtLeast, AtMost };

  bool negated = false;
  Subject subject = Always;
  llvm::StringRef name;
  unsigned index = 0;
  Comparison comparison = Is;
  int64_t number = 0;
  /// Empty where only presence counts.
  llvm::StringRef value;
  /// The same, where it is a kind.
  KindPattern kind = "*";

  /// Reads `text`, which has to outlive the condition; the error says what the
  /// grammar has instead.
  static llvm::Expected<Condition> parse(llvm::StringRef text);

  /// Whether it holds for `op`; none when that depends on the payload, or on
  /// what only a run decides. `negated` is taken into account.
  std::optional<bool> decide(mlir::Operation *op) const;
};

/// Whether `op` is a rule group of the step around it, whose payload it rewrites.
bool hasPayloadOfParent(mlir::Operation *op);

/// All of them hold.
using Conditions = llvm::SmallVector<Condition, 0>;

/// An attribute as conditions write it: strings without quotes, enumerators by
/// name, numbers without their type, arrays of such in brackets.
std::string printPlain(mlir::Attribute attribute);

/// The value of option `name` that an `apply_registered_pass` gives its pass:
/// the attribute, a parameter's place as none inside, or nothing. For any other
/// op nothing.
std::optional<mlir::Attribute> getPassOption(mlir::Operation *op,
                                             llvm::StringRef name);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONDITION_H
