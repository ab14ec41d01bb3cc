//===- TimeLimit.h - An end for what takes too long -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_TIMELIMIT_H
#define FORMWORK_BENCH_CAMPAIGN_TIMELIMIT_H

namespace formwork::campaign {

/// Ends this process after `seconds` of its own work (SIGPROF), or after many
/// times that by the clock (SIGALRM), which goes on while others work; 0: after
/// none.
void limitTime(unsigned seconds);

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_TIMELIMIT_H
