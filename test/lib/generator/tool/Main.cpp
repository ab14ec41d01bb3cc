//===- Main.cpp - formwork-generate ---------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the payload that a seed and options decide, below the command that
// makes it again.
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/PayloadGenerator.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace formwork::testing;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  uint64_t seed = 0;
  GeneratorOptions options;
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    if (argument == "--help") {
      llvm::outs()
          << "usage: formwork-generate [OPTION]...\n"
             "Prints a module that verifies. Options, with defaults:\n";
      printOptionHelp(llvm::outs());
      return 0;
    }
    std::string error;
    if (!parseArgument(argument, seed, options, error)) {
      llvm::errs() << "formwork-generate: " << error << "\n";
      return 3;
    }
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      generatePayload(&context, seed, options);
  printReproducer(llvm::outs(), *module, seed, options);
  llvm::outs() << "\n";
  return 0;
}
