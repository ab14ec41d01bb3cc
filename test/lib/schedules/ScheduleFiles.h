//===- ScheduleFiles.h - Schedules in files ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds and reads the pairs of a payload and a schedule that a command is given
// as files and folders. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEFILES_H
#define FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEFILES_H

#include "transforms/schedule/ScheduleInput.h"

namespace formwork::testing {

/// The pairs at or below `paths`, in the order of names, as PAYLOAD:SCHEDULE:
/// `payload.mlir` and `schedule.mlir` of a folder, and what is written so.
/// Other files, which hold both, as they are.
std::vector<std::string> findSchedules(llvm::ArrayRef<std::string> paths);

/// One of these. Fails, without a word, where it cannot be read or has no
/// payload.
llvm::FailureOr<transforms::ScheduleInput>
loadSchedule(mlir::MLIRContext *context, llvm::StringRef pair);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_SCHEDULEFILES_H
