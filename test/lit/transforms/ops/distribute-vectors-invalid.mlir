// RUN: formwork-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// fw-wrong-kind
module attributes {transform.with_named_sequence} {
  // expected-note @below {{payload op}}
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a 'gpu.launch' but has 'func.func' [fw-wrong-kind]}}
    %shared = transform.formwork.distribute_vectors %func threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-threads-taken: threads of the launch
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    // expected-note @below {{here}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a kernel with blocks of one thread but has one with threads already [fw-threads-taken]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-threads-taken: a thread is asked for
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{here}}
      %t = gpu.thread_id x
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a kernel that uses no threads yet but has an operation that asks for the thread [fw-threads-taken]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: nothing to share
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    // expected-note @below {{here}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %zero, %y[%c0] : memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires vectors of which threads can take parts but has none of more than one element [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: elements go to other threads
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      // expected-note @below {{here}}
      %r = vector.extract %s[3] : f32 from vector<96xf32>
      memref.store %r, %y[%c0] : memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires elements that each thread has but takes one that only some thread may have [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: an operation that mixes elements
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      // expected-note @below {{here}}
      %r = vector.shape_cast %s : vector<96xf32> to vector<8x12xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a cast that adds or drops dimensions of one element but has one that mixes dimensions [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: an operation that is not known
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      // expected-note @below {{here}}
      %r:2 = vector.scan <add>, %v, %s {inclusive = true, reduction_dim = 1 : i64} : vector<96x96xf32>, vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operations on vectors that threads can share but has 'vector.scan' [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: an effect that each thread would have
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>, %z: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      // expected-note @below {{here}}
      memref.copy %y, %z : memref<96xf32> to memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operations that one thread can do for its block but has 'memref.copy' [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: a tensor
module attributes {transform.with_named_sequence} {
  func.func @f(%x: tensor<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{here}}
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires buffers but has a tensor [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: rows and columns go together
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{here}}
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %e = math.exp %v : vector<96x96xf32>
      %t = vector.transpose %e, [1, 0] : vector<96x96xf32> to vector<96x96xf32>
      %d = arith.addf %e, %t : vector<96x96xf32>
      %s = vector.multi_reduction <add>, %d, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires vectors of which each dimension can be shared by itself but has one of which two dimensions would be shared in the same way [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: read before the launch, written in it
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    // expected-note @below {{here}}
    %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %x[%c0, %c0] {in_bounds = [true]} : vector<96xf32>, memref<96x96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires vectors that are made in the kernel but has one that is made outside of it [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-uneven-warps
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      // expected-note @below {{here}}
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires threads that combine elements to be whole warps, or powers of two of the lanes of one, but has a block of 72 threads [fw-uneven-warps]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [3, 24] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: none
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a number of threads but has none [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: not positive
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires numbers of threads of at least 1 but has 0 [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [0] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: too many
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires at most 1024 threads per block but has more [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [48, 32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: the value that stands for an unknown number
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<96xf32>, vector<96xf32>
      vector.transfer_write %v, %x[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %least = transform.param.constant -9223372036854775808 : i64 -> !transform.param<i64>
    // expected-error @below {{requires a parameter of numbers but has one of -9223372036854775808, which stands for an unknown number in MLIR [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [%least] : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: width
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires a width of at least 1 but has -4 [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] width = [-4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: several widths
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires one width but has several [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] width = [4, 4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: a parameter that is too large
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant 2048 -> !transform.param<i64>
    // expected-error @below {{requires at most 1024 threads per block but has more [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [%n] : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-bad-threads: a parameter that is no number
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<96x96xf32>, %y: memref<96xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<96xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<96x96xf32>, vector<96x96xf32>
      %s = vector.multi_reduction <add>, %v, %none [1] : vector<96x96xf32> to vector<96xf32>
      vector.transfer_write %s, %y[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    %n = transform.param.constant "many" -> !transform.any_param
    // expected-error @below {{requires a parameter of integers but has one of other attributes [fw-bad-threads]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [%n] : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: more elements than there can be code for
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<8x2147483647xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{here}}
      %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x2147483647xf32>, vector<8x2147483647xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires at most 65536 elements of a vector in each thread but has more [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: a convolution of images, of which upstream vectorizes rows only
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<1x6x6x8xf32>, %w: memref<3x3x8xf32>, %y: memref<1x4x4x8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{here}}
      linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : memref<1x6x6x8xf32>, memref<3x3x8xf32>) outs(%y : memref<1x4x4x8xf32>)
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operations on vectors but has 'linalg.depthwise_conv_2d_nhwc_hwc', which was not vectorized; tile one dimension of its images and of its filter to one, and decompose it to a convolution of rows [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: what upstream leaves as it is because a size is open, and a buffer for its result
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %buffer = memref.alloc(%n) : memref<?xf32>
      // expected-note @below {{here}}
      linalg.exp ins(%x : memref<?xf32>) outs(%buffer : memref<?xf32>)
      linalg.reduce {arith.addf} ins(%buffer : memref<?xf32>) outs(%y : memref<f32>) dimensions = [0]
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operations on vectors but has 'linalg.exp', which was not vectorized; a size of it is only known when it runs: tile it, and vectorize it with transform.formwork.vectorize_tiles, which takes sizes [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// fw-cannot-distribute: a gather that was vectorized without the option for it
module attributes {transform.with_named_sequence} {
  func.func @f(%x: memref<64xf32>, %k: memref<32xindex>, %y: memref<32xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      // expected-note @below {{here}}
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%k : memref<32xindex>) outs(%y : memref<32xf32>) {
      ^bb0(%at: index, %old: f32):
        %v = memref.load %x[%at] : memref<64xf32>
        linalg.yield %v : f32
      }
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{requires operations on vectors but has 'linalg.generic', which was not vectorized; vectorize it with transform.formwork.vectorize_tiles, a row at a time, or with vectorize_nd_extract [fw-cannot-distribute]}}
    %shared = transform.formwork.distribute_vectors %launch threads = [32] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
