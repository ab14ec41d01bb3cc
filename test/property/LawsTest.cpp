//===- LawsTest.cpp - The laws of forms on any payload ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Restriction and change (docs/design/004-forms.md), and that being in a form
// does not depend on the order in which its rules are tried, all on generated
// payload.
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "PropertyTest.h"

#include "normalforms/Establish.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;

namespace {

class LawsTest : public PropertyTest {
protected:
  LawsTest() { generator.functions = 3; }

  const Form &pickForm(std::mt19937_64 &random) {
    ArrayRef<Form> forms = getLibrary().getForms();
    return forms[random() % forms.size()];
  }
  engine::Report normalize(const Form &form, Operation *anchor) {
    engine::NormalCache cache;
    engine::NormalizerOptions options;
    options.cache = &cache;
    return FormNormalizer(getLibrary(), form, options).run(anchor);
  }
  bool holds(const Form &form, Operation *anchor) {
    return checkForm(getLibrary(), form, anchor).holds();
  }

  formwork::testing::GeneratorOptions generator;
};

TEST_F(LawsTest, WhatHoldsAtAnAnchorHoldsInside) {
  unsigned tried = 0;
  forPayloads(
      60,
      [&](ModuleOp module) -> std::optional<std::string> {
        std::mt19937_64 random = getRandom(current);
        for (int i = 0; i < 4; ++i) {
          const Form &form = pickForm(random);
          normalize(form, module);
          if (!isAnchor(module, form.anchor) || !holds(form, module))
            continue;
          SmallVector<Operation *> inner;
          module->walk([&](Operation *op) {
            if (op != module && isAnchor(op, form.anchor))
              inner.push_back(op);
          });
          for (Operation *op : inner) {
            ++tried;
            if (!holds(form, op))
              return "the module is in @" + form.name + " but '" +
                     op->getName().getStringRef().str() + "' in it is not: " +
                     explainReport(
                         checkForm(getLibrary(), form, op).irreducibility);
          }
        }
        return std::nullopt;
      },
      generator);
  EXPECT_GT(tried, 200u);
}

TEST_F(LawsTest, DisjointAnchorsKeepTheirForms) {
  unsigned tried = 0;
  forPayloads(
      40,
      [&](ModuleOp module) -> std::optional<std::string> {
        std::mt19937_64 random = getRandom(current);
        SmallVector<Operation *> functions = getFunctions(module);
        if (functions.size() < 2)
          return std::nullopt;
        const Form &form = pickForm(random);
        for (Operation *op : functions)
          normalize(form, op);
        SmallVector<Operation *> in;
        Operation *changed = functions[random() % functions.size()];
        for (Operation *op : functions)
          if (op != changed && holds(form, op))
            in.push_back(op);
        std::string what;
        if (random() % 2) {
          what = applyRandomEdit(changed, random);
        } else {
          const Form &other = pickForm(random);
          normalize(other, changed);
          what = "normalized to @" + other.name;
        }
        for (Operation *op : in) {
          ++tried;
          if (!holds(form, op))
            return "a function left @" + form.name +
                   " because of a change in another one: " + what;
        }
        return std::nullopt;
      },
      generator);
  EXPECT_GT(tried, 20u);
}

TEST_F(LawsTest, NormalPayloadVerifies) {
  // MLIR's canonicalization makes an invalid tensor.insert_slice of some whose
  // sizes are hidden.
  generator.dynamic = 0;
  forPayloads(
      200,
      [&](ModuleOp module) -> std::optional<std::string> {
        std::mt19937_64 random = getRandom(current);
        const Form &form = pickForm(random);
        normalize(form, module);
        ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
        if (failed(verify(module)))
          return "payload in @" + form.name + " does not verify";
        return std::nullopt;
      },
      generator);
}

TEST_F(LawsTest, BeingInAFormDoesNotDependOnTheOrderOfRules) {
  const FormLibrary &library = getLibrary();
  generator.functions = 1;
  forPayloads(
      60,
      [&](ModuleOp module) -> std::optional<std::string> {
        std::mt19937_64 random = getRandom(current);
        for (int i = 0; i < 4; ++i) {
          const Form &form = pickForm(random);
          if (!form.hasDriver())
            continue;
          if (!normalize(form, module).reachedFixpoint())
            return "@" + form.name + " has no fixpoint";
          engine::Driver driver = library.getDriver(form);
          engine::NormalizerOptions options;
          options.topDown = true;
          if (engine::checkIrreducible(driver, module, options).changed)
            return "@" + form.name + " is another form from the top down: " +
                   explainReport(
                       engine::checkIrreducible(driver, module, options));
          driver.rules = driver.rules->shuffled(random());
          if (engine::checkIrreducible(driver, module).changed)
            return "@" + form.name + " is another form with shuffled rules";
        }
        return std::nullopt;
      },
      generator);
}

} // namespace
