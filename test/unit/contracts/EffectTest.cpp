//===- EffectTest.cpp - What is true after a step ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each term of effect clauses on payload that has changed, and on payload that
// has not; and that each operation that states a decision has a clause.
//
//===----------------------------------------------------------------------===//

#include "LanguageFixture.h"

#include "normalforms/Effect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

namespace {

constexpr llvm::StringLiteral kPayload = R"(
func.func @f(%a: memref<4xf32>, %n: index) {
  scf.for %i = %n to %n step %n {
    %b = memref.alloc() {t} : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }
  return
})";

class EffectTest : public test::LanguageTest {
protected:
  EffectTest() : payload(parse(kPayload)) {
    payload->walk([&](Operation *op) {
      if (op->hasAttr("t"))
        target = op;
      if (isa<scf::ForOp>(op))
        loop = op;
    });
  }

  /// The truth of `terms` after `change`, whose results are `results`.
  std::optional<bool> holds(ArrayRef<const char *> terms,
                            llvm::function_ref<void()> change,
                            ArrayRef<SmallVector<Operation *>> results = {}) {
    EffectClause clause;
    for (const char *text : terms) {
      llvm::Expected<EffectTerm> term = EffectTerm::parse(text);
      EXPECT_TRUE(bool(term)) << text;
      clause.terms.push_back(*term);
    }
    EffectSnapshot before(clause, target);
    Operation *scope = getEffectScope(target);
    change();
    PayloadEffectFacts facts(before, target, scope, results, 1);
    return normalforms::holds(clause, /*step=*/loop, facts);
  }
  void erase() {
    target->getNextNode()->erase();
    target->erase();
    target = nullptr;
  }

  OwningOpRef<ModuleOp> payload;
  Operation *target = nullptr, *loop = nullptr;
};

TEST_F(EffectTest, NothingChanged) {
  auto nothing = [] {};
  for (const char *term :
       {"gone", "changed", "types", "attribute mark", "more scf.for",
        "fewer scf.for", "shallower memref.alloc", "none memref.alloc",
        "inside scf.for"}) {
    EXPECT_EQ(holds({term}, nothing), false) << term;
    EXPECT_EQ(holds({(Twine("not ") + term).str().c_str()}, nothing), true)
        << term;
  }
  EXPECT_EQ(holds({"result 0"}, nothing), std::nullopt);
}

TEST_F(EffectTest, Gone) {
  EXPECT_EQ(holds({"gone", "changed", "none memref.alloc"}, [&] { erase(); }),
            true);
}

TEST_F(EffectTest, WhatIsNotKnownOfWhatIsGone) {
  EXPECT_EQ(holds({"types"}, [&] { erase(); }), std::nullopt);
  // One term that does not hold decides.
  target = nullptr;
  payload = parse(kPayload);
  payload->walk([&](Operation *op) {
    if (op->hasAttr("t"))
      target = op;
  });
  EXPECT_EQ(holds({"types", "not gone"}, [&] { erase(); }), false);
}

TEST_F(EffectTest, Attributes) {
  auto mark = [&] { target->setAttr("mark", UnitAttr::get(&context)); };
  EXPECT_EQ(holds({"attribute mark", "changed", "not gone"}, mark), true);
  // One that was there before tells nothing.
  EXPECT_EQ(holds({"attribute mark"}, [] {}), false);
  loop->setAttr("name", StringAttr::get(&context, "fresh"));
  auto refresh = [&] { target->setAttr("fresh", UnitAttr::get(&context)); };
  EXPECT_EQ(holds({"attribute of name"}, refresh), true);
  EXPECT_EQ(holds({"attribute of nonesuch"}, [] {}), std::nullopt);
}

TEST_F(EffectTest, Types) {
  auto grow = [&] {
    target->getResult(0).setType(
        MemRefType::get({2, 4}, Float32Type::get(&context)));
  };
  EXPECT_EQ(holds({"types", "not gone"}, grow), true);
}

TEST_F(EffectTest, Hoisting) {
  EXPECT_EQ(holds({"shallower memref.alloc", "not more memref.alloc"},
                  [&] { target->moveBefore(loop); }),
            true);
}

TEST_F(EffectTest, MoreAndFewer) {
  auto copy = [&] {
    OpBuilder builder(loop);
    builder.clone(*loop);
  };
  EXPECT_EQ(
      holds({"more scf.for", "more $loop", "more !memref", "not fewer scf.for"},
            copy),
      true);
  EXPECT_EQ(holds({"fewer $loop"}, [&] { loop->getNextNode(); }), false);
}

TEST_F(EffectTest, Inside) {
  auto wrap = [&] {
    OpBuilder builder(target);
    IRMapping mapping;
    auto outer = cast<scf::ForOp>(builder.cloneWithoutRegions(*loop, mapping));
    Block *body = builder.createBlock(&outer.getRegion());
    body->addArgument(builder.getIndexType(), outer.getLoc());
    builder.setInsertionPointToEnd(body);
    scf::YieldOp::create(builder, outer.getLoc());
    target->getNextNode()->moveBefore(&body->front());
    target->moveBefore(&body->front());
  };
  EXPECT_EQ(
      holds({"inside scf.for", "inside *", "not inside scf.forall"}, wrap),
      true);
}

TEST_F(EffectTest, Results) {
  SmallVector<Operation *> one[] = {{loop}}, none[] = {{}};
  auto nothing = [] {};
  EXPECT_EQ(holds({"result 0", "result 0 is scf.for"}, nothing, one), true);
  EXPECT_EQ(holds({"result 0 is scf.forall"}, nothing, one), false);
  EXPECT_EQ(holds({"result 0"}, nothing, none), false);
  EXPECT_EQ(holds({"result 1"}, nothing, one), std::nullopt);
}

TEST_F(EffectTest, TermsThatThereAreNot) {
  for (const char *text :
       {"", "vanished", "gone now", "inside", "more scf", "more $loops",
        "result", "result x", "result 0 scf.for", "result 0 is", "attribute",
        "none a.b c.d"}) {
    llvm::Expected<EffectTerm> term = EffectTerm::parse(text);
    EXPECT_FALSE(bool(term)) << text;
    if (!term)
      llvm::consumeError(term.takeError());
  }
}

TEST_F(EffectTest, DecisionsHaveOne) {
  for (StringRef name : {"structured.tile_using_for",
                         "structured.tile_using_forall",
                         "structured.fuse",
                         "structured.fuse_into_containing_op",
                         "structured.pad",
                         "structured.pack",
                         "structured.vectorize",
                         "structured.vectorize_children_and_apply_patterns",
                         "loop.hoist_loop_invariant_subsets",
                         "bufferization.buffer_loop_hoisting",
                         "structured.promote",
                         "memref.multibuffer",
                         "loop.pipeline",
                         "nvgpu.pipeline_shared_memory_copies",
                         "loop.unroll",
                         "loop.peel",
                         "gpu.map_forall_to_blocks",
                         "gpu.map_nested_forall_to_threads",
                         "loop.forall_to_for",
                         "structured.convert_to_loops",
                         "bufferization.one_shot_bufferize",
                         "annotate",
                         "structured.match"}) {
    const Contract *contract = getBuiltin().lookup(("transform." + name).str());
    ASSERT_TRUE(contract) << name.str();
    EXPECT_FALSE(contract->effects.empty()) << name.str();
    for (const EffectClause &clause : contract->effects)
      EXPECT_FALSE(clause.otherwise.empty()) << name.str();
  }
}

} // namespace
