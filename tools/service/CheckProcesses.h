//===- CheckProcesses.h - A process for each check --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The processes below a worker. The worker holds the libraries and the payload
// of some settings, and forks a process for a check. So an outdated check ends
// at once, a crash of MLIR costs one answer, and what a check leaves in memory
// goes with it.
//
// A process whose check found out something that the next check can keep, such
// as the payload beside the schedule, stays: it is the *holder*. The next check
// of that file is a child of the holder. When that check is done, its process
// is the holder, and the old one ends. After some checks in this way, one
// starts anew from the worker. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_CHECKPROCESSES_H
#define FORMWORK_TOOLS_SERVICE_CHECKPROCESSES_H

#include "tools/service/CheckService.h"

#include <sys/types.h>

namespace formwork::tools {

/// The process that calls this ends with its parent, and what it prints goes
/// nowhere: the standard output of a server is the protocol's.
void becomeWorker();

/// Forks, with a pipe each way: on either side, `in` has the bytes that the
/// other one writes to its `out`. Without a process, returns -1; without the
/// pipes for one, both are -1, too.
pid_t forkConnected(int &in, int &out);

/// Serves the requests that come from the pipe `requests`, and writes to the
/// pipe `answers`; returns when there is no server any more.
void serveChecks(CheckService &service, int requests, int answers);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_CHECKPROCESSES_H
