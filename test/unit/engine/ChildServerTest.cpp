//===- ChildServerTest.cpp - A child that answers requests ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/ChildServer.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace formwork::engine;
using ::testing::HasSubstr;

namespace {

/// Limits that no work of these tests reaches unless it means to.
ChildLimits getLimits() {
  ChildLimits limits;
  limits.time = std::chrono::seconds(20);
  limits.memory = uint64_t(256) << 20;
  limits.output = 1 << 16;
  limits.fileSize = 0;
  return limits;
}

/// The work of a server for each test here.
std::string work(llvm::StringRef request) {
  static int numRequests = 0;
  ++numRequests;
  if (request == "count")
    return std::to_string(numRequests);
  if (request == "process")
    return std::to_string(getpid());
  if (request == "crash")
    raise(SIGSEGV);
  if (request == "hang")
    while (true)
      pause();
  if (request == "exhaust") {
    std::vector<std::string> held;
    while (true)
      held.push_back(std::string(1 << 20, 'x'));
  }
  if (request == "flood")
    return std::string(1 << 20, 'x');
  if (request == "write") {
    FILE *file = std::tmpfile();
    if (!file)
      return "no file";
    bool isWritten = std::fputs("text", file) >= 0 && std::fflush(file) == 0;
    std::fclose(file);
    return isWritten ? "written" : "refused";
  }
  return ("<" + request + ">").str();
}

class ChildServerTest : public testing::Test {
protected:
  std::string ask(llvm::StringRef request) {
    answer = server.ask(request);
    return answer.text.value_or("none: " + answer.end.explain());
  }
  MLIRContext context;
  ChildServer server{context, work, getLimits()};
  ServedAnswer answer;
};

TEST_F(ChildServerTest, OneChildAnswersAll) {
  EXPECT_EQ(ask("count"), "1");
  EXPECT_EQ(ask("count"), "2");
  std::string process = ask("process");
  EXPECT_NE(process, std::to_string(getpid()));
  EXPECT_EQ(ask("process"), process);
  std::string large(3 << 14, 'y');
  EXPECT_EQ(ask(large), "<" + large + ">");
  EXPECT_EQ(ask(""), "<>");
}

TEST_F(ChildServerTest, ACrashIsAnAnswerAndTheNextRequestIsServed) {
  std::string process = ask("process");
  EXPECT_THAT(ask("crash"), HasSubstr("SIGSEGV"));
  EXPECT_TRUE(answer.end.crashed());
  EXPECT_FALSE(answer.end.succeeded);
  EXPECT_NE(ask("process"), process);
  EXPECT_EQ(ask("still"), "<still>");
}

TEST_F(ChildServerTest, LimitsEndTheChild) {
  EXPECT_EQ(ask("flood"), "none: ended because it returned too much data");
  EXPECT_EQ(answer.end.limit, ChildLimit::Output);
  EXPECT_EQ(ask("still"), "<still>");
}

TEST_F(ChildServerTest, LimitOfMemoryEndsTheChild) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer reserves more than any limit of memory";
#endif
  EXPECT_EQ(ask("exhaust"), "none: ended because it took too much memory");
  EXPECT_EQ(answer.end.limit, ChildLimit::Memory);
  EXPECT_EQ(ask("still"), "<still>");
}

TEST_F(ChildServerTest, TheTimeIsForEachRequest) {
  ChildLimits limits = getLimits();
  limits.time = std::chrono::milliseconds(300);
  ChildServer brief(context, work, limits);
  ServedAnswer hung = brief.ask("hang");
  EXPECT_FALSE(hung.text.has_value());
  EXPECT_EQ(hung.end.limit, ChildLimit::Time);
  EXPECT_EQ(hung.end.explain(), "ended because it took too long");
}

TEST_F(ChildServerTest, TheDeadlineIsForAllRequests) {
  ChildLimits limits = getLimits();
  limits.time = std::chrono::hours(1);
  limits.deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  ChildServer brief(context, work, limits);
  EXPECT_EQ(brief.ask("hang").end.limit, ChildLimit::Time);
  ServedAnswer late = brief.ask("still");
  EXPECT_FALSE(late.text.has_value());
  EXPECT_EQ(late.end.limit, ChildLimit::Time);
}

TEST_F(ChildServerTest, WritesNoFile) { EXPECT_EQ(ask("write"), "refused"); }

TEST_F(ChildServerTest, SeesWhatThereIsWhenItStarts) {
  int known = 1;
  ChildServer reader(
      context, [&](llvm::StringRef) { return std::to_string(known); },
      getLimits());
  known = 2;
  EXPECT_EQ(reader.ask("").text, "2");
  known = 3;
  EXPECT_EQ(reader.ask("").text, "2");
  reader.stop();
  EXPECT_EQ(reader.ask("").text, "3");
}

} // namespace
