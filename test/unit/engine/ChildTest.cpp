//===- ChildTest.cpp - Work in a process of its own -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Child.h"

#include "mlir/IR/Threading.h"
#include "llvm/Support/ErrorHandling.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace formwork::engine;
using ::testing::HasSubstr;

namespace {

TEST(ChildTest, ReturnsWhatItsWorkWrote) {
  ChildEnd end = runInChild([](llvm::raw_ostream &os) {
    os << "answer";
    return true;
  });
  EXPECT_TRUE(end.succeeded);
  EXPECT_EQ(end.text, "answer");
  EXPECT_EQ(end.signal, 0);
  EXPECT_FALSE(end.crashed());
}

TEST(ChildTest, WritesMoreThanAPipeHolds) {
  std::string large(3 << 20, 'x');
  ChildEnd end = runInChild([&](llvm::raw_ostream &os) {
    os << large << "end";
    return true;
  });
  EXPECT_TRUE(end.succeeded);
  EXPECT_EQ(end.text, large + "end");
}

TEST(ChildTest, WorkThatFailsIsNoCrash) {
  ChildEnd end = runInChild([](llvm::raw_ostream &os) {
    os << "half";
    return false;
  });
  EXPECT_FALSE(end.succeeded);
  EXPECT_EQ(end.text, "half");
  EXPECT_EQ(end.exitCode, 1);
  EXPECT_FALSE(end.crashed());
}

TEST(ChildTest, ExitIsNoAnswer) {
  ChildEnd end = runInChild([](llvm::raw_ostream &) -> bool { _exit(7); });
  EXPECT_FALSE(end.succeeded);
  EXPECT_EQ(end.explain(), "ended with exit code 7");
  EXPECT_FALSE(end.crashed());
}

TEST(ChildTest, SignalsAreNamed) {
  ChildEnd end = runInChild([](llvm::raw_ostream &os) {
    os << "before";
    os.flush();
    raise(SIGSEGV);
    return true;
  });
  EXPECT_FALSE(end.succeeded);
  EXPECT_EQ(end.text, "before");
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_TRUE(end.crashed());
  EXPECT_EQ(end.explain(), "ended by SIGSEGV (Segmentation fault)");
}

TEST(ChildTest, BeingEndedIsNoCrashUnlessForGood) {
  auto endBy = [](int signal) {
    return runInChild([&](llvm::raw_ostream &) { return raise(signal) == 0; });
  };
  EXPECT_FALSE(endBy(SIGTERM).crashed());
  EXPECT_TRUE(endBy(SIGKILL).crashed());
}

TEST(ChildTest, EndsAreKnownWhereTheyAreIgnored) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  ChildEnd end = runInChild([](llvm::raw_ostream &) { return false; });
  EXPECT_EQ(std::signal(SIGCHLD, before), SIG_IGN);
  EXPECT_FALSE(end.succeeded);
  EXPECT_EQ(end.exitCode, 1);
}

TEST(ChildTest, FatalErrorsLeaveLastWords) {
  // LLVM ends one of these by exit.
  for (bool isCrash : {false, true}) {
    ChildEnd end = runInChild([&](llvm::raw_ostream &) -> bool {
      llvm::report_fatal_error("no way to go on", isCrash);
    });
    EXPECT_TRUE(end.crashed());
    EXPECT_EQ(end.lastWords, "no way to go on");
    EXPECT_THAT(end.explain(), HasSubstr("SIGABRT"));
    EXPECT_THAT(end.explain(), HasSubstr(": no way to go on"));
  }
}

TEST(ChildTest, SharedMemorySurvivesIt) {
  Shared<int> seen(1);
  int copied = 1;
  ChildEnd end = runInChild([&](llvm::raw_ostream &) {
    *seen = copied = 2;
    raise(SIGABRT);
    return true;
  });
  EXPECT_TRUE(end.crashed());
  EXPECT_EQ(*seen, 2);
  EXPECT_EQ(copied, 1);
}

TEST(ChildTest, BuffersComeOutOnce) {
  for (ChildOutput output : {ChildOutput::Kept, ChildOutput::Dropped}) {
    ::testing::internal::CaptureStdout();
    llvm::outs() << "parent,";
    (void)runInChild(
        [](llvm::raw_ostream &) {
          llvm::outs() << "child,";
          return true;
        },
        output);
    llvm::outs() << "parent";
    llvm::outs().flush();
    EXPECT_EQ(::testing::internal::GetCapturedStdout(),
              output == ChildOutput::Kept ? "parent,child,parent"
                                          : "parent,parent");
  }
}

TEST(ChildTest, SaysWhyThereIsNone) {
  rlimit files;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  rlimit none = {0, files.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  ChildEnd end = runInChild([](llvm::raw_ostream &) { return true; });
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
  EXPECT_FALSE(end.succeeded);
  EXPECT_FALSE(end.crashed());
  EXPECT_THAT(end.explain(), HasSubstr("there is no pipe for it: "));
}

TEST(ChildTest, ContextsWorkOnBothSides) {
  MLIRContext context;
  auto count = [&] {
    std::atomic<int> sum = 0;
    parallelFor(&context, 0, 100, [&](size_t) { ++sum; });
    return sum.load();
  };
  // The threads are there by now.
  EXPECT_EQ(count(), 100);
  {
    ThreadsStopped alone(context);
    EXPECT_FALSE(context.isMultithreadingEnabled());
    EXPECT_TRUE(runInChild([&](llvm::raw_ostream &) {
                  alarm(60);
                  return count() == 100;
                }).succeeded);
  }
  EXPECT_TRUE(context.isMultithreadingEnabled());
  EXPECT_EQ(count(), 100);
}

TEST(ChildTest, ThreadsThatWereStoppedStaySo) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  {
    ThreadsStopped alone(context);
  }
  EXPECT_FALSE(context.isMultithreadingEnabled());
}

TEST(ChildTest, ASpareEndsAsItsChildDoes) {
  Shared<int> seen(0);
  ChildEnd end = runInChild([&](llvm::raw_ostream &os) {
    if (continueInChild())
      os << "crashed";
    *seen = *seen + 1;
    _exit(3);
    return true;
  });
  EXPECT_EQ(end.exitCode, 3);
  EXPECT_EQ(end.text, "");
  EXPECT_EQ(*seen, 1);

  end = runInChild([&](llvm::raw_ostream &os) {
    if (continueInChild())
      os << "crashed";
    return raise(SIGTERM) == 0;
  });
  EXPECT_EQ(end.signal, SIGTERM);
  EXPECT_EQ(end.text, "");
}

TEST(ChildTest, ASpareOutlivesACrash) {
  Shared<pid_t> child(0);
  ChildEnd end = runInChild([&](llvm::raw_ostream &os) {
    if (std::optional<ChildEnd> crash = continueInChild()) {
      os << crash->explain();
      return getpid() != *child;
    }
    *child = getpid();
    llvm::report_fatal_error("words");
  });
  EXPECT_TRUE(end.succeeded);
  EXPECT_EQ(end.text, "ended by SIGABRT (Aborted): words");
}

TEST(ChildTest, LimitOfMemoryEndsAChild) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer reserves more than any limit of memory";
#endif
  ChildLimits limits;
  limits.memory = uint64_t(64) << 20;
  ChildEnd end = runInChild(
      [](llvm::raw_ostream &) -> bool {
        std::vector<std::string> held;
        while (true)
          held.push_back(std::string(1 << 20, 'x'));
      },
      ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::Memory);

  // As MLIR makes operations.
  end = runInChild(
      [](llvm::raw_ostream &) -> bool {
        while (true)
          *static_cast<volatile char *>(std::malloc(1000)) = 1;
      },
      ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::Memory);
}

TEST(ChildTest, LimitsEndAChild) {
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(200);
  ChildEnd end = runInChild(
      [](llvm::raw_ostream &) -> bool {
        while (true)
          pause();
      },
      ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::Time);
  EXPECT_FALSE(end.succeeded);
  EXPECT_EQ(end.explain(), "ended because it took too long");

  limits = ChildLimits();
  limits.output = 100;
  end = runInChild(
      [](llvm::raw_ostream &os) {
        os << std::string(1 << 20, 'x');
        return true;
      },
      ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::Output);

  limits = ChildLimits();
  // A fault with memory to spare is a crash.
  limits.memory = uint64_t(1) << 30;
  end = runInChild(
      [](llvm::raw_ostream &) -> bool {
        raise(SIGSEGV);
        return true;
      },
      ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::None);
  EXPECT_TRUE(end.crashed());

  end = runInChild(
      [](llvm::raw_ostream &os) {
        os << "well";
        return true;
      },
      ChildOutput::Dropped, limits);
  EXPECT_TRUE(end.succeeded);
  EXPECT_EQ(end.limit, ChildLimit::None);
  EXPECT_EQ(end.text, "well");
}

TEST(ChildTest, ADeadlineEndsAChild) {
  auto begin = std::chrono::steady_clock::now();
  ChildLimits limits;
  limits.time = std::chrono::hours(1);
  limits.deadline = begin + std::chrono::milliseconds(200);
  auto wait = [](llvm::raw_ostream &) -> bool {
    while (true)
      pause();
  };
  ChildEnd end = runInChild(wait, ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::Time);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));

  // No child is made behind it, not even one that would end at once.
  Shared<bool> ran(false);
  end = runInChild(
      [&](llvm::raw_ostream &) {
        *ran = true;
        return true;
      },
      ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::Time);
  EXPECT_FALSE(end.succeeded);
  EXPECT_FALSE(*ran);
}

TEST(ChildTest, ALimitEndsWhatAChildStarted) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(300);
  ChildEnd end = runInChild(
      [&](llvm::raw_ostream &) -> bool {
        if (fork() == 0)
          while (true)
            pause();
        while (true)
          pause();
      },
      ChildOutput::Dropped, limits);
  EXPECT_EQ(end.limit, ChildLimit::Time);
  // The pipe is at its end once nobody holds the other one.
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

} // namespace
