//===- LivenessTest.cpp - What something depends on -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/Liveness.h"
#include "VerifierFixture.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
class LivenessTest : public VerifierTest {
protected:
  /// Two loops, of which the second reads what the first stores, and stores to
  /// `target`; how many loops and stores are live.
  unsigned count(StringRef target, UseKind need) {
    ModuleOp module =
        parse(("func.func @f(%x: f32, %n: index, %arg: memref<4xf32>) {\n"
               "  %c0 = arith.constant 0 : index\n"
               "  %c1 = arith.constant 1 : index\n"
               "  %own = memref.alloc() : memref<4xf32>\n"
               "  %other = memref.alloc() : memref<4xf32>\n"
               "  scf.for %i = %c0 to %n step %c1 {\n"
               "    memref.store %x, %own[%i] : memref<4xf32>\n"
               "  }\n"
               "  scf.for %i = %c0 to %n step %c1 {\n"
               "    %v = memref.load %own[%i] : memref<4xf32>\n"
               "    memref.store %v, " +
               target +
               "[%i] : memref<4xf32>\n"
               "  }\n"
               "  memref.dealloc %own : memref<4xf32>\n"
               "  return\n"
               "}")
                  .str());
    auto live = findLive(module, need);
    return llvm::count_if(live, [](Operation *op) {
      return isa<scf::ForOp, memref::StoreOp>(op);
    });
  }
};
} // namespace

TEST_F(LivenessTest, AStoreIsNeededAsFarAsItsBufferIsRead) {
  EXPECT_EQ(count("%arg", UseKind::Lasting), 4u);
  EXPECT_EQ(count("%other", UseKind::Lasting), 0u);
  EXPECT_EQ(count("%other", UseKind::Now), 4u);
}
