// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// Another operation.
// expected-note @below {{payload op}}
func.func @f() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a 'gpu.launch' but has 'func.func' [fw-wrong-kind]}}
    transform.formwork.use_dynamic_workgroup_memory %func : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// A buffer of a size that the kernel computes.
func.func @f() {
  %c1 = arith.constant 1 : index
  // expected-note @below {{payload op}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc(%bx) : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires buffers of a static shape and layout but has one of type memref<?xf32, #gpu.address_space<workgroup>> [fw-kernel-allocation]}}
    transform.formwork.use_dynamic_workgroup_memory %launch : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// A launch that computes what it asks for.
func.func @f(%n: i32) {
  %c1 = arith.constant 1 : index
  // expected-note @below {{payload op}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %n {
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a launch that asks for a constant number of bytes but has one that computes it [fw-kernel-allocation]}}
    transform.formwork.use_dynamic_workgroup_memory %launch : (!transform.any_op) -> ()
    transform.yield
  }
}
