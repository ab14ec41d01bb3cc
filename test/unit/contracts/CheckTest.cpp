//===- CheckTest.cpp - Contracts against registered ops ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each way in which a contract can fail to fit its op, and that the built-in
// contracts fit theirs.
//
//===----------------------------------------------------------------------===//

#include "LanguageFixture.h"

#include "normalforms/OpSignature.h"
#include "normalforms/PassOptions.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace {

class CheckTest : public test::LanguageTest {
protected:
  OpSignature getSignature(StringRef name) {
    auto registered = RegisteredOperationName::lookup(name, &context);
    EXPECT_TRUE(registered) << name.str();
    return OpSignature(*registered);
  }

  /// The findings that refuse one clause of a contract of `op`.
  std::vector<std::string> checkClause(StringRef op, StringRef clause) {
    return check(
        ("normalform.contract \"" + op + "\" {\n" + clause + "\n}").str());
  }
};

TEST_F(CheckTest, BuiltinContractsFit) {
  // These passes declare dialects for attributes, or of ops that they only
  // read.
  const std::set<std::pair<StringRef, StringRef>> known = {
      {"pass:convert-math-to-xevm", "'xevm'"},
      {"pass:eliminate-empty-tensors", "'bufferization'"},
      {"pass:gpu-eliminate-barriers", "'memref'"},
      {"pass:gpu-eliminate-barriers", "'scf'"},
      {"pass:gpu-kernel-outlining", "'cf'"},
      {"pass:gpu-kernel-outlining", "'dlti'"},
      {"pass:gpu-map-parallel-loops", "'gpu'"},
      {"pass:nvvm-attach-target", "'nvvm'"},
      {"pass:optimize-allocation-liveness", "'memref'"},
      {"pass:rocdl-attach-target", "'rocdl'"},
      {"pass:spirv-attach-target", "'spirv'"}};
  for (ContractOp contract : getUpstreamContracts()) {
    engine::Findings findings = checkContract(contract, {});
    for (const engine::Finding &finding : findings.get()) {
      bool isKnown = llvm::any_of(known, [&](auto pair) {
        return pair.first == contract.getOpName() &&
               StringRef(finding.message)
                   .contains(("uses dialect " + pair.second).str());
      });
      if (!isKnown)
        ADD_FAILURE() << contract.getOpName().str() << ": " << finding.id
                      << ": " << finding.message;
    }
  }
}

// The verifiers of ops are shown instances that they never meet otherwise.
TEST_F(CheckTest, EveryOpHasASignature) {
  (void)getBuiltin();
  unsigned known = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (!name.hasInterface<transform::TransformOpInterface>())
      continue;
    OpSignature signature(name);
    HandleRoles roles = signature.getOperandRoles(0);
    known += !(roles == HandleRoles());
  }
  EXPECT_GE(known, 110u);
}

TEST_F(CheckTest, SignaturesAreThoseOfTheDefinition) {
  OpSignature unroll = getSignature("transform.loop.unroll");
  EXPECT_EQ(unroll.getMaxOperands(), 1u);
  EXPECT_EQ(unroll.getMaxResults(), 0u);
  EXPECT_EQ(unroll.getOperandRoles(0), (HandleRoles{true, false, false}));
  EXPECT_TRUE(unroll.mayBeIntegers("factor"));

  OpSignature constant = getSignature("transform.param.constant");
  EXPECT_EQ(constant.getMaxOperands(), 0u);
  EXPECT_TRUE(constant.getResultRoles(0).isParam());

  OpSignature annotate = getSignature("transform.annotate");
  EXPECT_EQ(annotate.getMaxOperands(), 2u);
  EXPECT_EQ(annotate.getOperandRoles(0), (HandleRoles{true, false, false}));
  EXPECT_TRUE(annotate.getOperandRoles(1).isParam());
  EXPECT_FALSE(annotate.mayBeIntegers("name"));

  EXPECT_EQ(
      getSignature("transform.structured.tile_using_for").getMaxOperands(),
      std::nullopt);
}

TEST_F(CheckTest, OptionsOfPasses) {
  EXPECT_THAT(getPassOptions("affine-super-vectorize"),
              Contains("vectorize-reductions"));
  EXPECT_THAT(getPassOptions("nonesuch"), IsEmpty());
  EXPECT_THAT(getPassOptions("cse"), IsEmpty());
  EXPECT_TRUE(
      mayHavePassOption("affine-super-vectorize", "vectorize-reductions"));
  // A list without a default.
  EXPECT_TRUE(
      mayHavePassOption("affine-super-vectorize", "virtual-vector-size"));
  EXPECT_FALSE(mayHavePassOption("affine-super-vectorize", "virtual-size"));
  EXPECT_FALSE(mayHavePassOption("cse", "virtual-size"));
  EXPECT_TRUE(mayHavePassOption("nonesuch", "virtual-size"));
  EXPECT_TRUE(isRegisteredPass("gpu-lower-to-nvvm-pipeline"));
  EXPECT_FALSE(isRegisteredPass("nonesuch"));
}

TEST_F(CheckTest, OperandThatIsNotThere) {
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.accepts 7 ["scf.for"] otherwise "no")"),
              ElementsAre("fw-contract-operand: requires an operand of "
                          "'transform.loop.unroll', which has 1 operand, but "
                          "names operand 7"));
  for (StringRef clause :
       {R"(normalform.fails "no" when ["not fact 5 is static-shape"])",
        R"(normalform.fails "no" when ["operand 1"])",
        R"(normalform.fails "no" when ["count 1 is 1"])",
        R"(normalform.requires @canonical of 1 otherwise "no")",
        R"(normalform.wants @canonical around 1 otherwise "no")",
        R"(normalform.ensures @canonical of 1)",
        R"(normalform.needs_ancestor 1 ["func.func"] otherwise "no")",
        R"(normalform.payload "target" of 1)",
        R"(normalform.effect 1 ["gone"] otherwise "no")",
        R"(normalform.single 1 otherwise "no")"})
    EXPECT_THAT(checkClause("transform.loop.unroll", clause),
                ElementsAre(HasSubstr("fw-contract-operand: ")))
        << clause.str();
}

TEST_F(CheckTest, ResultsAreDescribedOnce) {
  auto checkBoth = [&](StringRef first, StringRef second) {
    return checkClause("transform.structured.fuse",
                       (R"(normalform.result 1 "any" count "one" )" + first +
                        "\n" + R"(normalform.result 1 "any" count "2" )" +
                        second)
                           .str());
  };
  auto isTwice = ElementsAre(
      HasSubstr("fw-contract-clause: requires one clause that describes "
                "result 1, or conditions that exclude each other"));
  EXPECT_THAT(checkBoth("", ""), isTwice);
  EXPECT_THAT(checkBoth(R"(when ["attr use_forall"])", ""), isTwice);
  EXPECT_THAT(checkBoth(R"(when ["count 0 at_least 2"])",
                        R"(when ["not count 0 at_least 3"])"),
              isTwice);
  // No number is greater than the greatest one.
  EXPECT_THAT(checkBoth(R"(when ["count 0 at_least 2"])",
                        R"(when ["not count 0 at_most 9223372036854775807"])"),
              IsEmpty());
  EXPECT_THAT(checkBoth(R"(when ["kind 0 is scf.for"])",
                        R"(when ["not kind 0 is scf.while"])"),
              isTwice);
  // All results from 0 on.
  EXPECT_THAT(checkClause("transform.structured.fuse",
                          R"(normalform.result 0 onwards "any" count "one"
                             normalform.result 1 "any" count "one")"),
              ElementsAre(HasSubstr("describes result 1")));
  for (auto [first, second] :
       {std::pair("attr use_forall", "not attr use_forall"),
        std::pair("count 0 at_least 2", "not count 0 at_least 2"),
        std::pair("count 0 at_most 1", "count 0 at_least 2"),
        std::pair("count 0 is 1", "count 0 is 2"),
        std::pair("kind 0 is scf.for", "kind 0 is scf.while")})
    EXPECT_THAT(checkBoth((Twine("when [\"") + first + "\"]").str(),
                          (Twine("when [\"") + second + "\"]").str()),
                IsEmpty())
        << first << ", " << second;
}

TEST_F(CheckTest, ResultThatIsNotThere) {
  EXPECT_THAT(
      checkClause("transform.loop.unroll",
                  R"(normalform.result 0 "any" count "one")"),
      ElementsAre(HasSubstr("which has no results, but names result 0")));
  EXPECT_THAT(checkClause("transform.apply_cse",
                          R"(normalform.effect 0 ["result 0"] otherwise "no")"),
              ElementsAre(HasSubstr("requires a result")));
}

TEST_F(CheckTest, SpaceOfAResult) {
  auto check = [&](StringRef kinds, StringRef space) {
    return checkClause("transform.structured.scalarize",
                       (R"(normalform.result 0 "replaces" of 0 kinds [")" +
                        kinds + R"("] count "per_target" space ")" + space +
                        "\"")
                           .str());
  };
  EXPECT_THAT(check("$structured", "same"), IsEmpty());
  EXPECT_THAT(check("linalg.generic", "same"), IsEmpty());
  EXPECT_THAT(check("scf.for", "same"),
              ElementsAre(HasSubstr("requires kinds of structured ops with "
                                    "'space' but has 'scf.for'")));
  EXPECT_THAT(check("linalg.generic", "tile(sizes)"),
              ElementsAre(HasSubstr("requires an attribute")));
  EXPECT_THAT(checkClause("transform.structured.tile_using_for",
                          R"x(normalform.result 0 "replaces" of 0
                                  kinds ["$structured"] count "per_target"
                                  space "tile(static_sizes, 1)")x"),
              IsEmpty());
  EXPECT_THAT(checkClause("transform.structured.tile_using_for",
                          R"x(normalform.result 0 "replaces" of 0
                                  kinds ["$structured"] count "per_target"
                                  space "tile(static_sizes, 0)")x"),
              ElementsAre(HasSubstr("requires a parameter but operand 0")));
}

TEST_F(CheckTest, SideEffectsFitWhatIsWritten) {
  auto check = [&](StringRef clauses) {
    return checkClause("transform.annotate", clauses);
  };
  StringRef reads =
      R"(normalform.side_effects ["reads_no_discardable_attribute"])";
  StringRef writes =
      R"(normalform.side_effects ["writes_only_discardable_attributes"])";
  std::string payload = "normalform.payload \"target\"\n";
  EXPECT_THAT(check(reads), IsEmpty());
  EXPECT_THAT(check(payload + writes.str() + "\n" + reads.str()), IsEmpty());
  EXPECT_THAT(check(payload + writes.str()), IsEmpty());
  EXPECT_THAT(check(writes),
              ElementsAre(HasSubstr("requires a clause 'normalform.payload'")));
  EXPECT_THAT(check(payload + reads.str()),
              ElementsAre(HasSubstr("requires an op that rewrites no "
                                    "payload")));
}

TEST_F(CheckTest, WhatChangesPayloadDoesNotOnlyRead) {
  for (StringRef effect : {"only_reads", "only_reports"})
    EXPECT_THAT(
        checkClause("transform.annotate", ("normalform.payload \"target\"\n"
                                           "normalform.side_effects [\"" +
                                           effect + "\"]")
                                              .str()),
        ElementsAre(HasSubstr("requires an op that changes no "
                              "payload")));
}

// Only ops for matchers say that a matcher does not match.
TEST_F(CheckTest, IdOfMatchers) {
  auto check = [&](StringRef op, StringRef id) {
    return checkClause(op, ("normalform.silenceable [\"" + id + "\"]").str());
  };
  StringRef rank = "transform.match.structured.rank",
            unroll = "transform.loop.unroll";
  EXPECT_THAT(check(rank, "fw-matcher-failed"), IsEmpty());
  EXPECT_THAT(check(unroll, "fw-wrong-kind"), IsEmpty());
  EXPECT_THAT(check(rank, "fw-wrong-kind"),
              ElementsAre(HasSubstr("requires 'fw-matcher-failed', since")));
  EXPECT_THAT(check(unroll, "fw-matcher-failed"),
              ElementsAre(HasSubstr("requires an op for matchers")));
}

// Folding makes constants.
TEST_F(CheckTest, WhatFoldsMakesConstants) {
  auto check = [&](StringRef kind) {
    return checkClause("transform.annotate",
                       ("normalform.payload \"target\" introduces [\"" + kind +
                        "\"]\nnormalform.side_effects [\"may_fold\"]")
                           .str());
  };
  for (StringRef kind : {"$constant", "arith.constant", "arith.*", "*"})
    EXPECT_THAT(check(kind), IsEmpty()) << kind.str();
  EXPECT_THAT(
      check("scf.for"),
      ElementsAre(HasSubstr("requires a clause that adds '$constant'")));
}

// A pass declares the dialects of the ops that it makes.
TEST_F(CheckTest, DialectsOfPasses) {
  auto check = [&](StringRef kinds) {
    return checkClause(
        "pass:convert-scf-to-cf",
        ("normalform.payload \"target\" introduces [" + kinds + "]").str());
  };
  EXPECT_THAT(check("\"cf.*\""), IsEmpty());
  EXPECT_THAT(check("\"+cf.br\""), IsEmpty());
  EXPECT_THAT(check("\"*\""), IsEmpty());
  EXPECT_THAT(check("\"arith.*\""),
              ElementsAre(HasSubstr("fw-contract-unchecked: pass "
                                    "'convert-scf-to-cf' declares that it "
                                    "uses dialect 'cf'")));
}

TEST_F(CheckTest, ParameterInsteadOfPayload) {
  EXPECT_THAT(checkClause("transform.annotate",
                          R"(normalform.single 1 otherwise "no")"),
              ElementsAre("fw-contract-operand: requires a handle but operand "
                          "1 of 'transform.annotate' is a parameter"));
  EXPECT_THAT(
      checkClause("transform.annotate",
                  R"(normalform.fails "no" when ["kind 1 is scf.for"])"),
      ElementsAre(HasSubstr("requires a handle of ops")));
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.fails "no" when ["param 0 is 1"])"),
              ElementsAre(HasSubstr("requires a parameter but operand 0")));
  EXPECT_THAT(checkClause("transform.param.constant",
                          R"(normalform.result 0 "any" count "one")"),
              ElementsAre(HasSubstr("requires a handle but result 0")));
  EXPECT_THAT(
      checkClause("transform.annotate",
                  R"(normalform.fails "no" when ["param 1 at_most -1"])"),
      IsEmpty());
}

TEST_F(CheckTest, AttributeThatIsNotThere) {
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.fails "no" when ["attr facto is 1"])"),
              ElementsAre("fw-contract-name: requires an attribute of "
                          "'transform.loop.unroll' but names 'facto' / did "
                          "you mean 'factor'?"));
  EXPECT_THAT(checkClause("transform.structured.match",
                          R"x(normalform.result 0 "any" count "size(opps)")x"),
              ElementsAre(HasSubstr("did you mean 'ops'?")));
  EXPECT_THAT(
      checkClause("transform.annotate",
                  R"(normalform.fails "no" when ["attr name at_least 1"])"),
      ElementsAre(HasSubstr("requires an attribute that is an integer")));
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.domain "factr" ["at_least 0"])"),
              ElementsAre(HasSubstr("did you mean 'factor'?")));
  // Discardable ones are anybody's.
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.fails "no" when ["attr my.mark"])"),
              IsEmpty());
}

// A list or an integer is never a word.
TEST_F(CheckTest, ValueOfAnotherKind) {
  StringRef fails = R"(normalform.fails "no" when ["attr nofold_flags is x"])";
  EXPECT_THAT(checkClause("transform.structured.pad", fails),
              ElementsAre(HasSubstr("requires a value that 'nofold_flags' of "
                                    "'transform.structured.pad' can have but "
                                    "has 'x'")));
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.domain "factor" ["only x"])"),
              ElementsAre(HasSubstr("can have but has 'x'")));
  EXPECT_THAT(
      checkClause("transform.structured.pad",
                  R"(normalform.fails "no" when ["attr copy_back_op is x"])"),
      IsEmpty());
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.fails "no" when ["attr factor is 2"])"),
              IsEmpty());
}

// A flag has no value.
TEST_F(CheckTest, ValueOfAFlag) {
  StringRef domain = R"(normalform.domain "is_all" ["at_least 0"])";
  EXPECT_THAT(
      checkClause("transform.match.structured.dim", domain),
      Contains(HasSubstr(
          "requires an attribute with a value for "
          "'at_least' but 'is_all' of "
          "'transform.match.structured.dim' is a flag without a value")));
  EXPECT_THAT(
      checkClause("transform.structured.fuse",
                  R"(normalform.fails "no" when ["attr use_forall is yes"])"),
      ElementsAre(HasSubstr("requires an attribute with a value for "
                            "'is yes'")));
  EXPECT_THAT(
      checkClause("transform.structured.fuse",
                  R"(normalform.fails "no" when ["not attr use_forall"])"),
      IsEmpty());
  // How operands are parted is nothing that a schedule writes.
  EXPECT_THAT(checkClause("transform.structured.fuse",
                          R"(normalform.domain "operandSegmentSizes" ["any"])"),
              ElementsAre(HasSubstr("requires an attribute of")));
}

// Domains with bounds are of integers.
TEST_F(CheckTest, DomainOfNoInteger) {
  EXPECT_THAT(
      checkClause("transform.annotate",
                  R"(normalform.domain "name" ["at_least 1"])"),
      ElementsAre(HasSubstr("requires an attribute that is an integer")));
  EXPECT_THAT(checkClause("transform.annotate",
                          R"(normalform.domain "name" ["empty"])"),
              IsEmpty());
}

// Where the number of operands or results is open, those that the definition
// names are meant.
TEST_F(CheckTest, OneOfAnOpenNumber) {
  EXPECT_THAT(
      checkClause("transform.structured.fuse",
                  R"(normalform.accepts 76 ["$tileable"] otherwise "no")"),
      ElementsAre(
          HasSubstr("fw-contract-unchecked: 'transform.structured.fuse' "
                    "names 3 operands and may have any number")));
  EXPECT_THAT(checkClause("transform.foreach",
                          R"(normalform.result 9 "any" count "unbounded")"),
              ElementsAre(HasSubstr("result 9 cannot be checked")));
}

TEST_F(CheckTest, IdOfNoError) {
  EXPECT_THAT(
      checkClause("transform.loop.unroll",
                  R"(normalform.silenceable ["fw-wrong-kin"] leaves_payload)"),
      ElementsAre("fw-contract-name: requires the id of an error but has "
                  "'fw-wrong-kin' / did you mean 'fw-wrong-kind'?"));
  // A warning never ends a step.
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.silenceable ["fw-empty-match"])"),
              ElementsAre(HasSubstr("requires the id of an error")));
}

TEST_F(CheckTest, OptionThatIsNotThere) {
  EXPECT_THAT(
      checkClause("pass:affine-super-vectorize",
                  R"(normalform.fails "no" when ["option virtual-size"])"),
      ElementsAre(
          HasSubstr("requires an option of pass 'affine-super-vectorize'")));
  EXPECT_THAT(
      checkClause("transform.loop.unroll",
                  R"(normalform.fails "no" when ["option x"])"),
      ElementsAre(HasSubstr("requires a pass where a clause names an option")));
}

TEST_F(CheckTest, OpThatIsNotThere) {
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.accepts 0 ["scf.fro"] otherwise "no")"),
              ElementsAre("fw-contract-name: requires a registered op but has "
                          "'scf.fro' / did you mean 'scf.for'?"));
  for (StringRef clause :
       {R"(normalform.payload "target" introduces ["+arith.constnt"])",
        R"(normalform.payload "target" rewrites ["*", "-arith.constnt"])",
        R"(normalform.payload "target" removes ["arith.constnt"])",
        R"(normalform.fails "no" when ["holds 0 is arith.constnt"])",
        R"(normalform.effect 0 ["more arith.constnt"] otherwise "no")"})
    EXPECT_THAT(checkClause("transform.loop.unroll", clause),
                ElementsAre(HasSubstr("did you mean 'arith.constant'?")))
        << clause.str();
}

TEST_F(CheckTest, WhatPluginsHaveIsNotRefused) {
  EXPECT_THAT(checkClause("transform.loop.unroll_own",
                          R"(normalform.accepts 7 ["scf.fro"] otherwise "no")"),
              ElementsAre("fw-contract-unchecked: 'transform.loop.unroll_own' "
                          "is not registered in this tool, so the clauses of "
                          "its contract cannot be checked / did you mean "
                          "'transform.loop.unroll'?"));
  EXPECT_THAT(checkClause("pass:canonicalize-own", ""),
              ElementsAre(HasSubstr("fw-contract-unchecked: no pass")));
  EXPECT_THAT(checkClause("transform.loop.unroll",
                          R"(normalform.accepts 0 ["sfc.for"] otherwise "no")"),
              ElementsAre(HasSubstr("fw-contract-unchecked: no dialect")));
  EXPECT_THAT(
      checkClause("transform.loop.unroll",
                  R"(normalform.payload "target" rewrites ["llvm.own_load"])"),
      ElementsAre(HasSubstr("fw-contract-unchecked: 'llvm.own_load'")));
  EXPECT_THAT(
      checkClause("transform.loop.unroll",
                  R"(normalform.performs ["transform.apply_patterns.own"])"),
      ElementsAre(HasSubstr("fw-contract-unchecked: no rule group")));
}

// A plugin that has an op of nearly the same name is less likely than a slip.
TEST_F(CheckTest, MisspelledNames) {
  EXPECT_THAT(checkClause("transform.loop.unrol",
                          R"(normalform.accepts 7 ["scf.for"] otherwise "no")"),
              ElementsAre("fw-contract-name: 'transform.loop.unrol' is not "
                          "registered in this tool, so the clauses of its "
                          "contract cannot be checked / did you mean "
                          "'transform.loop.unroll'?"));
  EXPECT_THAT(checkClause("pass:canonicalise", ""),
              ElementsAre(AllOf(HasSubstr("fw-contract-name: no pass"),
                                HasSubstr("did you mean 'canonicalize'?"))));
  EXPECT_THAT(
      checkClause("transform.loop.unroll",
                  R"(normalform.payload "target" rewrites ["llvm.lod"])"),
      ElementsAre(AllOf(HasSubstr("fw-contract-name: 'llvm.lod'"),
                        HasSubstr("did you mean 'llvm.load'?"))));
}

TEST_F(CheckTest, ContractOfNoTransformOp) {
  EXPECT_THAT(check(R"(normalform.contract "scf.for" {})"),
              ElementsAre(HasSubstr("fw-contract-name: requires a transform "
                                    "op, a rule group or 'pass:NAME'")));
}

// The operands of a rule group are those of the step that runs it, its
// attributes its own.
TEST_F(CheckTest, RuleGroups) {
  EXPECT_THAT(checkClause("transform.apply_patterns.vector.lower_transpose",
                          R"(normalform.fails "no"
                         when ["attr lowering_strategy", "count 0 is 1"])"),
              IsEmpty());
  EXPECT_THAT(
      checkClause("transform.apply_patterns.vector.lower_transpose",
                  R"(normalform.fails "no" when ["count 1 is 1"])"),
      ElementsAre(HasSubstr("'transform.apply_patterns', which has 1")));
}

// All that is wrong is said, not the first of it.
TEST_F(CheckTest, EveryMistakeIsReported) {
  EXPECT_THAT(check(R"(normalform.contract "transform.loop.unroll" {
    normalform.accepts 1 ["scf.fro"] otherwise "no"
    normalform.fails "no" when ["attr facto", "count 2 is 1"]
  })"),
              SizeIs(4));
}

} // namespace
