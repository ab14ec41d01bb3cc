//===- OwnModelsTest.cpp - Models of operations of others -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which contracts may name a model that somebody else registered. What such a
// model does in a check, test/install tries with a plugin.
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"

#include "verifier/models/Models.h"
#include "verifier/models/OwnModels.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/Support/raw_ostream.h"

#include "gmock/gmock.h"

using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::verifier;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
struct MadeUpOp {
  static constexpr llvm::StringLiteral getOperationName() {
    return "transform.made_up.step";
  }
};

void propagateMadeUp(const Step &) {}
void propagateBetter(const Step &) {}

void addModel(OwnModels &models) {
  models.add<MadeUpOp>("made-up", propagateMadeUp, decides{"fw-step-fails"},
                       leavesOpen{"does what nobody knows"});
}

class OwnModelsTest : public VerifierTest {
protected:
  void registerHere(void (*add)(OwnModels &)) {
    mlir::DialectRegistry registry;
    registerModels(registry, add);
    context.appendDialectRegistry(registry);
  }

  /// Loads a contract of `opName` with the model `name`; null when that is
  /// refused, with the message in `refusal`.
  std::unique_ptr<ContractLibrary> load(llvm::StringRef opName,
                                        llvm::StringRef name) {
    // Tests run at the same time.
    std::string path =
        ::testing::TempDir() + "/own_model_" +
        ::testing::UnitTest::GetInstance()->current_test_info()->name() +
        ".mlir";
    std::error_code error;
    llvm::raw_fd_ostream(path, error)
        << "normalform.contract \"" << opName << "\" complete "
        << (name.empty() ? "" : ("model \"" + name + "\" ").str()) << "{}";
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            refusal = diagnostic.str();
        });
    auto library = ContractLibrary::load(&context, *forms, {path});
    return succeeded(library) ? std::move(*library) : nullptr;
  }

  std::string refusal;
};

TEST_F(OwnModelsTest, ContractNamesTheModelOfItsOp) {
  registerHere(addModel);
  auto library = load("transform.made_up.step", "made-up");
  ASSERT_TRUE(library) << refusal;
  EXPECT_EQ(library->lookup("transform.made_up.step")->model, "made-up");
  const Model *model = findModel("made-up", &context);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->apply, &propagateMadeUp);
  ModelClaims claims = getModelClaims("made-up", &context);
  EXPECT_THAT(claims.decided, ElementsAre("fw-step-fails"));
  EXPECT_THAT(claims.open, ElementsAre("does what nobody knows"));
}

TEST_F(OwnModelsTest, LaterModelReplacesEarlierOne) {
  registerHere(addModel);
  registerHere([](OwnModels &models) {
    models.add<MadeUpOp>("better", propagateBetter);
  });
  EXPECT_FALSE(load("transform.made_up.step", "made-up"));
  EXPECT_THAT(refusal, HasSubstr("requires the model 'better'"));
  auto library = load("transform.made_up.step", "better");
  ASSERT_TRUE(library);
  EXPECT_EQ(findModel("better", &context)->apply, &propagateBetter);
}

TEST_F(OwnModelsTest, ModelOfAnotherOpIsRefused) {
  registerHere(addModel);
  EXPECT_FALSE(load("transform.made_up.other", "made-up"));
  EXPECT_THAT(refusal, HasSubstr("no model is registered for "
                                 "'transform.made_up.other'"));
  // One of Formwork, which is written for an op of MLIR.
  EXPECT_FALSE(load("transform.made_up.step", "match"));
  EXPECT_THAT(refusal, HasSubstr("but names the model 'match'"));
}

TEST_F(OwnModelsTest, ContractWithoutTheModelOfItsOpIsRefused) {
  registerHere(addModel);
  EXPECT_FALSE(load("transform.made_up.step", ""));
  EXPECT_THAT(refusal, HasSubstr("requires the model 'made-up', which is "
                                 "registered for 'transform.made_up.step', "
                                 "but names none"));
}

TEST_F(OwnModelsTest, ModelIsRefusedWhereNoneIsRegistered) {
  EXPECT_FALSE(load("transform.made_up.step", "made-up"));
  EXPECT_THAT(refusal, HasSubstr("requires clauses alone"));
}

TEST_F(OwnModelsTest, EndsTheProcessOnTheNameOfAnother) {
  auto takeName = [&] {
    registerHere([](OwnModels &models) {
      models.add<MadeUpOp>("match", propagateMadeUp);
    });
  };
  EXPECT_EXIT(takeName(), ::testing::ExitedWithCode(1),
              "a model 'match' for 'transform.made_up.step', which is also the "
              "name of one of Formwork's own");
  registerHere(addModel);
  auto takeTwice = [&] {
    registerHere([](OwnModels &models) {
      models.add<mlir::transform::YieldOp>("made-up", propagateBetter);
    });
  };
  EXPECT_EXIT(takeTwice(), ::testing::ExitedWithCode(1),
              "a model 'made-up' for 'transform.yield', which is also the name "
              "of one of another operation");
}

TEST_F(OwnModelsTest, EndsTheProcessOnOtherHeaders) {
  registerHere(addModel);
  auto registerOther = [&] {
    mlir::DialectRegistry registry;
    registerModels(
        registry,
        [](OwnModels &models) { models.add<MadeUpOp>("x", propagateBetter); },
        modelLayout + 1);
    context.appendDialectRegistry(registry);
  };
  EXPECT_EXIT(registerOther(), ::testing::ExitedWithCode(1),
              "against the headers of another version of Formwork");
}
} // namespace
