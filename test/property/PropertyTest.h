//===- PropertyTest.h - Properties of all payload ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of property tests: payload from a seed, and for a failure the
// smallest payload found. FORMWORK_TEST_SEED repeats a run or tries others, and
// FORMWORK_TEST_PAYLOADS multiplies how many payloads there are.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_PROPERTY_PROPERTYTEST_H
#define FORMWORK_TEST_PROPERTY_PROPERTYTEST_H

#include "test/lib/generator/PayloadGenerator.h"
#include "test/unit/normalforms/FormsTest.h"

#include <random>

namespace formwork::test {

class PropertyTest : public FormsTest {
protected:
  PropertyTest();

  /// The fault of a payload, which may be changed; nothing when the property
  /// holds.
  using Property =
      llvm::function_ref<std::optional<std::string>(mlir::ModuleOp)>;

  /// Tries `property` on `count` payloads of all levels in turn, made with
  /// `options`. The first on which it fails is shrunk and fails the test.
  void forPayloads(unsigned count, Property property,
                   formwork::testing::GeneratorOptions options = {});

  /// The built-in forms.
  const normalforms::FormLibrary &getLibrary();

  /// A source of random numbers that depends on the seed and `stream` only.
  std::mt19937_64 getRandom(uint64_t stream) const {
    return std::mt19937_64(seed * 0x9E3779B97F4A7C15ull + stream);
  }

  uint64_t seed;
  /// The number of the payload that the property is being tried on.
  uint64_t current = 0;
};

/// The functions of `module` that have a body.
llvm::SmallVector<mlir::Operation *> getFunctions(mlir::ModuleOp module);

} // namespace formwork::test

#endif // FORMWORK_TEST_PROPERTY_PROPERTYTEST_H
