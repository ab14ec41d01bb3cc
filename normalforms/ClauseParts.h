//===- ClauseParts.h - Parts that clauses share -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the parts that several clauses of a contract share: kinds, counts,
// conditions, the numbers of operands. Each function emits its error at the
// clause: fw-contract-clause, and `resolve` fw-unknown-form. Layer:
// normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CLAUSEPARTS_H
#define FORMWORK_NORMALFORMS_CLAUSEPARTS_H

#include "engine/Diagnostics.h"
#include "normalforms/Contract.h"
#include "normalforms/IR/NormalFormOps.h"

#include "llvm/ADT/StringExtras.h"

namespace formwork::normalforms {

llvm::LogicalResult refuse(mlir::Operation *clause, const llvm::Twine &message);
/// Refuses `word` and suggests the nearest of `words`.
llvm::LogicalResult refuseWord(mlir::Operation *clause,
                               const llvm::Twine &message, llvm::StringRef word,
                               llvm::ArrayRef<llvm::StringRef> words);

/// Whether `name` is an op name with its dialect, or `pass:NAME`.
bool isContractName(llvm::StringRef name);

/// The enumerator that `word` names; `words` lists the words in enumerator
/// order.
template <typename EnumTy>
llvm::FailureOr<EnumTy> readWord(mlir::Operation *clause, llvm::StringRef word,
                                 llvm::ArrayRef<llvm::StringRef> words) {
  const auto *it = llvm::find(words, word);
  if (it != words.end())
    return static_cast<EnumTy>(it - words.begin());
  return refuse(clause, "requires one of " + llvm::join(words, ", ") +
                            " but has '" + word + "'");
}

llvm::FailureOr<AtomId> resolve(const FormLattice &lattice,
                                mlir::Operation *clause,
                                mlir::FlatSymbolRefAttr form);
/// The index of an operand or result.
llvm::FailureOr<unsigned> readIndex(mlir::Operation *clause, int64_t index);

/// The word for the constants that folding makes, among the kinds that a clause
/// introduces.
constexpr llvm::StringLiteral kFoldedConstantsWord = "$constant";
/// The kinds that the word stands for.
llvm::ArrayRef<llvm::StringLiteral> getFoldedConstants();

/// The use of a kind in a clause. Only introduced kinds can be marked with `+`.
/// Only rewritten kinds can be `!tensor` and similar types.
enum class KindRole { Given, Introduced, Rewritten };
llvm::FailureOr<KindPatterns> readKinds(mlir::Operation *clause,
                                        std::optional<mlir::ArrayAttr> kinds,
                                        KindRole role = KindRole::Given);
/// The kinds that a clause accepts, if it lists any.
llvm::FailureOr<KindPatterns>
readAccepted(mlir::Operation *clause, std::optional<mlir::ArrayAttr> kinds);

/// The conditions after `when`, without those that cannot be read.
Conditions parseConditions(mlir::Operation *clause);
/// The conditions after `when`, if there are any.
llvm::LogicalResult readConditions(mlir::Operation *clause, Conditions &when);
/// Reads how many payload ops `result` has.
llvm::LogicalResult readCount(ResultOp clause, ResultClause &result);
/// Reads which loops the ops of `result` have, if the clause says so.
llvm::LogicalResult readSpace(ResultOp clause, ResultClause &result);
llvm::LogicalResult readHandles(PayloadOp clause, HandleEffects &handles);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CLAUSEPARTS_H
