//===- ClausesTest.cpp - What follows from each kind of clause --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform op of a user, known to the verifier by its contract alone.
//
//===----------------------------------------------------------------------===//

#include "VerifierFixture.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "gmock/gmock.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// `"transform.test_step"(operands) {attributes} : (...) -> (...)`. Consumes
/// its first operand with `consumes`, and writes the payload unless it `reads`.
class StepOp : public Op<StepOp, OpTrait::ZeroRegions, OpTrait::VariadicResults,
                         OpTrait::ZeroSuccessors, OpTrait::VariadicOperands,
                         transform::TransformOpInterface::Trait,
                         MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "transform.test_step"; }
  static ArrayRef<StringRef> getAttributeNames() {
    static const StringRef names[] = {"consumes", "mode", "reads", "sizes"};
    return names;
  }
  DiagnosedSilenceableFailure apply(transform::TransformRewriter &,
                                    transform::TransformResults &results,
                                    transform::TransformState &) {
    results.setRemainingToEmpty(*this);
    return DiagnosedSilenceableFailure::success();
  }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    MutableArrayRef<OpOperand> operands = (*this)->getOpOperands();
    if ((*this)->hasAttr("consumes")) {
      transform::consumesHandle(operands.take_front(), effects);
      operands = operands.drop_front();
    }
    transform::onlyReadsHandle(operands, effects);
    transform::producesHandle((*this)->getOpResults(), effects);
    if ((*this)->hasAttr("reads"))
      transform::onlyReadsPayload(effects);
    else
      transform::modifiesPayload(effects);
  }
};

class StepExtension
    : public transform::TransformDialectExtension<StepExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepExtension)
  void init() { registerTransformOps<StepOp>(); }
};

class ClausesTest : public VerifierTest {
protected:
  ClausesTest() {
    DialectRegistry registry;
    registry.addExtensions<StepExtension>();
    context.appendDialectRegistry(registry);
  }

  /// Gives the step a contract with `clauses`, complete.
  void give(StringRef clauses) {
    int file;
    SmallString<128> path;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("clauses", "mlir", file, path));
    {
      llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
      os << "normalform.contract \"transform.test_step\" complete {\n"
         << clauses << "\n}\n";
    }
    auto loaded = normalforms::ContractLibrary::load(&context, *forms,
                                                     {path.str().str()});
    llvm::sys::fs::remove(path);
    ASSERT_TRUE(succeeded(loaded)) << clauses.str();
    contracts = std::move(*loaded);
  }

  /// Checks a schedule with this body on the batch matmul.
  CheckResult checkBody(StringRef body, StringRef payload = getBatchMatmul()) {
    std::string text = R"(
      %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
      %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
      %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    )";
    return check(makeSchedule(text + body.str()), payload);
  }

  std::vector<int64_t> getSizes(StringRef body, unsigned numLoops);
  /// As above, behind a step on the product with `sizes`.
  std::vector<int64_t> getSizesWith(StringRef sizes);

  std::string reason(const CheckResult &result) {
    return result.verdict.reasons.empty() ? ""
                                          : result.verdict.reasons[0].reason;
  }
};

/// A step on `operand`, with `attributes`.
std::string step(StringRef operand, StringRef attributes = "") {
  return ("\"transform.test_step\"(" + operand + ") {" + attributes +
          "} : (!transform.any_op) -> ()\n")
      .str();
}

std::string stepTo(StringRef result, StringRef operand,
                   StringRef attributes = "") {
  return (result + " = \"transform.test_step\"(" + operand + ") {" +
          attributes + "} : (!transform.any_op) -> !transform.any_op\n")
      .str();
}

/// A step that only a handle to one op gets through.
std::string needsOne(StringRef handle) {
  return ("transform.structured.match ops{[\"arith.addf\"]} in " + handle +
          " : (!transform.any_op) -> !transform.any_op\n")
      .str();
}

//===----------------------------------------------------------------------===//
// Conditions and failures
//===----------------------------------------------------------------------===//

TEST_F(ClausesTest, FailsByAttribute) {
  give(R"(normalform.fails "the mode is bad" when ["attr mode is bad"])");
  CheckResult bad = checkBody(step("%func", "mode = \"bad\""));
  EXPECT_THAT(getErrors(bad), ElementsAre("fw-step-fails"));
  EXPECT_THAT(bad.findings.get()[0].message, HasSubstr("the mode is bad"));
  CheckResult good = checkBody(step("%func", "mode = \"good\""));
  EXPECT_EQ(good.verdict.kind, Verdict::Proved) << reason(good);
}

TEST_F(ClausesTest, FailsByPayload) {
  give(R"(normalform.fails "needs several" when ["count 0 at_most 1"]
          normalform.fails "no fills" when ["kind 0 is linalg.fill"])");
  EXPECT_THAT(getErrors(checkBody(step("%func"))),
              ElementsAre("fw-step-fails"));
  give(R"(normalform.fails "no fills" when ["kind 0 is linalg.fill"])");
  EXPECT_THAT(getErrors(checkBody(step("%fill"))),
              ElementsAre("fw-step-fails"));
  CheckResult other = checkBody(step("%matmul"));
  EXPECT_EQ(other.verdict.kind, Verdict::Proved) << reason(other);
}

TEST_F(ClausesTest, UnknownConditionOnlyUnproves) {
  give(R"(normalform.fails "needs several" when ["count 0 at_most 1"])");
  // Without a payload no count is known.
  CheckResult result = checkBody(step("%matmul"), /*payload=*/"");
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_EQ(result.verdict.kind, Verdict::Unknown);
  EXPECT_THAT(reason(result), HasSubstr("needs several"));
}

TEST_F(ClausesTest, MayFailNamesTheReason) {
  give(R"(normalform.may_fail "it is Monday" when ["not attr mode"])");
  CheckResult result = checkBody(step("%func"));
  EXPECT_THAT(getErrors(result), IsEmpty());
  EXPECT_EQ(result.verdict.kind, Verdict::Unknown);
  EXPECT_EQ(reason(result), "can fail: it is Monday");
  CheckResult other = checkBody(step("%func", "mode = \"x\""));
  EXPECT_EQ(other.verdict.kind, Verdict::Proved) << reason(other);
}

TEST_F(ClausesTest, NeedsAnAncestor) {
  give(R"(normalform.needs_ancestor 0 ["func.func"]
              otherwise "must be in a function")");
  CheckResult inside = checkBody(step("%matmul"));
  EXPECT_EQ(inside.verdict.kind, Verdict::Proved) << reason(inside);
  EXPECT_THAT(getErrors(checkBody(step("%func"))),
              ElementsAre("fw-no-ancestor"));
  // Nothing is refused for a payload that is not known.
  CheckResult unknown = checkBody(step("%matmul"), /*payload=*/"");
  EXPECT_THAT(getErrors(unknown), IsEmpty());
  EXPECT_EQ(unknown.verdict.kind, Verdict::Unknown);
}

TEST_F(ClausesTest, AlternativesDetachTheirScope) {
  give(R"(normalform.needs_ancestor 0 ["builtin.module"]
              otherwise "must be in a module")");
  CheckResult outside = checkBody(step("%matmul"));
  EXPECT_EQ(outside.verdict.kind, Verdict::Proved) << reason(outside);
  CheckResult inside = checkBody(R"(
    transform.alternatives %func : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      "transform.test_step"(%scope) : (!transform.any_op) -> ()
    }, {
    ^bb0(%scope: !transform.any_op):
    })");
  // The first alternative fails for sure, so that the second one counts.
  EXPECT_EQ(inside.verdict.kind, Verdict::Proved) << reason(inside);
  EXPECT_THAT(getRemarks(inside), ElementsAre("fw-no-ancestor"));
  EXPECT_THAT(getWarnings(inside), ::testing::IsEmpty());
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

TEST_F(ClausesTest, CountsOfResults) {
  give(R"(normalform.result 0 "inside" of 0 kinds ["scf.for"]
              count "count_nonzero(sizes) per_target"
          normalform.domain "sizes" ["at_least 0"]
          normalform.payload "target")");
  auto count = [&](StringRef sizes) {
    return checkBody(stepTo("%x", "%func", ("sizes = " + sizes).str()) +
                     needsOne("%x"));
  };
  CheckResult one = count("array<i64: 0, 4>");
  EXPECT_EQ(one.verdict.kind, Verdict::Proved) << reason(one);
  EXPECT_THAT(getErrors(count("array<i64: 4, 4>")),
              ElementsAre("fw-cardinality"));
  EXPECT_THAT(getErrors(count("array<i64: 0>")), ElementsAre("fw-cardinality"));
  // Not an array: nothing is known.
  CheckResult unknown = count("\"some\"");
  EXPECT_THAT(getErrors(unknown), IsEmpty());
  EXPECT_EQ(unknown.verdict.kind, Verdict::Unknown);
}

TEST_F(ClausesTest, ResultByCondition) {
  give(R"(normalform.result 0 "same" of 0 count "per_target"
              when ["attr mode is same"]
          normalform.result 0 "inside" of 0 count "2"
              when ["not attr mode is same"]
          normalform.payload "target")");
  CheckResult same =
      checkBody(stepTo("%x", "%func", "mode = \"same\"") + needsOne("%x"));
  EXPECT_EQ(same.verdict.kind, Verdict::Proved) << reason(same);
  EXPECT_THAT(getErrors(checkBody(stepTo("%x", "%func") + needsOne("%x"))),
              ElementsAre("fw-cardinality"));
}

/// A step of which the error tells the size of loop `dim` of `handle`, if that
/// is known.
std::string tellSize(StringRef handle, unsigned dim) {
  return ("transform.structured.multitile_sizes " + handle +
          " {dimension = " + Twine(dim) +
          ", target_size = 1000, divisor = 1000} : (!transform.any_op) -> "
          "!transform.param<i64>\n")
      .str();
}

/// The sizes of the first `numLoops` loops of `%x`, which a step that `body`
/// ends with returns; 0 where one is not known.
std::vector<int64_t> ClausesTest::getSizes(StringRef body, unsigned numLoops) {
  std::vector<int64_t> sizes;
  for (unsigned dim = 0; dim < numLoops; ++dim) {
    CheckResult result = checkBody(body.str() + tellSize("%x", dim));
    sizes.push_back(0);
    for (const engine::Finding &finding : result.findings.get()) {
      StringRef rest =
          StringRef(finding.message).split(" of dimension ").second;
      rest = rest.split(", ").second;
      if (finding.id == "fw-no-multitile-sizes")
        EXPECT_FALSE(rest.consumeInteger(10, sizes.back())) << finding.message;
    }
  }
  return sizes;
}

std::vector<int64_t> ClausesTest::getSizesWith(StringRef sizes) {
  return getSizes(stepTo("%x", "%matmul", ("consumes, sizes = " + sizes).str()),
                  /*numLoops=*/4);
}

TEST_F(ClausesTest, SpacesOfTiles) {
  give(R"x(normalform.result 0 "replaces" of 0 kinds ["$structured"]
              count "per_target" space "tile(sizes)"
          normalform.domain "sizes" ["at_least 0"]
          normalform.payload "anchor" introduces ["scf.for"])x");
  // 128x80x320, and a sum over 32.
  EXPECT_THAT(getSizesWith("array<i64: 1, 16, 64>"),
              ElementsAre(1, 16, 64, 32));
  EXPECT_THAT(getSizesWith("array<i64: 0, 16>"), ElementsAre(128, 16, 320, 32));
  // 24 does not divide 80: the step refuses ops with such a loop.
  EXPECT_THAT(getSizesWith("array<i64: 0, 24>"), ElementsAre(0, 0, 0, 0));
  // More sizes than loops, and what is no list of sizes.
  for (StringRef unknown : {"array<i64: 1, 1, 1, 1, 1>", "array<i64: -1>",
                            "\"some\"", "array<i64: -9223372036854775808>"})
    EXPECT_THAT(getSizesWith(unknown), ElementsAre(0, 0, 0, 0))
        << unknown.str();
}

TEST_F(ClausesTest, BodiesOfTiles) {
  auto vectorize = [&](StringRef kind, StringRef space) {
    give(("normalform.result 0 \"replaces\" of 0 kinds [\"" + kind +
          "\"] count \"per_target\" " + space +
          "\nnormalform.domain \"sizes\" [\"at_least 0\"]"
          "\nnormalform.payload \"anchor\" introduces [\"scf.for\"]")
             .str());
    return checkBody(stepTo("%x", "%matmul",
                            "consumes, sizes = array<i64: 1, 16, 64, 8>") +
                     "transform.structured.vectorize %x : !transform.any_op")
        .verdict.kind;
  };
  StringRef tile = "space \"tile(sizes)\"";
  EXPECT_EQ(vectorize("$structured", tile), Verdict::Proved);
  EXPECT_EQ(vectorize("linalg.batch_matmul", tile), Verdict::Proved);
  // Another op, or one of which the clause gives no more than the loops.
  EXPECT_EQ(vectorize("linalg.generic", tile), Verdict::Unknown);
  EXPECT_EQ(vectorize("$structured", "space \"same\""), Verdict::Unknown);
  EXPECT_EQ(vectorize("$structured", ""), Verdict::Unknown);
}

TEST_F(ClausesTest, SpacesOfParameters) {
  give(R"x(normalform.result 0 "inside" of 0 kinds ["linalg.batch_matmul"]
              count "per_target" space "tile(sizes, 1)"
          normalform.domain "sizes" ["at_least 0", "dynamic"]
          normalform.payload "anchor" introduces ["scf.for"])x");
  auto run = [&](StringRef given, StringRef type) {
    return getSizes(
        ("%size = transform.param.constant 16 -> !transform.param<i64>\n"
         "%x = \"transform.test_step\"(%matmul, " +
         given +
         ") {consumes, sizes = array<i64: 1, -9223372036854775808>} : "
         "(!transform.any_op, " +
         type + ") -> !transform.any_op\n")
            .str(),
        3);
  };
  EXPECT_THAT(run("%size", "!transform.param<i64>"), ElementsAre(1, 16, 320));
  EXPECT_THAT(run("%fill", "!transform.any_op"), ElementsAre(0, 0, 0));
}

TEST_F(ClausesTest, SpacesInAnotherOrder) {
  give(R"x(normalform.result 0 "replaces" of 0 kinds ["linalg.generic"]
              count "per_target" space "interchange(sizes)"
          normalform.domain "sizes" ["at_least 0"]
          normalform.payload "anchor" introduces ["linalg.generic"])x");
  EXPECT_THAT(getSizesWith("array<i64: 1, 0, 3, 2>"),
              ElementsAre(80, 128, 32, 320));
  // No order of four loops.
  for (StringRef unknown : {"array<i64: 1, 0, 2>", "array<i64: 0, 0, 1, 2>",
                            "array<i64: 0, 1, 2, 4>"})
    EXPECT_THAT(getSizesWith(unknown), ElementsAre(0, 0, 0, 0))
        << unknown.str();
}

TEST_F(ClausesTest, SameSpace) {
  for (StringRef relation : {"same", "replaces", "fresh", "anchored"}) {
    auto run = [&](StringRef space) {
      give(("normalform.result 0 \"" + relation +
            "\" of 0 kinds [\"linalg.batch_matmul\"] count \"per_target\" " +
            space + "\nnormalform.payload \"anchor\"")
               .str());
      return getSizes(stepTo("%x", "%matmul", "consumes"), 4);
    };
    EXPECT_THAT(run("space \"same\""), ElementsAre(128, 80, 320, 32))
        << relation.str();
    EXPECT_THAT(run(""), ElementsAre(0, 0, 0, 0)) << relation.str();
  }
}

//===----------------------------------------------------------------------===//
// Writes and live handles
//===----------------------------------------------------------------------===//

TEST_F(ClausesTest, WritesByCondition) {
  give(R"(normalform.payload "target" rewrites ["linalg.batch_matmul"]
              when ["attr mode is hard"])");
  std::string use = needsOne("%matmul");
  CheckResult soft = checkBody(step("%func", "mode = \"soft\"") + use);
  EXPECT_EQ(soft.verdict.kind, Verdict::Proved) << reason(soft);
  CheckResult hard = checkBody(step("%func", "mode = \"hard\"") + use);
  EXPECT_EQ(hard.verdict.kind, Verdict::Unknown);
}

TEST_F(ClausesTest, WritesOfAnotherOperand) {
  give(R"(normalform.payload "target" of 1 rewrites ["linalg.*"])");
  auto run = [&](StringRef second) {
    return checkBody(("\"transform.test_step\"(%func, " + second +
                      ") : (!transform.any_op, !transform.any_op) -> ()\n")
                         .str() +
                     needsOne("%matmul"));
  };
  CheckResult inside = run("%fill");
  EXPECT_EQ(inside.verdict.kind, Verdict::Proved) << reason(inside);
  EXPECT_EQ(run("%func").verdict.kind, Verdict::Unknown);
}

TEST_F(ClausesTest, RemovedKindsAreNotFound) {
  give(R"(normalform.payload "target" removes ["linalg.batch_matmul"])");
  std::string match = "%again = transform.structured.match "
                      "ops{[\"linalg.batch_matmul\"]} in %func : "
                      "(!transform.any_op) -> !transform.any_op\n";
  EXPECT_THAT(getWarnings(checkBody(match)), IsEmpty());
  EXPECT_THAT(getWarnings(checkBody(step("%func") + match)),
              ElementsAre("fw-empty-match"));
}

TEST_F(ClausesTest, FailsWhenUsedLater) {
  give(R"(normalform.payload "target" rewrites ["linalg.batch_matmul"]
              handles ["fails_if_used_later"])");
  CheckResult unused = checkBody(step("%func"));
  EXPECT_EQ(unused.verdict.kind, Verdict::Proved) << reason(unused);
  CheckResult other = checkBody(step("%func") + needsOne("%fill"));
  EXPECT_EQ(other.verdict.kind, Verdict::Proved) << reason(other);
  // On a copy of the payload, the step is tried.
  std::string use = needsOne("%matmul");
  CheckResult tried = checkBody(step("%func") + use);
  EXPECT_EQ(tried.verdict.kind, Verdict::Proved) << reason(tried);
  CheckResult used = checkBody(step("%func") + use, /*payload=*/"");
  EXPECT_EQ(used.verdict.kind, Verdict::Unknown);
  EXPECT_THAT(reason(used), HasSubstr("used later"));
}

TEST_F(ClausesTest, RetargetedHandlesMayMeet) {
  // Two elementwise ops that a step may merge; then both are consumed.
  StringRef payload = R"(
func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %x, %y : tensor<4xf32>, tensor<4xf32>
}
)";
  auto run = [&](StringRef effect) {
    give(("normalform.payload \"target\" rewrites [\"linalg.exp\"] handles [" +
          effect + "] when [\"not attr consumes\"]\n" +
          "normalform.payload \"target\" when [\"attr consumes\"]")
             .str());
    return check(makeSchedule(R"(
      %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
      %both = transform.structured.match ops{["linalg.exp"]} in %module : (!transform.any_op) -> !transform.any_op
    )" + step("%func") + step("%both", "consumes")),
                 payload);
  };
  CheckResult kept = run("");
  EXPECT_EQ(kept.verdict.kind, Verdict::Proved) << reason(kept);
  CheckResult merged = run("\"may_retarget\"");
  EXPECT_EQ(merged.verdict.kind, Verdict::Unknown);
  EXPECT_THAT(reason(merged), HasSubstr("more than once"));
}

TEST_F(ClausesTest, UnusedOpsMayShrink) {
  StringRef payload = R"(
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.log ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}
)";
  give(R"(normalform.payload "target" handles ["may_shrink"])");
  auto run = [&](StringRef name) {
    return check(
        makeSchedule(
            (R"(%func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
             %op = transform.structured.match ops{[")" +
             name + R"("]} in %module : (!transform.any_op) -> !transform.any_op
             )")
                .str() +
            step("%func") + needsOne("%op")),
        payload);
  };
  CheckResult used = run("linalg.exp");
  EXPECT_EQ(used.verdict.kind, Verdict::Proved) << reason(used);
  EXPECT_EQ(run("linalg.log").verdict.kind, Verdict::Unknown);
}

// A loop that a handle points at is no part of what is below it: a form of the
// loop itself is one of what is around it, and is suggested there.
TEST_F(ClausesTest, FormOfWhatIsAround) {
  give(R"(normalform.requires @loops.static around 0 otherwise "fails"
              when ["attr mode"]
          normalform.ensures @loops.static of 0 when ["not attr mode"])");
  constexpr llvm::StringLiteral payload = R"(
    func.func @f(%m: memref<8xf32>, %v: f32, %step: index) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %step {
        memref.store %v, %m[%i] : memref<8xf32>
      }
      return
    })";
  auto checkAfter = [&](StringRef before) {
    std::string text =
        R"(%loop = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.any_op
        )";
    return checkBody(text + before.str() + step("%loop", "mode, reads"),
                     payload);
  };
  auto getMissing = [&](const CheckResult &result) -> const engine::Finding * {
    for (const engine::Finding &finding : result.findings.get())
      if (finding.id == "fw-missing-form")
        return &finding;
    return nullptr;
  };
  EXPECT_TRUE(getMissing(checkAfter("")));
  CheckResult inside = checkAfter(step("%loop", "reads"));
  const engine::Finding *missing = getMissing(inside);
  ASSERT_TRUE(missing);
  EXPECT_THAT(missing->notes.back().message,
              HasSubstr("for the isolated parent"));
  EXPECT_FALSE(getMissing(checkAfter(step("%func", "reads"))));
}

// A step of which the contract says that it may fold takes away which op gives
// a tile its operand; under a condition, where that is not refuted.
TEST_F(ClausesTest, SideEffects) {
  auto checkProducer = [&](StringRef clauses) {
    give(clauses);
    std::string text = R"(
      %tile, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
      )" + step("%func", "reads") +
                       R"(
      %slice = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
      )" + needsOne("%slice");
    return checkBody(text).verdict.kind;
  };
  EXPECT_EQ(checkProducer(R"(normalform.side_effects ["keeps_order"])"),
            Verdict::Proved);
  EXPECT_EQ(checkProducer(R"(normalform.side_effects ["may_fold"])"),
            Verdict::Unknown);
  EXPECT_EQ(checkProducer(R"(normalform.side_effects ["may_fold"]
                                 when ["count 0 at_least 2"])"),
            Verdict::Proved);
  EXPECT_EQ(checkProducer(R"(normalform.side_effects ["may_fold"]
                                 when ["fact 0 is symbol-table"])"),
            Verdict::Proved);
  EXPECT_EQ(checkProducer(R"(normalform.side_effects ["may_fold"]
                                 when ["not fact 0 is symbol-table"])"),
            Verdict::Unknown);
}

} // namespace
