//===- Snapshots.h - The payload behind each step ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the payload as it is behind each step of a schedule that changes it.
// Layer: transforms; it runs nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_SNAPSHOTS_H
#define FORMWORK_TRANSFORMS_RESULTS_SNAPSHOTS_H

#include "engine/Fingerprint.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace formwork::transforms {

/// The payload as a step left it.
struct Snapshot {
  /// The step, and how often it ran before.
  mlir::Operation *step = nullptr;
  unsigned visit = 0;
  mlir::OwningOpRef<mlir::ModuleOp> payload;
};

/// Keeps the payload behind each step that changes it.
class Snapshots {
public:
  /// Begins with the payload in front of all steps.
  explicit Snapshots(mlir::ModuleOp payload);

  /// To be called behind each step. Cost: a walk of the payload, and a clone if
  /// it changed.
  void take(mlir::Operation *step, mlir::ModuleOp payload);

  /// Forgets all but the snapshot behind `step`, when that had run `visit`
  /// times before, and the one in front of that. Returns false if there is
  /// none.
  bool keepOnly(mlir::Operation *step, unsigned visit);

  mlir::ModuleOp getOriginal() const { return *original; }
  llvm::ArrayRef<Snapshot> get() const { return snapshots; }
  unsigned getNumSteps() const { return numSteps; }

private:
  engine::Fingerprinter fingerprinter;
  engine::Fingerprint last;
  mlir::OwningOpRef<mlir::ModuleOp> original;
  std::vector<Snapshot> snapshots;
  llvm::DenseMap<mlir::Operation *, unsigned> visits;
  unsigned numSteps = 0;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_SNAPSHOTS_H
