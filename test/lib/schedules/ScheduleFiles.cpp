//===- ScheduleFiles.cpp - Schedules in files -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleFiles.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace formwork;

/// PAYLOAD:SCHEDULE where `payload` has a schedule beside it.
static std::optional<std::string> pairUp(StringRef payload) {
  std::string schedule =
      (llvm::sys::path::parent_path(payload) + "/schedule.mlir").str();
  if (llvm::sys::path::filename(payload) != "payload.mlir" ||
      !llvm::sys::fs::exists(payload) || !llvm::sys::fs::exists(schedule))
    return std::nullopt;
  return payload.str() + ":" + schedule;
}

static void collect(StringRef path, std::vector<std::string> &pairs) {
  bool isFolder = llvm::sys::fs::is_directory(path);
  std::string payload = isFolder ? (path + "/payload.mlir").str() : path.str();
  if (std::optional<std::string> pair = pairUp(payload)) {
    pairs.push_back(*pair);
    return;
  }
  if (!isFolder) {
    pairs.push_back(path.str());
    return;
  }
  std::error_code error;
  std::vector<std::string> inside;
  for (llvm::sys::fs::directory_iterator it(path, error), end;
       it != end && !error; it.increment(error))
    inside.push_back(it->path());
  llvm::sort(inside);
  for (const std::string &file : inside)
    if (llvm::sys::fs::is_directory(file) || StringRef(file).ends_with(".mlir"))
      collect(file, pairs);
}

std::vector<std::string>
formwork::testing::findSchedules(ArrayRef<std::string> paths) {
  std::vector<std::string> pairs;
  for (const std::string &path : paths)
    collect(path, pairs);
  return pairs;
}

FailureOr<transforms::ScheduleInput>
formwork::testing::loadSchedule(MLIRContext *context, StringRef pair) {
  auto [payload, schedule] = pair.split(':');
  transforms::ScheduleSource source;
  if (!schedule.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(schedule);
    if (!buffer)
      return failure();
    source.transformBuffer = std::move(*buffer);
  }
  auto buffer = llvm::MemoryBuffer::getFile(payload);
  if (!buffer)
    return failure();
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  FailureOr<transforms::ScheduleInput> input = transforms::loadScheduleInput(
      context, std::move(*buffer), std::move(source));
  if (failed(input) || !input->payload)
    return failure();
  return input;
}
