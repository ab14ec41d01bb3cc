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
formwork::tools::loadLibraries(MLIRContext *context, const FormsOption &forms,
                               const ContractsOption &contracts) {
  for (const std::string &file :
       llvm::concat<const std::string>(forms.files, contracts.files))
    if (std::string error; !openInputFile(file, &error)) {
      (void)failUsage(error);
      return failure();
    }
  return Libraries::load(context, llvm::to_vector(forms.files),
                         llvm::to_vector(contracts.files));
}

const normalforms::Form *
formwork::tools::lookupNamedForm(const normalforms::FormLibrary &library,
                                 llvm::StringRef name, llvm::StringRef option) {
  llvm::StringRef symbol = name.ltrim('@');
  if (const normalforms::Form *form = library.lookup(symbol))
    return form;
  std::string meant;
  if (std::optional<normalforms::AtomId> near =
          library.lattice().suggest(symbol))
    meant = "; did you mean '" + library.lattice().getName(*near).str() + "'?";
  (void)failUsage("unknown form '" + name + "' in " + option + meant +
                  (meant.empty() ? "; 'formwork forms' prints all" : ""));
  return nullptr;
}
