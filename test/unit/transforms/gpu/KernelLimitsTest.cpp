//===- KernelLimitsTest.cpp - Kernels against a target's limits -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/KernelLimits.h"

#include "verifier/target/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The findings of the check of a launch with these sizes.
static std::vector<std::string> checkLaunch(int64_t gridY, int64_t blockX,
                                            int64_t blockY) {
  MLIRContext context;
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect>();
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    messages.push_back(diag.str());
    return success();
  });
  std::string text = llvm::formatv(R"(
    module attributes {{gpu.container_module} {{
      func.func @f() {{
        %c1 = arith.constant 1 : index
        %gy = arith.constant {0} : index
        %bx = arith.constant {1} : index
        %by = arith.constant {2} : index
        gpu.launch_func @m::@k blocks in (%c1, %gy, %c1)
            threads in (%bx, %by, %c1)
        return
      }
      gpu.module @m {{
        gpu.func @k() kernel {{ gpu.return }
      }
    })",
                                   gridY, blockX, blockY);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(&context));
  EXPECT_TRUE(module) << text;
  bool failed = llvm::failed(
      transforms::checkKernelLimits(*module, *verifier::lookupTarget("sm_90")));
  EXPECT_EQ(failed, !messages.empty());
  return messages;
}

TEST(KernelLimits, WhatFitsPasses) {
  EXPECT_THAT(checkLaunch(65535, 32, 32), IsEmpty());
}

TEST(KernelLimits, TooManyThreadsInAll) {
  EXPECT_THAT(checkLaunch(1, 64, 32),
              ElementsAre(HasSubstr("at most 1024 threads a block but the "
                                    "launch has 2048 [fw-too-many-threads]")));
}

TEST(KernelLimits, TooManyBlocksAlongAnAxis) {
  EXPECT_THAT(checkLaunch(65536, 32, 1),
              ElementsAre(HasSubstr("at most 65535 blocks a grid along y but "
                                    "the launch has 65536")));
}
