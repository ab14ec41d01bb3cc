//===- Handlers.h - The requests of the protocol ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes messages of the Language Server Protocol to the server, and back.
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_HANDLERS_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_HANDLERS_H

#include "tools/formwork-lsp-server/Server.h"

#include "llvm/Support/LSP/Transport.h"

namespace formwork::tools {

/// Serves the client behind `transport` until it ends the connection. With
/// `isSynchronous`, each message is answered when all checks are done, so that
/// the order of what is sent is always the same. Returns the exit code of the
/// process: 0 if the client said that it ends.
int serve(llvm::lsp::JSONTransport &transport, ServerOptions options,
          mlir::DialectRegistry &registry, bool isSynchronous);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_HANDLERS_H
