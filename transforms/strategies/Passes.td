//===- Passes.td - Passes that prepare a payload -----------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_PASSES
#define FORMWORK_TRANSFORMS_STRATEGIES_PASSES

include "mlir/Pass/PassBase.td"

def FuseElementwise : Pass<"formwork-fuse-elementwise"> {
  let summary = "Fuse elementwise operations where nothing is computed twice";
  let description = [{
    Fuses `linalg.generic` operations on tensors, and reshapes between them, as
    `linalg-fuse-elementwise-ops` does: where the result of the producer has one
    reader. One case is different. A reader with a reduction may read an element
    several times, as a product does, and would compute it as often. Such a
    reader takes only copies, broadcasts, transposes and casts of numbers.

    Example: the sum of each row of `exp(x)` takes the function along, while a
    product with `exp(x)` reads what an operation of its own has computed.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // FORMWORK_TRANSFORMS_STRATEGIES_PASSES
