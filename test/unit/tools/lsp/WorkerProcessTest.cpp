//===- WorkerProcessTest.cpp - Checks in another process ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/WorkerProcess.h"

#include "tools/service/DocumentFacts.h"
#include "transforms/Registration.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace formwork::tools;
using namespace std::chrono_literals;

/// A schedule of `count` steps.
static std::string makeSchedule(unsigned count) {
  std::string text = R"(module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op) {
)";
  for (unsigned i = 0; i < count; ++i)
    text += "%f" + std::to_string(i) +
            " = transform.structured.match ops{[\"func.func\"]} in %root : "
            "(!transform.any_op) -> !transform.any_op\n";
  return text + "transform.yield\n}\n}\n";
}

namespace {
/// A process for schedules without a payload.
struct WorkerProcessTest : testing::Test {
  void SetUp() override {
    formwork::registerFormwork(registry);
    start(CheckSettings());
    ASSERT_EQ(pipe(silent), 0);
  }
  void TearDown() override {
    close(silent[0]);
    close(silent[1]);
  }

  void start(const CheckSettings &settings) {
    worker = std::make_unique<WorkerProcess>(settings, registry);
  }
  void ask(unsigned id, const std::string &text) {
    worker->ask(id, "s.mlir", text, WorkerProcess::Clock::now() + 60s);
  }
  /// The facts of request `id`.
  std::optional<DocumentFacts> wait(unsigned id) {
    auto deadline = WorkerProcess::Clock::now() + 60s;
    llvm::json::Object answer;
    while (worker->wait(silent[0], deadline, answer) ==
           WorkerProcess::Event::Answer)
      if (answer.getInteger("id") == id)
        if (std::optional<llvm::StringRef> packed = answer.getString("facts"))
          return unpackFacts(*packed);
    return std::nullopt;
  }

  mlir::DialectRegistry registry;
  std::unique_ptr<WorkerProcess> worker;
  int silent[2];
};
} // namespace

TEST_F(WorkerProcessTest, ForgetsTheAnswerBefore) {
  ask(1, makeSchedule(1));
  ask(2, makeSchedule(2));
  std::optional<DocumentFacts> facts = wait(2);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->handles.size(), 3u);
}

// Neither answers nor requests fit into a pipe.
TEST_F(WorkerProcessTest, TakesARequestInTheMiddleOfAnAnswer) {
  std::string text = makeSchedule(1500);
  ASSERT_GT(text.size(), 100000u);
  ask(1, text);
  // By then, the answer fills the pipe.
  sleep(1);
  worker->cancel();
  ask(2, text);
  std::optional<DocumentFacts> facts = wait(2);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->handles.size(), 1501u);
  EXPECT_EQ(facts->verdict, "proved");
}

// A payload that never ends, and a request that does not fit into a pipe.
TEST_F(WorkerProcessTest, GivesUpAProcessThatDoesNotListen) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("endless", "mlir", path));
  ASSERT_FALSE(llvm::sys::fs::remove(path));
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  CheckSettings settings;
  settings.payload = path.str();
  start(settings);
  auto deadline = WorkerProcess::Clock::now() + 300ms;
  worker->ask(1, "s.mlir", makeSchedule(1500), deadline);
  llvm::json::Object answer;
  EXPECT_EQ(worker->wait(silent[0], deadline, answer),
            WorkerProcess::Event::Late);
  EXPECT_EQ(worker->wait(silent[0], deadline + 60s, answer),
            WorkerProcess::Event::Gone);
  (void)llvm::sys::fs::remove(path);
}

static std::string makeMixed(unsigned size) {
  return R"(func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = linalg.exp ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %tile, %loop = transform.structured.tile_using_for %exp tile_sizes [)" +
         std::to_string(size) +
         R"(] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}
)";
}

TEST_F(WorkerProcessTest, ChecksFollowOneAnother) {
  for (unsigned id = 1; id < 40; ++id) {
    ask(id, makeMixed(1 + id % 7));
    std::optional<DocumentFacts> facts = wait(id);
    ASSERT_TRUE(facts) << id;
    EXPECT_EQ(facts->handles.size(), 4u);
    EXPECT_EQ(facts->verdict, "proved") << id;
  }
}

TEST_F(WorkerProcessTest, ChecksThatFollowCanBeAbandoned) {
  std::string broken = makeMixed(3);
  broken.resize(broken.size() / 2);
  for (unsigned id = 1; id < 60; id += 3) {
    ask(id, makeMixed(4));
    if (id % 2 == 0)
      ASSERT_TRUE(wait(id)) << id;
    ask(id + 1, id % 4 == 0 ? broken : makeMixed(5));
    if (id % 5 == 0)
      worker->cancel();
    usleep(id * 200);
    ask(id + 2, makeMixed(8));
    std::optional<DocumentFacts> facts = wait(id + 2);
    ASSERT_TRUE(facts) << id;
    EXPECT_EQ(facts->verdict, "proved") << id;
  }
}
