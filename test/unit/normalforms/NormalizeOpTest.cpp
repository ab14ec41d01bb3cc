//===- NormalizeOpTest.cpp - normalize with forms of a user -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormsTest.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;
using testing::Contains;
using testing::HasSubstr;

namespace {

/// Installs user forms, then runs `transform.normalform.normalize` to @mine on
/// everything that is called `anchor` in the payload.
class NormalizeOpTest : public FormsTest {
protected:
  LogicalResult run(StringRef forms, StringRef payload,
                    StringRef anchor = "func.func") {
    int fd;
    SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("forms", "mlir", fd, path));
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << forms;
    EXPECT_TRUE(succeeded(FormLibrary::install(&context, {path.str().str()})));
    llvm::sys::fs::remove(path);
    module = parse(payload);
    auto schedule = parse(
        (R"(module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %f = transform.structured.match ops{[")" +
         anchor + R"("]} in %root : (!transform.any_op) -> !transform.any_op
        transform.normalform.normalize %f to @mine : !transform.any_op
        transform.yield
      } })")
            .str());
    ScopedDiagnosticHandler handler(&context, [this](Diagnostic &diag) {
      messages.push_back(diag.str());
      for (Diagnostic &note : diag.getNotes())
        messages.push_back("  " + note.str());
      return success();
    });
    auto entry =
        schedule->lookupSymbol<transform::NamedSequenceOp>("__transform_main");
    return transform::applyTransformNamedSequence(
        *module, entry, *schedule, transform::TransformOptions());
  }

  OwningOpRef<ModuleOp> module;
  std::vector<std::string> messages;
};

TEST_F(NormalizeOpTest, RulesThatLoopAreNamed) {
  EXPECT_TRUE(failed(run(R"(
    normalform.form @mine summary "loops" {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.memref.extract_address_computations
    })",
                         R"(
    func.func @f(%m: memref<64x64xf32>, %i: index) -> f32 {
      %0 = memref.load %m[%i, %i] : memref<64x64xf32>
      return %0 : f32
    })")));
  EXPECT_THAT(messages,
              Contains(HasSubstr("normalization to @mine does not end "
                                 "[fw-normalize-diverges]")));
  EXPECT_THAT(messages, Contains(HasSubstr("the rules undo each other: ")));
}

TEST_F(NormalizeOpTest, PredicateThatNeverHoldsIsAnError) {
  EXPECT_TRUE(failed(run(R"(
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @any(%op: !transform.any_op {transform.readonly})
          -> !transform.any_op {
        transform.yield %op : !transform.any_op
      }
      normalform.form @mine summary "never" where @any {}
    })",
                         "func.func @f() { return }")));
  EXPECT_THAT(messages, Contains(HasSubstr("[fw-form-not-reached]")));
  EXPECT_THAT(messages, Contains(HasSubstr("(any.c1)")));
}

TEST_F(NormalizeOpTest, PassForAnotherAnchorIsAnError) {
  EXPECT_TRUE(failed(run(R"(
    normalform.form @mine summary "for functions only" {
      normalform.procedure "pass:affine-loop-normalize"
    })",
                         R"(
    gpu.module @m {
      gpu.func @k() { gpu.return }
    })",
                         "gpu.func")));
  EXPECT_THAT(messages, Contains(HasSubstr("[fw-procedure-failed]")));
  EXPECT_THAT(messages, Contains(HasSubstr("'pass:affine-loop-normalize'")));
}

TEST_F(NormalizeOpTest, PassIsAProcedure) {
  EXPECT_TRUE(succeeded(run(R"(
    normalform.form @mine summary "sccp" refines [@canonical] {
      normalform.procedure "pass:sccp"
    })",
                            R"(
    func.func @f(%c: i1) -> i32 {
      %0 = scf.if %c -> i32 {
        %1 = arith.constant 1 : i32
        scf.yield %1 : i32
      } else {
        %2 = arith.constant 1 : i32
        scf.yield %2 : i32
      }
      %3 = arith.addi %0, %0 : i32
      return %3 : i32
    })")));
  EXPECT_THAT(print(*module), HasSubstr("arith.constant 2 : i32"));
}

} // namespace
