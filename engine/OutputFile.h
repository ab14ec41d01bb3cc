//===- OutputFile.h - A file as a whole or not at all -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the files that a command puts out. Knows nothing of what is in them.
// Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_OUTPUTFILE_H
#define FORMWORK_ENGINE_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace formwork::engine {

enum class FileMode { Data, Executable };

/// Writes `content` to `path`. A regular file is replaced as a whole, through a
/// temporary file beside it that is renamed: a failure leaves the old content
/// behind. A link is followed, permissions stay, and a file that may not be
/// written is not replaced. A pipe or a device is opened and written. With
/// `Executable`, whoever may read a regular file may also execute it. The error
/// names `path`.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef content,
                      FileMode mode = FileMode::Data);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_OUTPUTFILE_H
