//===- ProcessTest.cpp - Running another program ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Process.h"

#include "gtest/gtest.h"

using namespace formwork::transforms;

TEST(Process, ReturnsOutputOfBothStreamsAndExitCode) {
  llvm::Expected<ProcessResult> result =
      runProcess("/bin/sh", {"-c", "echo out; echo err >&2; exit 7"});
  ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->exitCode, 7);
  EXPECT_NE(result->output.find("out\n"), std::string::npos);
  EXPECT_NE(result->output.find("err\n"), std::string::npos);
}

TEST(Process, GivesAnEmptyStandardInput) {
  llvm::Expected<ProcessResult> result = runProcess("/bin/cat", {});
  ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->exitCode, 0);
  EXPECT_EQ(result->output, "");
}

TEST(Process, ReportsAProgramThatIsNotThere) {
  llvm::Expected<ProcessResult> result = runProcess("/nowhere/ptxas", {});
  ASSERT_FALSE(static_cast<bool>(result));
  std::string message = llvm::toString(result.takeError());
  EXPECT_NE(message.find("cannot run '/nowhere/ptxas'"), std::string::npos)
      << message;
}
