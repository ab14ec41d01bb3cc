//===- ContractLibrary.h - What transform ops promise -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contracts of transform ops as data (DESIGN §4): parsed from the embedded
// library and from the user's files. Layer: normalforms; it says what a clause
// is, not what follows from it at a point of a schedule (that is verifier's).
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACTLIBRARY_H
#define FORMWORK_NORMALFORMS_CONTRACTLIBRARY_H

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/Lattice.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>

namespace formwork::normalforms {

class FormLibrary;

/// Where the payload of a result lies, seen from an operand's payload.
enum class ResultRelation { Same, Replaces, Inside, Around, Fresh, Any };
/// How many payload ops a result has, seen from an operand's.
enum class ResultCount { PerTarget, AtMostPerTarget, One, Unbounded };
/// The part of the payload that a write can reach.
enum class WriteExtent { Target, Anchor, Root };
/// What happens to live handles into the extent that are not consumed.
enum class HandleEffect { Keeps, Shrinks, Moves };

/// A set of op kinds as contracts write it: op names, `dialect.*`, `"*"`, and
/// the classes `$isolated`, `$loop`, `$structured`, `$tileable`.
using KindPatterns = llvm::SmallVector<std::string, 2>;

/// `requires` and `wants`: the anchor of operand `operand` is in `form`.
struct FormClause {
  AtomId form;
  unsigned operand;
  bool required;
  std::string id;        ///< `<op>.cN`, N counting the clauses of the contract
  std::string otherwise; ///< what happens without it
};

/// `accepts` and `single`: what an operand may hold.
struct OperandClause {
  unsigned operand;
  KindPatterns kinds; ///< empty: any
  bool single = false;
  std::string id;
  std::string otherwise;
};

/// Where the payload of one result lies.
struct ResultClause {
  ResultRelation relation = ResultRelation::Any;
  std::optional<unsigned> operand;
  KindPatterns kinds; ///< empty: those of the operand for `same`, else any
  ResultCount count = ResultCount::Unbounded;
};

/// What a payload write does.
struct PayloadClause {
  WriteExtent extent = WriteExtent::Root;
  KindPatterns introduces;
  KindPatterns rewrites;
  HandleEffect handles = HandleEffect::Keeps;
};

struct Contract {
  std::string opName; ///< with the dialect: `transform.apply_cse`
  bool complete = false;
  std::string model; ///< name of a transfer function of verifier, or empty
  llvm::SmallVector<FormClause, 2> forms;
  llvm::SmallVector<OperandClause, 2> operands;
  llvm::SmallVector<std::optional<ResultClause>, 2> results;
  llvm::SmallVector<std::pair<AtomId, unsigned>, 1> ensures;
  /// The forms that survive; `preservesAll` stands for every one.
  llvm::SmallVector<AtomId> preserves;
  bool preservesAll = false;
  std::optional<PayloadClause> payload;
  llvm::SmallVector<std::string> procedures;
};

/// The contracts of one context. Immutable; may be read from several threads.
class ContractLibrary {
public:
  /// Parses the built-in library, then `extraFiles`; a contract of a later file
  /// replaces an earlier one. A form that `forms` lacks is an error at its
  /// place (fw-unknown-form); so is a clause about an operand given twice.
  static llvm::FailureOr<std::unique_ptr<ContractLibrary>>
  load(mlir::MLIRContext *context, const FormLibrary &forms,
       llvm::ArrayRef<std::string> extraFiles = {});

  /// The contract of the op called `opName`, or null.
  const Contract *lookup(llvm::StringRef opName) const;
  size_t size() const { return contracts.size(); }

  /// The names of all ops that have a contract, sorted.
  llvm::SmallVector<llvm::StringRef> getOpNames() const;

  /// The files of the built-in library: name and text.
  static llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>>
  getBuiltinFiles();

private:
  llvm::StringMap<Contract> contracts;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACTLIBRARY_H
