// A handle to the value of a kernel's buffer follows the view that takes its place,
// one to the op gets lost, and one to the launch stays.

// RUN: formwork apply %s --validate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: gpu.launch
// CHECK: memref.view {{.*}} {was_buffer}
// CHECK-NEXT: memref.store
// CHECK-NOT: lost
// CHECK: {still_there}

func.func @f(%x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<5xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%tx] : memref<5xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %buffer = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.get_result %buffer[0] : (!transform.any_op) -> !transform.any_value
    transform.formwork.use_dynamic_workgroup_memory %launch : (!transform.any_op) -> ()
    %view = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    transform.annotate %view "was_buffer" : !transform.any_op
    transform.annotate %buffer "lost" : !transform.any_op
    transform.annotate %launch "still_there" : !transform.any_op
    transform.yield
  }
}
