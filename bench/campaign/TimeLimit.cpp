//===- TimeLimit.cpp - An end for what takes too long -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/TimeLimit.h"

#include <sys/time.h>
#include <unistd.h>

void formwork::campaign::limitTime(unsigned seconds) {
  constexpr unsigned kMostWaiting = 20;
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(seconds * kMostWaiting);
}
