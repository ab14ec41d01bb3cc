//===- counting-opt.cpp - Formwork with additions ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool that uses Formwork as it is installed, with the additions of
// Counting.cpp.
//
//===----------------------------------------------------------------------===//

// First: it includes what it needs.
#include "transforms/Registration.h"

#include "Counting.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  formwork::registerFormwork(registry);
  formwork::registerFormworkPasses();
  registerCounting(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Formwork with additions\n", registry));
}
