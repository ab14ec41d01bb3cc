//===- ValidateTest.cpp - Facts that are false are found --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test replaces one built-in contract by one that claims something wrong,
// and asks for the false fact that it leads to (fw-false-fact).
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/Validate.h"
#include "test/unit/verifier/VerifierFixture.h"
#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using testing::HasSubstr;

namespace {
class ValidateTest : public verifier::VerifierTest {
protected:
  ValidateTest() {
    DialectRegistry registry;
    registerFormworkExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  /// Replaces built-in contracts by those in `text`.
  void claim(StringRef text) {
    int fd;
    SmallString<128> path;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("contracts", "mlir", fd, path));
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
    auto loaded = normalforms::ContractLibrary::load(
        &context, *forms, {path.str().str()}, /*mayReplace=*/true);
    llvm::sys::fs::remove(path);
    ASSERT_TRUE(succeeded(loaded));
    contracts = std::move(*loaded);
  }

  Validation validate(StringRef schedule, StringRef payload) {
    auto model = verifier::ScheduleModel::create(parse(schedule));
    EXPECT_TRUE(succeeded(model));
    return validateSchedule(*model, parse(payload), {*forms, *contracts});
  }

  /// The false fact with its notes, or "none".
  std::string findFalse(StringRef body, StringRef payload) {
    Validation validation = validate(makeSchedule(body), payload);
    std::string text;
    for (const engine::Finding &finding : validation.falseFacts.get()) {
      text += finding.id + ": " + finding.message + "\n";
      for (const engine::Note &note : finding.notes)
        text += note.message + "\n";
    }
    return text.empty() ? "none" : text;
  }
};

constexpr StringRef matchMatmul =
    "%matmul = transform.structured.match ops{[\"linalg.matmul\"]} in %module "
    ": (!transform.any_op) -> !transform.any_op\n";
constexpr StringRef tile =
    "%tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] "
    ": (!transform.any_op) -> (!transform.any_op, !transform.any_op)\n"
    "transform.debug.emit_remark_at %tile, \"used\" : !transform.any_op\n";

/// A dead op, and a loop in which constants fold.
constexpr StringRef reducible = R"(
func.func @f(%x: memref<4xindex>) {
  %c = arith.constant 1 : index
  %four = arith.constant 4 : index
  %dead = arith.addi %c, %four : index
  scf.for %i = %c to %four step %c {
    %d = arith.muli %c, %four : index
    memref.store %d, %x[%i] : memref<4xindex>
  }
  return
})";

TEST_F(ValidateTest, ShippedSchedulesHaveNoFalseFact) {
  Validation batch =
      validate(verifier::getBatchMatmulSchedule(), verifier::getBatchMatmul());
  EXPECT_TRUE(batch.falseFacts.empty());
  EXPECT_TRUE(batch.ran) << batch.failure;
  EXPECT_EQ(batch.numSteps, 13u);
  EXPECT_GT(batch.numFacts, 100u);
  EXPECT_EQ(
      findFalse(verifier::getStagedMatmulBody(), verifier::getStagedMatmul()),
      "none");
}

TEST_F(ValidateTest, BodiesMoveWithTheirOps) {
  // The scalar code of the tile is inside of the loop, and nowhere else.
  EXPECT_EQ(findFalse((matchMatmul + tile + R"(
%inside = transform.structured.match ops{["arith.mulf"]} in %loop : (!transform.any_op) -> !transform.any_op
%anywhere = transform.structured.match ops{["arith.mulf"]} in %module : (!transform.any_op) -> !transform.any_op
transform.debug.emit_remark_at %inside, "used" : !transform.any_op
)")
                          .str(),
                      verifier::getStagedMatmul()),
            "none");
}

TEST_F(ValidateTest, KindsOfResults) {
  claim(R"(normalform.contract "transform.structured.tile_using_for" complete {
    normalform.result 0 "replaces" of 0 kinds ["linalg.generic"] count "per_target"
    normalform.result 1 "fresh" of 0 kinds ["scf.for"] count "per_target"
    normalform.payload "target" introduces ["scf.for"]
  })");
  std::string found =
      findFalse((matchMatmul + tile).str(), verifier::getStagedMatmul());
  EXPECT_THAT(found, HasSubstr("to hold payload of kind 'linalg.generic' after "
                               "this step, as inferred, but has "
                               "'linalg.matmul'"));
  EXPECT_THAT(found, HasSubstr("the contract of "
                               "'transform.structured.tile_using_for'"));
}

TEST_F(ValidateTest, KindsThatNoStepLooksFor) {
  claim(R"(normalform.contract "transform.structured.vectorize" complete {
    normalform.payload "anchor" introduces ["arith.*", "vector.transfer_read", "vector.transfer_write", "ub.poison"]
  })");
  // Nothing matches what is computed on vectors.
  EXPECT_THAT(findFalse((matchMatmul + R"(
transform.structured.vectorize %matmul : !transform.any_op
)")
                            .str(),
                        R"(
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %m : tensor<4x4xf32>
})"),
              HasSubstr("0 ops of kind 'vector."));
}

TEST_F(ValidateTest, Attributes) {
  claim(R"(normalform.contract "transform.annotate" complete {
    normalform.payload "target"
  })");
  EXPECT_THAT(findFalse((matchMatmul + R"(
transform.annotate %matmul "marked" : !transform.any_op
)")
                            .str(),
                        verifier::getStagedMatmul()),
              HasSubstr("ops with the attribute 'marked'"));
}

TEST_F(ValidateTest, Counts) {
  claim(R"(normalform.contract "transform.get_consumers_of_result" complete {
    normalform.result 0 "any" of 0 count "per_target"
  })");
  // Two users, of which the contract knows one.
  EXPECT_THAT(
      findFalse(R"(
%zero = transform.structured.match ops{["tensor.empty"]} in %module : (!transform.any_op) -> !transform.any_op
%users = transform.get_consumers_of_result %zero[0] : (!transform.any_op) -> !transform.any_op
)",
                R"(
func.func @f(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
})"),
      HasSubstr("to hold 1 payload entries after this step, as inferred, but "
                "has 2"));
}

TEST_F(ValidateTest, Places) {
  claim(R"(normalform.contract "transform.get_consumers_of_result" complete {
    normalform.result 0 "inside" of 0 kinds ["func.return"] count "per_target"
  })");
  EXPECT_THAT(findFalse((matchMatmul + R"(
%user = transform.get_consumers_of_result %matmul[0] : (!transform.any_op) -> !transform.any_op
transform.debug.emit_remark_at %matmul, "used" : !transform.any_op
)")
                            .str(),
                        verifier::getStagedMatmul()),
              HasSubstr("at or inside that of"));
}

TEST_F(ValidateTest, WhatIsUntouched) {
  claim(R"(normalform.contract "transform.apply_dce" complete {
    normalform.payload "target"
  })");
  EXPECT_THAT(findFalse(R"(
%f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
transform.apply_dce to %f : !transform.any_op
)",
                        reducible),
              HasSubstr("'arith.addi' of the payload to be there, untouched"));
}

constexpr StringRef convolution = R"(
func.func @f(%i: tensor<1x6x6x2xf32>, %k: tensor<2x3x3x2xf32>, %o: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%i, %k : tensor<1x6x6x2xf32>, tensor<2x3x3x2xf32>) outs(%o : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
})";
constexpr StringRef winograd = R"(
%c = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %module : (!transform.any_op) -> !transform.any_op
%w = transform.structured.winograd_conv2d %c {fmr = 1 : i32} : (!transform.any_op) -> !transform.any_op
)";

TEST_F(ValidateTest, WritesStayInTheirExtent) {
  auto claimWrite = [&](StringRef write) {
    claim(
        (R"(normalform.contract "transform.structured.winograd_conv2d" complete {
      normalform.result 0 "any" count "per_target"
      normalform.payload )" +
         write + "\n}")
            .str());
  };
  EXPECT_EQ(findFalse(winograd, convolution), "none");
  claimWrite(R"("target" introduces ["linalg.*", "tensor.*", "arith.*"])");
  EXPECT_THAT(findFalse(winograd, convolution),
              HasSubstr("requires no new 'tensor.empty' outside of the extent "
                        "of the write"));
}

TEST_F(ValidateTest, RelationsOfResults) {
  auto findFor = [&](StringRef relation) {
    claim(
        (R"(normalform.contract "transform.structured.winograd_conv2d" complete {
      normalform.result 0 )" +
         relation + R"( of 0 count "per_target"
      normalform.payload "anchor" introduces ["*"] rewrites ["*"]
    })")
            .str());
    return findFalse(winograd, convolution);
  };
  EXPECT_EQ(findFor(R"("replaces")"), "none");
  EXPECT_EQ(findFor(R"("fresh")"), "none");
  EXPECT_EQ(findFor(R"("anchored")"), "none");
  EXPECT_THAT(findFor(R"("inside")"), HasSubstr("to be inside operand 0"));
  claim(R"(normalform.contract "transform.get_parent_op" complete {
    normalform.result 0 "fresh" of 0 count "per_target"
  })");
  EXPECT_THAT(findFalse((matchMatmul + R"(
%parent = transform.get_parent_op %matmul : (!transform.any_op) -> !transform.any_op
)")
                            .str(),
                        verifier::getStagedMatmul()),
              HasSubstr("which was there before the step"));
  claim(R"(normalform.contract "transform.get_producer_of_operand" complete {
    normalform.result 0 "around" of 0 count "per_target"
  })");
  EXPECT_THAT(findFalse(R"(
%w = transform.structured.match ops{["func.return"]} in %module : (!transform.any_op) -> !transform.any_op
%p = transform.get_producer_of_operand %w[0] : (!transform.any_op) -> !transform.any_op
)",
                        R"(
func.func @f(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
})"),
              HasSubstr("'arith.addf', which holds none"));
}

TEST_F(ValidateTest, SideEffects) {
  claim(R"(normalform.contract "transform.apply_cse" complete {
    normalform.side_effects ["only_reads"]
  })");
  constexpr StringRef cse = R"(
transform.apply_cse to %module : !transform.any_op
)";
  constexpr StringRef twice = R"(
func.func @f(%x: f32) -> (f32, f32) {
  %y = arith.addf %x, %x : f32
  %z = arith.addf %x, %x : f32
  return %y, %z : f32, f32
})";
  EXPECT_THAT(findFalse(cse, twice),
              HasSubstr("requires the payload to stay as it is"));
  claim(R"(normalform.contract "transform.apply_cse" complete {
    normalform.side_effects ["writes_only_discardable_attributes"]
    normalform.payload "target" rewrites ["*"] handles ["may_shrink", "may_retarget"]
  })");
  EXPECT_THAT(findFalse(cse, twice),
              HasSubstr("requires only discardable attributes to change"));
}

TEST_F(ValidateTest, Forms) {
  claim(R"(normalform.contract "transform.apply_licm" complete {
    normalform.ensures @canonical of 0
    normalform.payload "target" introduces ["*"] rewrites ["*"]
  })");
  EXPECT_THAT(findFalse(R"(
%f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
%loop = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
transform.apply_licm to %loop : !transform.any_op
)",
                        reducible),
              HasSubstr("'func.func' to be in @driver"));
}

TEST_F(ValidateTest, Verdicts) {
  claim(R"(normalform.contract "transform.loop.unroll" complete {
  })");
  EXPECT_THAT(
      findFalse((matchMatmul + "transform.loop.unroll %matmul {factor = 2} : "
                               "!transform.any_op\n")
                    .str(),
                verifier::getStagedMatmul()),
      HasSubstr("requires the schedule to run, as proved, but it "
                "fails"));
  // Said to take loops only, which it does not.
  claim(R"(normalform.contract "transform.annotate" complete {
    normalform.accepts 0 ["scf.for"] otherwise "a loop"
  })");
  EXPECT_THAT(findFalse((matchMatmul + "transform.annotate %matmul \"x\" : "
                                       "!transform.any_op\n")
                            .str(),
                        verifier::getStagedMatmul()),
              HasSubstr("requires the schedule to fail, as refuted, but it "
                        "runs"));
}

TEST_F(ValidateTest, IterationsAndIncludes) {
  // Facts inside of bodies are compared, too: one step outside, then one per
  // iteration and inclusion, and the include itself.
  Validation validation = validate(R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @look(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %same = transform.cast %op : !transform.any_op to !transform.any_op
    transform.yield %same : !transform.any_op
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %fills = transform.structured.match interface{LinalgOp} in %module : (!transform.any_op) -> !transform.any_op
    transform.foreach %fills : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %x = transform.include @look failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
      %y = transform.include @look failures(suppress) (%x) : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
})",
                                   verifier::getStagedMatmul());
  EXPECT_TRUE(validation.ran) << validation.failure;
  EXPECT_TRUE(validation.falseFacts.empty());
  // The match, the foreach, and twice four steps.
  EXPECT_EQ(validation.numSteps, 10u);
}
} // namespace
