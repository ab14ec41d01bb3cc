//===- DriverKey.h - The key of a driver that is not built ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is normal for a driver is remembered under the driver's key, also by
// drivers that imply it and never run it. Freezing its rules only to learn the
// key would cost more than the first normalization of a small function. Layer:
// engine.
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

/// `Driver::getKey` of the driver with the rule set of `descriptors` and the
/// procedures of these names.
Fingerprint computeDriverKey(llvm::ArrayRef<mlir::Operation *> descriptors,
                             mlir::MLIRContext *context, bool greedy,
                             llvm::ArrayRef<std::string> procedures);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_DRIVERKEY_H
