//===- Uris.h - Files as an editor names them -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_URIS_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_URIS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace formwork::tools {

/// The path that `uri` names, or `uri` itself where it names no file.
std::string getPath(llvm::StringRef uri);
/// The URI of a file.
std::string getUri(llvm::StringRef path);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_URIS_H
