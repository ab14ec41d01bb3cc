//===- Child.h - Work in a process of its own -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs work in a child process. MLIR can crash or loop forever on IR that its
// verifier accepts. In a child, a crash or a timeout becomes a result. Layer:
// engine; it does not know the work.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CHILD_H
#define FORMWORK_ENGINE_CHILD_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <type_traits>

namespace formwork::engine {

/// Limits for a child; 0 means no limit. A child that reaches the time limit is
/// killed with all programs that it started. Beyond the other limits, the child
/// gets no more of the resource.
struct ChildLimits {
  /// Wall-clock time.
  std::chrono::milliseconds time{0};
  /// The end of the time that this child shares with others. Once it has
  /// passed, no child is made; the result is that of a child that took too
  /// long.
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  /// Bytes beyond the memory that this process holds when the child is made.
  uint64_t memory = 0;
  /// Bytes of the text that the child sends back.
  uint64_t output = 0;
  /// Bytes of each file that the child writes; nullopt means no limit.
  std::optional<uint64_t> fileSize = std::nullopt;
};

/// The limit that ended a child.
enum class ChildLimit { None, Time, Memory, Output };

/// How a child ended, and the results that it left.
struct ChildEnd {
  /// The text that the work wrote to the stream it was given.
  std::string text;
  /// The signal that ended the child; 0 if it exited by itself.
  int signal = 0;
  /// The exit code, if the child exited by itself.
  int exitCode = 0;
  /// Whether the child exited by itself and its work returned true.
  bool succeeded = false;
  /// LLVM's fatal error message, or the reason why no child was made.
  std::string lastWords;
  /// The limit that ended the child, if one did.
  ChildLimit limit = ChildLimit::None;

  /// Whether the child ended by its own fault or for want of memory, not by a
  /// signal that users send to end a program.
  bool crashed() const;
  /// Whether the child crashed, and neither a limit ended it nor a system that
  /// ran out of memory, which sends SIGKILL.
  bool crashedByItself() const;
  /// "ended by SIGABRT (Aborted): out of memory", or why no child was made.
  std::string explain() const;
};

/// Memory that a child shares with its parent. The parent finds the child's
/// data there even if the child dies. Make it before the child.
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

/// A value in shared memory.
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

/// Stops the threads of a context during its own lifetime. A forked child has
/// only the thread that forked it, and would wait for the others forever.
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

/// Whether the child's standard output and standard error are dropped or kept.
enum class ChildOutput { Dropped, Kept };

/// Runs `work` in a forked copy of this process, with a stream to write to.
/// Waits until the child ends by itself or at a limit. A crash prints no stack
/// trace. Contexts that `work` uses must have no threads. Cost: five to ten
/// milliseconds with all of MLIR in memory.
ChildEnd runInChild(llvm::function_ref<bool(llvm::raw_ostream &)> work,
                    ChildOutput output = ChildOutput::Dropped,
                    const ChildLimits &limits = {});

/// Forks; the child continues as the program and this process waits for it.
/// Returns nullopt in the child, and where no child could be made. In this
/// process, returns how the child ended if the child crashed. If the child
/// ended in another way, this process ends silently in the same way.
/// `isOverdue` is asked every `period`, in a thread of this process; once it
/// holds, the child is ended, and the result has the limit `Time`.
std::optional<ChildEnd> continueInChild(
    const std::function<bool()> &isOverdue = nullptr,
    std::chrono::milliseconds period = std::chrono::milliseconds(100));

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CHILD_H
