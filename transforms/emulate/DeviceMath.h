//===- DeviceMath.h - libdevice on the host ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host functions for what a device module may leave undefined: CUDA's libdevice
// (`__nv_expf`), computed by the host's math library. Layer: transforms.
// Results can differ from the device's in the last places.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_DEVICEMATH_H
#define FORMWORK_TRANSFORMS_EMULATE_DEVICEMATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace formwork::transforms::emulate {

struct HostFunction {
  llvm::StringLiteral name;
  void *address;
};

/// libdevice functions, by the names that MLIR's lowering gives them.
llvm::ArrayRef<HostFunction> getDeviceMathFunctions();

bool isDeviceMathFunction(llvm::StringRef name);

/// The generic intrinsic that does the same as a libdevice function and that
/// hosts have an instruction for; 0 if there is none.
llvm::Intrinsic::ID getEquivalentIntrinsic(llvm::StringRef name);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_DEVICEMATH_H
