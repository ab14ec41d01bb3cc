//===- NormalFormOps.td - Declarations of forms ------------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that declare forms. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_NORMALFORMOPS_TD
#define FORMWORK_NORMALFORMS_IR_NORMALFORMOPS_TD

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "normalforms/IR/ContractOps.td"
include "normalforms/IR/NormalFormDialect.td"

def NormalForm_PredicateAttr
    : AnyAttrOf<[StrAttr, FlatSymbolRefAttr],
                "name of a predicate or of a matcher sequence">;

def NormalForm_FormOp : NormalForm_Op<"form",
    [Symbol, IsolatedFromAbove] # GraphRegionNoTerminator.traits> {
  let summary = "declares a normalform";
  let description = [{
    A form has a set of rules (`transform.apply_patterns.*` ops in the region),
    a set of procedures (`normalform.procedure`), and optionally a predicate.
    Payload below an anchor is in the form when two things are true: running the
    rules and procedures there changes nothing, and the predicate holds.

    - `refines`: the forms whose rules, procedures and predicates this form has,
      too. A form with a rule group implicitly refines `@driver`.
    - `excludes`: the forms that are no longer known to hold after this form was
      established.
    - `preserves`: the forms that still hold after payload was rewritten to this
      form. Refined forms are included implicitly.
    - `anchor`: the smallest op at which the form may be established:
      `"isolated"` (any op isolated from above; the default), `"loop-nest"`
      (also a loop) or `"module"`.
    - `where`: the name of a registered predicate, or a matcher: a named sequence
      of the same file that matches the *offending* ops. The predicate holds when
      the matcher matches no op below the anchor.
    - `manual`: no plan inserts the form, because reaching it changes a choice of
      the author. The text names the choice.
    - `weight`: the relative cost of one normalization (default 1).
    - `seen_in`: schedules that reach the form by hand or ask for it, each as
      `"REPOSITORY PATH"`. A built-in form needs one, unless a contract requires
      or wants the form or a form that refines it. A user's form needs none.

    Example:

    ```mlir
    normalform.form @loops.perfect_nest
        summary "nothing but the next loop in each loop"
        refines [@loops.canonical] anchor "loop-nest"
        where "perfect-loop-nest" {
      normalform.procedure "licm"
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrAttr:$summary,
    OptionalAttr<FlatSymbolRefArrayAttr>:$refines,
    OptionalAttr<FlatSymbolRefArrayAttr>:$excludes,
    OptionalAttr<FlatSymbolRefArrayAttr>:$preserves,
    OptionalAttr<StrAttr>:$anchor,
    OptionalAttr<NormalForm_PredicateAttr>:$predicate,
    OptionalAttr<StrAttr>:$manual,
    OptionalAttr<I64Attr>:$weight,
    OptionalAttr<StrArrayAttr>:$seen_in);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `summary` $summary
    (`refines` $refines^)? (`excludes` $excludes^)? (`preserves` $preserves^)?
    (`anchor` $anchor^)? (`where` $predicate^)? (`manual` custom<Reason>($manual)^)?
    (`weight` $weight^)? (`seen_in` $seen_in^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def NormalForm_ProcedureOp : NormalForm_Op<"procedure",
    [HasParent<"FormOp">]> {
  let summary = "a procedure of a form";
  let description = [{
    Names a procedure of the rewriting core, or an eligible registered pass.

    Example:

    ```mlir
    normalform.procedure "licm"
    normalform.procedure "pass:sccp"
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}

#endif // FORMWORK_NORMALFORMS_IR_NORMALFORMOPS_TD
