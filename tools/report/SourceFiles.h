//===- SourceFiles.h - Places as other tools count them ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns MLIR's locations, which count bytes, into lines and columns in UTF-16
// code units, as editors and SARIF have them, and the pieces of a split file
// back into the file. Layer: tools; it reads text and knows no IR but
// locations.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_REPORT_SOURCEFILES_H
#define FORMWORK_TOOLS_REPORT_SOURCEFILES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace formwork::tools {

/// Lines and columns count from 1, columns in UTF-16 code units, and the end is
/// not part of the place. An invalid byte counts as one unit.
struct Place {
  std::string file;
  unsigned line = 0, column = 0;
  unsigned endLine = 0, endColumn = 0;
};

class SourceFiles {
public:
  SourceFiles();
  ~SourceFiles();

  /// The text that the parser read as `name`; it must outlive this.
  void add(llvm::StringRef name, llvm::StringRef text);

  /// The first place in a file that `loc` names, to the end of the word that is
  /// there; none if it names no file. A file that was not added is read when it
  /// is first needed; where that fails, columns stay as they are.
  std::optional<Place> locate(mlir::Location loc);
  /// The text of the line of that place; empty where there is none.
  llvm::StringRef getLineAt(mlir::Location loc);
  /// The place of an edit.
  Place locate(mlir::FileLineColRange range);

private:
  struct File {
    llvm::StringRef text;
    std::vector<size_t> lineStarts;
  };
  const File *lookup(llvm::StringRef name);

  llvm::StringMap<File> files;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
};

/// The number of UTF-16 code units of `text`.
unsigned countUtf16(llvm::StringRef text);

/// `within split at FILE:N offset ` as FILE and the number of lines before the
/// piece; any other name as itself and 0.
std::pair<std::string, unsigned> resolveSplitName(llvm::StringRef name);

/// `range` in the file, if it is in a piece of one, of which the name is as
/// above.
mlir::FileLineColRange locateInFile(mlir::FileLineColRange range);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_REPORT_SOURCEFILES_H
