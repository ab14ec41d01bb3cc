//===- LibraryFiles.cpp - Files that belong to a context --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/LibraryFiles.h"

#include "normalforms/FormLibrary.h"
#include "normalforms/IR/NormalFormOps.h"

using namespace mlir;
using namespace formwork::normalforms;

const LibraryFiles *LibraryFiles::lookup(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<NormalFormDialect>();
  return dialect->getRegisteredInterface<LibraryFiles>();
}

LogicalResult formwork::normalforms::addFormFiles(MLIRContext *context,
                                                  ArrayRef<std::string> files) {
  auto *dialect = context->getOrLoadDialect<NormalFormDialect>();
  auto *known = dialect->getRegisteredInterface<LibraryFiles>();
  if (!known)
    known = &dialect->addInterface<LibraryFiles>();
  size_t before = known->forms.size();
  for (const std::string &file : files)
    if (!llvm::is_contained(known->forms, file))
      known->forms.push_back(file);
  if (known->forms.size() == before)
    return success(FormLibrary::get(context) != nullptr);
  return FormLibrary::install(context, known->forms);
}
