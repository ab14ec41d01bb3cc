//===- Condition.h - When a clause of a contract holds ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conditions of contract clauses, as values. The documentation of
// `normalform.contract` has the grammar. Conditions on the transform op alone
// are decided here. Conditions on its payload are decided by the model of the
// payload. Layer: normalforms.
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
    /// The op's attribute `name` is present, is `value`, or compares with
    /// `number`.
    Attribute,
    Operand,      ///< the op has operand `index`
    Type,         ///< operand `index` has the type `value`
    PayloadCount, ///< payload ops of operand `index`, compared with `number`
    PayloadKind,  ///< all payload of operand `index` is of kind `value`
    PayloadFact,  ///< all payload of operand `index` has the property `value`
    /// At or below operand `index`, folding may make a size of a structured op
    /// static.
    FoldableSizes,
    /// At or below operand `index`, a structured op may have a dynamic size.
    DynamicSizes,
    /// At or below operand `index`, there may be an op of kind `value`.
    Holds,
    /// At or below operand `index`, the given payload has an op of kind
    /// `value`. Ops that steps made do not count.
    Given,
    /// The step succeeds on each op of operand `index` by itself.
    RunsAlone,
    /// The step succeeds where it stands, with what operand `index` holds
    /// there.
    RunsHere,
    /// One op of operand `index` holds the checked schedule.
    HoldsSchedule,
    /// Operand `index` is a parameter: each value is `value`, or compares with
    /// `number`.
    ParamValue,
    Option ///< an option of the pass that the op runs; compares as Attribute
  };
  enum Comparison { Is, AtLeast, AtMost };

  bool negated = false;
  Subject subject = Always;
  llvm::StringRef name;
  unsigned index = 0;
  Comparison comparison = Is;
  int64_t number = 0;
  /// Empty if the condition only asks whether something is present.
  llvm::StringRef value;
  /// `value` as a kind, where it is one.
  KindPattern kind = "*";

  /// Reads `text`, which must outlive the condition. The error lists the forms
  /// that the grammar has.
  static llvm::Expected<Condition> parse(llvm::StringRef text);

  /// Whether the condition holds for `op`, `negated` included. None when only
  /// the payload or a run can decide.
  std::optional<bool> decide(mlir::Operation *op) const;
};

/// Whether `op` is a rule group, which rewrites the payload of the step around
/// it.
bool hasPayloadOfParent(mlir::Operation *op);

/// Conditions that must all hold.
using Conditions = llvm::SmallVector<Condition, 0>;

/// Prints an attribute as conditions write it: strings without quotes,
/// enumerators by name, numbers without their type, arrays in brackets.
std::string printPlain(mlir::Attribute attribute);

/// The value of option `name` that an `apply_registered_pass` gives its pass.
/// The inner value is null where a parameter gives the value. None if there is
/// no such option, or `op` is of another kind.
std::optional<mlir::Attribute> getPassOption(mlir::Operation *op,
                                             llvm::StringRef name);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONDITION_H
