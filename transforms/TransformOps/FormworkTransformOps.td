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

/// A decision about each op of the handle `target`, in payload that the step
/// rewrites. The step is done with the handle if `consumes`, else the handle
/// stays valid. Parameters are read, and results are new handles.
class DecisionOp<string mnemonic, bit consumes, list<Trait> traits = []>
    : Op<Transform_Dialect, "formwork." # mnemonic,
         traits # [DeclareOpInterfaceMethods<TransformOpInterface>,
                   DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  }] # !if(consumes, "consumesHandle", "onlyReadsHandle") # [{(
          getTargetMutable(), effects);
      onlyReadsHandle(getOperation()->getOpOperands().drop_front(), effects);
      producesHandle(getOperation()->getOpResults(), effects);
      modifiesPayload(effects);
    }
  }];
}

def DistributeVectorsOp
    : DecisionOp<"distribute_vectors", /*consumes=*/1, [AttrSizedOperandSegments]> {
  let summary = "shares the vectors of a block among its threads";
  let description = [{
    Takes a `gpu.launch` whose blocks have one thread, which works on whole
    vectors. Gives the block more threads, so that each thread has a part of
    every vector. Before this step, one thread does all the work of a tile,
    because the tile was vectorized as a whole. This step decides which thread
    does which part.

    `threads` are the numbers of threads along the last loops of each operation
    that combines elements, outermost first. For a reduction over the rows of a
    16x512 vector, `[4, 32]` gives each of the four warps a row at a time, four
    rows in all, and 16 elements of each row to each lane. If a vector before the
    operation has a dimension for each loop, such as the matrix of a vector times
    a matrix, the order of its dimensions counts. If an operation has
    fewer loops than there are numbers, the extra threads join those of its
    outermost loop. If a loop has no elements for all of its threads, the others
    join those of the next outer loop. The block has the product of these
    numbers as its threads, all along x. Vectors that no operation combines are
    shared such that neighbouring threads have neighbouring elements in memory,
    for the largest access of a kernel. `width` is the largest number of
    elements of one access. Without `width`, an access has as many elements as
    fit in 16 bytes; if accesses along one loop have elements of several types,
    the largest type counts.

    With `align_rows`, a row of global memory that may start at any element,
    such as one of a matrix with an odd number of columns, is shared from the
    last multiple of 32 bytes before it on, if it is the only row of its vector
    and whole warps share it. A warp's accesses then take no more sectors than
    their bytes need. The first threads have one element less. Other accesses
    along the same loop move with the row. Rows that are known to be aligned are
    shared as without `align_rows`.

    With `wide_rows`, such a row is also accessed 16 bytes at a time. A thread
    has neighbours from a multiple of 16 bytes on, and accesses those at either
    end of the row one by one. If everything along the loop starts where the row
    does, threads share the row from a multiple of 32 bytes on. Other
    vectors of 4 bytes an element, such as weights, may start at a multiple of 16
    bytes instead. They are read in pieces that start there, and each lane gets
    the elements that it lacks from the lane before it. How many these are
    depends on the place of the row, so the kernel has a version for each number.
    For other accesses along the loop, for less than a piece for each
    thread, and for contractions and masks, this is `align_rows`.

    - The elements of a thread stay in its registers from the read to the write,
      and across loops.
    - Each thread reduces its own part first (for `vector.multi_reduction` and
      the sums of a `vector.contract`). Shuffles then combine the parts within a
      warp, and workgroup memory combines them across warps. Each thread has the
      result.
    - If several threads have the same value, one of them writes it.
    - Barriers stand only where needed: where a thread accesses memory that
      another thread wrote, or writes memory that another thread read.
    - A buffer that bufferization left in the kernel goes if one vector fills it,
      and if it is then only copied and read as a whole. So a loop over blocks
      can have several results.

    The handle is consumed, because everything in the launch is created anew.
    The result is the launch.

    Fails silenceably, before any change:

    - `fw-wrong-kind`: the target is no `gpu.launch`;
    - `fw-threads-taken`: the launch already has threads;
    - `fw-cannot-distribute`: there are no vectors to share, two dimensions of a
      vector would be shared in the same way, a thread would have more than
      65536 elements of a vector, an operation moves elements from one thread to
      another, or an operation is one that a thread cannot do for its block;
    - `fw-uneven-warps`: the threads that combine elements are neither whole
      warps nor a power of two of the lanes of one warp.

    Fails definitely with `fw-bad-threads` if a number is below one, if there
    are more than 1024 threads, or if a parameter is no integer.

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
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_width,
                       UnitAttr:$align_rows, UnitAttr:$wide_rows);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = [{
    $target `threads` `=` custom<DynamicIndexList>($threads, $static_threads)
    (`width` `=` custom<DynamicIndexList>($width, $static_width)^)?
    (`align_rows` $align_rows^)?
    (`wide_rows` $wide_rows^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StageOp : DecisionOp<"stage", /*consumes=*/0, [AttrSizedOperandSegments]> {
  let summary = "takes operands of a block's operation through workgroup memory";
  let description = [{
    Takes operands of each target through workgroup memory. A vector of the
    block is written to a buffer in front of the target, and the target then
    uses a vector that is read back from the buffer. The target is an operation
    on whole vectors of a block, inside of a `gpu.launch`.

    Alone, this step changes only the path of the data. Its use comes when the
    threads of the block share the vectors
    (`transform.formwork.distribute_vectors`). Then the accesses before the
    buffer and behind it can be shared in different ways. Neighbouring threads
    read neighbouring elements of global memory, each element once, and each
    thread reads the elements that it computes with from the buffer.
    `distribute_vectors` then also adds the barriers that the accesses need.

    `operands` are the indices of the operands. `padding` is the number of
    unused elements behind each row of a buffer, so that rows start in different
    banks. `swizzle` reaches this without padding: the 16-byte units of a row
    change places in a way that depends on the row. Then units beside each other
    in a row, and units below each other, are in different banks. If a thread
    reads several rows, one behind the other, this holds for the rows of
    neighbouring threads. `swizzle = [%choice]` leaves the decision to a
    parameter: 1 swizzles, 0 does not. `order` is the
    order of the vector's dimensions in the buffer, outermost first.

    If two targets have the same vector, as two products of one matrix, it goes
    through one buffer.

    The target is not replaced, and its handle stays valid. The results are the
    writes to the buffers, and the buffers: one of each for each operand of each
    target.

    Fails silenceably, before any change, with `fw-cannot-stage`: for an index
    without an operand, an operand that is no vector of a fixed size, an order
    that does not name its dimensions, a negative padding, a choice of a swizzle
    other than 0 or 1, a swizzle of rows that are padded or that are no power of
    two of at least 32 bytes, and a target outside of a `gpu.launch`.

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
                       Variadic<TransformParamTypeInterface>:$swizzle,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_swizzle);
  let results = (outs TransformHandleTypeInterface:$writes,
                      TransformHandleTypeInterface:$buffers);
  let assemblyFormat = [{
    $target `operands` `=` custom<DynamicIndexList>($operand_numbers, $static_operand_numbers)
    (`padding` `=` custom<DynamicIndexList>($padding, $static_padding)^)?
    (`order` `=` $order^)? (`swizzle` custom<Swizzle>($swizzle, $static_swizzle)^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def ContractOnTensorCoresOp
    : DecisionOp<"contract_on_tensor_cores", /*consumes=*/0> {
  let summary = "decides that the tensor cores do a contraction";
  let description = [{
    Decides that the tensor cores of the warps compute each target. A target is
    a `vector.contract` of a block inside of a `gpu.launch`. The threads come
    with `transform.formwork.distribute_vectors`. That step loads fragments of
    the operands (`ldmatrix`, of four matrices wherever there are four) and
    multiplies them (`mma.sync`). The result stays in registers, as fragments,
    and so do all values computed from it: across loops, through an epilogue,
    and up to the write.

    `warps` are the numbers of warps along the rows and along the columns of the
    result. With [2, 2], each warp has every other group of 8 columns, and every
    other group of rows. The block then has 128 threads, and
    `distribute_vectors` must be given this number.

    - Operands are f16, with sums in f32 or f16, or bf16, with sums in f32. With
      `round_to_tf32`, operands are f32 that are rounded to tf32 (to nearest,
      ties away from zero), and sums are in f32. This rounding is an explicit
      decision, because no other step of a schedule makes a result less precise.
      It takes two instructions for each element of an operand.
      `truncate_to_tf32` takes none: the tensor cores ignore the last 13 bits,
      so the error of an operand is up to one unit in its last place instead of
      half a unit.
    - Each operand is read from workgroup memory (`transform.formwork.stage`), in
      rows that start at multiples of 16 bytes. The rows can be along the sum or
      along the rows or columns of the result, so both operands can be transposed.
      For tf32, the latter means ordinary loads, because `ldmatrix` transposes
      16-bit elements only.
    - A left operand of 16 bits that the kernel computes, such as one from the
      result of another contraction, stays in registers. The elements that a
      lane has of a result are those that it needs of an operand. The lanes of
      each warp then share its columns, so these are not split among warps.
    - For each warp, the tile has a multiple of 16 rows and a multiple of 8
      columns. Its sum has a multiple of 8 steps (tf32: 4). An instruction does
      twice as many steps if that divides the sum.

    The handle stays valid, and the operation only gets an attribute. A step
    that replaces the operation loses the decision. The threads then multiply
    without tensor cores.

    Fails silenceably, before any change, with `fw-not-for-tensor-cores`: for
    another operation, for other types or sizes than these, and for an operand
    that is neither computed as above nor read from workgroup memory in such
    rows. Fails definitely with `fw-bad-threads` if `warps` are not two numbers
    of at least one, or have more than 1024 threads in all.

    Example:

    ```mlir
    transform.formwork.contract_on_tensor_cores %contract warps = [2, 2]
        : (!transform.any_op) -> ()
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Variadic<TransformParamTypeInterface>:$warps,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_warps,
                       UnitAttr:$round_to_tf32,
                       UnitAttr:$truncate_to_tf32);
  let assemblyFormat = [{
    $target `warps` `=` custom<DynamicIndexList>($warps, $static_warps)
    (`round_to_tf32` $round_to_tf32^)? (`truncate_to_tf32` $truncate_to_tf32^)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def PipelineCopiesOp : DecisionOp<"pipeline_copies", /*consumes=*/1> {
  let summary = "lets a loop's copies to workgroup memory run some steps ahead";
  let description = [{
    Takes an `scf.for` of a kernel whose threads copy parts of global memory to
    workgroup memory and compute with them. Makes the copies asynchronous
    (`cp.async`), and starts them `depth` - 1 iterations ahead of their use.
    Each buffer becomes `depth` buffers. `depth` is at least 2.

    - The copies of an iteration are one group, even if the iteration has no
      copies. Each iteration waits for all groups except the last `depth` - 2.
      This leaves as many copies under way as the buffers allow.
    - The barriers of the loop become one barrier for each iteration. Behind the
      barrier, the data that this iteration reads has arrived for all threads,
      and no thread still reads the data that its copies overwrite.
    - A copy of 16 bytes bypasses the first-level cache. If only an alignment of
      8 or 4 bytes is known, the copy becomes several copies of this size.
    - A copy over the edge of a buffer, as in a tile that is not full, copies
      zeros for the missing elements.
    - The copies in front of the loop are guarded if the loop may have fewer
      iterations than they fetch.
    - What threads compute and write to workgroup memory, such as weights that
      they convert, is no copy. It is written in the iteration that uses it, and
      a barrier stands behind it. Its buffer remains one buffer. The same holds
      for a copy that is not known to be aligned to 4 bytes, such as one of rows
      of an odd number of f16 elements.

    The handle is consumed. The result is the new loop.

    Fails silenceably, before any change, with `fw-cannot-pipeline`: for another
    operation, and for a loop outside of a `gpu.launch`. It also fails for a
    loop that copies nothing to workgroup memory, writes other memory, or uses
    a buffer that is used elsewhere or read before it is filled. It also fails
    for a copy that is masked, guarded by a value that the loop computes, or not
    of 4, 8 or 16 bytes, and if no copy is known to be aligned to 4 bytes: leave
    such a loop without this step. Fails definitely with `fw-cannot-pipeline` if
    the depth is below 2, and with `fw-bad-threads` if a parameter is no integer.

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
    : DecisionOp<"use_dynamic_workgroup_memory", /*consumes=*/0> {
  let summary = "takes the workgroup memory of a kernel from its launch";
  let description = [{
    Takes a `gpu.launch` as each target, and makes its buffers in workgroup
    memory parts of one buffer, whose size the launch states. A kernel can
    declare at most 48 KiB. A launch can request as much as the device has for a
    block, such as 163 KiB on sm_80. The emitted program requests this size from
    the driver, and the launch description has it as `dynamicWorkgroupBytes`.

    Each buffer starts at a multiple of 16 bytes. Buffers that later steps
    allocate stay declared in the kernel, so this step should come last. The
    handle stays valid.

    With `reuse`, buffers that are never in use at the same time have the same
    bytes, such as the operands of a product, and its result on the way to
    global memory. So more blocks fit on a multiprocessor. A barrier stands
    between the uses of the same bytes, and behind a loop of asynchronous
    copies a wait for them. A buffer is in use from the first to the last
    operation at the top of the kernel that accesses it.

    Fails silenceably, before any change: `fw-wrong-kind` for another operation,
    and `fw-kernel-allocation` for a buffer whose shape or layout is not static,
    or for a launch that requests a computed number of bytes.

    Example:

    ```mlir
    transform.formwork.use_dynamic_workgroup_memory %launch reuse
        : (!transform.any_op) -> ()
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, UnitAttr:$reuse);
  let assemblyFormat = [{
    $target (`reuse` $reuse^)? attr-dict `:` functional-type(operands, results)
  }];
}

def VectorizeTilesOp : DecisionOp<"vectorize_tiles", /*consumes=*/1> {
  let summary = "computes tiles with vectors that the last ones do not fill";
  let description = [{
    Computes each target with vectors of `sizes`, one size for each of its
    loops. The targets are structured operations on tensors, such as the tiles
    of a problem that the tile sizes do not divide. The last tile along a loop
    is then smaller, and its size is known only when the kernel runs. Elements
    behind the end of a tensor are read as zero, which changes no sum, and are
    not written. The code is that of a full tile, without masks. So later steps
    stage, distribute and pipeline it like any other code. Where the tile sizes
    divide the problem, all accesses are in bounds, and nothing is guarded.

    A size of 0 is the largest number of steps that the loop can have, such as
    that of a loop that is not tiled. `sizes = []` stands for such sizes of all
    loops, also for targets with different numbers of loops.

    Upstream's `transform.structured.vectorize` with `vector_sizes` masks the
    computation, too.

    A target is a sum of products, such as a matmul, another reduction, or has
    only parallel loops, such as a fill or the epilogue of a matmul. It may have
    several results. The factors of a sum of products may be extended, such as f16
    to f32 or i8 to i32. In another reduction, elements behind the end are replaced
    by the neutral element. A reduction may also find the largest or smallest
    element and its place: two results, by a comparison with the best element so
    far, where the place is computed from `linalg.index` of the loop that is
    reduced. Only the order within a row decides among equal elements; a row with
    NaNs may have another place.

    A body may read elements of another tensor (`tensor.extract`), as a lookup
    does: at places that all elements of the tile have in common, but for the last
    one, which may also be the index of one loop. Tile the other loops by 1. The
    tile then reads a row as one vector.

    The operands are indexed by loops only. There are two exceptions. Where a
    window moves over an operand, as in a convolution or a pooling, tile the loops
    over the window by 1. Each step then reads an image from another place on,
    with the strides and dilations of the operation. If all loops are parallel, an
    index may also divide a loop, as for an image that
    `transform.structured.convert_conv2d_to_img2col` unfolds. The tile must then
    lie in one part of the loop: with 32 channels, a tile of 32 or 16 columns
    does. Upstream also tiles such operations by other sizes, and then reads
    wrong elements.

    A value that one target writes and the next one reads stays a vector. MLIR
    forwards such values for full tiles only. The loops around a sum carry the
    sum as a vector, too. Pass the targets in the order in which they compute.

    The handle is consumed.

    Fails silenceably, before any change: `fw-vector-sizes` if the number of
    sizes is not that of the loops, a size is below zero, or a loop is not known
    to have at most as many steps as its size, or any bound for a size of 0; `fw-no-vector-form` for any other
    operation, for an operation on buffers, for a tile that may reach from one part
    of a divided loop into the next, and for a body that must not run on missing
    elements, such as an integer division.

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

def OnlineSoftmaxOp : DecisionOp<"online_softmax", /*consumes=*/1> {
  let summary = "computes a softmax in pieces, along the product that reads it";
  let description = [{
    Takes a product one of whose factors is a `linalg.softmax`, along the loop
    that the product sums over. Computes both in one loop over pieces of this
    sum, each `step` long. Only one piece of the softmax exists at a time. This
    decision makes attention possible in one kernel: the memory that a block
    needs does not depend on the length of the rows.

    Each piece finds a new maximum of its rows, corrects the sums of the earlier
    pieces by it, and adds its own part. The division by the sum comes once,
    behind the loop. The result differs from that of the two operations only by
    rounding.

    All pieces have one size. If the length of the rows is no multiple of
    `step`, the last piece begins earlier. The scores that it shares with the
    piece before are negative infinity there, so that nothing is counted twice.
    If the length is known only when the kernel runs, the last piece is shorter.

    The target is a product on tensors that sums over one loop, such as
    `linalg.matmul`. It may be the whole operation or a tile. Between the
    softmax and the target, there may be slices that take the whole dimension of
    the softmax, and casts of each element. The loop reads the input of the
    softmax through one slice, so the producers of this input can be fused into
    the loop. The softmax itself stays for other readers; clean-up erases it if
    it has none.

    The handle is consumed. The results are the product in the loop, and the loop.

    Fails silenceably, before any change, with `fw-no-online-softmax`: for an
    operation that is no product, a product without a softmax as a factor, and
    slices that take only a part of a row. Fails definitely with
    `fw-no-online-softmax` for a step below one, and with `fw-bad-threads` if a
    parameter is no integer.

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

def MapForallToBlocksOp : DecisionOp<"map_forall_to_blocks", /*consumes=*/1> {
  let summary = "makes a kernel of a loop of which the host knows the bounds";
  let description = [{
    Makes a `gpu.launch` of each `scf.forall` that is mapped to blocks, with any
    bounds: the host computes the grid from them. A grid has at least one block.
    If a loop may have no iteration, the kernel tests this first. Blocks have
    one thread; a later step decides what the threads of a block do.

    Upstream's `transform.gpu.map_forall_to_blocks` takes only loops with
    constant bounds. A grid has at most 65535 blocks along y and z. For a
    target, the check reports more, as far as it can compute the bounds. Nothing
    checks bounds that are known only when the program runs, so map the
    dimension that grows to x.

    Dimensions that are all mapped to `#gpu.block<linear_dim_N>` share x: the
    one with the smallest N varies fastest. There may be more than three of
    them.

    The handle is consumed; the result is the launch of each loop.

    Fails silenceably, before any change: `fw-wrong-kind` for another operation,
    `fw-not-bufferized` for a loop with results, `fw-missing-mapping` if a
    dimension has no mapping, `fw-duplicate-mapping` if two dimensions have the
    same place in the grid, and `fw-wrong-mapping` if a dimension is mapped to
    something other than blocks, or the loop is inside of a kernel or of another
    parallel loop.

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

def WidenSumsOp : DecisionOp<"widen_sums", /*consumes=*/1> {
  let summary = "adds up f16 and bf16 in f32, and rounds once";
  let description = [{
    Takes structured operations on tensors that add up f16 or bf16, such as a
    product of matrices of bf16 into bf16, or the sums of rows. Lets each of
    them add up in f32, and rounds the result once, in an operation behind it.

    A sum that is rounded after each term loses terms once it has grown: in
    bf16, 4096 ones add up to 256. Tensor cores add up in f32, and so does the
    reference of `formwork run`. They take no products into bf16, so that this
    step comes before `transform.formwork.contract_on_tensor_cores`.

    Terms that are products are computed in f32 too, of extended factors, and
    remain a contraction. Beside a fill that makes the initial value stands one of
    f32; any other value is extended by an operation in front. The rounded result
    goes where the initial value is. Maxima, and sums of other
    types in the same operation, stay as they are.

    The handle is consumed. The results are the sums, and the operations that
    round: elementwise ones, which can be tiled, with the sum fused into them.

    Fails silenceably, before any change: `fw-wrong-kind` for an operation that
    is not structured; `fw-no-narrow-sum` for one that is not on tensors, or
    makes no sum of f16 or bf16.

    Example:

    ```mlir
    %sum, %rounded = transform.formwork.widen_sums %matmul
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$sum,
                      TransformHandleTypeInterface:$rounded);
  let assemblyFormat = "$target attr-dict `:` functional-type(operands, results)";
}

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_FORMWORKTRANSFORMOPS_TD
