//===- NeedsTest.cpp - Every form is needed ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The built-in forms against the built-in contracts: each form is required or
// wanted, reached in a schedule that its declaration names, or part of one that
// is.
//
//===----------------------------------------------------------------------===//

#include "normalforms/Needs.h"
#include "transforms/Registration.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

class NeedsTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() { registerFormworkPasses(); }

  NeedsTest() {
    DialectRegistry registry;
    registerFormwork(registry);
    context.appendDialectRegistry(registry);
  }

  /// The built-in forms and those of `text`, and the built-in contracts.
  void load(StringRef text = "") {
    SmallVector<std::string> files;
    int fd;
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("forms", "mlir", fd, path));
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
    auto loaded = FormLibrary::load(&context, {path.str().str()});
    llvm::sys::fs::remove(path);
    ASSERT_TRUE(succeeded(loaded));
    forms = std::move(*loaded);
    auto found = ContractLibrary::load(&context, *forms);
    ASSERT_TRUE(succeeded(found));
    contracts = std::move(*found);
  }

  std::vector<std::string> getUnneeded() {
    std::vector<std::string> names;
    for (const Form *form : findUnneeded(*forms, *contracts))
      names.push_back(form->name);
    return names;
  }

  MLIRContext context;
  std::unique_ptr<FormLibrary> forms;
  std::unique_ptr<ContractLibrary> contracts;
};

TEST_F(NeedsTest, EveryBuiltInFormIsNeeded) {
  load();
  EXPECT_GE(forms->getForms().size(), 25u);
  EXPECT_THAT(getUnneeded(), IsEmpty());
}

TEST_F(NeedsTest, NamedSchedulesAreAPathInARepository) {
  load();
  for (const Form &form : forms->getForms())
    for (StringRef schedule : form.seenIn) {
      auto [repository, path] = schedule.split(' ');
      EXPECT_FALSE(path.empty() || path.contains(' ')) << schedule.str();
      if (repository != "formwork") {
        EXPECT_EQ(repository.count('/'), 1u) << schedule.str();
        continue;
      }
      // One of ours can be read: it asks for the form by name.
      auto file = llvm::MemoryBuffer::getFile(
          (Twine(FORMWORK_SOURCE) + "/" + path).str());
      ASSERT_TRUE(bool(file)) << schedule.str();
      StringRef text = (*file)->getBuffer();
      EXPECT_TRUE(text.contains("@" + form.name + " : !transform") ||
                  text.contains("\"" + form.name + "\""))
          << form.name;
    }
}

TEST_F(NeedsTest, WhatIsNeverInsertedSaysWhy) {
  load();
  for (const Form &form : forms->getForms())
    EXPECT_EQ(form.automatic, form.whyManual.empty()) << form.name;
}

TEST_F(NeedsTest, PartsOfWhatIsNeededAreNeeded) {
  load(R"(
    normalform.form @my.part summary "part" {}
    normalform.form @my.whole summary "whole" refines [@my.part]
        seen_in ["me/schedules matmul.mlir"] {}
    normalform.form @my.idle summary "idle" refines [@canonical] {}
  )");
  EXPECT_THAT(getUnneeded(), ElementsAre("my.idle"));
}

TEST_F(NeedsTest, ClausesAreCollected) {
  load();
  std::vector<Needs> needs = collectNeeds(*forms, *contracts);
  const Needs &canonical = needs[forms->lookup("loops.canonical")->atom];
  EXPECT_THAT(canonical.requiredBy, IsEmpty());
  EXPECT_THAT(canonical.wantedBy,
              ElementsAre("transform.structured.hoist_pad"));
  const Needs &perfect = needs[forms->lookup("loops.perfect_nest")->atom];
  EXPECT_THAT(perfect.requiredBy, IsEmpty());
  EXPECT_THAT(perfect.wantedBy, ElementsAre("transform.loop.coalesce"));
}

} // namespace
