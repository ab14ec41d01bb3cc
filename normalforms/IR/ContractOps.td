//===- ContractOps.td - Contracts of transform ops ---------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clause language for contracts of transform ops (DESIGN §4). A contract
// does not say whether the op consumes handles or writes payload: the memory
// effects of the op say so.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_CONTRACTOPS_TD
#define FORMWORK_NORMALFORMS_IR_CONTRACTOPS_TD

include "normalforms/IR/NormalFormDialect.td"
include "mlir/IR/OpBase.td"

def NormalForm_ContractOp : NormalForm_Op<"contract",
    [NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "the requirements, effects and results of one transform op";
  let description = [{
    Names a transform op, or `"pass:NAME"` for a registered pass, and holds its
    clauses. `complete` claims that clauses or the model cover every way in which
    the op can fail, so that a schedule of such ops can be proved. Without
    `complete`, the verdict on a schedule that uses the op is at best "unknown".
    `model` names a transfer function of the verifier for facts that clauses
    cannot state, such as the iteration space of a tile. A contract of a file can
    name the model that the plugin of the op has registered for it:
    [extending.md](extending.md#an-own-model).

    **Conditions.** A clause with `when` holds where all of its conditions hold:

    | condition | holds when |
    |---|---|
    | `always` | always |
    | `attr NAME` | the op has the attribute, and it is not `false` |
    | `attr NAME is TEXT` | the attribute, printed without its type, is TEXT |
    | `operand N` | the op has more than N operands |
    | `type N is TEXT` | the type of operand N is TEXT (`op`, `value` or `param` stand for all types of that kind) |
    | `count N is K`, `at_least K`, `at_most K` | operand N holds that number of payload ops |
    | `kind N is KIND` | all payload of operand N is of that kind |
    | `fact N is NAME` | all payload of operand N has the property NAME, see below |
    | `foldable_sizes N` | at or below payload of operand N, folding may make a size of a structured op static |
    | `dynamic_sizes N` | at or below payload of operand N, a structured op may have a dynamic size |
    | `holds N is KIND` | at or below payload of operand N, there may be an op of that kind |
    | `given N is KIND` | as `holds`, but for the payload as it was given: ops that steps made do not count, unless they are listed |
    | `holds_schedule N` | an op of operand N holds the checked schedule, such as a module with both the schedule and the payload |
    | `runs_alone N` | the step succeeds on each op of operand N by itself; decided by running upstream on a copy, where no step has changed the op, and else as `runs_here` |
    | `runs_here N` | the step succeeds where it stands, with what operand N holds there; decided by running the steps before it, and it, on a copy of the payload |
    | `param N is TEXT`, `at_least K`, `at_most K` | operand N is a parameter, and each value is TEXT, or an integer that is at least (at most) K |
    | `option NAME`, `option NAME is TEXT` | the pass runs with that option |
    | `attr NAME at_least K`, `at_most K`, also for `option` | the value is an integer or a list of integers, and each is at least (at most) K |

    For a rule group or a pass, operand N is the operand of the step that runs it.

    **Checks at load time.** A contract of `--contracts` is compared with its op.
    These are errors: operands and results that the op does not have, parameters
    where a clause describes payload, unknown attributes, options, ids of errors,
    ops and passes, a value of an attribute that is only present or absent, and
    side effects that do not fit what the op writes. A pass declares the dialects
    of the ops that it makes; a warning names those of which no clause says that
    such ops are added.
    Names of a plugin that is not loaded cannot be compared, nor operands beyond
    those that the definition names; a warning says so.

    A leading `not` negates a condition. A condition that is not known at a point
    of a schedule counts for the worse. It makes a write or a failure possible;
    it does not establish a form, and it does not preserve one.

    **Facts** are properties of one payload op (for a payload value: of the op that
    defines it). They are decided where no step has changed the op.
    `formwork contracts --facts` prints them. With `not`, a `fails` clause states
    a precondition exactly: some payload lacks the property.

    **Kinds** are op names, `dialect.*`, `"*"` for any, or one of the classes
    `$isolated`, `$loop`, `$structured`, `$tileable`. Where a clause lists ops that
    go away, `!tensor`, `!memref` or `!vector` stand for ops with a value of such
    a type.

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
    The anchor of operand `operand` must be in `form`. `otherwise` is the
    consequence if it is not, in upstream's own words where upstream has a
    message.

    A form makes a statement about the ops below its anchor. After `of`, the
    anchor is the payload op itself if the op can be an anchor of the form, and
    otherwise the nearest anchor around it. After `around`, the anchor is always
    around the payload op, so that the form covers the payload op itself.

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
    As `normalform.requires`, but without the form the op still succeeds: it skips
    some work, makes worse code or hides a cost.
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
    Each payload op of the operand must have an ancestor of one of `kinds`. Inside
    of `transform.alternatives`, ops above the scope are not attached and do not
    count. Otherwise the op fails, with `otherwise` as the message. The failure is
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
    `message` is the op's own error message. A failure is silenceable unless it is
    `definite`. Conditions are mandatory; an op that can never succeed has
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
    the reason. A contract that lists all its open cases is complete.

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
    A write removes every other form from the anchor, its ancestors and its
    descendants. With `all` instead of a list, all forms survive.
  }];
  let assemblyFormat = "($forms^):(`all`)? (`when` $when^)? attr-dict";
}

def NormalForm_ResultOp : NormalForm_ClauseOp<"result",
    (ins I64Attr:$index, UnitAttr:$onwards, StrAttr:$relation,
         OptionalAttr<I64Attr>:$operand, OptionalAttr<StrArrayAttr>:$kinds,
         StrAttr:$count, OptionalAttr<StrAttr>:$space)> {
  let summary = "where a result's payload lies, of which kind and how many";
  let description = [{
    Describes result `index`, or with `onwards` this result and all later ones.
    `relation` relates the result to the payload of `operand`: `"same"`,
    `"replaces"`, `"inside"`, `"around"`, `"fresh"`, `"anchored"` (inside the
    nearest op around the payload that is isolated from above), `"declared"`
    (inside the nearest symbol table around the payload) or `"any"`.

    `kinds` lists the kinds that the payload can have. With `"replaces"`, a class
    as the only kind says more: if the target is in the class, the op that
    replaces it has the kind of the target. Where a step makes ops of another
    kind, such as a `linalg.generic` of a named op, list the names.

    `count` is `"per_target"`, `"at_most_per_target"`, `"one"`, `"unbounded"`,
    or a term: a number, `count_nonzero(ATTR)`, `size(ATTR)` or `value(ATTR)` of
    an attribute of the op. A term followed by ` per_target` counts for each
    target.

    `space` says which loops a structured op of the result has, seen from those
    of the target that it was made from. It needs a count for each target, and
    `kinds` that give the kind: the name of a structured op, or, with
    `"replaces"`, `"$structured"`:

    - `"same"`: the same loops;
    - `"tile(ATTR)"`: those of one full tile. ATTR has a tile size for each of
      the first loops; 0 leaves the loop whole. A tile whose size does not divide
      the loop has a dynamic size, or one that is not known. With `"replaces"`
      and the kind of the target, the tile also has the body, the maps and the
      attributes of the target, such as those on which vectorization depends.
      `"tile(ATTR, N)"`: MLIR's marker for a dynamic size stands for operands
      of the step, from operand N on;
    - `"interchange(ATTR)"`: loop i is loop ATTR[i] of the target.

    If several clauses describe a result, the conditions of at most one may hold.

    Example:

    ```mlir
    normalform.result 1 onwards "around" of 0 kinds ["scf.for"]
        count "per_target"
    normalform.result 0 "fresh" of 0 count "count_nonzero(sizes) per_target"
    normalform.result 0 "replaces" of 0 kinds ["$structured"]
        count "per_target" space "tile(sizes)"
    ```
  }];
  let assemblyFormat = [{
    $index (`onwards` $onwards^)? $relation (`of` $operand^)?
    (`kinds` $kinds^)? `count` $count (`space` $space^)? (`when` $when^)?
    attr-dict
  }];
}

def NormalForm_PayloadOp : NormalForm_ClauseOp<"payload",
    (ins StrAttr:$extent, OptionalAttr<I64Attr>:$operand,
         OptionalAttr<StrArrayAttr>:$introduces,
         OptionalAttr<StrArrayAttr>:$rewrites,
         OptionalAttr<StrArrayAttr>:$removes,
         OptionalAttr<StrArrayAttr>:$handles)> {
  let summary = "the effect of the op's write on the payload";
  let description = [{
    The extent of the write, relative to `operand` (default 0): `"target"`, the
    ops below its payload; `"anchor"`, the ops below the nearest op around it that
    is isolated from above; `"root"`, everything.

    - `introduces`: the kinds of op that the write can add. `"+cf.*"` adds such ops
      only where one exists already. `"$constant"` stands for the constants that
      folding makes: `arith.constant`, `complex.constant`, `index.constant` and
      `ub.poison`.
    - `rewrites`: the kinds that can be gone or changed afterwards. `"-KIND"`
      excludes a kind from `"*"`. `KIND?PROPERTY` (also after a `+`) selects the
      ops with a property: an input that no loop indexes (`constant-input`), a loop
      or an operand's dimension with one step (`unit-extent`), or, for a loop, a
      tensor result (`tensor-result`).
    - `removes`: the kinds that do not occur in the extent afterwards. They need
      not be among `rewrites`.
    - `handles`: the effects on live handles into the extent, any of
      `"may_shrink"` (an unused op of any kind can be erased), `"may_retarget"`
      (two ops can be merged into one), `"may_move"` (an op can leave the loops
      around it) and `"fails_if_used_later"`. With the last one, the op fails in
      one case: it replaces an op that a handle with a later use holds, and the
      replacement is not an op of the same kind.

    A missing list is empty. Several clauses add up.

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
    Lets hand-written clean-up establish a form. A form holds once its rule groups
    and procedures have run at the anchor and nothing else was written since.
  }];
  let assemblyFormat = "$procedures (`when` $when^)? attr-dict";
}

def NormalForm_ConvergesOp : NormalForm_ClauseOp<"converges",
    (ins UnitAttr:$on_tensors, OptionalAttr<StrArrayAttr>:$groups)> {
  let summary = "the rules of the group terminate";
  let description = [{
    For a rule group: the greedy driver reaches a fixpoint within its limits on any
    payload, alone or with other groups that have this clause. With `on_tensors`,
    this holds only if all structured ops of the payload are on tensors. It does
    not hold together with `groups`, which undo the rewrites of this group; naming
    one of the two groups is enough. Patterns are opaque, so this is a claim without
    a known counterexample, not a proof. Without the clause, an op that runs the
    group can fail.

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
// Scope of a contract
//===----------------------------------------------------------------------===//

def NormalForm_AdmitsOp : NormalForm_ClauseOp<"admits",
    (ins StrArrayAttr:$features, StrAttr:$evidence)> {
  let summary = "unusual payload for which the contract holds, too";
  let description = [{
    The claims of a contract hold for ordinary payload: numbers as elements,
    strided layouts, sizes of at least one, loops over `index`, no encodings.
    `formwork contracts --features` lists the unusual features. `features` are
    those that payload of a step may still have, or `"*"` for all. Where payload
    has another feature, the step is not proved. `evidence` says how this was
    tried.

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
    ordinary domain: integers from 1 to 2147483647, nonempty strings and lists,
    lists of names without duplicates, and all other attributes. With a value
    outside of the domain, the step is not proved. For a list, `values` applies to
    each element that is not itself a list:

    - `at_least K`, `at_most K`: another bound for integers;
    - `dynamic`: allow MLIR's marker for a dynamic size, which stands where an
      operand gives the size;
    - `empty`: allow an empty string or list;
    - `distinct`: no element of a list may occur twice;
    - `repeated`: a name may occur twice in a list;
    - `is TEXT`: allow this value, printed without its type;
    - `only TEXT`: allow only the values listed with `only`;
    - `any`: allow all values.

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
// Side effects and failures
//===----------------------------------------------------------------------===//

def NormalForm_SideEffectsOp : NormalForm_ClauseOp<"side_effects",
    (ins StrArrayAttr:$effects)> {
  let summary = "the effect of a step on the knowledge about other payload";
  let description = [{
    `effects` are any of the following; each holds for all steps of the op. Only
    words that begin with `may_` can have conditions:

    - `effects_of_body`: the op does exactly what the steps in its body do;
    - `keeps_order`: existing ops stay in their order, and each new op stands where
      the op stood that it was made from;
    - `may_merge`: two ops may be one afterwards;
    - `may_fold`: slices may become other ops, or disappear;
    - `may_fold_values`: as `may_fold`, but a view of a part of a buffer stays one;
    - `may_reshape`: an existing value may be read in another shape, or in another
      place, than before; folding may take what makes it together with that;
    - `reads_no_discardable_attribute`: the actions and results of the step do not
      depend on discardable attributes of payload;
    - `writes_only_discardable_attributes`: the step changes nothing else;
    - `only_reads`: the step only reads payload; an op with a body, if the steps
      in its body do;
    - `reads_one_op`: the results of the step depend on its target alone, not on
      the ops inside the target, the definitions of its operands or the uses of its
      results; for an op with a body, if this is true of the steps in its body;
    - `only_reports`: the step only reports to the user;
    - `hands_on_parameters`: the step accepts any parameter values, and only passes
      them on;
    - `opens_parameters`: the step leaves a choice open until values are given, or
      restricts the values that may be given;
    - `cleans_up`: the step states no decision; it only folds, merges, moves or
      erases.

    A missing word means that the statement is not true. The rule groups,
    procedures and forms that a step runs have their own contracts, which state
    their effects.

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
    `ids` are the ids of errors that stand for a silenceable failure of the
    op. A sequence that suppresses failures continues after such a failure. With
    `leaves_payload`, the failed step has changed nothing, if its first operand
    holds one op. Some failures are silenceable without the clause, unless they
    are `definite`: those of `normalform.fails` and `normalform.needs_ancestor`,
    and of an operand that holds an op twice.

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
// Purpose of a step
//===----------------------------------------------------------------------===//

def NormalForm_EffectOp : NormalForm_ClauseOp<"effect",
    (ins I64Attr:$operand, StrArrayAttr:$terms, OptionalAttr<StrAttr>:$each,
     StrAttr:$otherwise)> {
  let summary = "a fact about each target after the step did its job";
  let description = [{
    After a step that did its job, all of `terms` hold for each payload op of
    operand `operand`. A step for which they hold for no target is idle; if they
    hold for some targets, the step is partial. `otherwise` names what the step
    left unchanged. A term compares payload before and after the step; a leading
    `not` negates it:

    | term | holds when |
    |---|---|
    | `gone` | the target is gone, or is an op of another kind |
    | `changed` | the target, or something in it, has changed |
    | `types` | the operands or results of the target have other types |
    | `attribute NAME` | the target has a discardable attribute of that name that is new or has a new value |
    | `attribute of NAME` | as `attribute`, but the step's attribute NAME holds the name |
    | `result N` | result N of the step holds an op for each target |
    | `result N is KIND` | result N holds an op of that kind for each target |
    | `inside KIND` | an op of that kind is around the op of result 0, or else around the target, and was not around the target before |
    | `more KIND`, `fewer KIND` | there are more (fewer) ops of that kind in the scope of the target than before |
    | `shallower KIND` | the ops of that kind in the scope lie in fewer loops than before, summed over the ops |
    | `none KIND` | no op of that kind is in the scope |
    | `held KIND` | an op of that kind was at or below the target before the step |
    | `never` | never: where the clause applies, the step has no effect |

    KIND may also be `!tensor`, `!memref` or `!vector`, for ops with such a value.
    Terms that count ops, and `held`, accept several kinds, as in `fewer A or B`,
    and count them together. The scope of a target is the target itself if it is
    isolated from above, and else the nearest isolated op around it.

    `each KIND` is for a step that works on whatever it finds in the scope. Then
    the ops of that kind in the scope count instead of the target: those that
    are left there are without the effect. A run tells.

    Example:

    ```mlir
    normalform.effect 0 ["result 1 is scf.for"] otherwise "no loop is made"
        when ["not attr static_sizes is [0, 0]"]
    normalform.effect 0 ["fewer $structured"] each "$structured"
        otherwise "structured ops are not vectorized"
    ```
  }];
  let assemblyFormat = [{
    $operand $terms (`each` $each^)? `otherwise` $otherwise (`when` $when^)? attr-dict
  }];
}

#endif // FORMWORK_NORMALFORMS_IR_CONTRACTOPS_TD
