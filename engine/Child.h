//===- Child.h - Work in a process of its own -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR has ways to crash on what its verifier accepts, and to run without end:
// what may do so runs in a child, whose end is an answer. Layer: engine; it
// knows nothing of what is run.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CHILD_H
#define FORMWORK_ENGINE_CHILD_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <type_traits>

namespace formwork::engine {

/// What a child may take; 0 is no limit. A child that reaches a limit is ended
/// with all programs that it started, or finds that it gets no more.
struct ChildLimits {
  /// By the clock.
  std::chrono::milliseconds time{0};
  /// Bytes beyond what this process holds when the child is made.
  uint64_t memory = 0;
  /// Bytes of the text that it gives back.
  uint64_t output = 0;
  /// Bytes of each file that it writes; none is for no limit.
  std::optional<uint64_t> fileSize = std::nullopt;
};

/// The limit that ended a child.
enum class ChildLimit { None, Time, Memory, Output };

/// How a child ended, and what it left.
struct ChildEnd {
  /// What its work wrote to the stream that it was given.
  std::string text;
  /// The signal that ended it; 0 if it ended by itself.
  int signal = 0;
  /// What it ended with, if by itself.
  int exitCode = 0;
  /// It ended by itself, and its work returned true.
  bool succeeded = false;
  /// What LLVM said when it gave up; or why there was no child.
  std::string lastWords;
  /// What ended it, if that was a limit.
  ChildLimit limit = ChildLimit::None;

  /// Whether it ended by a fault of its own or for want of memory, not by a
  /// signal that people send to end a program.
  bool crashed() const;
  /// "ended by SIGABRT (Aborted): out of memory", or why there was no child.
  std::string explain() const;
};

/// Memory that a child shares with its parent, so that what it leaves there is
/// found even if it dies. To be made before the child is.
class SharedMemory {
public:
  explicit SharedMemory(size_t size);
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  void *get() const { return memory; }

private:
  void *memory;
  size_t size;
};

/// A value in such memory.
template <typename T> class Shared {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  explicit Shared(const T &initial = T()) : memory(sizeof(T)) {
    new (memory.get()) T(initial);
  }
  T &operator*() const { return *static_cast<T *>(memory.get()); }
  T *operator->() const { return &**this; }

private:
  SharedMemory memory;
};

/// Stops the threads of a context as long as this lives: a child has none but
/// the one that made it, and would wait for the others.
class ThreadsStopped {
public:
  explicit ThreadsStopped(mlir::MLIRContext &context);
  ~ThreadsStopped();
  ThreadsStopped(const ThreadsStopped &) = delete;
  ThreadsStopped &operator=(const ThreadsStopped &) = delete;

private:
  mlir::MLIRContext &context;
  bool hadThreads;
};

/// What becomes of what a child writes to standard output and standard error.
enum class ChildOutput { Dropped, Kept };

/// Runs `work` in a copy of this process, with a stream to write to, and waits
/// for its end, which a limit can bring about. A crash prints no stack.
/// Contexts that `work` uses must have no threads. Cost: with all of MLIR in
/// memory, five to ten milliseconds.
ChildEnd runInChild(llvm::function_ref<bool(llvm::raw_ostream &)> work,
                    ChildOutput output = ChildOutput::Dropped,
                    const ChildLimits &limits = {});

/// Lets all that follows happen in a child, of which this process is the spare.
/// Returns nothing in the child, and where there can be none. In this process
/// it waits, and returns how the child ended if that crashed; if the child
/// ended in another way, this process ends in the same way, without a word.
std::optional<ChildEnd> continueInChild();

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CHILD_H
