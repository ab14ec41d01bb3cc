//===- InvalidTest.cpp - What is out of a form, and why ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each built-in form on the payload of its `<form>-invalid.mlir`: every clause
// is violated there, all violations are found in one walk, and what its rules
// and procedures would do is said with its place, on payload that stays as it
// is.
//
//===----------------------------------------------------------------------===//

#include "FormsTest.h"

#include "normalforms/Establish.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;

namespace {

class InvalidTest : public test::FormsTest {
protected:
  InvalidTest() : library(*FormLibrary::get(&context)) {}

  /// The payload of each piece of the form's file, without its schedule.
  std::vector<OwningOpRef<ModuleOp>> getPayloads(const Form &form) {
    std::vector<OwningOpRef<ModuleOp>> payloads;
    auto file = llvm::MemoryBuffer::getFile(
        (Twine(FORMWORK_CORPUS) + "/" + form.name + "-invalid.mlir").str());
    EXPECT_TRUE(bool(file)) << form.name;
    if (!file)
      return payloads;
    SmallVector<StringRef> pieces;
    (*file)->getBuffer().split(pieces, "// -----");
    for (StringRef piece : pieces) {
      OwningOpRef<ModuleOp> payload = parse(piece);
      for (Operation &op : llvm::make_early_inc_range(*payload->getBody()))
        if (isa<transform::NamedSequenceOp>(op))
          op.erase();
      (*payload)->removeAttr("transform.with_named_sequence");
      payloads.push_back(std::move(payload));
    }
    return payloads;
  }

  const FormLibrary &library;
};

TEST_F(InvalidTest, EveryClauseIsViolatedAndEveryRuleIsNamed) {
  for (const Form &form : library.getForms()) {
    llvm::StringSet<> seen;
    bool isReducible = false;
    for (OwningOpRef<ModuleOp> &payload : getPayloads(form)) {
      std::string before = print(*payload);
      FormCheck check = checkForm(library, form, *payload);
      EXPECT_FALSE(check.holds()) << form.name << before;
      EXPECT_EQ(print(*payload), before) << form.name;
      for (const Violation &violation : check.violations) {
        seen.insert(violation.clause);
        EXPECT_TRUE((*payload)->isProperAncestor(violation.op)) << form.name;
      }
      if (!check.irreducibility.changed)
        continue;
      isReducible = true;
      EXPECT_FALSE(check.irreducibility.fires.empty()) << form.name;
      for (const engine::RuleFires &fires : check.irreducibility.fires) {
        EXPECT_FALSE(fires.rule.empty()) << form.name;
        EXPECT_GE(fires.count, 1u) << form.name << ": " << fires.rule;
        EXPECT_FALSE(isa<UnknownLoc>(fires.first))
            << form.name << ": " << fires.rule;
      }
    }
    for (const PredicateClause &clause : library.getClauses(form))
      EXPECT_TRUE(seen.contains(clause.id)) << form.name << ": " << clause.id;
    // A joint form has no rules of its own but is reducible all the same.
    EXPECT_TRUE(isReducible || !form.predicate.empty()) << form.name;
  }
}

TEST_F(InvalidTest, OneWalkFindsAllViolations) {
  for (const Form &form : library.getForms()) {
    if (form.predicate.empty())
      continue;
    for (OwningOpRef<ModuleOp> &payload : getPayloads(form)) {
      SmallVector<Violation> once = library.checkPredicates(form, *payload);
      // The same payload three times has three times as many.
      OwningOpRef<ModuleOp> all = ModuleOp::create((*payload).getLoc());
      for (int i = 0; i < 3; ++i)
        all->getBody()->push_back((*payload)->clone());
      EXPECT_EQ(library.checkPredicates(form, *all).size(), 3 * once.size())
          << form.name;
    }
  }
}

} // namespace
