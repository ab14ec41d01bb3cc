//===- ScheduleGenerator.h - Seeded schedules over payload ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes pairs of payload and schedule for property tests: from a seed, a
// schedule whose steps fit their operands' kinds, so that most of them run,
// over payload that has something to schedule. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEGENERATOR_H
#define FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEGENERATOR_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace formwork::testing {

/// A schedule as text: one step an entry, so that it can be shrunk.
struct ScheduleText {
  std::vector<std::string> steps;

  /// The module with the entry and the sequences that steps include or match
  /// with. `%module` is the payload; whether it is consumed has to be declared.
  std::string print(bool consumesRoot) const;
};

struct GeneratedPair {
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  mlir::OwningOpRef<mlir::ModuleOp> schedule;
  /// In `schedule`.
  mlir::transform::NamedSequenceOp entry;
  ScheduleText text;
};

/// The pair that `seed` decides; the context needs all of MLIR's dialects and
/// extensions. A third of the payloads come from the payload generator, the
/// others are chains of contractions and elementwise ops.
GeneratedPair generatePair(mlir::MLIRContext *context, uint64_t seed);

/// Parses `text`; a null module when it is no valid schedule. Emits nothing.
mlir::OwningOpRef<mlir::ModuleOp> parseSchedule(mlir::MLIRContext *context,
                                                const ScheduleText &text);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEGENERATOR_H
