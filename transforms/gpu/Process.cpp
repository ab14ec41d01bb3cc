//===- Process.cpp - Running another program --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Process.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace formwork::transforms;

llvm::Expected<ProcessResult>
formwork::transforms::runProcess(llvm::StringRef program,
                                 llvm::ArrayRef<llvm::StringRef> arguments) {
  llvm::SmallString<128> log;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("formwork", "log", log))
    return llvm::createStringError(error, "cannot create a temporary file");
  llvm::FileRemover remover(log);

  llvm::SmallVector<llvm::StringRef> argv = {program};
  argv.append(arguments.begin(), arguments.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), log.str(),
                                                log.str()};
  std::string message;
  int exitCode = llvm::sys::ExecuteAndWait(program, argv, std::nullopt,
                                           redirects, 0, 0, &message);
  if (exitCode < 0)
    return llvm::createStringError(llvm::Twine("cannot run '") + program +
                                   "': " + message);
  auto buffer = llvm::MemoryBuffer::getFile(log);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read what the program printed");
  return ProcessResult{exitCode, (*buffer)->getBuffer().str()};
}
