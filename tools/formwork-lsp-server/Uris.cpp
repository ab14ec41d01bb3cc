//===- Uris.cpp - Files as an editor names them -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Uris.h"

#include "llvm/Support/LSP/Protocol.h"

using llvm::StringRef;
namespace lsp = llvm::lsp;

std::string formwork::tools::getPath(StringRef uri) {
  llvm::Expected<lsp::URIForFile> file = lsp::URIForFile::fromURI(uri);
  if (file)
    return file->file().str();
  llvm::consumeError(file.takeError());
  return uri.str();
}

std::string formwork::tools::getUri(StringRef path) {
  llvm::Expected<lsp::URIForFile> file = lsp::URIForFile::fromFile(path);
  if (file)
    return file->uri().str();
  llvm::consumeError(file.takeError());
  return path.str();
}
