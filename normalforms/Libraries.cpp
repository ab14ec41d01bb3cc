//===- Libraries.cpp - Forms and contracts of a session ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/Libraries.h"

using namespace mlir;
using namespace formwork::normalforms;

FailureOr<Libraries> Libraries::load(MLIRContext *context,
                                     ArrayRef<std::string> formFiles,
                                     ArrayRef<std::string> contractFiles) {
  if (!formFiles.empty() && failed(FormLibrary::install(context, formFiles)))
    return failure();
  Libraries libraries;
  libraries.forms = FormLibrary::get(context);
  if (!libraries.forms)
    return failure();
  FailureOr<std::unique_ptr<ContractLibrary>> contracts =
      ContractLibrary::load(context, *libraries.forms, contractFiles);
  if (failed(contracts))
    return failure();
  libraries.contracts = std::move(*contracts);
  return libraries;
}
