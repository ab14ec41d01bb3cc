//===- FormsTest.cpp - A context with forms and all payload -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormsTest.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

#include "llvm/Support/FileSystem.h"

using namespace formwork;

std::unique_ptr<normalforms::FormLibrary>
formwork::test::FormsTest::loadWith(llvm::StringRef text) {
  int fd;
  llvm::SmallString<128> path;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("forms", "mlir", fd, path));
  llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
  auto library = normalforms::FormLibrary::load(&context, {path.str().str()});
  llvm::sys::fs::remove(path);
  return failed(library) ? nullptr : std::move(*library);
}

void formwork::test::registerEverything(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // Passes are global to the process, and registering them twice is an error
  // only when the constructors differ.
  static const bool passes = (mlir::registerAllPasses(), true);
  (void)passes;
  transforms::registerFormworkExtensions(registry);
}
