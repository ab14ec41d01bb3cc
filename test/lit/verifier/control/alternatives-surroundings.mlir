// An alternative runs on a clone of its scope that is in no other op. Behind a pass, MLIR verifies
// what looks at the ops around it; and it does not survive a query of the data layout of a kernel
// module without the module around that.
// RUN: formwork check --static --split-input-file %s 2>&1 | FileCheck %s
// RUN: not --crash mlir-opt --split-input-file --transform-interpreter %s 2>&1 | FileCheck %s --check-prefix=RUNS

// RUNS: error: 'gpu.func' op expects parent op 'gpu.module'
gpu.module @kernels {
  gpu.func @f() kernel {
    gpu.return
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      // CHECK: [[@LINE+2]]:{{.*}}warning: cannot prove that 'transform.apply_registered_pass' succeeds
      // CHECK-SAME: may need an op around the scope of the alternatives, which run without it
      %g = transform.apply_registered_pass "strip-debuginfo" to %scope : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
// -----

// RUNS: error: 'gpu.launch_func' op expected to belong to a module
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f() {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%one, %one, %one)
    return
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %f "seen" : !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      // CHECK: [[@LINE+2]]:{{.*}}warning: cannot prove that 'transform.apply_registered_pass' succeeds
      // CHECK-SAME: may need an op around the scope of the alternatives, which run without it
      %g = transform.apply_registered_pass "canonicalize" to %scope : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
// -----

// MLIR crashes.
gpu.module @kernels {
  gpu.func @f() kernel {
    %x = memref.alloca() : memref<f32>
    gpu.return
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %module = transform.structured.match ops{["gpu.module"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %module : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      // CHECK: [[@LINE+2]]:{{.*}}warning: cannot prove that 'transform.apply_registered_pass' succeeds
      // CHECK-SAME: may need an op around the scope of the alternatives, which run without it
      %g = transform.apply_registered_pass "mem2reg" to %scope : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
// -----

gpu.module @kernels {
  gpu.func @f() kernel {
    gpu.return
  }
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      // CHECK: [[@LINE+2]]:{{.*}}warning: cannot prove that 'transform.verify' succeeds
      // CHECK-SAME: verifies the scope of the alternatives without the ops around it
      transform.verify %scope : !transform.any_op
    }
    transform.yield
  }
}
// -----

// A constant on buffers is a global of the module around it.
func.func @f() -> tensor<4xf32> {
  %constant = arith.constant dense<1.5> : tensor<4xf32>
  return %constant : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      // CHECK: [[@LINE+2]]:{{.*}}warning: cannot prove that 'transform.bufferization.one_shot_bufferize' succeeds
      // CHECK-SAME: a constant is in no module that could hold its buffer
      %g = transform.bufferization.one_shot_bufferize %scope : (!transform.any_op) -> !transform.any_op
      // CHECK: [[@LINE+2]]:{{.*}}warning: requires a valid handle but %scope is invalidated [fw-use-after-consume]
      // CHECK: cannot prove that 'transform.annotate' succeeds
      transform.annotate %scope "never reached" : !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
    }
    transform.yield
  }
}
// -----

// What a pass leaves is valid there, but not where the scope goes back. (Stock MLIR finds that at
// the end.)
memref.global @g : memref<4xf32>
func.func @f() -> memref<4xf32> {
  %buffer = memref.get_global @g : memref<4xf32>
  return %buffer : memref<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      // CHECK: [[@LINE+2]]:{{.*}}warning: cannot prove that 'transform.apply_registered_pass' succeeds
      // CHECK-SAME: does not match type 'memref<4xf32>' of the global memref @g
      %g = transform.apply_registered_pass "map-memref-spirv-storage-class" to %scope : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}

// -----

// What needs nothing around is proved.
func.func @f(%x: f32, %to: tensor<4xf32>) -> tensor<4xf32> {
  %filled = linalg.fill ins(%x : f32) outs(%to : tensor<4xf32>) -> tensor<4xf32>
  return %filled : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      transform.annotate %scope "seen" : !transform.any_op
      %g = transform.apply_registered_pass "cse" to %scope : (!transform.any_op) -> !transform.any_op
      transform.verify %g : !transform.any_op
      %h = transform.bufferization.one_shot_bufferize %g : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
// CHECK-NOT: warning: cannot prove
