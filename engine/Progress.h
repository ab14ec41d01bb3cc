//===- Progress.h - A progress line for long work ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shows one progress line on a terminal while work takes longer than two
// seconds, and nothing where standard error is a file or a pipe. Layer: engine;
// it does not know the work.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_PROGRESS_H
#define FORMWORK_ENGINE_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace llvm {
class raw_ostream;
}

namespace formwork::engine {

/// Where and when the line is drawn.
struct ProgressOutput {
  /// Null: nothing is ever drawn.
  llvm::raw_ostream *os = nullptr;
  /// Work that ends within this time draws nothing.
  std::chrono::milliseconds delay{2000};
  /// The time between two drawings.
  std::chrono::milliseconds period{250};
  /// The line is cut to this width.
  unsigned columns = 80;

  /// Standard error if it is a terminal that can erase a line, otherwise
  /// nothing.
  static ProgressOutput forTerminal();
};

/// Shows that work goes on, from construction to destruction. The line is
/// erased at the end. Destroy the object before you emit diagnostics, so that
/// they start on a clean line.
///
/// Example, after 12 seconds:
///   formwork: emulating: 28 of 80 blocks, 12 s
///
/// Thread rule: `advance` and `enter` may be called from any thread. In a
/// forked process the object draws nothing, and its destruction is safe. Cost:
/// `advance` is an atomic addition; a thread exists only on a terminal.
class Progress {
public:
  /// `task` is a participle ("lowering to sm_90"). With `total`, the line says
  /// how many of the `unit`s ("blocks") are done.
  explicit Progress(llvm::StringRef task, uint64_t total = 0,
                    llvm::StringRef unit = "steps",
                    ProgressOutput output = ProgressOutput::forTerminal());
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Counts `done` more units.
  void advance(uint64_t done = 1);
  /// Changes the task that the line shows.
  void enter(const llvm::Twine &task);

  /// Erases a line on the terminal that a process left there which was ended.
  static void eraseLeft();

private:
  struct Line;
  /// Null where nothing is drawn.
  std::unique_ptr<Line> line;
};

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_PROGRESS_H
