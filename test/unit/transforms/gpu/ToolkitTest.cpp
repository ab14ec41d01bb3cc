//===- ToolkitTest.cpp - The CUDA toolkit, if there is one ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace formwork::transforms;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
/// A folder that looks like a toolkit, and is removed with the test.
class ToolkitTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("formwork-toolkit", root));
  }
  void TearDown() override { fs::remove_directories(root); }

  /// Writes an executable script bin/ptxas.
  void addPtxas(llvm::StringRef script) {
    llvm::SmallString<128> file(root);
    path::append(file, "bin");
    ASSERT_FALSE(fs::create_directories(file));
    path::append(file, "ptxas");
    std::error_code error;
    llvm::raw_fd_ostream os(file, error);
    ASSERT_FALSE(error);
    os << "#!/bin/sh\n" << script << "\n";
    os.close();
    ASSERT_FALSE(fs::setPermissions(file, fs::all_all));
  }

  llvm::SmallString<128> root;
};
} // namespace

TEST_F(ToolkitTest, AnEmptyFolderIsNoToolkit) {
  EXPECT_FALSE(findToolkit(root));
}

TEST_F(ToolkitTest, AnExplicitRootIsUsedWithoutItsSeparator) {
  addPtxas("exit 0");
  std::optional<Toolkit> toolkit = findToolkit((root + "/").str());
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(toolkit->root, root.str());
  EXPECT_TRUE(toolkit->findProgram("ptxas"));
  EXPECT_FALSE(toolkit->findProgram("nvdisasm"));
  EXPECT_FALSE(toolkit->hasLibdevice());
}

TEST_F(ToolkitTest, VersionIsWhatPtxasSays) {
  addPtxas("echo 'Cuda compilation tools, release 13.0, V13.0.88'");
  std::optional<Toolkit> toolkit = findToolkit(root);
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(toolkit->queryVersion(), "13.0");
}

TEST_F(ToolkitTest, AnUnknownAnswerIsNoVersion) {
  addPtxas("echo hello");
  std::optional<Toolkit> toolkit = findToolkit(root);
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(toolkit->queryVersion(), std::nullopt);
}

TEST_F(ToolkitTest, AFailingPtxasHasNoVersion) {
  addPtxas("echo 'release 13.0, V13'; exit 1");
  std::optional<Toolkit> toolkit = findToolkit(root);
  ASSERT_TRUE(toolkit);
  EXPECT_EQ(toolkit->queryVersion(), std::nullopt);
}
