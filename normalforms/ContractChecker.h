//===- ContractChecker.h - Whether clauses fit the op -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks of a contract against the op that it describes, clause after
// clause. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACTCHECKER_H
#define FORMWORK_NORMALFORMS_CONTRACTCHECKER_H

#include "normalforms/Condition.h"
#include "normalforms/ContractCheck.h"
#include "normalforms/OpSignature.h"

namespace formwork::normalforms {

/// The role that a clause expects of an operand or a result.
enum class Meant { Payload, Ops, Param, Any };

class ContractChecker {
public:
  ContractChecker(ContractOp contract, llvm::ArrayRef<llvm::StringRef> passes)
      : contract(contract), passes(passes), context(contract.getContext()) {}

  engine::Findings check();

private:
  /// Reads the op of the contract; false when nothing more can be checked.
  bool readSubject();
  void checkClause(mlir::Operation *clause);
  void checkConditions(mlir::Operation *clause);
  void checkCondition(mlir::Operation *clause, const Condition &condition);

  void checkOperand(mlir::Operation *clause, int64_t index, Meant meant);
  void checkResult(mlir::Operation *clause, int64_t index);
  void checkRoles(mlir::Operation *clause, llvm::StringRef what, int64_t index,
                  HandleRoles roles, Meant meant);
  void checkNumber(mlir::Operation *clause, llvm::StringRef what, int64_t index,
                   unsigned named);
  void checkAttribute(mlir::Operation *clause, llvm::StringRef name,
                      bool asInteger);
  void checkFlag(mlir::Operation *clause, llvm::StringRef name,
                 const llvm::Twine &use);
  /// `name` is compared with a value that prints as `text`.
  void checkValue(mlir::Operation *clause, llvm::StringRef name,
                  llvm::StringRef text);
  void checkDomain(DomainOp clause);
  void checkOption(mlir::Operation *clause, llvm::StringRef name);
  void checkKinds(mlir::Operation *clause,
                  std::optional<mlir::ArrayAttr> kinds);
  void checkKind(mlir::Operation *clause, llvm::StringRef kind);
  void checkOpName(mlir::Operation *clause, llvm::StringRef name);
  void checkGroup(mlir::Operation *clause, llvm::StringRef name);
  void checkPass(mlir::Operation *clause, llvm::StringRef name);
  void checkCount(ResultOp clause);
  void checkSpace(ResultOp clause);
  void checkEffect(EffectOp clause);
  void checkSideEffects(SideEffectsOp clause);
  void checkSilenceable(SilenceableOp clause);
  void checkDialects();
  /// Whether a clause says that ops may be added (or, with `orRewritten`,
  /// changed) that are of `pattern`, or of which `pattern` is one.
  bool mayMake(llvm::StringRef pattern, bool orRewritten = false);

  /// Reports an error, or a warning for a warning's id, and suggests a near
  /// name. A name that is misspelled is an error in either case.
  void report(mlir::Operation *clause, llvm::StringRef id,
              const llvm::Twine &message, llvm::StringRef name = "",
              llvm::ArrayRef<llvm::StringRef> known = {});
  /// The names of the ops in MLIR's registry that `accepts` accepts.
  llvm::SmallVector<llvm::StringRef>
  getOps(llvm::function_ref<bool(mlir::RegisteredOperationName)> accepts);

  ContractOp contract;
  llvm::ArrayRef<llvm::StringRef> passes;
  mlir::MLIRContext *context;
  engine::Findings findings;
  /// The signature of the op whose attributes conditions refer to.
  std::optional<OpSignature> attributes;
  llvm::StringRef attributesOf;
  /// The signature of the op that has the operands and results.
  std::optional<OpSignature> operands;
  llvm::StringRef operandsOf;
  /// The pass of the contract, or empty.
  llvm::StringRef pass;
};

inline constexpr llvm::StringLiteral kUnchecked = "fw-contract-unchecked";

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACTCHECKER_H
