//===- ChildProcess.h - Makes children, and sees them end -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ways to work in a child share. Layer: engine; for Child.cpp and
// ChildServer.cpp alone.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CHILDPROCESS_H
#define FORMWORK_ENGINE_CHILDPROCESS_H

#include "engine/Child.h"

#include <csignal>
#include <sys/types.h>

namespace formwork::engine {

/// What LLVM says when it gives up.
struct LastWords {
  char text[2048];
};

/// As long as this lives, a child that ended waits until it is asked how; where
/// SIGCHLD is ignored, as by some that start programs, none does.
class EndsKept {
public:
  EndsKept();
  ~EndsKept() { sigaction(SIGCHLD, &before, nullptr); }
  EndsKept(const EndsKept &) = delete;
  EndsKept &operator=(const EndsKept &) = delete;

private:
  struct sigaction before;
};

/// Makes a child whose last words go to `words`; like fork(2), but for what has
/// to be done on both sides.
pid_t makeChild(LastWords &words);

/// In a child: what it prints goes nowhere.
void dropOutput();

/// In a child that has limits: sets those that the system watches, and makes it
/// a group of its own, which its parent can end as a whole.
void setLimits(const ChildLimits &limits);

/// Ends `child`, which has limits, and what it started.
void endChild(pid_t child);

/// The limit of the system that ended a child, if any did.
ChildLimit findLimit(const ChildEnd &end, const ChildLimits &limits);

/// Waits until `child` has ended.
ChildEnd waitFor(pid_t child, const LastWords &words);

/// The end of a child that never was.
ChildEnd explainNoChild(const char *what);

/// Reads from `fd` into `buffer` until `deadline`, if there is one. Returns the
/// number of bytes, 0 at the end of the text, or -1 when the time is up.
ssize_t
readUntil(int fd, void *buffer, size_t size,
          std::optional<std::chrono::steady_clock::time_point> deadline);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CHILDPROCESS_H
