//===- ChildProcess.h - Makes children and waits for them -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers that both ways to work in a child use. Layer: engine; only for
// Child.cpp and ChildServer.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CHILDPROCESS_H
#define FORMWORK_ENGINE_CHILDPROCESS_H

#include "engine/Child.h"

#include <csignal>
#include <sys/types.h>

namespace formwork::engine {

/// LLVM's fatal error message.
struct LastWords {
  char text[2048];
};

/// During its lifetime, a child that ended stays until its exit status is read.
/// Otherwise the system discards the status where SIGCHLD is ignored, as some
/// parent programs arrange.
class EndsKept {
public:
  EndsKept();
  ~EndsKept() { sigaction(SIGCHLD, &before, nullptr); }
  EndsKept(const EndsKept &) = delete;
  EndsKept &operator=(const EndsKept &) = delete;

private:
  struct sigaction before;
};

/// Forks a child that writes its last words to `words`. Does the necessary work
/// on both sides of fork(2).
pid_t makeChild(LastWords &words);

/// In a child: discards everything that the child prints.
void dropOutput();

/// The time at which a child that starts now has to end, if it is limited.
std::optional<std::chrono::steady_clock::time_point>
getDeadline(const ChildLimits &limits);

/// Whether the time of a child is up before the child starts.
bool isTooLate(const ChildLimits &limits);

/// In a child that has limits: sets the limits that the system watches. Makes
/// the child the leader of a process group, which its parent can kill as a
/// whole.
void setLimits(const ChildLimits &limits);

/// Kills `child`, which has limits, and the programs that it started.
void endChild(pid_t child);

/// The system-enforced limit that ended a child, if one did.
ChildLimit findLimit(const ChildEnd &end, const ChildLimits &limits);

/// Waits until `child` has ended; its exit status stays to be read. Until then,
/// asks `isOverdue` every `period` and ends the child once that holds: first in
/// a way that lets it remove temporary files. Returns whether it was overdue.
bool watchUntilEnd(pid_t child, const std::function<bool()> &isOverdue,
                   std::chrono::milliseconds period);

/// Waits until `child` has ended.
ChildEnd waitFor(pid_t child, const LastWords &words);

/// The `ChildEnd` for a child that could not be made; `what` is the failed
/// call.
ChildEnd explainNoChild(const char *what);

/// Reads from `fd` into `buffer` until `deadline`, if there is one. Returns the
/// number of bytes, 0 at the end of the text, or -1 when the time is up.
ssize_t
readUntil(int fd, void *buffer, size_t size,
          std::optional<std::chrono::steady_clock::time_point> deadline);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CHILDPROCESS_H
