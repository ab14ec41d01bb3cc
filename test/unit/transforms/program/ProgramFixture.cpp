//===- ProgramFixture.cpp - What the tests of programs share ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;
using namespace formwork::transforms;

ProgramFixture::ProgramFixture() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  context.appendDialectRegistry(registry);
  context.getDiagEngine().registerHandler([&](Diagnostic &diag) {
    diagnostics.push_back(diag.str());
    for (Diagnostic &note : diag.getNotes())
      diagnostics.push_back("note: " + note.str());
    return success();
  });
}
