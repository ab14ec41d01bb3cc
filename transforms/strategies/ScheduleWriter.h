//===- ScheduleWriter.h - The text of a schedule of kernels -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the schedule that makes kernels of groups of operations. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_SCHEDULEWRITER_H
#define FORMWORK_TRANSFORMS_STRATEGIES_SCHEDULEWRITER_H

#include "transforms/strategies/KernelSizes.h"

namespace formwork::transforms {

enum class ScheduleForm {
  /// With a step of a strategy once, whatever number of kernels it is for.
  ForReaders,
  /// With a location for each step: the operation of the payload that its
  /// kernel is for, called by the strategy. The steps for the threads of each
  /// kernel are a sequence of their own.
  WithPlaces
};

/// Marks the parts of `groups` with the attribute `formwork.part`, by which the
/// schedule matches them, and returns the text of the schedule: a module with
/// `@__transform_main` and those sequences of the strategies that it includes.
/// There is at least one group, and as many `sizes` as groups.
std::string writeSchedule(llvm::ArrayRef<KernelGroup> groups,
                          llvm::ArrayRef<KernelSizes> sizes, ScheduleForm form);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_SCHEDULEWRITER_H
