//===- Libraries.cpp - Forms and contracts of a session ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Libraries.h"

#include "tools/formwork/Session.h"

#include "mlir/Support/FileUtilities.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;

FailureOr<Libraries>
formwork::tools::loadLibraries(MLIRContext *context,
                               const InputOptions &options) {
  for (const std::string &file : options.forms.files)
    if (std::string error; !openInputFile(file, &error)) {
      (void)failUsage(error);
      return failure();
    }
  if (failed(normalforms::FormLibrary::install(
          context, llvm::to_vector(options.forms.files))))
    return failure();
  const normalforms::FormLibrary *forms =
      normalforms::FormLibrary::get(context);
  FailureOr<std::unique_ptr<normalforms::ContractLibrary>> contracts =
      normalforms::ContractLibrary::load(context, *forms);
  if (failed(contracts))
    return failure();
  return Libraries{forms, std::move(*contracts)};
}
