//===- PropertyTest.cpp - Properties of all payload -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "test/lib/generator/Shrink.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdlib>
#include <iostream>

using namespace mlir;
using namespace formwork;
using namespace formwork::test;
using namespace formwork::testing;

static uint64_t readVariable(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

PropertyTest::PropertyTest() : seed(readVariable("FORMWORK_TEST_SEED", 1)) {
  std::cout << "FORMWORK_TEST_SEED=" << seed << std::endl;
  DialectRegistry registry;
  registerPayloadDialects(registry);
  context.appendDialectRegistry(registry);
}

const normalforms::FormLibrary &PropertyTest::getLibrary() {
  const normalforms::FormLibrary *library =
      normalforms::FormLibrary::get(&context);
  EXPECT_TRUE(library);
  return *library;
}

void PropertyTest::forPayloads(unsigned count, Property property,
                               GeneratorOptions options) {
  constexpr Level levels[] = {Level::Linalg, Level::Loops, Level::Vector,
                              Level::Buffers, Level::Mixed};
  count *= readVariable("FORMWORK_TEST_PAYLOADS", 1);
  for (current = 0; current < count; ++current) {
    options.level = levels[current % std::size(levels)];
    uint64_t payloadSeed = seed * 1'000'003 + current;
    OwningOpRef<ModuleOp> module =
        generatePayload(&context, payloadSeed, options);
    auto fails = [&](ModuleOp candidate) {
      return property(candidate).has_value();
    };
    OwningOpRef<ModuleOp> copy = module->clone();
    if (!property(*copy))
      continue;

    ShrinkLimits limits;
    limits.maxCandidates = 2000;
    OwningOpRef<ModuleOp> small = shrink(*module, fails, limits);
    std::string text;
    llvm::raw_string_ostream os(text);
    printReproducer(os, *small, payloadSeed, options);
    copy = small->clone();
    std::optional<std::string> message = property(*copy);
    FAIL() << message.value_or("(not deterministic)")
           << "\nFORMWORK_TEST_SEED=" << seed << ", payload " << current << "\n"
           << text;
  }
}

SmallVector<Operation *> formwork::test::getFunctions(ModuleOp module) {
  SmallVector<Operation *> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isDeclaration())
      functions.push_back(function);
  return functions;
}
