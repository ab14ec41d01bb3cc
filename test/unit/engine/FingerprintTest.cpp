//===- FingerprintTest.cpp - What a fingerprint sees ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPayload.h"

#include "engine/ContextClone.h"
#include "engine/Fingerprint.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::test;

namespace {

class FingerprintTest : public EngineTest {
protected:
  Fingerprint ofFunction(StringRef text) {
    auto module = parse(text);
    return fingerprinter.ofAnchor(findOp(*module, "func.func"));
  }
  Fingerprinter fingerprinter;
};

constexpr StringLiteral kBase = R"(
  func.func @f(%a: i32, %b: i32) -> i32 {
    %0 = arith.addi %a, %b : i32
    %1 = arith.muli %0, %b : i32
    return %1 : i32
  })";

TEST_F(FingerprintTest, EqualTextHasEqualFingerprint) {
  EXPECT_EQ(ofFunction(kBase), ofFunction(kBase));
}

TEST_F(FingerprintTest, NamesAndLocationsTakeNoPart) {
  EXPECT_EQ(ofFunction(kBase), ofFunction(R"(
  func.func @f(%x: i32, %y: i32) -> i32 {

    %sum = arith.addi %x, %y : i32 loc("elsewhere")
    %product = arith.muli %sum, %y : i32
    return %product : i32
  })"));
}

TEST_F(FingerprintTest, EachPartOfAnOpCounts) {
  Fingerprint base = ofFunction(kBase);
  const char *changed[] = {
      // operand
      R"(func.func @f(%a: i32, %b: i32) -> i32 {
        %0 = arith.addi %a, %a : i32
        %1 = arith.muli %0, %b : i32
        return %1 : i32 })",
      // op name
      R"(func.func @f(%a: i32, %b: i32) -> i32 {
        %0 = arith.subi %a, %b : i32
        %1 = arith.muli %0, %b : i32
        return %1 : i32 })",
      // properties
      R"(func.func @f(%a: i32, %b: i32) -> i32 {
        %0 = arith.addi %a, %b overflow<nsw> : i32
        %1 = arith.muli %0, %b : i32
        return %1 : i32 })",
      // discardable attribute
      R"(func.func @f(%a: i32, %b: i32) -> i32 {
        %0 = arith.addi %a, %b {note} : i32
        %1 = arith.muli %0, %b : i32
        return %1 : i32 })",
      // types
      R"(func.func @f(%a: i64, %b: i64) -> i64 {
        %0 = arith.addi %a, %b : i64
        %1 = arith.muli %0, %b : i64
        return %1 : i64 })",
      // order
      R"(func.func @f(%a: i32, %b: i32) -> i32 {
        %1 = arith.muli %a, %b : i32
        %0 = arith.addi %1, %b : i32
        return %1 : i32 })",
      // attribute of the anchor
      R"(func.func @f(%a: i32, %b: i32) -> i32 attributes {note} {
        %0 = arith.addi %a, %b : i32
        %1 = arith.muli %0, %b : i32
        return %1 : i32 })",
      // attribute of an ancestor
      R"(module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
        func.func @f(%a: i32, %b: i32) -> i32 {
          %0 = arith.addi %a, %b : i32
          %1 = arith.muli %0, %b : i32
          return %1 : i32 } })"};
  for (const char *text : changed)
    EXPECT_NE(ofFunction(text), base) << text;
}

TEST_F(FingerprintTest, OperandThatAFailedStepDroppedCounts) {
  auto module = parse(kBase);
  Operation *function = findOp(*module, "func.func");
  Fingerprint whole = fingerprinter.ofAnchor(function);
  Operation *product = findOp(*module, "arith.muli");
  Value sum = product->getOperand(0);
  product->getOpOperand(0).drop();
  EXPECT_NE(fingerprinter.ofAnchor(function), whole);
  product->setOperand(0, sum);
  EXPECT_EQ(fingerprinter.ofAnchor(function), whole);
}

TEST_F(FingerprintTest, ForwardReferencesAreTold) {
  const char *first = R"("builtin.module"() ({
      %a = "arith.addi"(%c, %c) : (i32, i32) -> i32
      %b = "arith.constant"() {value = 1 : i32} : () -> i32
      %c = "arith.constant"() {value = 1 : i32} : () -> i32
    }) : () -> ())";
  const char *second = R"("builtin.module"() ({
      %a = "arith.addi"(%b, %b) : (i32, i32) -> i32
      %b = "arith.constant"() {value = 1 : i32} : () -> i32
      %c = "arith.constant"() {value = 1 : i32} : () -> i32
    }) : () -> ())";
  auto a = parse(first), b = parse(second);
  EXPECT_NE(fingerprinter.ofBody(*a), fingerprinter.ofBody(*b));
}

TEST_F(FingerprintTest, SymbolsThatAreReferredToCount) {
  const char *text = R"(
    memref.global "private" constant @g : memref<2xi32> = dense<[1, %d]>
    memref.global "private" @other : memref<%dxi32>
    func.func @f() -> memref<2xi32> {
      %0 = memref.get_global @g : memref<2xi32>
      return %0 : memref<2xi32>
    })";
  auto make = [&](const char *value, const char *otherSize) {
    std::string s = text;
    s.replace(s.find("%d"), 2, value);
    s.replace(s.find("%d"), 2, otherSize);
    return ofFunction(s);
  };
  EXPECT_NE(make("1", "2"), make("3", "2"));
  EXPECT_EQ(make("1", "2"), make("1", "4")) << "an unrelated symbol";
}

TEST_F(FingerprintTest, NonIsolatedAnchorSeesWhatIsAround) {
  const char *text = R"(func.func @f(%n: index, %m: memref<?xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant %d : index
      scf.for %i = %c0 to %n step %c1 {
        memref.store %c1, %m[%i] : memref<?xindex>
      }
      return })";
  auto make = [&](const char *value) {
    std::string s = text;
    s.replace(s.find("%d"), 2, value);
    auto module = parse(s);
    return fingerprinter.ofAnchor(findOp(*module, "scf.for"));
  };
  EXPECT_EQ(make("1"), make("1"));
  EXPECT_NE(make("1"), make("2"));
}

TEST_F(FingerprintTest, CloneInContextIsEqual) {
  auto module = parse(R"(
    module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
      memref.global "private" constant @g : memref<2xi32> = dense<[1, 2]>
      func.func private @callee()
      func.func @f(%n: index) -> memref<2xi32> {
        call @callee() : () -> ()
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        scf.for %i = %c0 to %n step %c1 {
          func.call @callee() : () -> ()
        }
        %0 = memref.get_global @g : memref<2xi32>
        return %0 : memref<2xi32>
      } })");
  for (const char *name : {"func.func", "scf.for"}) {
    Operation *anchor = nullptr;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == name && op->getNumRegions() &&
          !op->getRegion(0).empty())
        anchor = op;
    });
    ASSERT_TRUE(anchor);
    ContextClone clone(anchor);
    ASSERT_NE(clone.getAnchor(), anchor);
    EXPECT_EQ(fingerprinter.ofAnchor(clone.getAnchor()),
              fingerprinter.ofAnchor(anchor))
        << name;
  }
}

} // namespace
