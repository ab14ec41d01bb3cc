//===- KeptPayloadTest.cpp - Checks that share a reading of payload -------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random edits of the schedules in examples/. Each text is checked on a payload
// that was read into a model once, and on one that is read anew. Variables:
// FORMWORK_TEST_SEED, and FORMWORK_TEST_EDITS for their number.
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/Random.h"
#include "tools/service/Configuration.h"
#include "tools/service/WorkerProcess.h"
#include "transforms/Registration.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <unistd.h>

using namespace formwork::tools;
using namespace std::chrono_literals;
using formwork::testing::Random;
using llvm::StringRef;

static constexpr llvm::StringLiteral kExamples = FORMWORK_EXAMPLES;

static uint64_t getNumber(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  uint64_t number = 0;
  return text && !StringRef(text).getAsInteger(10, number) ? number : otherwise;
}

static std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(buffer) << path.str();
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// One to three lines are gone, twice there or exchanged, or a number or a name
/// is another one of the text.
static std::string edit(StringRef text, Random &random) {
  std::vector<std::string> lines;
  for (StringRef line : llvm::split(text, '\n'))
    lines.push_back(line.str());
  auto choose = [&] { return random.below(lines.size()); };
  auto findWord = [](StringRef line) {
    size_t begin = line.find_first_of("%0123456789");
    size_t end =
        line.find_first_not_of("%_abcdefghijklmnopqrstuvwxyz0123456789", begin);
    return std::make_pair(begin, std::min(end, line.size()));
  };
  for (uint64_t count = 1 + random.below(3); count != 0; --count) {
    size_t at = choose(), other = choose();
    switch (random.below(5)) {
    case 0:
      lines[at].clear();
      break;
    case 1:
      lines.insert(lines.begin() + at, lines[other]);
      break;
    case 2:
      std::swap(lines[at], lines[other]);
      break;
    default: {
      auto [begin, end] = findWord(lines[at]);
      auto [from, to] = findWord(lines[other]);
      if (begin != StringRef::npos && from != StringRef::npos)
        lines[at].replace(begin, end - begin,
                          lines[other].substr(from, to - from));
    }
    }
  }
  return llvm::join(lines, "\n");
}

namespace {
struct KeptPayloadTest : testing::Test {
  void SetUp() override {
    formwork::registerFormwork(registry);
    ASSERT_EQ(pipe(silent), 0);
  }
  void TearDown() override {
    close(silent[0]);
    close(silent[1]);
  }

  std::unique_ptr<WorkerProcess> start(CheckSettings settings, bool once) {
    settings.isIncremental = once;
    return std::make_unique<WorkerProcess>(settings, registry);
  }

  /// All that the check of `text` says.
  std::string check(WorkerProcess &worker, StringRef text) {
    auto deadline = WorkerProcess::Clock::now() + 120s;
    worker.ask(++lastId, "s.mlir", text, deadline);
    std::string said;
    llvm::json::Object answer;
    while (worker.wait(silent[0], deadline, answer) ==
           WorkerProcess::Event::Answer) {
      if (answer.getInteger("id") != lastId)
        continue;
      said += answer.getString("facts").value_or("").str();
      if (const llvm::json::Value *text = answer.get("repaired"))
        llvm::raw_string_ostream(said) << *text;
      if (std::optional<StringRef> end = answer.getString("end"))
        return said + end->str();
    }
    ADD_FAILURE() << "no answer";
    return said;
  }

  mlir::DialectRegistry registry;
  unsigned lastId = 0;
  int silent[2];
};
} // namespace

TEST_F(KeptPayloadTest, SaysWhatAFreshReadingSays) {
  uint64_t seed = getNumber("FORMWORK_TEST_SEED", 29);
  uint64_t numEdits = getNumber("FORMWORK_TEST_EDITS", 60);
  std::vector<std::string> folders;
  for (StringRef name : {"batch_matmul", "convolution_img2col", "f16_matmul",
                         "fully_connected", "layer_norm", "softmax"})
    folders.push_back((kExamples + "/" + name).str());
  unsigned numChecked = 0;
  for (auto [number, folder] : llvm::enumerate(folders)) {
    CheckSettings settings;
    settings.payload = folder + "/payload.mlir";
    settings.target = "sm_90";
    std::unique_ptr<WorkerProcess> kept = start(settings, true);
    std::unique_ptr<WorkerProcess> fresh = start(settings, false);
    std::string original = readFile(folder + "/schedule.mlir");
    Random random = Random::forStream(seed, number);
    for (uint64_t i = 0; i < numEdits / folders.size(); ++i) {
      std::string text = i == 0 ? original : edit(original, random);
      std::string said = check(*kept, text);
      numChecked += StringRef(said).contains("proved");
      ASSERT_EQ(said, check(*fresh, text))
          << folder << ", seed " << seed << ", edit " << i << "\n"
          << text;
    }
  }
  // Else the texts are not even read.
  EXPECT_GT(numChecked, numEdits / 8);
}

TEST_F(KeptPayloadTest, IsKnownByItsContent) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("payload", "mlir", path));
  auto write = [&](StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
  };
  CheckSettings settings;
  settings.payload = path.str();
  write("func.func private @f()\n");
  std::string first = describeSettings(settings);
  write("func.func private @g()\n");
  EXPECT_NE(describeSettings(settings), first);
  write("func.func private @f()\n");
  EXPECT_EQ(describeSettings(settings), first);
  (void)llvm::sys::fs::remove(path);
}
