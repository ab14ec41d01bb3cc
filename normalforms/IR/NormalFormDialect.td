//===- NormalFormDialect.td - The normalform dialect -------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect in which forms and contracts are declared. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_NORMALFORMDIALECT_TD
#define FORMWORK_NORMALFORMS_IR_NORMALFORMDIALECT_TD

include "mlir/IR/OpBase.td"

def NormalForm_Dialect : Dialect {
  let name = "normalform";
  let cppNamespace = "::formwork::normalforms";
  let summary = "declarations of normalforms and contracts";
  let description = [{
    A file in this dialect is data, not a program. It declares forms with their
    rules and procedures, and what transform ops require and ensure. These ops
    never appear in payload or in schedules.

    The dialect object holds the data loaded into its context: the form library,
    the registered predicates, and the caches of the rewriting core.
  }];
  let dependentDialects = ["::mlir::transform::TransformDialect"];
  let extraClassDeclaration = [{
    /// Registers a C++ predicate; it replaces an earlier one of the same name.
    void registerPredicate(Predicate predicate);
    /// The predicate called `name`, or null.
    const Predicate *lookupPredicate(::llvm::StringRef name) const;
    /// All predicates, by name.
    ::llvm::SmallVector<const Predicate *> getPredicates() const;

    /// The loaded library, or null; see FormLibrary::get.
    const FormLibrary *getLibrary() const;
    /// Replaces the library. Do not call this while anything uses the old one.
    void setLibrary(std::shared_ptr<const FormLibrary> library);
    /// Runs `load` if no library is loaded; thread-safe.
    const FormLibrary *getOrLoadLibrary(
        ::llvm::function_ref<std::shared_ptr<const FormLibrary>()> load);

    /// The caches of the rewriting core; thread-safe.
    ::formwork::engine::RuleSetCache &getRuleSetCache();
    ::formwork::engine::NormalCache &getNormalCache();

  private:
    struct State;
    std::shared_ptr<State> state;
  public:
  }];
}

class NormalForm_Op<string mnemonic, list<Trait> traits = []>
    : Op<NormalForm_Dialect, mnemonic, traits>;

#endif // FORMWORK_NORMALFORMS_IR_NORMALFORMDIALECT_TD
