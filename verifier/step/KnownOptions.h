//===- KnownOptions.h - Options of passes by parameters ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters of which the values are known, in the place of the operands that
// options of a pass name. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_KNOWNOPTIONS_H
#define FORMWORK_VERIFIER_STEP_KNOWNOPTIONS_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::verifier {

struct Analysis;

/// Puts the values of parameters, as far as they are known, into the options of
/// a step that runs a pass, and takes them out again when it dies. All who read
/// the options in between see what the pass gets. Other steps stay as they are.
class KnownOptions {
public:
  KnownOptions(Analysis &analysis, mlir::Operation *op);
  ~KnownOptions();
  KnownOptions(const KnownOptions &) = delete;
  KnownOptions &operator=(const KnownOptions &) = delete;

private:
  /// Null where nothing is replaced.
  mlir::transform::ApplyRegisteredPassOp step;
  mlir::DictionaryAttr given;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_KNOWNOPTIONS_H
