//===- CleanUp.h - Steps that only clean up ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which enablers a plan may replace. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_CLEANUP_H
#define FORMWORK_TEST_LIB_SCHEDULES_CLEANUP_H

#include "normalforms/Libraries.h"
#include "verifier/plan/Enablers.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/STLExtras.h"

namespace formwork::testing {

/// Whether `op` only cleans up: no rule of it is outside of the forms that a
/// plan may insert.
inline bool isCleanUp(mlir::Operation *op,
                      const normalforms::Libraries &libraries) {
  if (!verifier::isEnabler(op, *libraries.contracts))
    return false;
  auto patterns = mlir::dyn_cast<mlir::transform::ApplyPatternsOp>(op);
  return !patterns ||
         llvm::all_of(patterns.getPatterns().front(),
                      [&](mlir::Operation &group) {
                        auto isGroup = [&](mlir::Operation *other) {
                          return other->getName() == group.getName();
                        };
                        return llvm::any_of(
                            libraries.forms->getForms(),
                            [&](const normalforms::Form &form) {
                              return form.automatic &&
                                     llvm::any_of(form.descriptors, isGroup);
                            });
                      });
}

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_CLEANUP_H
