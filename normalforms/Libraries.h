//===- Libraries.h - Forms and contracts of a session -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What schedules are judged by: the built-in forms and contracts, with those of
// users on top. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_LIBRARIES_H
#define FORMWORK_NORMALFORMS_LIBRARIES_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"

namespace formwork::normalforms {

/// Copies share the contracts.
struct Libraries {
  Libraries() = default;
  /// Two libraries that outlive this.
  Libraries(const FormLibrary &forms, const ContractLibrary &contracts)
      : forms(&forms), contracts(std::shared_ptr<void>(), &contracts) {}

  /// Loads the forms into `context`, where the operations of schedules find
  /// them, unless there are some already and none of `formFiles` are asked for;
  /// and the contracts. Errors: as FormLibrary::install and
  /// ContractLibrary::load.
  static llvm::FailureOr<Libraries>
  load(mlir::MLIRContext *context, llvm::ArrayRef<std::string> formFiles = {},
       llvm::ArrayRef<std::string> contractFiles = {});

  /// Owned by the context. Both are null only where nothing was loaded.
  const FormLibrary *forms = nullptr;
  std::shared_ptr<const ContractLibrary> contracts;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_LIBRARIES_H
