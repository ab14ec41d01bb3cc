//===- FormLibraryTest.cpp - Loading form libraries -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormsTest.h"

#include "engine/DriverKey.h"
#include "normalforms/Establish.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class FormLibraryTest : public FormsTest {
protected:
  FormLibraryTest()
      : handler(&context, [this](Diagnostic &diag) {
          errors.push_back(diag.str());
          for (Diagnostic &note : diag.getNotes())
            errors.push_back("  " + note.str());
          return success();
        }) {}

  std::vector<std::string> errors;
  ScopedDiagnosticHandler handler;
};

TEST_F(FormLibraryTest, BuiltinsAreManyAndOrdered) {
  const FormLibrary *library = FormLibrary::get(&context);
  ASSERT_TRUE(library);
  EXPECT_GE(library->getForms().size(), 25u);
  const Form *tiled = library->lookup("linalg.tiled");
  const Form *canonical = library->lookup("canonical");
  const Form *driver = library->lookup(kDriverForm);
  ASSERT_TRUE(tiled && canonical && driver);
  EXPECT_TRUE(library->lattice().refines(tiled->atom, canonical->atom));
  EXPECT_TRUE(library->lattice().refines(canonical->atom, driver->atom));
  EXPECT_EQ(tiled->descriptors.size(), 3u);
  EXPECT_EQ(tiled->descriptors.front()->getName().getStringRef(),
            "transform.apply_patterns.canonicalization")
      << "what is refined comes first";
  EXPECT_EQ(tiled->procedures, (SmallVector<std::string>{"cse"}));
  EXPECT_EQ(library, FormLibrary::get(&context)) << "loaded once";
}

TEST_F(FormLibraryTest, HoldsWhereThePredicateDoes) {
  const FormLibrary *library = FormLibrary::get(&context);
  ASSERT_TRUE(library);
  OwningOpRef<ModuleOp> onTensors = parse(R"(
    func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
          outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    })");
  OwningOpRef<ModuleOp> onBuffers = parse(R"(
    func.func @f(%a: memref<8xf32>, %n: index, %z: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        memref.store %z, %a[%i] : memref<8xf32>
      }
      return
    })");
  AtomId bufferized = library->lookup("bufferized")->atom;
  EXPECT_FALSE(library->getHolding(*onTensors).contains(bufferized));
  EXPECT_TRUE(library->getHolding(*onBuffers).contains(bufferized));
}

TEST_F(FormLibraryTest, RefinesTheDriverOnce) {
  auto library = loadWith(R"(
    normalform.form @said summary "says it" refines [@driver] {
      transform.apply_patterns.tensor.fold_tensor_empty
    }
    normalform.form @implied summary "does not" {
      transform.apply_patterns.tensor.fold_tensor_empty
    })");
  ASSERT_TRUE(library);
  for (StringRef name : {"said", "implied"})
    EXPECT_THAT(library->lookup(name)->refines,
                testing::ElementsAre(library->lookup("driver")->atom));
}

TEST_F(FormLibraryTest, UserFormsExtendTheBuiltins) {
  auto library = loadWith(R"(
    normalform.form @mine summary "mine" refines [@loops.canonical]
        excludes [@bufferized] preserves [@linalg.on_tensors]
        anchor "loop-nest" where "static-trip-counts" manual "unrolled" weight 7 {
      transform.apply_patterns.tensor.fold_tensor_empty
      normalform.procedure "licm"
    })");
  ASSERT_TRUE(library);
  const Form *mine = library->lookup("mine");
  ASSERT_TRUE(mine);
  EXPECT_EQ(mine->summary, "mine");
  EXPECT_EQ(mine->anchor, AnchorKind::LoopNest);
  EXPECT_EQ(mine->weight, 7u);
  EXPECT_FALSE(mine->automatic);
  EXPECT_TRUE(mine->greedy);
  EXPECT_EQ(mine->predicate, "static-trip-counts");
  EXPECT_EQ(mine->procedures, (SmallVector<std::string>{"cse", "licm"}));
  AtomId bufferized = library->lookup("bufferized")->atom;
  EXPECT_THAT(library->lattice().getExcluded(mine->atom),
              testing::Contains(bufferized));
  EXPECT_TRUE(errors.empty());
}

TEST_F(FormLibraryTest, DeclarationsRoundTrip) {
  auto module = parse(FormLibrary::getBuiltinText());
  std::string once = print(*module);
  EXPECT_EQ(print(*parse(once)), once);
}

TEST_F(FormLibraryTest, RedefinitionIsRefused) {
  EXPECT_FALSE(loadWith(R"(normalform.form @canonical summary "other" {})"));
  EXPECT_THAT(errors, ElementsAre("form @canonical is declared already "
                                  "[fw-form-redefined]",
                                  HasSubstr("first declared here"),
                                  HasSubstr("refines @canonical")));
}

TEST_F(FormLibraryTest, UnknownRefinedFormSuggests) {
  EXPECT_FALSE(loadWith(
      R"(normalform.form @mine summary "m" refines [@linalg.tilled] {})"));
  EXPECT_THAT(errors, ElementsAre(HasSubstr("[fw-unknown-form]"),
                                  HasSubstr("did you mean @linalg.tiled?")));
}

TEST_F(FormLibraryTest, CycleNamesItsForms) {
  EXPECT_FALSE(loadWith(R"(
    normalform.form @a summary "a" refines [@b] {}
    normalform.form @b summary "b" refines [@c] {}
    normalform.form @c summary "c" refines [@a] {})"));
  EXPECT_THAT(errors.front(), AllOf(HasSubstr("@a -> @b -> @c -> @a"),
                                    HasSubstr("[fw-refines-cycle]")));
}

TEST_F(FormLibraryTest, ContradictoryExcludesNameBoth) {
  EXPECT_FALSE(loadWith(R"(
    normalform.form @a summary "a" refines [@b] {}
    normalform.form @b summary "b" refines [@canonical]
        excludes [@canonical] {})"));
  EXPECT_THAT(errors.front(), AllOf(HasSubstr("implies @"),
                                    HasSubstr("[fw-contradictory-excludes]")));
}

TEST_F(FormLibraryTest, UnknownProcedureSaysWhatThereIs) {
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" {
      normalform.procedure "lcim" })"));
  EXPECT_THAT(errors, ElementsAre(HasSubstr("[fw-unknown-procedure]"),
                                  HasSubstr("'licm'")));
}

TEST_F(FormLibraryTest, IneligiblePassIsRefused) {
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" {
      normalform.procedure "pass:symbol-dce" })"));
  EXPECT_THAT(errors,
              ElementsAre(HasSubstr("[fw-unknown-procedure]"),
                          HasSubstr("more than what is inside its anchor")));
}

TEST_F(FormLibraryTest, UnknownPassIsRefused) {
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" {
      normalform.procedure "pass:no-such-pass" })"));
  EXPECT_THAT(errors, ElementsAre(HasSubstr("[fw-unknown-procedure]"),
                                  HasSubstr("no pass is registered")));
}

TEST_F(FormLibraryTest, UnknownPredicateIsRefused) {
  EXPECT_FALSE(
      loadWith(R"(normalform.form @a summary "a" where "nothing" {})"));
  EXPECT_THAT(errors, ElementsAre(HasSubstr("[fw-unknown-predicate]"),
                                  HasSubstr("'no-tensors'")));
}

TEST_F(FormLibraryTest, OtherOpsAreNoRuleGroups) {
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" {
      transform.named_sequence @x() { transform.yield } })"));
  EXPECT_THAT(errors.front(), HasSubstr("[fw-unknown-rule-group]"));
}

TEST_F(FormLibraryTest, StatefulRuleGroupIsRefused) {
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" {
      transform.apply_patterns.memref.alloc_to_alloca })"));
  EXPECT_THAT(errors.front(), HasSubstr("[fw-stateful-rule-group]"));
}

TEST_F(FormLibraryTest, UnknownAnchorAndWeightAreRefused) {
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" anchor "block" {})"));
  EXPECT_THAT(errors.front(), HasSubstr("[fw-unknown-anchor]"));
  errors.clear();
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" weight 0 {})"));
  EXPECT_THAT(errors.front(), HasSubstr("[fw-form-weight]"));
}

TEST_F(FormLibraryTest, OtherOpsInTheFileAreRefused) {
  EXPECT_FALSE(loadWith("func.func private @f()"));
  EXPECT_THAT(errors.front(), HasSubstr("[fw-not-a-form]"));
}

constexpr StringLiteral kMatcher = R"(
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @muls(%op: !transform.any_op {transform.readonly})
        -> !transform.any_op {
      transform.match.operation_name %op ["arith.muli"] : !transform.any_op
      transform.yield %op : !transform.any_op
    }
    normalform.form @no_muls summary "no products" where @muls {}
  })";

TEST_F(FormLibraryTest, MatcherIsAPredicate) {
  auto library = loadWith(kMatcher);
  ASSERT_TRUE(library);
  auto module = parse(R"(
    func.func @f(%a: i32) -> i32 {
      %0 = arith.muli %a, %a : i32
      %1 = arith.addi %0, %a : i32
      %2 = arith.muli %1, %a : i32
      return %2 : i32
    }
    func.func @g(%a: i32) -> i32 { return %a : i32 })");
  const Form &form = *library->lookup("no_muls");
  EXPECT_EQ(form.predicate, "@muls");
  auto functions = llvm::to_vector(module->getOps<func::FuncOp>());
  FormCheck f = checkForm(*library, form, functions[0]);
  ASSERT_EQ(f.violations.size(), 2u) << "every violation";
  EXPECT_EQ(f.violations[0].clause, "muls.c1");
  EXPECT_TRUE(isa<arith::MulIOp>(f.violations[1].op));
  EXPECT_TRUE(checkForm(*library, form, functions[1]).holds());
  EXPECT_TRUE(errors.empty()) << errors.front();
}

TEST_F(FormLibraryTest, MatcherMustExistAndFit) {
  EXPECT_FALSE(loadWith(R"(normalform.form @a summary "a" where @nowhere {})"));
  EXPECT_THAT(errors.front(), HasSubstr("[fw-unknown-predicate]"));
  errors.clear();
  EXPECT_FALSE(loadWith(R"(
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @m(%op: !transform.any_op {transform.readonly}) {
        transform.yield
      }
      normalform.form @a summary "a" where @m {}
    })"));
  EXPECT_THAT(errors, ElementsAre(HasSubstr("[fw-matcher-signature]"),
                                  HasSubstr("declared here")));
}

TEST_F(FormLibraryTest, KeysOfDriversAreKnownWithoutTheirRules) {
  const FormLibrary &library = *FormLibrary::get(&context);
  for (const Form &form : library.getForms())
    EXPECT_EQ(engine::computeDriverKey(form.descriptors, &context, form.greedy,
                                       form.procedures),
              library.getDriver(form).getKey())
        << form.name;
}

} // namespace
