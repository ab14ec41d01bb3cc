//===- MiscompileOps.td - An operation that breaks payload -*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps of a schedule that act as a wrong compiler does, for the tests of the
// tools that look for that.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_MISCOMPILE_MISCOMPILEOPS_TD
#define FORMWORK_TEST_LIB_MISCOMPILE_MISCOMPILEOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def BreakOp : Op<Transform_Dialect, "miscompile.break",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "breaks the payload";
  let description = [{
    Changes one operation of the payload so that it computes something else and
    still verifies. `kind` says how:

    - `pattern`: a sum becomes a difference, a product a sum, a maximum a
      minimum, or what a fill writes one more;
    - `tile`: a loop or a grid ends one step early;
    - `barrier`: a barrier is erased;
    - `race`: the iterations of a parallel loop write to one place;
    - `view`: a view or an access is one element behind where it should be.

    `index` chooses among the operations that can be broken so. Where there is
    none, the step fails silenceably.
  }];
  let cppNamespace = "::miscompile";
  let arguments = (ins StrAttr:$kind, DefaultValuedAttr<I64Attr, "0">:$index);
  let assemblyFormat = "$kind (`index` `=` $index^)? attr-dict";
}

#endif // FORMWORK_TEST_LIB_MISCOMPILE_MISCOMPILEOPS_TD
