//===- Registry.h - What the tests of schedules register --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_PROPERTY_SCHEDULES_REGISTRY_H
#define FORMWORK_TEST_PROPERTY_SCHEDULES_REGISTRY_H

#include "transforms/Registration.h"

#include "mlir/IR/DialectRegistry.h"

namespace formwork::testing {

/// The dialects and passes of the tool.
inline mlir::DialectRegistry makeRegistry() {
  mlir::DialectRegistry registry;
  registerFormwork(registry);
  registerFormworkPasses();
  return registry;
}

} // namespace formwork::testing

#endif // FORMWORK_TEST_PROPERTY_SCHEDULES_REGISTRY_H
