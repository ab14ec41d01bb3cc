//===- ModelsTest.cpp - The registry of models ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each contract names a model that is registered, and the claims of a model are
// those of its registration.
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"

#include "verifier/models/Models.h"

#include "gmock/gmock.h"

using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::verifier;
using ::testing::ElementsAre;

namespace {
class ModelsTest : public VerifierTest {};

TEST_F(ModelsTest, ContractsNameModels) {
  unsigned numModels = 0;
  for (llvm::StringRef name : contracts->getOpNames()) {
    const Contract &contract = *contracts->lookup(name);
    if (contract.model.empty())
      continue;
    SCOPED_TRACE(name.str());
    const Model *model = getModels().lookup(contract.model);
    ASSERT_NE(model, nullptr) << contract.model.str();
    EXPECT_NE(model->apply != nullptr, model->walk != nullptr);
    ++numModels;
  }
  EXPECT_GT(numModels, 70u);
}

TEST_F(ModelsTest, UnknownNameHasNoModel) {
  EXPECT_EQ(getModels().lookup("no-such-model"), nullptr);
  EXPECT_TRUE(getModelClaims("no-such-model", &context).decided.empty());
  EXPECT_TRUE(getModelClaims("", &context).open.empty());
}

TEST_F(ModelsTest, ClaimsAreThoseOfTheRegistration) {
  ModelClaims claims = getModelClaims("split-loop", &context);
  EXPECT_THAT(claims.decided,
              ElementsAre("fw-cardinality", "fw-no-such-dimension"));
  EXPECT_THAT(claims.open,
              ElementsAre("may split off a part without iterations"));
}
} // namespace
