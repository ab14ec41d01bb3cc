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
    Names a transform op, or `"pass:NAME"` for a registered pass, and holds its
    clauses. `complete` claims that every way in which the op can fail is covered
    by a clause or by the model, so that a schedule of such ops can be proved;
    without it the verdict on a schedule that uses the op is at best "unknown".
    `model` names a transfer function of the verifier for the facts that clauses
    cannot state, such as the iteration space of a tile. Only a contract that is
    built in can name one: [extending.md](extending.md#where-clauses-do-not-suffice)
    says what a file of `--contracts` can do instead.

    **Conditions.** A clause with `when` holds where each of its conditions does:

    | condition | holds when |
    |---|---|
    | `always` | it always does |
    | `attr NAME` | the op has the attribute, and it is not `false` |
    | `attr NAME is TEXT` | the attribute, printed without its type, is TEXT |
    | `operand N` | the op has more than N operands |
    | `type N is TEXT` | the type of operand N is TEXT (`op`, `value` or `param` stand for all types of that kind) |
    | `count N is K`, `at_least K`, `at_most K` | operand N holds so many payload ops |
    | `kind N is KIND` | all payload of operand N is of that kind |
    | `fact N is NAME` | all payload of operand N has the property NAME, see below |
    | `foldable_sizes N` | folding may make a size of a structured op static that is at or below payload of operand N |
    | `dynamic_sizes N` | a structured op at or below payload of operand N may have a size that is not static |
    | `holds N is KIND` | an op of that kind may be at or below payload of operand N |
    | `given N is KIND` | the same of payload as it was given: ops that steps made do not count, as far as they are not listed |
    | `holds_schedule N` | an op of operand N holds the schedule that is checked, as a module does that has both it and the payload |
    | `runs_alone N` | the step succeeds on each op of operand N by itself: upstream says so of a copy, where no step has changed the op |
    | `param N is TEXT`, `at_least K`, `at_most K` | each value of operand N, a parameter, is TEXT, or an integer that is no less (more) than K |
    | `option NAME`, `option NAME is TEXT` | the pass runs with that option |
    | `attr NAME at_least K`, `at_most K`, also for `option` | it is an integer, or a list of integers, and none is less (more) than K |

    Of a rule group or a pass, operand N is that of the step that runs it.

    **Checked when loaded.** A contract of `--contracts` is compared with the op that
    it is of: operands and results that the op does not have, parameters where a
    clause speaks of payload, attributes, options, and names of ops and passes are
    errors. What belongs to a plugin that is not loaded cannot be compared; a
    warning says so.

    `not` in front negates. What is not known at a point of a schedule decides
    for the worse: a condition that may hold makes a write, and makes a failure
    possible; it does not make a form hold, and it does not preserve one.

    **Facts** are properties of one payload op (of a payload value: of the op that
    defines it), decided where no step has changed it. `formwork contracts --facts`
    prints them. With `not`, a `fails` clause states a precondition exactly: some
    payload lacks the property.

    **Kinds** are op names, `dialect.*`, `"*"` for any, or one of the classes
    `$isolated`, `$loop`, `$structured`, `$tileable`; and, where a clause says
    what goes, `!tensor`, `!memref` or `!vector`: an op with a value of such a
    type.

    Example:

    ```mlir
    normalform.contract "transform.gpu.map_forall_to_blocks" model "map-blocks" {
      normalform.requires @bufferized of 0
          otherwise "only bufferized scf.forall can be mapped"
      normalform.result 0 "inside" of 0 kinds ["gpu.launch"] count "per_target"
          when ["attr generate_gpu_launch"]
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

/// Every clause takes `when`, the conditions under which it holds.
class NormalForm_ClauseOp<string mnemonic, dag args>
    : NormalForm_Op<mnemonic, [HasParent<"ContractOp">]> {
  let arguments = !con(args, (ins OptionalAttr<StrArrayAttr>:$when));
}

def NormalForm_RequiresOp : NormalForm_ClauseOp<"requires",
    (ins FlatSymbolRefAttr:$form, UnitAttr:$around, I64Attr:$operand,
         StrAttr:$otherwise)> {
  let summary = "a form without which the op fails or its result is wrong";
  let description = [{
    The anchor of operand `operand` must be in `form`. `otherwise` is what
    happens without it, in upstream's own words where it has any.

    A form says something of the ops below its anchor. Behind `of`, the anchor is
    the payload op itself where the form may be of such an op, and the nearest one
    around it where it may not. Behind `around`, the anchor is always around the
    payload op, so that the form says something of the payload op itself.

    Example:

    ```mlir
    normalform.requires @loops.static around 0 otherwise "failed to apply"
    ```
  }];
  let assemblyFormat = [{
    $form (`around` $around^) : (`of`)? $operand `otherwise` $otherwise (`when` $when^)? attr-dict
  }];
}

def NormalForm_WantsOp : NormalForm_ClauseOp<"wants",
    (ins FlatSymbolRefAttr:$form, UnitAttr:$around, I64Attr:$operand,
         StrAttr:$otherwise)> {
  let summary = "a form without which the op silently does less";
  let description = [{
    As `normalform.requires`, but without the form the op succeeds and skips,
    degrades or hides a cost.
  }];
  let assemblyFormat = [{
    $form (`around` $around^) : (`of`)? $operand `otherwise` $otherwise
    (`when` $when^)? attr-dict
  }];
}

def NormalForm_AcceptsOp : NormalForm_ClauseOp<"accepts",
    (ins I64Attr:$operand, StrArrayAttr:$kinds, StrAttr:$otherwise)> {
  let summary = "the payload kinds that an operand may hold";
  let description = [{
    Payload of any other kind makes the op fail, with `otherwise` as the
    message.
  }];
  let assemblyFormat = [{
    $operand $kinds `otherwise` $otherwise (`when` $when^)? attr-dict
  }];
}

def NormalForm_SingleOp : NormalForm_ClauseOp<"single",
    (ins I64Attr:$operand, StrAttr:$otherwise)> {
  let summary = "an operand that must hold exactly one payload op";
  let assemblyFormat = [{
    $operand `otherwise` $otherwise (`when` $when^)? attr-dict
  }];
}

def NormalForm_NeedsAncestorOp : NormalForm_ClauseOp<"needs_ancestor",
    (ins I64Attr:$operand, StrArrayAttr:$kinds, UnitAttr:$definite,
         StrAttr:$otherwise)> {
  let summary = "payload of an operand must lie inside an op of a kind";
  let description = [{
    Each payload op of the operand must have an op of one of `kinds` above it,
    attached to it: inside of `transform.alternatives` nothing above the scope
    is. Otherwise the op fails, with `otherwise` as the message. The failure is
    silenceable unless it is `definite`.

    Example:

    ```mlir
    normalform.needs_ancestor 0 ["func.func"]
        otherwise "requires a target in a function"
    ```
  }];
  let assemblyFormat = [{
    $operand $kinds (`definite` $definite^)? `otherwise` $otherwise
    (`when` $when^)? attr-dict
  }];
}

def NormalForm_FailsOp : NormalForm_ClauseOp<"fails",
    (ins StrAttr:$message, UnitAttr:$definite)> {
  let summary = "the op fails whenever the conditions hold";
  let description = [{
    `message` is what it says then. A failure is silenceable unless it is
    `definite`. Conditions are obligatory; an op that can never succeed has
    `always`.

    Example:

    ```mlir
    normalform.fails "requires a workgroup memory space" definite
        when ["not attr memory_space", "count 0 at_least 1"]
    ```
  }];
  let assemblyFormat = [{
    $message (`definite` $definite^)? (`when` $when^)? attr-dict
  }];
}

def NormalForm_MayFailOp : NormalForm_ClauseOp<"may_fail",
    (ins StrAttr:$message)> {
  let summary = "the op can fail in a way that no other clause describes";
  let description = [{
    Where the conditions may hold, the schedule is not proved, and `message` is
    the reason. A contract that names all that it leaves open is complete.

    Example:

    ```mlir
    normalform.may_fail "Attempted to vectorize, but failed"
        when ["not attr vectorize_padding"]
    ```
  }];
  let assemblyFormat = "$message (`when` $when^)? attr-dict";
}

def NormalForm_EnsuresOp : NormalForm_ClauseOp<"ensures",
    (ins FlatSymbolRefAttr:$form, I64Attr:$operand)> {
  let summary = "a form that the op establishes at an operand's anchor";
  let assemblyFormat = "$form `of` $operand (`when` $when^)? attr-dict";
}

def NormalForm_PreservesOp : NormalForm_ClauseOp<"preserves",
    (ins OptionalAttr<FlatSymbolRefArrayAttr>:$forms)> {
  let summary = "forms that survive the op's payload writes";
  let description = [{
    A write removes every other form of the anchor, of its ancestors and of its
    descendants. Without a list, all forms survive.
  }];
  let assemblyFormat = "($forms^):(`all`)? (`when` $when^)? attr-dict";
}

def NormalForm_ResultOp : NormalForm_ClauseOp<"result",
    (ins I64Attr:$index, UnitAttr:$onwards, StrAttr:$relation,
         OptionalAttr<I64Attr>:$operand, OptionalAttr<StrArrayAttr>:$kinds,
         StrAttr:$count)> {
  let summary = "where a result's payload lies, of which kind and how many";
  let description = [{
    About result `index`, or with `onwards` about it and all that follow.
    `relation`, seen from the payload of `operand`: `"same"`, `"replaces"`,
    `"inside"`, `"around"`, `"fresh"`, `"anchored"` (inside of the nearest op
    around it that is isolated from above), `"declared"` (inside of the nearest
    symbol table around it) or `"any"`.

    `count` is `"per_target"`, `"at_most_per_target"`, `"one"`, `"unbounded"`,
    or a term, with ` per_target` behind it for as many for each target: a
    number, `count_nonzero(ATTR)`, `size(ATTR)` or `value(ATTR)` of an attribute
    of the op.

    Of several clauses about a result, the conditions of at most one hold.

    Example:

    ```mlir
    normalform.result 1 onwards "around" of 0 kinds ["scf.for"]
        count "per_target"
    normalform.result 0 "fresh" of 0 count "count_nonzero(sizes) per_target"
    ```
  }];
  let assemblyFormat = [{
    $index (`onwards` $onwards^)? $relation (`of` $operand^)?
    (`kinds` $kinds^)? `count` $count (`when` $when^)? attr-dict
  }];
}

def NormalForm_PayloadOp : NormalForm_ClauseOp<"payload",
    (ins StrAttr:$extent, OptionalAttr<I64Attr>:$operand,
         OptionalAttr<StrArrayAttr>:$introduces,
         OptionalAttr<StrArrayAttr>:$rewrites,
         OptionalAttr<StrArrayAttr>:$removes,
         OptionalAttr<StrArrayAttr>:$handles)> {
  let summary = "what the op's write does to the payload";
  let description = [{
    The extent of the write, seen from `operand` (0 if not given): `"target"`,
    the ops below its payload; `"anchor"`, those below the nearest op around it
    that is isolated from above; `"root"`, everything.

    - `introduces`: the kinds of op that can be there afterwards and were not
      before; `"+cf.*"` stands for more of what is there, and for nothing where
      no such op is;
    - `rewrites`: the kinds that can be gone or changed afterwards; `"-KIND"` is
      a kind that `"*"` leaves out;
      `KIND?PROPERTY` (also behind a `+`) are those of them that have a property: an input that no
      loop indexes (`constant-input`), a loop or an operand's dimension of one
      step (`unit-extent`), or, of a loop, a result that is a tensor
      (`tensor-result`);
    - `removes`: the kinds of which none is left in the extent (they need not be
      among those rewritten);
    - `handles`: what happens to live handles into the extent, any of
      `"may_shrink"` (an op that nothing uses can be erased, of whatever kind),
      `"may_retarget"` (ops that were two can be one), `"may_move"` (an op can
      leave the loops around it) and `"fails_if_used_later"` (the op fails when
      it replaces, by something that is no op of the same kind, an op that a
      handle with a later use holds).

    A missing list means none. Several clauses add up.

    Example:

    ```mlir
    normalform.payload "target" introduces ["memref.*"] removes ["!tensor"]
        handles ["may_shrink", "fails_if_used_later"]
    ```
  }];
  let assemblyFormat = [{
    $extent (`of` $operand^)? (`introduces` $introduces^)?
    (`rewrites` $rewrites^)? (`removes` $removes^)? (`handles` $handles^)?
    (`when` $when^)? attr-dict
  }];
}

def NormalForm_PerformsOp : NormalForm_ClauseOp<"performs",
    (ins StrArrayAttr:$procedures)> {
  let summary = "the procedures of forms that the op runs at its operand";
  let description = [{
    Makes hand-written clean-up count: a form is credited once its rule groups
    and procedures have run at the anchor with no other write since.
  }];
  let assemblyFormat = "$procedures (`when` $when^)? attr-dict";
}

def NormalForm_ConvergesOp : NormalForm_ClauseOp<"converges",
    (ins UnitAttr:$on_tensors, OptionalAttr<StrArrayAttr>:$groups)> {
  let summary = "the rules of the group come to an end";
  let description = [{
    For a rule group: applied to any payload (with `on_tensors`, to one of which
    all structured ops are on tensors), alone or with other groups of which this
    is said, the greedy driver reaches a fixpoint within its limits; but not with
    `groups`, which undo what it does (naming one of two is enough). Of opaque
    patterns that is a claim for which no counterexample is known, never a proof. Without the clause an op that runs the group can fail.

    Example:

    ```mlir
    normalform.contract "transform.apply_patterns.vector.lower_masks" {
      normalform.converges except ["transform.apply_patterns.my.form_masks"]
      normalform.payload "target" introduces ["vector.*", "arith.*"]
          rewrites ["vector.create_mask", "vector.constant_mask"]
    }
    ```
  }];
  let assemblyFormat = [{
    (`on_tensors` $on_tensors^)? (`except` $groups^)? (`when` $when^)? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// Where the claims of a contract hold
//===----------------------------------------------------------------------===//

def NormalForm_AdmitsOp : NormalForm_ClauseOp<"admits",
    (ins StrArrayAttr:$features, StrAttr:$evidence)> {
  let summary = "unusual payload for which the contract holds, too";
  let description = [{
    The claims of a contract hold for ordinary payload: numbers as elements,
    strided layouts, sizes of at least one, loops over `index`, no encodings.
    `formwork contracts --features` lists what is not ordinary. `features` are
    those of them that payload of a step may have all the same, or `"*"` for all;
    where payload has another one, the step is not proved. `evidence` says how
    that was tried.

    Example:

    ```mlir
    normalform.admits ["element:complex", "size:zero"] by "campaign"
    ```
  }];
  let assemblyFormat = "$features `by` $evidence (`when` $when^)? attr-dict";
}

def NormalForm_DomainOp : NormalForm_ClauseOp<"domain",
    (ins UnitAttr:$option, StrAttr:$name, StrArrayAttr:$values)> {
  let summary = "the values of an attribute or option for which the contract holds";
  let description = [{
    Without the clause, an attribute of the op, or an option of the pass, has the
    ordinary domain: integers from 1 to 2147483647, texts and lists that are not
    empty, lists of names without duplicates, and everything that is neither. With
    a value outside of the domain, the step is not proved. Of a list, `values` is
    said of each element that is no list:

    - `at_least K`, `at_most K`: another bound of integers;
    - `dynamic`: also MLIR's marker for a size that is not static, which stands
      where an operand gives the size;
    - `empty`: also an empty text or list;
    - `distinct`: no element of a list comes twice;
    - `repeated`: also a name that comes twice in a list;
    - `is TEXT`: also this value, printed without its type;
    - `only TEXT`: no values but those that are called like that;
    - `any`: all values.

    Example:

    ```mlir
    normalform.domain "static_sizes" ["at_least 0", "dynamic"]
    normalform.domain option "tile-sizes" ["at_least 0"]
    ```
  }];
  let assemblyFormat = [{
    (`option` $option^)? $name $values (`when` $when^)? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// What a check may go on to assume
//===----------------------------------------------------------------------===//

def NormalForm_SideEffectsOp : NormalForm_ClauseOp<"side_effects",
    (ins StrArrayAttr:$effects)> {
  let summary = "what a step does to what is known of other payload";
  let description = [{
    `effects` are any of the following, of all steps of the op. Only those that
    begin with `may_` can have conditions:

    - `effects_of_body`: the op does what the steps in its body do, and no more;
    - `keeps_order`: ops that the step does not make stay in their order, and what
      it makes stands where the op stood of which it was made;
    - `may_merge`: ops that were two may be one afterwards;
    - `may_fold`: slices may be other ops afterwards, or none;
    - `may_fold_values`: the same, but a view of a part of a buffer stays one;
    - `reads_no_discardable_attribute`: what the step does and returns does not
      depend on discardable attributes of payload;
    - `writes_only_discardable_attributes`: the step changes nothing else;
    - `only_reads`: the step looks at payload and does nothing else; with a body,
      if the steps in it do;
    - `reads_one_op`: what the step returns depends on its target alone, not on what
      is in it, defines its operands or uses its results; with a body, if that is
      so of the steps in it;
    - `only_reports`: the step says something to the user and does nothing else;
    - `hands_on_parameters`: the step requires nothing of the values of
      parameters, and only hands them on;
    - `opens_parameters`: the step leaves a choice open until values are given, or
      says which values may be given;
    - `cleans_up`: the step states no decision; it only folds, merges, moves or
      erases.

    What is missing is not so. The rule groups, procedures and forms that a step
    runs have contracts of their own, which say what these may do.

    Example:

    ```mlir
    normalform.side_effects ["keeps_order"]
    normalform.side_effects ["may_fold"] when ["count 0 at_least 1"]
    ```
  }];
  let assemblyFormat = "$effects (`when` $when^)? attr-dict";
}

def NormalForm_SilenceableOp : NormalForm_ClauseOp<"silenceable",
    (ins StrArrayAttr:$ids, UnitAttr:$leaves_payload)> {
  let summary = "failures that the schedule may suppress";
  let description = [{
    `ids` are those of diagnostics that stand for a silenceable failure of the op,
    so that a sequence that suppresses failures goes on. With `leaves_payload`, the
    step has then changed nothing, if its first operand holds one op. Failures by
    `normalform.fails`, `normalform.needs_ancestor` and of an op that comes twice
    are silenceable without the clause, unless they are `definite`.

    Example:

    ```mlir
    normalform.silenceable ["fw-wrong-kind"] leaves_payload
    ```
  }];
  let assemblyFormat = [{
    $ids (`leaves_payload` $leaves_payload^)? (`when` $when^)? attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// What a step is for
//===----------------------------------------------------------------------===//

def NormalForm_EffectOp : NormalForm_ClauseOp<"effect",
    (ins I64Attr:$operand, StrArrayAttr:$terms, StrAttr:$otherwise)> {
  let summary = "what is true of each target after the step did its job";
  let description = [{
    Of each payload op of operand `operand`, all of `terms` hold after a step that
    did what it is for; a step of which that is true for no target is idle, for
    some of them partial. `otherwise` is what is left as it was. A term compares
    payload before and after the step; `not` in front negates:

    | term | holds when |
    |---|---|
    | `gone` | the target is not there any more, or is an op of another kind |
    | `changed` | the target, or something in it, is another one than before |
    | `types` | the operands or results of the target have other types |
    | `attribute NAME` | the target has a discardable attribute of that name that it did not have, or not with that value |
    | `attribute of NAME` | the same of one called as attribute NAME of the step says |
    | `result N` | result N of the step holds an op for each target |
    | `result N is KIND` | all of them are of that kind |
    | `inside KIND` | an op of that kind is around what result 0 or else the target is, and was not around the target |
    | `more KIND`, `fewer KIND` | there are more (fewer) ops of that kind in the scope of the target |
    | `shallower KIND` | ops of that kind in the scope lie in fewer loops, taken together |
    | `none KIND` | no op of that kind is in the scope |
    | `never` | does not hold: where the clause is in force, the step does nothing |

    KIND may also be `!tensor`, `!memref` or `!vector`, for ops with such a value.
    Where ops are counted, it may be several, as in `fewer A or B`: they are
    counted together.
    The scope of a target is the target if that is isolated from above, and else
    the nearest op around it that is.

    Example:

    ```mlir
    normalform.effect 0 ["result 1 is scf.for"] otherwise "no loop is made"
        when ["not attr static_sizes is [0, 0]"]
    ```
  }];
  let assemblyFormat = [{
    $operand $terms `otherwise` $otherwise (`when` $when^)? attr-dict
  }];
}

#endif // FORMWORK_NORMALFORMS_IR_CONTRACTOPS_TD
