//===- DriverKey.h - The key of a driver that is not built ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the key of a driver without building the driver. Scopes that are
// normal for a driver are remembered under its key, also by drivers that imply
// it and never run it. Freezing the driver's rules only to learn the key would
// cost more than the first normalization of a small function. Layer: engine.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_DRIVERKEY_H
#define FORMWORK_ENGINE_DRIVERKEY_H

#include "engine/Fingerprint.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace formwork::engine {

/// The key of the rule set of `descriptors`.
Fingerprint computeRuleSetKey(llvm::ArrayRef<mlir::Operation *> descriptors,
                              mlir::MLIRContext *context);

/// The `Driver::getKey` of the driver with this rule set and these procedures.
Fingerprint computeDriverKey(llvm::ArrayRef<mlir::Operation *> descriptors,
                             mlir::MLIRContext *context, bool greedy,
                             llvm::ArrayRef<std::string> procedures);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_DRIVERKEY_H
