// A step on the code of a kernel is tried where it stands in an included sequence, in a sequence, or in a foreach over
// one op.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/schedule.mlir | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir -o /dev/null
// RUN: not formwork check --static %t/payload.mlir --transform=%t/wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: : proved: 0 errors
// WRONG: error: {{.*}} [fw-
// WRONG: refuted

//--- payload.mlir
module {
  func.func @masked(%a: memref<?xf32>, %b: memref<f32>) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%lx = %c1, %ly = %c1, %lz = %c1) {
      %c0 = arith.constant 0 : index
      %cst = arith.constant 0.000000e+00 : f32
      %dim = memref.dim %a, %c0 : memref<?xf32>
      %0 = vector.create_mask %dim : vector<128xi1>
      %1 = vector.mask %0 { vector.transfer_read %a[%c0], %cst {in_bounds = [true]} : memref<?xf32>, vector<128xf32> } : vector<128xi1> -> vector<128xf32>
      %2 = vector.mask %0 { vector.multi_reduction <maximumf>, %1, %cst [0] : vector<128xf32> to f32 } : vector<128xi1> -> f32
      memref.store %2, %b[] : memref<f32>
      gpu.terminator
    }
    return
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  module @library attributes {transform.with_named_sequence} {
    transform.named_sequence @share(%m: !transform.any_op {transform.readonly}) {
      %functions = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
      transform.foreach %functions : !transform.any_op {
      ^bb0(%f: !transform.any_op):
        transform.sequence %f : !transform.any_op failures(propagate) {
        ^bb1(%arg: !transform.any_op):
          %launch = transform.structured.match ops{["gpu.launch"]} in %arg : (!transform.any_op) -> !transform.any_op
          %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
        }
      }
      transform.yield
    }
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.include @library::@share failures(propagate) (%m) : (!transform.any_op) -> ()
    transform.yield
  }
}

//--- wrong.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @share(%launch: !transform.any_op {transform.consumed}) {
    %shared = transform.formwork.distribute_vectors %launch threads = [48] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.include @share failures(propagate) (%launch) : (!transform.any_op) -> ()
    transform.yield
  }
}
