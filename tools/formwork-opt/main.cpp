//===- main.cpp - mlir-opt with Formwork ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir-opt` with Formwork's dialect, transform operations and passes: what the
// tests of single passes and operations run. Layer: tools.
//
//===----------------------------------------------------------------------===//

#include "transforms/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  formwork::registerFormwork(registry);
  formwork::registerFormworkPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Formwork optimizer driver\n", registry));
}
