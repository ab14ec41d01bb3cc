//===- HandleProbe.h - Whether a handle can be used -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the interpreter of a handle. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_HANDLEPROBE_H
#define FORMWORK_TRANSFORMS_VALIDATE_HANDLEPROBE_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace formwork::transforms {

/// Whether an op that used `handle` now would be accepted: asked by an op that
/// does. It is gone before anything else looks at the uses of the handle. With
/// expensive checks, only a handle that can be used may be looked up in
/// `state`: one that was consumed has no payload there, which it does not say.
/// Cost: linear in the payload of the handle.
bool canBeUsed(mlir::Value handle, mlir::transform::TransformState &state);

/// Whether `handle` holds a value of the payload. MLIR forgets a handle of
/// which all values were erased: neither it nor `canBeUsed` may be asked for it
/// then. Cost: linear in the payload.
bool holdsValues(mlir::Value handle,
                 const mlir::transform::TransformState &state);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_HANDLEPROBE_H
