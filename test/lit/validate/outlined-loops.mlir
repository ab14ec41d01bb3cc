// A loop that is outlined stands in its own function, and in nothing that was around it.
// RUN: formwork apply %s --validate -o %t.mlir

func.func @f(%c: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> index {
    scf.yield %n : index
  } else {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
      %s = arith.addi %a, %i : index
      scf.yield %s : index
    }
    scf.yield %sum : index
  }
  return %r : index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.foreach %loops : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      %function, %call = transform.loop.outline %loop {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    %found = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.any_op
    %choice = transform.structured.match ops{["scf.if"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.annotate %found "loop" : !transform.any_op
    transform.annotate %choice "choice" : !transform.any_op
    transform.yield
  }
}
