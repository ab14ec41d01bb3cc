//===- ContractOps.td - Contracts of transform ops ---------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clause language in which the contract of a transform op is written
// (DESIGN §4). A contract says nothing of consumption and of payload writes as
// such: those come from the memory effects of each op.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_CONTRACTOPS_TD
#define FORMWORK_NORMALFORMS_IR_CONTRACTOPS_TD

include "normalforms/IR/NormalFormDialect.td"
include "mlir/IR/OpBase.td"

def NormalForm_ContractOp : NormalForm_Op<"contract",
    [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "what one transform op requires, does and returns";
  let description = [{
    Names a transform op and holds its clauses. `complete` claims that every way
    in which the op can fail is covered by a clause or by the model, so that a
    schedule of such ops can be proved; without it the verdict on a schedule
    that uses the op is at best "unknown". `model` names a transfer function of
    the verifier for the facts that clauses cannot state, such as the iteration
    space of a tile.

    Example:

    ```mlir
    normalform.contract "transform.gpu.map_forall_to_blocks" model "map-blocks" {
      normalform.requires @bufferized of 0
          otherwise "only bufferized scf.forall can be mapped"
      normalform.result 0 "inside" of 0 kinds ["gpu.launch"] count "per_target"
      normalform.payload "anchor" introduces ["gpu.*", "arith.*"]
    }
    ```
  }];
  let arguments = (ins StrAttr:$op_name, UnitAttr:$complete,
                       OptionalAttr<StrAttr>:$model);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $op_name (`complete` $complete^)? (`model` $model^)?
    attr-dict-with-keyword $body
  }];
}

class NormalForm_ClauseOp<string mnemonic>
    : NormalForm_Op<mnemonic, [HasParent<"ContractOp">]>;

def NormalForm_RequiresOp : NormalForm_ClauseOp<"requires"> {
  let summary = "a form without which the op fails or its result is wrong";
  let description = [{
    The anchor of operand `operand` must be in `form`. `otherwise` is what
    happens without it, in upstream's own words where it has any.
  }];
  let arguments = (ins FlatSymbolRefAttr:$form, I64Attr:$operand,
                       StrAttr:$otherwise);
  let assemblyFormat = [{
    $form `of` $operand `otherwise` $otherwise attr-dict
  }];
}

def NormalForm_WantsOp : NormalForm_ClauseOp<"wants"> {
  let summary = "a form without which the op silently does less";
  let description = [{
    As `normalform.requires`, but without the form the op succeeds and skips,
    degrades or hides a cost.
  }];
  let arguments = (ins FlatSymbolRefAttr:$form, I64Attr:$operand,
                       StrAttr:$otherwise);
  let assemblyFormat = [{
    $form `of` $operand `otherwise` $otherwise attr-dict
  }];
}

def NormalForm_AcceptsOp : NormalForm_ClauseOp<"accepts"> {
  let summary = "the payload kinds that an operand may hold";
  let description = [{
    Op names, `dialect.*`, or one of the classes `$isolated`, `$loop`,
    `$structured`, `$tileable`. Anything else makes the op fail, with
    `otherwise` as the message.
  }];
  let arguments = (ins I64Attr:$operand, StrArrayAttr:$kinds,
                       StrAttr:$otherwise);
  let assemblyFormat = [{
    $operand $kinds `otherwise` $otherwise attr-dict
  }];
}

def NormalForm_SingleOp : NormalForm_ClauseOp<"single"> {
  let summary = "an operand that must hold exactly one payload op";
  let arguments = (ins I64Attr:$operand, StrAttr:$otherwise);
  let assemblyFormat = "$operand `otherwise` $otherwise attr-dict";
}

def NormalForm_EnsuresOp : NormalForm_ClauseOp<"ensures"> {
  let summary = "a form that the op establishes at an operand's anchor";
  let arguments = (ins FlatSymbolRefAttr:$form, I64Attr:$operand);
  let assemblyFormat = "$form `of` $operand attr-dict";
}

def NormalForm_PreservesOp : NormalForm_ClauseOp<"preserves"> {
  let summary = "forms that survive the op's payload writes";
  let description = [{
    A write removes every other form of the anchor, of its ancestors and of its
    descendants. Without operands in the list, all forms survive.
  }];
  let arguments = (ins OptionalAttr<FlatSymbolRefArrayAttr>:$forms);
  let assemblyFormat = "($forms^):(`all`)? attr-dict";
}

def NormalForm_ResultOp : NormalForm_ClauseOp<"result"> {
  let summary = "where a result's payload lies, of which kind and how many";
  let description = [{
    `relation`, seen from the payload of `operand`: `"same"`, `"replaces"`,
    `"inside"`, `"around"`, `"fresh"` or `"any"`. `count`: `"per_target"`,
    `"at_most_per_target"`, `"one"` or `"unbounded"`.
  }];
  let arguments = (ins I64Attr:$index, StrAttr:$relation,
                       OptionalAttr<I64Attr>:$operand,
                       OptionalAttr<StrArrayAttr>:$kinds,
                       StrAttr:$count);
  let assemblyFormat = [{
    $index $relation (`of` $operand^)? (`kinds` $kinds^)? `count` $count
    attr-dict
  }];
}

def NormalForm_PayloadOp : NormalForm_ClauseOp<"payload"> {
  let summary = "what the op's write does to the payload";
  let description = [{
    The extent of the write, seen from operand 0: `"target"`, `"anchor"` or
    `"root"`; the kinds of op that can be there afterwards and were not before;
    the kinds that can be gone or changed afterwards; and what happens to live
    handles into the extent: `"keeps"` (without the list), `"may_shrink"` or
    `"may_move"`. Kinds are written as in `normalform.accepts`; a missing list
    means none, `"*"` any.
  }];
  let arguments = (ins StrAttr:$extent,
                       OptionalAttr<StrArrayAttr>:$introduces,
                       OptionalAttr<StrArrayAttr>:$rewrites,
                       OptionalAttr<StrAttr>:$handles);
  let assemblyFormat = [{
    $extent (`introduces` $introduces^)? (`rewrites` $rewrites^)?
    (`handles` $handles^)? attr-dict
  }];
}

def NormalForm_PerformsOp : NormalForm_ClauseOp<"performs"> {
  let summary = "the procedures of forms that the op runs at its operand";
  let description = [{
    Makes hand-written clean-up count: a form is credited once its rule groups
    and procedures have run at the anchor with no other write since.
  }];
  let arguments = (ins StrArrayAttr:$procedures);
  let assemblyFormat = "$procedures attr-dict";
}

#endif // FORMWORK_NORMALFORMS_IR_CONTRACTOPS_TD
