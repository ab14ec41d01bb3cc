//===- ClaimsTest.cpp - The claims of forms on any payload ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The claims of the built-in forms, tried on generated payload: rules end, in
// one result whatever their order; a form has what it refines, keeps what it
// says it preserves, and holds inside where it holds outside.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "normalforms/Evidence.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;

namespace {

class ClaimsTest : public PropertyTest {
protected:
  /// Tries one claim of all forms on `module`.
  Evidence collect(Claim claim, ModuleOp module) {
    EvidenceOptions options;
    options.shuffles = 2;
    options.seed = seed + current;
    options.minimizeSteps = 0; // the payload is shrunk as a whole
    options.filter = [&](Claim other, const Form &, const Form *) {
      return other == claim;
    };
    return collectEvidence(getLibrary(), {module}, options);
  }

  /// Expects that none of `count` payloads refutes the claim.
  void tryClaim(Claim claim, unsigned count) {
    unsigned tried = 0;
    forPayloads(count, [&](ModuleOp module) -> std::optional<std::string> {
      Evidence evidence = collect(claim, module);
      tried += evidence.getTotal();
      if (evidence.refutations.empty())
        return std::nullopt;
      const Refutation &first = evidence.refutations.front();
      std::string text = "@" + getLibrary().getForm(first.form).name + " " +
                         stringifyClaim(claim).str();
      if (first.other)
        text += " @" + getLibrary().getForm(*first.other).name;
      return text + ": " + first.message;
    });
    EXPECT_GE(tried, count) << "too few payloads for the claim to be tried on";
  }
};

TEST_F(ClaimsTest, Terminates) { tryClaim(Claim::Terminates, 300); }
TEST_F(ClaimsTest, Idempotent) { tryClaim(Claim::Idempotent, 200); }
TEST_F(ClaimsTest, Refines) { tryClaim(Claim::Refines, 100); }
TEST_F(ClaimsTest, Preserves) { tryClaim(Claim::Preserves, 100); }
TEST_F(ClaimsTest, Restricts) { tryClaim(Claim::Restricts, 300); }

// MLIR's canonicalization itself reaches different results in different orders
// on one payload of a hundred (EvidenceTest.CanonicalizationDependsOnItsOrder
// has a witness), and nearly all forms have its rules. More would be ours.
TEST_F(ClaimsTest, OrderIndependent) {
  constexpr unsigned count = 60;
  unsigned refuted = 0;
  forPayloads(count, [&](ModuleOp module) -> std::optional<std::string> {
    refuted += !collect(Claim::OrderIndependent, module).refutations.empty();
    return std::nullopt;
  });
  RecordProperty("refuted", int(refuted));
  EXPECT_LE(refuted, count / 6);
}

} // namespace
