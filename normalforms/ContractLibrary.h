//===- ContractLibrary.h - The contracts of transform ops -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contracts of transform ops (DESIGN §4): parsed from the embedded library
// and from the user's files. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_CONTRACTLIBRARY_H
#define FORMWORK_NORMALFORMS_CONTRACTLIBRARY_H

#include "normalforms/Contract.h"
#include "normalforms/ContractInstances.h"
#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/OwnAttributes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace formwork::normalforms {

class FormLibrary;

/// The contracts of one context. They are immutable and may be read from
/// several threads.
class ContractLibrary {
public:
  /// Parses the built-in library, then `extraFiles`, which add contracts of
  /// other ops. Errors, each at its place:
  ///
  /// - fw-contract-redefined: a second contract of an op, or a second
  ///   unconditional clause about a result, or that an operand is a single op;
  /// - fw-unknown-form: a form that `forms` lacks;
  /// - fw-contract-clause: a word or condition that the clause language does
  /// not
  ///   have, a model that is not registered for the op, or anything but
  ///   contracts in a file;
  /// - the errors of `checkContract`: a clause that does not fit the registered
  ///   op. This check loads dialects.
  ///
  /// With `mayReplace`, a later contract replaces an earlier one, model and
  /// all. Tests use this to see the consequences of wrong contracts.
  static llvm::FailureOr<std::unique_ptr<ContractLibrary>>
  load(mlir::MLIRContext *context, const FormLibrary &forms,
       llvm::ArrayRef<std::string> extraFiles = {}, bool mayReplace = false);

  /// The contract of the op called `opName`, or null.
  const Contract *lookup(llvm::StringRef opName) const;
  /// The contract of the registered pass or pipeline called `name`, or null.
  const Contract *lookupPass(llvm::StringRef name) const {
    return lookup(("pass:" + name).str());
  }
  /// Whether the contract of `op` has the side effect `effect`. For a step that
  /// runs a pass, asks the contract of the pass.
  bool has(mlir::Operation *op, SideEffect effect) const;
  /// The part of `contract`, a contract of this library, that remains under
  /// these answers. Lives as long as the library.
  const Contract &settle(const Contract &contract,
                         const Contract::Answers &answers) const {
    return instances.get(contract, answers);
  }
  /// The attributes of the ops in the context of this library.
  OwnAttributes &getOwnAttributes() const { return ownAttributes; }
  size_t size() const { return contracts.size(); }

  /// The names of all ops that have a contract, sorted; passes as `pass:NAME`.
  llvm::SmallVector<llvm::StringRef> getOpNames() const;

  /// The ops that declare the contracts, in the order of the files; owned by
  /// the library.
  llvm::ArrayRef<ContractOp> getDeclarations() const { return declarations; }

  /// The files of the built-in library: name and text.
  static llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>>
  getBuiltinFiles();

private:
  /// Adds the contract that `op` declares.
  llvm::LogicalResult add(mlir::Operation *op, const FormLibrary &forms,
                          bool isBuiltin, bool mayReplace);

  llvm::StringMap<Contract> contracts;
  llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> files;
  llvm::SmallVector<ContractOp> declarations;
  mutable ContractInstances instances;
  mutable OwnAttributes ownAttributes;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_CONTRACTLIBRARY_H
