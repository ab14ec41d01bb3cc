//===- PayloadTrace.h - The payload behind each step ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The payload as a page of a trace shows it: its text, the changes of each step
// in that text, and the lines on which the operations of each handle stand.
// Layer: tools; it knows nothing of the page.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_TRACE_PAYLOADTRACE_H
#define FORMWORK_TOOLS_TRACE_PAYLOADTRACE_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

#include <functional>
#include <string>

namespace formwork::tools {

/// The payload as it was behind the last step that was taken.
class PayloadTrace {
public:
  /// The numbers by which the page knows a handle; none for one that it does
  /// not show.
  using NumbersOf =
      llvm::function_ref<llvm::SmallVector<unsigned, 1>(mlir::Value handle)>;

  explicit PayloadTrace(mlir::ModuleOp payload);

  /// `lines`, and `text` as long as that is not too long for a page.
  llvm::json::Object describeBegin();

  /// `operations` and `lines`, how large the payload is; `difference`, the
  /// unified one to the last step, if there is any; `handles`, for each handle
  /// that `state` knows, its number and the lines of its operations, ascending.
  /// `isCut` instead of the last two from where all of them together would be
  /// too long for a page. Cost: a print and a walk of the payload, and their
  /// comparison.
  llvm::json::Object describeStep(const mlir::transform::TransformState &state,
                                  NumbersOf numbersOf);

private:
  void print();
  llvm::json::Array findHandles(const mlir::transform::TransformState &state,
                                NumbersOf numbersOf);
  /// Whether the page still takes `size` bytes; takes them if so.
  bool take(size_t size);

  mlir::ModuleOp payload;
  std::string printed;
  /// The line of each operation in `printed`, counted from 1.
  llvm::DenseMap<mlir::Operation *, unsigned> lines;
  size_t numBytes = 0;
  bool isCut = false;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_TRACE_PAYLOADTRACE_H
