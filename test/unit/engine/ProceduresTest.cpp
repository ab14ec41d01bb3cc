//===- ProceduresTest.cpp - Procedures one by one ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPayload.h"

#include "engine/Procedures.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::test;

namespace {

class ProceduresTest : public EngineTest {
protected:
  ProceduresTest() {
    // Registering again what another test registered is harmless.
    registerCSEPass();
    registerSymbolDCEPass();
    registerControlFlowSinkPass();
  }

  FailureOr<bool> run(StringRef name, Operation *anchor,
                      RewriterBase::Listener *listener = nullptr) {
    std::string why;
    std::optional<Procedure> procedure = lookupProcedure(name, why);
    EXPECT_TRUE(procedure) << why;
    IRRewriter rewriter(&context, listener);
    return procedure->run(rewriter, anchor);
  }
};

/// Counts what it hears of.
struct Counter : RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { ++erased; }
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint from) override {
    moved += from.isSet();
  }
  unsigned erased = 0, moved = 0;
};

TEST_F(ProceduresTest, EveryBuiltinIsFoundAndQuietOnEmptyPayload) {
  auto module = parse("func.func @f() { return }");
  for (const Procedure &procedure : getBuiltinProcedures()) {
    FailureOr<bool> changed = run(procedure.name, findOp(*module, "func.func"));
    ASSERT_TRUE(succeeded(changed)) << procedure.name;
    EXPECT_FALSE(*changed) << procedure.name;
  }
}

TEST_F(ProceduresTest, DCEErasesChainsAndKeepsEffects) {
  auto module = parse(R"(func.func @f(%a: i32, %m: memref<i32>) {
      %0 = arith.addi %a, %a : i32
      %1 = arith.muli %0, %0 : i32
      %2 = arith.addi %a, %a : i32
      memref.store %2, %m[] : memref<i32>
      return })");
  Counter counter;
  EXPECT_TRUE(*run("dce", findOp(*module, "func.func"), &counter));
  EXPECT_EQ(counter.erased, 2u);
  EXPECT_FALSE(*run("dce", findOp(*module, "func.func")));
}

TEST_F(ProceduresTest, LICMIsHereditaryAndHeard) {
  auto module = parse(R"(func.func @f(%n: index, %m: memref<?xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %n step %c1 {
          %0 = arith.muli %n, %n : index
          memref.store %0, %m[%j] : memref<?xindex>
        }
      }
      return })");
  Counter counter;
  EXPECT_TRUE(*run("licm", findOp(*module, "func.func"), &counter));
  EXPECT_EQ(counter.moved, 2u) << "out of each of the two loops";
  EXPECT_TRUE(isa<func::FuncOp>(findOp(*module, "arith.muli")->getParentOp()));
  EXPECT_FALSE(*run("licm", findOp(*module, "func.func")));
}

TEST_F(ProceduresTest, LICMDoesNotLookAboveItsAnchor) {
  auto module = parse(R"(func.func @f(%n: index, %m: memref<?xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %0 = arith.muli %n, %n : index
        memref.store %0, %m[%i] : memref<?xindex>
      }
      return })");
  EXPECT_FALSE(*run("licm", findOp(*module, "scf.for")));
}

TEST_F(ProceduresTest, PassRunsOnACloneAndIsHeard) {
  auto module = parse(R"(func.func @f(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      %1 = arith.addi %a, %a : i32
      %2 = arith.muli %0, %1 : i32
      return %2 : i32 })");
  Counter counter;
  EXPECT_TRUE(*run("pass:cse", findOp(*module, "func.func"), &counter));
  EXPECT_EQ(counter.erased, 4u)
      << "all ops were replaced by those of the clone";
  EXPECT_TRUE(verify(*module).succeeded());
  Operation *product = findOp(*module, "arith.muli");
  EXPECT_EQ(product->getOperand(0), product->getOperand(1));
  EXPECT_FALSE(*run("pass:cse", findOp(*module, "func.func"), &counter));
  EXPECT_EQ(counter.erased, 4u);
}

TEST_F(ProceduresTest, UnfitNamesSayWhy) {
  std::string why;
  EXPECT_FALSE(lookupProcedure("licmm", why));
  EXPECT_NE(why.find("no procedure is called 'licmm'"), std::string::npos);
  EXPECT_FALSE(lookupProcedure("pass:no-such-pass", why));
  EXPECT_NE(why.find("no pass is registered"), std::string::npos);
  EXPECT_FALSE(lookupProcedure("pass:symbol-dce", why));
  EXPECT_NE(why.find("may change more than what is inside its anchor"),
            std::string::npos);
}

} // namespace
