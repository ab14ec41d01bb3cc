//===- FormworkTransformOps.td - Decisions of our own ------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transform-dialect ops for decisions that no upstream op takes. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_FORMWORKTRANSFORMOPS_TD
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_FORMWORKTRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def DistributeVectorsOp : Op<Transform_Dialect, "formwork.distribute_vectors",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "shares the vectors of a block among its threads";
  let description = [{
    Takes a `gpu.launch` whose blocks have one thread, which works on whole
    vectors, and gives the block threads: each has a part of every vector. The
    tile of a block was vectorized as it is, so that one thread would do all of
    it; this step decides who does what.

    `threads` are the threads along the last loops of what is combined,
    outermost first: `[4, 32]` of a reduction over the rows of a vector of 16x512
    gives four rows to the four warps at a time, and 16 elements of each row to
    each lane. Threads along loops that are not there join those of the
    outermost. The block has their product of threads, along x. Vectors that
    nothing combines are shared such that neighbours are next to each other in
    memory. `width` is the most elements that an access has; without it, as many
    as fit 16 bytes.

    - Elements of a thread stay in its registers, from the read to the write,
      and across loops.
    - A reduction (`vector.multi_reduction`, and what a `vector.contract` sums
      over) is done by each thread for its part, then by shuffles within a warp,
      then through workgroup memory across warps. Each thread has the result.
    - What several threads have alike, one of them writes.
    - A barrier stands where a thread comes to memory that another one wrote, or
      read and it writes; and nowhere else.

    The handle is consumed, since all in the launch is made anew; the result is
    the launch.

    Fails silenceably, before any change:

    - `fw-wrong-kind`: the target is no `gpu.launch`;
    - `fw-threads-taken`: the launch has threads already;
    - `fw-cannot-distribute`: no vectors to share, a vector of which two dimensions
      would be shared in the same way, more than 65536 elements of one in a thread,
      an operation that takes elements from one thread to another, or one that a
      thread cannot do for its block;
    - `fw-uneven-warps`: threads that combine elements are neither whole warps nor a
      power of two of the lanes of one.

    Fails definitely with `fw-bad-threads` when a number is below one, when there
    are more than 1024 threads, and when a parameter is no integer.

    Example:

    ```mlir
    %shared = transform.formwork.distribute_vectors %launch threads = [4, 32]
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Variadic<TransformParamTypeInterface>:$threads,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_threads,
                       Variadic<TransformParamTypeInterface>:$width,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_width);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = [{
    $target `threads` `=` custom<DynamicIndexList>($threads, $static_threads)
    (`width` `=` custom<DynamicIndexList>($width, $static_width)^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StageOp : Op<Transform_Dialect, "formwork.stage",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "takes operands of a block's operation through workgroup memory";
  let description = [{
    Takes operands of each target through workgroup memory: a vector that the
    block has is written to a buffer in front of the target, and what is read back
    is its operand. The target is an operation on whole vectors of a block, inside
    of a `gpu.launch`.

    Alone this changes nothing but the way. Once the threads of the block share
    its vectors (`transform.formwork.distribute_vectors`), what stands before the
    buffer and what stands behind it can be shared in different ways: neighbours
    read what is next to each other in global memory, each element once, and each
    thread reads from the buffer what it computes with. Barriers come with that
    step, from the accesses.

    `operands` are the numbers of the operands. `padding` is how many elements
    each row of a buffer has behind its own, so that rows start in different
    banks. With `swizzle` they do without: the units of 16 bytes of a row change
    places with each other, in a way that depends on the row, such that units next to
    each other in a row and units below each other are in different banks. `order` is
    the order of the vector's dimensions in the buffer,
    outermost first.

    The target stays what it is, and its handle valid. The results are the writes
    to the buffers, and the buffers: one for each operand of each target.

    Fails silenceably, before any change, with `fw-cannot-stage`: for a number
    that is no operand's, an operand that is no vector of a fixed size, an order
    that is none of its dimensions, a padding below zero, a swizzle of rows that are
    padded or no power of two of at least 32 bytes, and a target outside of a
    `gpu.launch`.

    Example:

    ```mlir
    %copies, %buffers = transform.formwork.stage %contract operands = [0, 1]
        padding = [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Variadic<TransformParamTypeInterface>:$operand_numbers,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_operand_numbers,
                       Variadic<TransformParamTypeInterface>:$padding,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_padding,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$order,
                       UnitAttr:$swizzle);
  let results = (outs TransformHandleTypeInterface:$writes,
                      TransformHandleTypeInterface:$buffers);
  let assemblyFormat = [{
    $target `operands` `=` custom<DynamicIndexList>($operand_numbers, $static_operand_numbers)
    (`padding` `=` custom<DynamicIndexList>($padding, $static_padding)^)?
    (`order` `=` $order^)? (`swizzle` $swizzle^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def ContractOnTensorCoresOp
    : Op<Transform_Dialect, "formwork.contract_on_tensor_cores",
         [DeclareOpInterfaceMethods<TransformOpInterface>,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "decides that the tensor cores do a contraction";
  let description = [{
    Decides for each target, a `vector.contract` of a block inside of a
    `gpu.launch`, that the tensor cores of its warps do it. The threads come with
    `transform.formwork.distribute_vectors`: that step loads fragments of the
    operands (`ldmatrix`, of four matrices wherever there are four) and multiplies
    them (`mma.sync`). The result is in registers, as fragments, and so is all that
    is computed from it: across loops, through an epilogue, and to the write.

    `warps` are the warps along the rows and along the columns of the result. With
    [2, 2], the warps have every other 8 columns each, and of the rows as well; the
    block has 128 threads, which is what `distribute_vectors` has to be told.

    - Operands are f16, with sums in f32 or f16, or bf16, with sums in f32. With
      `round_to_tf32` they are f32, are rounded to tf32 (to nearest, ties away from
      zero), and sums are in f32. Rounding is a decision: nothing else in a
      schedule makes a result less precise.
    - Each operand is read from workgroup memory (`transform.formwork.stage`), in
      rows that start at multiples of 16 bytes. The rows can be along the sum or
      along the rows or columns of the result, so both operands can be transposed.
      For tf32, the latter means ordinary loads, because `ldmatrix` transposes
      16-bit elements only.
    - A left operand of 16 bits that the kernel computes, as from the result of
      another contraction, stays in registers: what a lane has of a result is what it
      needs of an operand. All lanes of a warp share its columns then, and no two
      warps.
    - The tile has multiples of 16 rows and 8 columns for each warp, and of 8 steps
      of the sum (tf32: 4), of which an instruction does twice as many where it
      divides.

    The handle stays valid, and the operation is changed by nothing but an
    attribute. A step that replaces the operation loses the decision, and the
    threads then multiply by themselves.

    Fails silenceably, before any change, with `fw-not-for-tensor-cores`: for an
    operation of another kind, types or sizes other than these, and an operand that
    is neither computed in this way nor read from workgroup memory, or in other rows. Fails definitely with
    `fw-bad-threads` when the numbers of warps are not two of at least one, or have
    more than 1024 threads.

    Example:

    ```mlir
    transform.formwork.contract_on_tensor_cores %contract warps = [2, 2]
        : (!transform.any_op) -> ()
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Variadic<TransformParamTypeInterface>:$warps,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_warps,
                       UnitAttr:$round_to_tf32);
  let assemblyFormat = [{
    $target `warps` `=` custom<DynamicIndexList>($warps, $static_warps)
    (`round_to_tf32` $round_to_tf32^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def PipelineCopiesOp
    : Op<Transform_Dialect, "formwork.pipeline_copies",
         [DeclareOpInterfaceMethods<TransformOpInterface>,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "lets a loop's copies to workgroup memory run some steps ahead";
  let description = [{
    Takes an `scf.for` of a kernel whose threads copy parts of global memory to
    workgroup memory and compute with these, and lets the copies run on their own
    (`cp.async`), `depth` - 1 steps ahead of their use. Each buffer becomes `depth`
    buffers. `depth` is at least 2.

    - The copies of a step are one group, also where a step has none. Each step
      waits for all groups but the last `depth` - 2, which leaves as many on the
      way as the buffers allow.
    - The barriers of the loop become one a step: behind it, what the step reads has
      arrived for all threads, and what its copies overwrite is no longer read.
    - A copy of 16 bytes does not go through the first-level cache. Where only 8 or 4
      bytes are known to be aligned, the copy becomes several of as many.
    - A copy over the edge of a buffer, as of a tile that is not full, copies zeros
      for what is not there.
    - The copies in front of the loop are guarded where the loop may be shorter
      than that.

    The handle is consumed; the result is the new loop.

    Fails silenceably, before any change, with `fw-cannot-pipeline`: for another
    operation, a loop outside of a `gpu.launch`, one that copies nothing to workgroup
    memory, writes something else, or uses a buffer that is used elsewhere or read
    before it is filled, and a copy that is masked, guarded by what the loop
    computes, none of 4, 8 or 16 bytes, or not known to be aligned to 4. Rows of an odd
    number of f16 elements are not: leave such a loop without this step. Fails definitely with `fw-cannot-pipeline` when the depth is below 2, and with
    `fw-bad-threads` when a parameter is no integer.

    Example:

    ```mlir
    %pipelined = transform.formwork.pipeline_copies %loop depth = [3]
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Variadic<TransformParamTypeInterface>:$depth,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_depth);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = [{
    $target `depth` `=` custom<DynamicIndexList>($depth, $static_depth)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def UseDynamicWorkgroupMemoryOp
    : Op<Transform_Dialect, "formwork.use_dynamic_workgroup_memory",
         [DeclareOpInterfaceMethods<TransformOpInterface>,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "takes the workgroup memory of a kernel from its launch";
  let description = [{
    Makes the buffers in workgroup memory of each target, a `gpu.launch`, parts of
    one buffer, of which the launch has the size. A kernel can declare 48 KiB at
    most; what a launch asks for may be as much as the device has for a block, such
    as 163 KiB on sm_80. The emitted program asks the driver for it, and the launch
    description has it as `dynamicWorkgroupBytes`.

    Each buffer starts at a multiple of 16 bytes. Buffers that later steps allocate
    are declared, as without this step, so it comes last. The handle stays valid.

    Fails silenceably, before any change: `fw-wrong-kind` for another operation, and
    `fw-kernel-allocation` for a buffer of which the shape or the layout is not
    static, or a launch that asks for a computed number of bytes.

    Example:

    ```mlir
    transform.formwork.use_dynamic_workgroup_memory %launch
        : (!transform.any_op) -> ()
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat =
      "$target attr-dict `:` functional-type(operands, results)";
}

def VectorizeTilesOp : Op<Transform_Dialect, "formwork.vectorize_tiles",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "computes tiles with vectors that the last ones do not fill";
  let description = [{
    Computes each target with vectors of `sizes`, one for each of its loops. The
    targets are structured operations on tensors, such as the tiles of a problem
    that the tile sizes do not divide: the last tile along a loop is smaller, and
    how much so is known when it runs. What is behind the end of a tensor is read
    as zero, which changes no sum, and is not written. The code is that of a full
    tile, without masks: steps behind this one stage, distribute and pipeline it
    like any other.

    Upstream's `transform.structured.vectorize` with `vector_sizes` masks the
    computation, too.

    A target is a sum of products, such as a matmul, or has parallel loops alone,
    such as a fill or what follows a matmul. Its operands are indexed by loops
    alone. The factors may be extended, as f16 to f32. Where all loops are parallel,
    an index may also divide a loop, such as that of an image that
    `transform.structured.convert_conv2d_to_img2col` unfolds, if the tile lies in one
    part of it: with 32 channels, a tile of 32 or 16 columns does. Upstream tiles such
    operations by others as well, and then reads other elements.

    What one target writes and the next one reads stays a vector, which MLIR forwards
    for full tiles only: a sum is carried by the loops around it. Take the targets in
    the order in which they compute.

    The handle is consumed.

    Fails silenceably, before any change: `fw-vector-sizes` for another number of
    sizes than loops, a size below one, and a loop that is not known to have at
    most as many steps as its size; `fw-no-vector-form` for any other operation,
    for a tile that may reach from one part of a divided loop into the next,
    and for a body that may not be computed for elements that are not there, such
    as an integer division.

    Example:

    ```mlir
    transform.formwork.vectorize_tiles %tile sizes = [128, 128, 16]
        : (!transform.any_op) -> ()
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Variadic<TransformParamTypeInterface>:$sizes,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_sizes);
  let assemblyFormat = [{
    $target `sizes` `=` custom<DynamicIndexList>($sizes, $static_sizes)
    attr-dict `:` functional-type(operands, results)
  }];
}

def OnlineSoftmaxOp
    : Op<Transform_Dialect, "formwork.online_softmax",
         [DeclareOpInterfaceMethods<TransformOpInterface>,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "computes a softmax in pieces, along the product that reads it";
  let description = [{
    Takes a product of which one factor is a `linalg.softmax`, along the loop that
    the product sums over, and computes both in one loop over pieces of that sum,
    `step` long. No more than a piece of the softmax exists at a time. This is the
    decision behind attention in one kernel: the memory that a block needs does not
    depend on the length of the rows.

    Each piece finds a new maximum of its rows, corrects by it what the pieces
    before it summed up, and adds its own part. The division by the sum comes once,
    behind the loop. The result differs from that of the two operations by rounding.

    All pieces are of one size. Where the length of the rows is no multiple of `step`,
    the last piece begins earlier: scores that a piece before it has are negative
    infinity there, so that nothing is counted twice. Of a length that is known only
    when it runs, the last piece is shorter.

    The target is a product on tensors that sums over one loop, such as
    `linalg.matmul`, as a whole or as a tile. Between the softmax and the target may
    stand slices that take the dimension of the softmax as a whole, and casts of
    each element. What the softmax reads is read through one slice in the loop, so
    its producers can be fused into the loop. The softmax stays, for other readers,
    and goes with clean-up where it has none.

    The handle is consumed. The results are the product in the loop, and the loop.

    Fails silenceably, before any change, with `fw-no-online-softmax`: for an
    operation that is no product, a product without such a factor, and slices that
    take only a part of a row. Fails definitely with `fw-no-online-softmax` for a
    step below one, and with `fw-bad-threads` when a parameter is no integer.

    Example:

    ```mlir
    %product, %loop = transform.formwork.online_softmax %tile step = [32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Variadic<TransformParamTypeInterface>:$step,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_step);
  let results = (outs TransformHandleTypeInterface:$product,
                      TransformHandleTypeInterface:$loop);
  let assemblyFormat = [{
    $target `step` `=` custom<DynamicIndexList>($step, $static_step)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def MapForallToBlocksOp
    : Op<Transform_Dialect, "formwork.map_forall_to_blocks",
         [DeclareOpInterfaceMethods<TransformOpInterface>,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "makes a kernel of a loop of which the host knows the bounds";
  let description = [{
    Makes a `gpu.launch` of each `scf.forall` that is mapped to blocks, whatever
    its bounds: the host computes the grid from them. A grid has at least one
    block; where a loop may have no iteration, the kernel asks before it does
    anything. Blocks have one thread: a step behind this one says what the threads
    of a block do.

    Upstream's `transform.gpu.map_forall_to_blocks` takes loops of constant bounds
    only. A grid has at most 65535 blocks along y and z, which nothing checks
    where bounds are not constant: map the dimension that grows to x.

    Dimensions that are all mapped to `#gpu.block<linear_dim_N>` share x: the one
    with the least N is the fastest. There may be more than three of them.

    The handle is consumed; the result is the launch of each loop.

    Fails silenceably, before any change: `fw-wrong-kind` for another operation,
    `fw-not-bufferized` for a loop with results, `fw-missing-mapping` and
    `fw-duplicate-mapping` unless each dimension is mapped to a place in the grid
    of its own, and `fw-wrong-mapping` where it is mapped to something else, or
    the loop is inside of a kernel or of another parallel loop.

    Example:

    ```mlir
    %launch = transform.formwork.map_forall_to_blocks %blocks
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat =
      "$target attr-dict `:` functional-type(operands, results)";
}

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_FORMWORKTRANSFORMOPS_TD
