//===- ProgressTest.cpp - Tests of the line on a terminal -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Progress.h"
#include "engine/DiscreetProgress.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <condition_variable>
#include <mutex>
#include <optional>

#include <sys/wait.h>
#include <unistd.h>

using namespace formwork::engine;
using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {
/// The drawn text, to be waited for by another thread.
class Terminal : public llvm::raw_ostream {
public:
  Terminal() : raw_ostream(/*unbuffered=*/true) {}

  /// Waits until `part` is drawn; false after ten seconds.
  bool waitFor(llvm::StringRef part) {
    std::unique_lock<std::mutex> lock(mutex);
    return changed.wait_for(
        lock, 10s, [&] { return text.find(part) != std::string::npos; });
  }
  std::string getText() {
    std::lock_guard<std::mutex> lock(mutex);
    return text;
  }

private:
  void write_impl(const char *data, size_t size) override {
    std::lock_guard<std::mutex> lock(mutex);
    text.append(data, size);
    changed.notify_all();
  }
  uint64_t current_pos() const override { return text.size(); }

  std::mutex mutex;
  std::condition_variable changed;
  std::string text;
};

ProgressOutput drawAtOnce(Terminal &terminal) {
  return {.os = &terminal, .delay = 0ms, .period = 1ms, .columns = 60};
}
} // namespace

TEST(ProgressTest, TheLineCountsAndGoes) {
  Terminal terminal;
  {
    Progress progress("emulating", 80, "blocks", drawAtOnce(terminal));
    progress.advance(27);
    progress.advance();
    EXPECT_TRUE(terminal.waitFor("formwork: emulating: 28 of 80 blocks, 0 s"));
    progress.enter("comparing");
    EXPECT_TRUE(terminal.waitFor("formwork: comparing: 28 of 80 blocks"));
  }
  EXPECT_THAT(terminal.getText(), StartsWith("\r\x1b[Kformwork: "));
  EXPECT_THAT(terminal.getText(), EndsWith("\r\x1b[K"));
}

TEST(ProgressTest, WithoutATotalTheTimeIsSaid) {
  Terminal terminal;
  Progress progress("lowering to sm_90", 0, "", drawAtOnce(terminal));
  EXPECT_TRUE(terminal.waitFor("formwork: lowering to sm_90: 0 s"));
}

TEST(ProgressTest, TheLineFitsTheTerminal) {
  Terminal terminal;
  std::string task(200, 'x');
  {
    Progress progress(task, 0, "", drawAtOnce(terminal));
    EXPECT_TRUE(terminal.waitFor("xxx"));
  }
  std::string text = terminal.getText();
  EXPECT_EQ(text.find('\r', 1), strlen("\r\x1b[K") + 59);
}

TEST(ProgressTest, ShortWorkDrawsNothing) {
  Terminal terminal;
  {
    Progress progress("checking", 0, "",
                      {.os = &terminal, .delay = 1h, .period = 1ms});
    progress.advance();
  }
  EXPECT_EQ(terminal.getText(), "");
}

TEST(ProgressTest, NothingIsDrawnWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    // The captured standard error is a file.
    ProgressOutput output = ProgressOutput::forTerminal();
    EXPECT_EQ(output.os, nullptr);
    Progress progress("checking", 3, "steps", output);
    progress.advance();
    progress.enter("running");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressTest, ADiagnosticFindsACleanLine) {
  Terminal terminal;
  mlir::MLIRContext context;
  std::string drawn;
  mlir::ScopedDiagnosticHandler print(&context, [&](mlir::Diagnostic &) {
    drawn = terminal.getText();
    return mlir::success();
  });
  DiscreetProgress progress(&context, "running the schedule",
                            drawAtOnce(terminal));
  EXPECT_TRUE(terminal.waitFor("formwork: running the schedule"));
  mlir::emitError(mlir::UnknownLoc::get(&context), "fails");
  EXPECT_THAT(drawn, EndsWith("\r\x1b[K"));
  EXPECT_EQ(terminal.getText(), drawn);
}

TEST(ProgressTest, AForkedProcessEnds) {
  Terminal terminal;
  std::optional<Progress> progress;
  progress.emplace("running", 0, "", drawAtOnce(terminal));
  EXPECT_TRUE(terminal.waitFor("running"));
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    progress->enter("gone on");
    progress->advance();
    progress.reset();
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
