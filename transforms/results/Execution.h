//===- Execution.h - A payload executed as it is ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes a payload in whatever state a schedule left it: tensors or buffers,
// structured operations, loops and vectors on this machine's processor, kernels
// on the emulator. Layer: transforms; it knows no schedule.
//
// The code is that of the reference, with checks: bounds in every dimension,
// races of iterations without order, and for kernels all that the emulator
// finds. MLIR and LLVM may crash on the way, and code may run without end: who
// executes does so in a child.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_EXECUTION_H
#define FORMWORK_TRANSFORMS_RESULTS_EXECUTION_H

#include "engine/Diagnostics.h"
#include "transforms/emulate/EmulatedDevice.h"
#include "transforms/program/EntryPoint.h"
#include "transforms/program/Jit.h"
#include "transforms/results/AccessChecks.h"
#include "transforms/results/AccessRuntime.h"

#include <optional>

namespace formwork::transforms {

/// The inputs of a payload.
struct InputSet {
  enum Fill {
    Integers, ///< from -magnitude to magnitude, one of them and zero last
    Constant, ///< magnitude, everywhere
    Reals     ///< what `run` fills in: floats in [-1, 1), integers of four bits
  };
  Fill fill = Integers;
  uint64_t seed = 0;
  int64_t magnitude = 1;
  /// The sign of the elements at edges, none of which is zero then: of all with
  /// an index 0, of those in the first quarter of each dimension, and of all in
  /// one dimension. So a row, a column or a window has elements of one sign
  /// only, and the wrong start of a maximum or a minimum shows.
  enum Edge { Negative, Positive } edge = Negative;
  /// Integers are not negative, because they become indices.
  bool arePositive = false;
  /// The contents of memory before it is written.
  unsigned char fresh = 0xff;
  /// Whether races of loops are looked for.
  bool findsRaces = true;
};

struct ExecutionOptions {
  std::string entry;
  /// The size of every open dimension in the types of the entry, where nothing
  /// demands another one (chooseOpenSizes).
  std::optional<int64_t> dynamicSize;
  emulate::EmulationOptions emulation = {};
};

/// One payload, compiled.
class Execution {
public:
  /// Compiles a clone of `payload`, which is what steps made of `original`.
  /// Errors, as diagnostics: all that keeps it from being compiled.
  static mlir::FailureOr<std::unique_ptr<Execution>>
  create(mlir::ModuleOp original, mlir::ModuleOp payload,
         const ExecutionOptions &options);

  const EntryPoint &getEntry() const { return entry; }
  /// Whether kernels copy without waiting, so that it matters when copies
  /// arrive.
  bool hasAsyncCopies() const { return copiesAsynchronously; }

  struct Outcome {
    /// The finding that ended the run early.
    std::optional<engine::Finding> fault;
    /// The elements of each result, in row-major order.
    std::vector<std::string> results;
    bool isOutOfMemory = false;
  };
  /// Runs it once. A defect of a kernel is a fault, too.
  Outcome run(const InputSet &inputs);

private:
  explicit Execution(EntryPoint entry) : entry(std::move(entry)) {}
  engine::Finding describe(const BadAccess &access) const;

  EntryPoint entry;
  mlir::Location loc = entry.loc;
  std::optional<emulate::EmulatedDevice> device;
  std::vector<AccessSite> sites;
  std::vector<emulate::Place> places;
  std::optional<Jit> code;
  /// A divisor of the size of every access of host code.
  uint64_t granule = 8;
  bool copiesAsynchronously = false;
};

/// The ops at the top of `module` that executing the functions `entries` can
/// come to; none if that is not known.
std::optional<llvm::DenseSet<mlir::Operation *>>
findReachable(mlir::ModuleOp module, llvm::ArrayRef<std::string> entries);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_EXECUTION_H
