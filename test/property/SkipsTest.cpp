//===- SkipsTest.cpp - Skipped payload is normal ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The skips of the normalizer are exact: what fingerprints call equal is equal
// in all that rules can see, and what is skipped would not have changed.
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "PropertyTest.h"

#include "normalforms/Establish.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;

namespace {

class SkipsTest : public PropertyTest {
protected:
  SkipsTest() { generator.functions = 4; }

  /// All that is in `op`, whatever its values are called and wherever it is.
  static std::string printGeneric(Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope());
    return text;
  }

  formwork::testing::GeneratorOptions generator;
};

TEST_F(SkipsTest, FingerprintsDifferExactlyWhenTextDoes) {
  unsigned edits = 0;
  forPayloads(
      60,
      [&](ModuleOp module) -> std::optional<std::string> {
        std::mt19937_64 random = getRandom(current);
        for (int step = 0; step < 8; ++step) {
          SmallVector<Operation *> functions = getFunctions(module);
          if (functions.empty())
            return std::nullopt;
          Operation *edited = functions[random() % functions.size()];
          // One object for all, as the normalizer has it.
          engine::Fingerprinter fingerprinter;
          SmallVector<std::pair<std::string, engine::Fingerprint>> before;
          for (Operation *op : functions)
            before.emplace_back(printGeneric(op), fingerprinter.ofAnchor(op));
          std::string edit = applyRandomEdit(edited, random);
          for (auto [op, old] : llvm::zip_equal(functions, before)) {
            bool sameText = printGeneric(op) == old.first;
            if (sameText != (fingerprinter.ofAnchor(op) == old.second))
              return (sameText
                          ? "another fingerprint of the same text after: "
                          : "the same fingerprint of another text after: ") +
                     edit;
            edits += !sameText;
          }
        }
        return std::nullopt;
      },
      generator);
  EXPECT_GT(edits, 200u);
}

TEST_F(SkipsTest, WhatIsAroundCounts) {
  forPayloads(
      40,
      [&](ModuleOp module) -> std::optional<std::string> {
        engine::Fingerprinter fingerprinter;
        Builder builder(&context);
        for (Operation *op : getFunctions(module)) {
          engine::Fingerprint before = fingerprinter.ofAnchor(op);
          module->setAttr("test.around", builder.getI64IntegerAttr(current));
          if (fingerprinter.ofAnchor(op) == before)
            return "an attribute of the module was not seen";
          module->removeAttr("test.around");
          if (fingerprinter.ofAnchor(op) != before)
            return "the fingerprint did not come back with the module";

          // A called function is seen without its body, others are not seen.
          SmallVector<Operation *> called;
          op->walk([&](func::CallOp call) {
            called.push_back(SymbolTable::lookupNearestSymbolFrom(
                call, call.getCalleeAttr()));
          });
          for (Operation *other : getFunctions(module)) {
            if (other == op)
              continue;
            other->setAttr("test.callee", builder.getUnitAttr());
            bool seen = fingerprinter.ofAnchor(op) != before;
            other->removeAttr("test.callee");
            if (seen != llvm::is_contained(called, other))
              return seen ? "a function that is not called was seen"
                          : "a function that is called was not seen";
          }
        }
        return std::nullopt;
      },
      generator);
}

TEST_F(SkipsTest, EditedPayloadIsNormalizedAsIfThereWereNoCache) {
  const FormLibrary &library = getLibrary();
  unsigned skipped = 0;
  forPayloads(
      25,
      [&](ModuleOp module) -> std::optional<std::string> {
        std::mt19937_64 random = getRandom(current);
        engine::NormalCache cache;
        std::string edits;
        // Two forms that share the cache: what is normal for one may be skipped
        // for the other only if that refines it.
        ArrayRef<Form> all = library.getForms();
        const Form *forms[] = {&all[random() % all.size()],
                               &all[random() % all.size()]};
        for (int step = 0; step < 6; ++step) {
          SmallVector<Operation *> functions = getFunctions(module);
          for (size_t i = random() % 3; i > 0 && !functions.empty(); --i)
            edits += applyRandomEdit(functions[random() % functions.size()],
                                     random) +
                     "; ";
          const Form &form = *forms[random() % 2];

          OwningOpRef<ModuleOp> copy = module.clone();
          engine::NormalCache none;
          engine::NormalizerOptions fresh;
          fresh.cache = &none;
          FormNormalizer(library, form, fresh).run(*copy);

          engine::NormalizerOptions options;
          options.cache = &cache;
          options.verifySkips = true;
          engine::Report report =
              FormNormalizer(library, form, options).run(module);
          skipped += report.skipped;
          if (!report.reachedFixpoint())
            return "@" + form.name + " stopped with '" +
                   engine::stringifyStopReason(report.reason).str() +
                   "' after: " + edits;
          if (printGeneric(module) != printGeneric(*copy))
            return "@" + form.name +
                   " has another result with a cache, after: " + edits;
        }
        return std::nullopt;
      },
      generator);
  EXPECT_GT(skipped, 50u) << "too few skips to tell";
}

} // namespace
