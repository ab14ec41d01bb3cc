//===- OutputFile.cpp - A file as a whole or not at all ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace formwork::engine;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Writes `content` to `os`, and forgets the error that it returns: a stream
/// that dies with one ends the process.
static std::error_code write(llvm::raw_fd_ostream &os, StringRef content) {
  os << content;
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

/// Opens and writes what cannot be replaced.
static llvm::Error writeInPlace(StringRef path, StringRef content) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, fs::CD_OpenExisting, fs::FA_Write,
                          fs::OF_None);
  if (!error)
    error = write(os, content);
  return error ? llvm::createFileError(path, error) : llvm::Error::success();
}

/// `permissions`, with the right to execute for all who may read.
static fs::perms addExecution(fs::perms permissions) {
  for (auto [read, execute] : {std::pair(fs::owner_read, fs::owner_exe),
                               std::pair(fs::group_read, fs::group_exe),
                               std::pair(fs::others_read, fs::others_exe)})
    if (permissions & read)
      permissions = permissions | execute;
  return permissions;
}

/// Writes beside `path` and renames, so that there is the old content or the
/// new one: llvm::writeToOutput renames what it could not write, too.
static llvm::Error replaceFile(StringRef path, StringRef content,
                               FileMode mode) {
  // A link stays one, and the file that it names is replaced.
  llvm::SmallString<256> target;
  if (fs::real_path(path, target))
    target = path;
  fs::file_status old;
  bool isNew = static_cast<bool>(fs::status(target, old));
  // A file that may not be written is not replaced, either.
  if (!isNew)
    if (std::error_code error = fs::access(target, fs::AccessMode::Write))
      return llvm::createFileError(path, error);
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(target + ".%%%%%%", fs::all_read | fs::all_write);
  if (!file)
    return llvm::createFileError(path, file.takeError());
  std::error_code error;
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    error = write(os, content);
  }
  fs::file_status made;
  if (!error)
    error = fs::status(file->FD, made);
  if (!error) {
    fs::perms permissions = (isNew ? made : old).permissions();
    error = fs::setPermissions(file->FD, mode == FileMode::Executable
                                             ? addExecution(permissions)
                                             : permissions);
  }
  if (error) {
    llvm::consumeError(file->discard());
    return llvm::createFileError(path, error);
  }
  if (llvm::Error failed = file->keep(target))
    return llvm::createFileError(path, std::move(failed));
  return llvm::Error::success();
}

llvm::Error formwork::engine::writeFile(StringRef path, StringRef content,
                                        FileMode mode) {
  fs::file_status status;
  bool isSpecial =
      !fs::status(path, status) && status.type() != fs::file_type::regular_file;
  return isSpecial ? writeInPlace(path, content)
                   : replaceFile(path, content, mode);
}
