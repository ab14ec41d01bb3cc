//===- OutputFileTest.cpp - Tests of OutputFile.h ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace formwork::engine;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {
class OutputFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("formwork-output", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string inFolder(StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  static std::string read(StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "unreadable";
  }

  static unsigned getMode(StringRef path) {
    struct stat status;
    EXPECT_EQ(::stat(path.str().c_str(), &status), 0);
    return status.st_mode & 0777;
  }

  static std::string write(StringRef path, StringRef content,
                           FileMode mode = FileMode::Data) {
    return llvm::toString(writeFile(path, content, mode));
  }

  llvm::SmallString<128> folder;
};
} // namespace

TEST_F(OutputFileTest, aFileIsReplacedAndKeepsItsPermissions) {
  std::string path = inFolder("file");
  EXPECT_EQ(write(path, "old and long"), "");
  EXPECT_EQ(::chmod(path.c_str(), 0640), 0);
  EXPECT_EQ(write(path, "new"), "");
  EXPECT_EQ(read(path), "new");
  EXPECT_EQ(getMode(path), 0640u);
}

TEST_F(OutputFileTest, whoMayReadMayExecute) {
  std::string path = inFolder("program");
  mode_t mask = ::umask(027);
  EXPECT_EQ(write(path, "first", FileMode::Executable), "");
  ::umask(mask);
  EXPECT_EQ(getMode(path), 0750u);
  EXPECT_EQ(::chmod(path.c_str(), 0604), 0);
  EXPECT_EQ(write(path, "second", FileMode::Executable), "");
  EXPECT_EQ(getMode(path), 0705u);
}

TEST_F(OutputFileTest, aLinkStaysALink) {
  std::string target = inFolder("target"), link = inFolder("link");
  EXPECT_EQ(write(target, "old"), "");
  ASSERT_EQ(::symlink(target.c_str(), link.c_str()), 0);
  EXPECT_EQ(write(link, "new", FileMode::Executable), "");
  EXPECT_TRUE(fs::is_symlink_file(link));
  EXPECT_EQ(read(target), "new");
}

TEST_F(OutputFileTest, aPipeStaysAPipe) {
  std::string path = inFolder("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  int reader = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(write(path, "content", FileMode::Executable), "");
  char buffer[16];
  ssize_t size = ::read(reader, buffer, sizeof(buffer));
  ::close(reader);
  EXPECT_EQ(StringRef(buffer, std::max<ssize_t>(size, 0)), "content");
  fs::file_status status;
  ASSERT_FALSE(fs::status(path, status));
  EXPECT_EQ(status.type(), fs::file_type::fifo_file);
}

TEST_F(OutputFileTest, errorsNameThePathAndLeaveNothingBehind) {
  EXPECT_EQ(write(inFolder("no/file"), "x"),
            "'" + inFolder("no/file") + "': No such file or directory");
  EXPECT_EQ(write(folder, "x"),
            "'" + std::string(folder) + "': Is a directory");
  std::error_code error;
  EXPECT_TRUE(fs::directory_iterator(folder, error) ==
              fs::directory_iterator());
}
