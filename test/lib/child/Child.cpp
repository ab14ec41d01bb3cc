//===- Child.cpp - Work in a process of its own -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/child/Child.h"

#include "llvm/Support/ErrorHandling.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace formwork::testing;

ChildEnd formwork::testing::runInChild(
    llvm::function_ref<bool(llvm::raw_ostream &)> work) {
  int ends[2];
  if (pipe(ends) != 0)
    llvm::report_fatal_error("no pipe");
  // What is in the buffer would come out twice.
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("no process");
  if (child == 0) {
    close(ends[0]);
    llvm::raw_fd_ostream os(ends[1], /*shouldClose=*/false);
    bool succeeded = work(os);
    os.flush();
    llvm::outs().flush();
    _exit(succeeded ? 0 : 1);
  }
  close(ends[1]);
  ChildEnd end;
  char buffer[4096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof(buffer))) > 0;)
    end.text.append(buffer, size);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  end.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return end;
}
