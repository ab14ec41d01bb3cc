//===- SourcePlace.h - The place of a location for a reader -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the source place to show for a location. A location can be a stack of
// calls, such as the frames of the Python program that made an operation. The
// innermost frames belong to the library that the program uses, and a reader
// looks for their own line. Layer: engine; it knows no IR but locations.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_SOURCEPLACE_H
#define FORMWORK_ENGINE_SOURCEPLACE_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace formwork::engine {

/// One call of a stack.
struct CallFrame {
  mlir::FileLineColLoc place;
  /// The function, as the location names it; empty where it does not.
  std::string name;
};

/// The calls in `loc`, the innermost first. One for a location that is a place
/// in a file; none where `loc` names no file.
llvm::SmallVector<CallFrame> getCallFrames(mlir::Location loc);

/// Whether `file` is part of Python or of an installed package:
/// `/usr/lib/python3.11/ast.py`,
/// `venv/lib/python3.11/site-packages/mlir/ir.py`.
bool isLibraryFile(llvm::StringRef file);

/// The place to show for `loc`: the innermost call outside of libraries, or
/// else the first place that `loc` names. Null where `loc` names no place.
///
/// Example: callsite(callsite("site-packages/mlir/ir.py":9:1 at "a.py":4:2) at
/// "main.py":7:1) is shown as a.py:4:2.
mlir::FileLineColLoc findSourcePlace(mlir::Location loc);

/// The location of `op`, or of the nearest op around it that has one: folding
/// drops the location of a constant that it moves, and some patterns that of
/// the ops that they make.
mlir::Location getNearestLoc(mlir::Operation *op);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_SOURCEPLACE_H
