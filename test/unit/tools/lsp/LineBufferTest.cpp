//===- LineBufferTest.cpp - Lines of a pipe -------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/LineBuffer.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

#include <unistd.h>

using namespace formwork::tools;

namespace {
/// A pipe from a test to a buffer.
struct LineBufferTest : testing::Test {
  void SetUp() override { ASSERT_EQ(pipe(ends), 0); }
  void TearDown() override {
    close(ends[0]);
    if (isOpen)
      close(ends[1]);
  }

  void give(llvm::StringRef text) {
    ASSERT_EQ(write(ends[1], text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
    ASSERT_TRUE(buffer.readSome(ends[0]));
  }

  int ends[2];
  bool isOpen = true;
  LineBuffer buffer;
};
} // namespace

TEST_F(LineBufferTest, JoinsTheParts) {
  EXPECT_EQ(buffer.takeLine(), std::nullopt);
  give("one ");
  EXPECT_EQ(buffer.takeLine(), std::nullopt);
  EXPECT_EQ(buffer.takeLine(), std::nullopt);
  give("line\nand");
  EXPECT_EQ(buffer.takeLine(), "one line");
  EXPECT_EQ(buffer.takeLine(), std::nullopt);
  give(" another\n");
  EXPECT_EQ(buffer.takeLine(), "and another");
  EXPECT_EQ(buffer.takeLine(), std::nullopt);
}

TEST_F(LineBufferTest, TakesOneLineAtATime) {
  give("a\n\nb\nc");
  EXPECT_EQ(buffer.takeLine(), "a");
  EXPECT_EQ(buffer.takeLine(), "");
  EXPECT_EQ(buffer.takeLine(), "b");
  EXPECT_EQ(buffer.takeLine(), std::nullopt);
}

TEST_F(LineBufferTest, SeesTheEnd) {
  give("rest");
  close(ends[1]);
  isOpen = false;
  EXPECT_FALSE(buffer.readSome(ends[0]));
  EXPECT_EQ(buffer.takeLine(), std::nullopt);
}

TEST(CheckRequestTest, IsOneLine) {
  CheckRequest request{7, "a\tb.mlir", "one\n\\n\t\\\\two\r\n\n"};
  std::string line = toLine(request);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  line.pop_back();
  std::optional<CheckRequest> read = readRequest(line);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, 7u);
  EXPECT_EQ(read->file, request.file);
  EXPECT_EQ(read->text, request.text);
  std::string empty = toLine({1, "", ""});
  empty.pop_back();
  EXPECT_TRUE(readRequest(empty));
  EXPECT_FALSE(readRequest(kCancel));
  EXPECT_FALSE(readRequest(""));
}
