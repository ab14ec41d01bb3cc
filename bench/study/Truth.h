//===- Truth.h - What happens when a schedule runs --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a schedule with fixed values and asks ptxas, without asking the
// verifier: what its predictions are compared with. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_STUDY_TRUTH_H
#define FORMWORK_BENCH_STUDY_TRUTH_H

#include "transforms/gpu/Toolkit.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::bench {

struct Truth {
  /// Whether the schedule ran, every target's code was generated, and ptxas
  /// took it.
  bool accepted = false;
  /// Otherwise, what refused it: "schedule", "goal", "lowering", "ptx" or
  /// "ptxas", with the target behind a colon.
  std::string refusedBy;
  /// The first error.
  std::string message;
};

/// Changes `payload`. The interpreter's expensive checks are on; the limits on
/// workgroup memory are left to ptxas.
Truth findTruth(mlir::ModuleOp payload, mlir::transform::NamedSequenceOp entry,
                mlir::ModuleOp lowering, llvm::ArrayRef<std::string> targets,
                const transforms::Toolkit &toolkit, llvm::StringRef ptxas);

} // namespace formwork::bench

#endif // FORMWORK_BENCH_STUDY_TRUTH_H
