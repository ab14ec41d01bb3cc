// An operand that is indexed by a loop is read through a slice once one is tiled, and the bounds of
// the loop are constants, until clean-up folds them.
// RUN: split-file %s %t
// RUN: formwork check %inputs/matmul.mlir --transform=%t/made.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/made.mlir --validate -o %t/out.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/not-sliced.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/not-sliced.mlir --validate -o %t/out.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/folded.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %inputs/matmul.mlir --transform=%t/folded.mlir -o - 2>&1 | FileCheck %s --check-prefix=FAILS

// CHECK: : proved: 0 errors
// OPEN: asks for the producer of an operand that may have none
// FAILS: could not find a producer for operand

// Only the tile reads its slice, until something else takes the slice's place.
// RUN: formwork check %inputs/chain.mlir --transform=%t/reader.mlir --strict
// RUN: formwork apply %inputs/chain.mlir --transform=%t/reader.mlir --validate -o %t/out.mlir
// RUN: formwork check %inputs/chain.mlir --transform=%t/fused.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: formwork apply %inputs/chain.mlir --transform=%t/fused.mlir --validate -o %t/out.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/bufferized.mlir 2>&1 | FileCheck %s --check-prefix=OPEN

//--- made.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %slice = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.op<"tensor.extract_slice">
    %whole = transform.get_producer_of_operand %tile[1] : (!transform.any_op) -> !transform.op<"tensor.extract_slice">
    %bound = transform.get_producer_of_operand %loop[1] : (!transform.any_op) -> !transform.op<"arith.constant">
    %again, %forall = transform.structured.tile_using_forall %tile tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %rows = transform.get_producer_of_operand %again[0] : (!transform.any_op) -> !transform.op<"tensor.extract_slice">
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %part, %loops = transform.structured.tile_using_forall %fill tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %scalar = transform.get_producer_of_operand %part[0] : (!transform.any_op) -> !transform.op<"arith.constant">
    %readers = transform.get_consumers_of_result %forall[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- not-sliced.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %fill tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %scalar = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- folded.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %slice = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- reader.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %slice = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    %reader = transform.get_consumers_of_result %slice[0] : (!transform.any_op) -> !transform.any_op
    %again, %inner = transform.structured.tile_using_for %reader tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yield
  }
}

//--- fused.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %sum = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %into = transform.structured.fuse_into_containing_op %sum into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %made = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    %again, %inner = transform.structured.tile_using_for %made tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- bufferized.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %slice = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    %buffer, %others = transform.structured.bufferize_to_allocation %slice : !transform.any_op
    %made = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
