//===- Libraries.h - Forms and contracts of a session -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms and contracts that judge schedules: the built-in ones and those of
// users on top. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_LIBRARIES_H
#define FORMWORK_NORMALFORMS_LIBRARIES_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"

namespace formwork::normalforms {

/// The libraries of a session. Copies share the contracts.
struct Libraries {
  Libraries() = default;
  /// Refers to two libraries that outlive this object.
  Libraries(const FormLibrary &forms, const ContractLibrary &contracts)
      : forms(&forms), contracts(std::shared_ptr<void>(), &contracts) {}

  /// Loads the contracts, and the forms into `context`, where the operations of
  /// schedules find them. Skips the forms if `context` has some and `formFiles`
  /// is empty. Errors: as FormLibrary::install and ContractLibrary::load.
  static llvm::FailureOr<Libraries>
  load(mlir::MLIRContext *context, llvm::ArrayRef<std::string> formFiles = {},
       llvm::ArrayRef<std::string> contractFiles = {});

  /// Owned by the context. Both members are null only if nothing was loaded.
  const FormLibrary *forms = nullptr;
  std::shared_ptr<const ContractLibrary> contracts;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_LIBRARIES_H
