//===- MutantsTest.cpp - Ways to break a schedule -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Property test: every kind of breakage finds something to break among seeded
// schedules, does the same for the same seed, and never hands back what it was
// given. Nothing is checked or run here.
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/ScheduleGenerator.h"
#include "test/lib/schedules/mutants/Mutation.h"
#include "test/property/schedules/Registry.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::testing;

namespace {
constexpr uint64_t firstSeed = 20261121;

class MutantsTest : public ::testing::Test {
protected:
  MutantsTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadDialect<transform::TransformDialect>();
  }

  static std::string print(ModuleOp schedule) {
    std::string text;
    llvm::raw_string_ostream(text) << *schedule;
    return text;
  }

  /// The mutant of `pair` that `seed` decides; empty when there is none, or no
  /// valid one.
  std::string breakOnce(GeneratedPair &pair, const MutationKind &kind,
                        uint64_t seed) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    IRMapping mapping;
    OwningOpRef<ModuleOp> clone =
        cast<ModuleOp>((*pair.schedule)->clone(mapping));
    auto entry = cast<transform::NamedSequenceOp>(
        mapping.lookup(pair.entry.getOperation()));
    Random random(seed);
    if (!kind.apply(entry, random) || failed(verify(*clone)))
      return "";
    return print(*clone);
  }

  /// Two kinds draw a number or a name anew, which may be the one that stood
  /// there.
  static bool mayDrawTheSame(const MutationKind &kind) {
    return kind.name == "change-number" || kind.name == "wrong-match";
  }

  MLIRContext context;
};

/// A schedule with steps that generated ones hardly have: matches by
/// attributes, a tiling of a tile, a fusion into its loop, and a handle that
/// names the kind of its ops.
constexpr llvm::StringLiteral marked = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.structured.match attributes{first} in %root
        : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match attributes{second} in %root
        : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %a tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %u, %m = transform.structured.tile_using_for %t tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %n = transform.structured.fuse_into_containing_op %b into %m
        : (!transform.any_op, !transform.any_op)
        -> (!transform.any_op, !transform.any_op)
    %k = transform.cast %f : !transform.any_op to !transform.op<"linalg.fill">
    transform.annotate %k "done" : !transform.op<"linalg.fill">
    transform.yield
  }
})";

TEST_F(MutantsTest, everyKindBreaksSomething) {
  llvm::StringMap<unsigned> numMutants;
  constexpr uint64_t numGenerated = 40;
  for (uint64_t seed = firstSeed; seed <= firstSeed + numGenerated; ++seed) {
    GeneratedPair pair;
    if (seed < firstSeed + numGenerated) {
      pair = generatePair(&context, seed);
    } else {
      pair.schedule = parseSourceString<ModuleOp>(marked, &context);
      ASSERT_TRUE(pair.schedule);
      pair.entry = *pair.schedule->getOps<transform::NamedSequenceOp>().begin();
    }
    std::string original = print(*pair.schedule);
    for (const MutationKind &kind : getMutationKinds()) {
      std::string mutant = breakOnce(pair, kind, seed);
      EXPECT_EQ(mutant, breakOnce(pair, kind, seed))
          << kind.name.str() << ", seed " << seed;
      if (!mayDrawTheSame(kind))
        EXPECT_NE(mutant, original) << kind.name.str() << ", seed " << seed;
      numMutants[kind.name] += !mutant.empty();
    }
    EXPECT_EQ(print(*pair.schedule), original) << "seed " << seed;
  }
  for (const MutationKind &kind : getMutationKinds())
    EXPECT_GT(numMutants[kind.name], 0u) << kind.name.str();
}

TEST_F(MutantsTest, kindsAreListedOnceAndThoseHeldOutLast) {
  llvm::StringSet<> names;
  bool seenHeldOut = false;
  unsigned numHeldOut = 0;
  for (const MutationKind &kind : getMutationKinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name.str();
    EXPECT_TRUE(kind.heldOut || !seenHeldOut) << kind.name.str();
    seenHeldOut |= kind.heldOut;
    numHeldOut += kind.heldOut;
  }
  // The goal asks for at least 12 on either side.
  EXPECT_GE(numHeldOut, 12u);
  EXPECT_GE(names.size() - numHeldOut, 12u);
}
} // namespace
