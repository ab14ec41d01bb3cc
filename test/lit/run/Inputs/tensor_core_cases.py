#!/usr/bin/env python3
"""Products on tensor cores whose sums are exact, and broken ones.

usage: tensor_core_cases.py FAMILY DIR    write the cases of a family, and run them

FAMILY is products, masked (tiles that do not divide the sizes) or mutations. A line
`NAME: ok` says that the emulated kernel has the
result of the payload, copies early or late; a line `NAME: caught` that a broken kernel
has not, or races.
"""

import pathlib
import random
import struct
import subprocess
import sys

OP = "!transform.any_op"


def payload(m, n, k, transposed, operand, result, epilogue=False):
    def tensor(rows, columns, flip, element):
        return f"tensor<{columns}x{rows}x{element}>" if flip else f"tensor<{rows}x{columns}x{element}>"

    a, b = tensor(m, k, transposed[0], operand), tensor(k, n, transposed[1], operand)
    c = tensor(m, n, False, result)
    place = ["(d2, d0)" if transposed[0] else "(d0, d2)", "(d1, d2)" if transposed[1] else "(d2, d1)", "(d0, d1)"]
    maps = ", ".join(f"affine_map<(d0, d1, d2) -> {results}>" for results in place)
    attribute = f" indexing_maps = [{maps}]" if any(transposed) else ""
    narrow = tensor(m, n, False, operand)
    behind = f"""  %out = tensor.empty() : {narrow}
  %R = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}} ins(%C : {c}) outs(%out : {narrow}) {{
  ^bb0(%x: {result}, %old: {operand}):
    %positive = arith.maximumf %x, %zero : {result}
    %r = arith.truncf %positive : {result} to {operand}
    linalg.yield %r : {operand}
  }} -> {narrow}
""" if epilogue else ""
    what, type = ("%R", narrow) if epilogue else ("%C", c)
    return f"""func.func @product(%A: {a}, %B: {b}) -> {type} {{
  %zero = arith.constant 0.0 : {result}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
  %C = linalg.matmul{attribute} ins(%A, %B : {a}, {b}) outs(%init : {c}) -> {c}
{behind}  return {what} : {type}
}}
"""


def schedule(tile, warps, depth, layouts, tf32, last="", masked=False, epilogue=False):
    stages = "".join(
        f"    %copies{i}, %buffers{i} = transform.formwork.stage %product operands = [{i}] {layout}"
        f" : ({OP}) -> ({OP}, {OP})\n"
        for i, layout in enumerate(layouts)
    )
    vectorize = f"""    %func = transform.structured.match ops{{["func.func"]}} in %module : ({OP}) -> {OP}
    %vectorized = transform.structured.vectorize_children_and_apply_patterns %func
        {{fold_type_extensions_into_contract}} : ({OP}) -> {OP}
"""
    if masked:
        jobs = [("tile_fill", tile[:2]), ("step", tile)] + ([("result", tile[:2])] if epilogue else [])
        vectorize = "".join(
            f"    transform.formwork.vectorize_tiles %{name} sizes = {list(sizes)} : ({OP}) -> ()\n"
            for name, sizes in jobs
        )
    outer = f"""    %tile, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [{tile[0]}, {tile[1]}]
        (mapping = [#gpu.block<y>, #gpu.block<x>]) : ({OP}) -> ({OP}, {OP})
"""
    if epilogue:
        outer = f"""    %last = transform.structured.match ops{{["linalg.generic"]}} in %module : ({OP}) -> {OP}
    %result, %grid = transform.structured.tile_using_forall %last tile_sizes [{tile[0]}, {tile[1]}]
        (mapping = [#gpu.block<y>, #gpu.block<x>]) : ({OP}) -> ({OP}, {OP})
    %tile, %blocks = transform.structured.fuse_into_containing_op %matmul into %grid
        : ({OP}, {OP}) -> ({OP}, {OP})
"""
    pipeline = f"""    %loop = transform.structured.match ops{{["scf.for"]}} in %shared : ({OP}) -> {OP}
    %pipelined = transform.formwork.pipeline_copies %loop depth = [{depth}] : ({OP}) -> {OP}
"""
    return f"""module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%module: {OP} {{transform.consumed}}) {{
    %matmul = transform.structured.match ops{{["linalg.matmul"]}} in %module : ({OP}) -> {OP}
    %fill = transform.structured.match ops{{["linalg.fill"]}} in %module : ({OP}) -> {OP}
{outer}    %tile_fill, %filled = transform.structured.fuse_into_containing_op %fill into %blocks
        : ({OP}, {OP}) -> ({OP}, {OP})
    %step, %reduction = transform.structured.tile_using_for %tile tile_sizes [0, 0, {tile[2]}]
        : ({OP}) -> ({OP}, {OP})
{vectorize}    %bufferized = transform.bufferization.one_shot_bufferize layout{{IdentityLayoutMap}} %module
        {{bufferize_function_boundaries = true}} : ({OP}) -> {OP}
    %host = transform.structured.match ops{{["func.func"]}} in %bufferized : ({OP}) -> {OP}
    %launch = transform.gpu.map_forall_to_blocks %host generate_gpu_launch : ({OP}) -> {OP}
    %product = transform.structured.match ops{{["vector.contract"]}} in %launch : ({OP}) -> {OP}
{stages}    transform.formwork.contract_on_tensor_cores %product warps = {warps}{' round_to_tf32' if tf32 else ''}
        : ({OP}) -> ()
    %shared = transform.formwork.distribute_vectors %launch threads = [{32 * warps[0] * warps[1]}] : ({OP}) -> {OP}
{pipeline if depth else ''}{last}    transform.yield
  }}
}}
"""


def write_integers(path, rows, columns, element, seed):
    """A matrix of integers from -4 to 4, in NumPy's format."""
    numbers = random.Random(seed)
    kind, code = {"f16": ("<f2", "e"), "f32": ("<f4", "f")}[element]
    header = str({"descr": kind, "fortran_order": False, "shape": (rows, columns)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    values = [numbers.randint(-4, 4) for _ in range(rows * columns)]
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + struct.pack(f"<{len(values)}{code}", *values)
    )


def run(folder, name, size, transposed, operand, result, tile, warps, depth, layouts, last="", masked=False,
        epilogue=False):
    """The lines that the emulated kernel prints, copies late and early."""
    payload_file, schedule_file = folder / f"{name}.payload.mlir", folder / f"{name}.mlir"
    payload_file.write_text(payload(*size, transposed, operand, result, epilogue))
    schedule_file.write_text(schedule(tile, warps, depth, layouts, operand == "f32", last, masked, epilogue))
    arguments = []
    if operand != "bf16":
        shapes = [(size[0], size[2]), (size[2], size[1])]
        for i, shape in enumerate(shapes):
            path = folder / f"{name}.{i}.npy"
            write_integers(path, *(reversed(shape) if transposed[i] else shape), operand, i)
            arguments.append(f"--input={path}")
    return [
        subprocess.run(
            ["formwork", "run", payload_file, f"--transform={schedule_file}", "--target=emulate"]
            + ["--shuffle-seed=3", mode] + arguments,
            capture_output=True,
            text=True,
        )
        for mode in ("--early-copies=false", "--early-copies=true")
    ]


PRODUCTS = {
    # name: sizes, transposed, operands, sums, tile, warps, depth, layouts
    "f16": ((128, 128, 96), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 3, ["swizzle"] * 2),
    "f16_sums": ((128, 64, 64), (0, 0), "f16", "f16", (64, 64, 32), [2, 2], 2, ["swizzle"] * 2),
    "bf16": ((64, 128, 64), (0, 0), "bf16", "f32", (64, 64, 32), [1, 4], 3, ["swizzle"] * 2),
    "tf32": ((64, 128, 64), (0, 0), "f32", "f32", (64, 64, 16), [2, 2], 2, ["swizzle", "padding = [8]"]),
    "f16_b_transposed": ((128, 64, 128), (0, 1), "f16", "f32", (64, 64, 32), [2, 2], 4, ["swizzle"] * 2),
    "bf16_b_transposed": ((64, 64, 64), (0, 1), "bf16", "f32", (64, 32, 32), [2, 1], 2, ["padding = [8]"] * 2),
    "tf32_b_transposed": ((64, 64, 64), (0, 1), "f32", "f32", (64, 64, 16), [2, 2], 3, ["swizzle"] * 2),
    "f16_both_transposed": ((64, 64, 64), (1, 1), "f16", "f32", (64, 64, 32), [2, 2], 2, ["swizzle"] * 2),
    "tf32_a_transposed": ((64, 64, 64), (1, 0), "f32", "f32", (32, 64, 32), [1, 2], 2, ["padding = [8]"] * 2),
    # Tiles of one instruction, of the shorter instruction, and of an odd number of columns.
    "one_instruction": ((32, 16, 32), (0, 0), "f16", "f32", (16, 8, 16), [1, 1], 0, ["padding = [8]"] * 2),
    "short_f16": ((32, 48, 24), (0, 0), "f16", "f32", (32, 24, 8), [2, 1], 0, ["padding = [8]"] * 2),
    "short_tf32": ((32, 48, 24), (0, 1), "f32", "f32", (32, 24, 4), [1, 3], 0, ["padding = [4]"] * 2),
    "odd_columns": ((32, 72, 48), (0, 1), "f16", "f32", (32, 24, 48), [1, 1], 0, ["padding = [8]"] * 2),
    # The loop is as long as the copies run ahead, and shorter.
    "one_step": ((128, 64, 32), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 2, ["swizzle"] * 2),
    "two_steps": ((64, 64, 64), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 4, ["swizzle"] * 2),
}

MASKED = {
    # name: as above, and whether the product is rectified and narrowed
    "f16": ((100, 104, 96), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 3, ["swizzle"] * 2, False),
    "f16_sums": ((67, 72, 64), (0, 0), "f16", "f16", (64, 64, 32), [2, 2], 2, ["swizzle"] * 2, False),
    "short_sum": ((64, 64, 72), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 3, ["swizzle"] * 2, False),
    "b_transposed": ((100, 101, 40), (0, 1), "f16", "f32", (64, 64, 32), [2, 2], 2, ["swizzle"] * 2, False),
    "a_transposed": ((72, 88, 33), (1, 0), "f16", "f32", (64, 64, 32), [2, 2], 2, ["swizzle"] * 2, False),
    "tf32": ((65, 68, 20), (0, 0), "f32", "f32", (64, 64, 16), [2, 2], 2, ["swizzle", "padding = [8]"], False),
    "bf16": ((33, 40, 24), (0, 0), "bf16", "f32", (64, 64, 32), [2, 2], 2, ["swizzle"] * 2, False),
    "smaller": ((16, 8, 16), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 0, ["swizzle"] * 2, False),
    "primes": ((101, 67, 53), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 0, ["swizzle"] * 2, False),
    "epilogue": ((100, 104, 64), (0, 0), "f16", "f32", (64, 64, 32), [2, 2], 3, ["swizzle"] * 2, True),
}


def replace(kind, by):
    return f"""    %found = transform.structured.match ops{{["{kind}"]}} in %shared : ({OP}) -> {OP}
    %other = transform.structured.replace %found {{
      {by}
    }} : ({OP}) -> {OP}
"""


MUTATIONS = {
    "wait_for_less": replace("nvvm.cp.async.wait.group", "nvvm.cp.async.wait.group 2"),
    "no_wait": replace("nvvm.cp.async.wait.group", "nvvm.cp.async.commit.group"),
    "no_barrier": replace("gpu.barrier", "nvvm.cp.async.wait.group 7"),
    "no_groups": replace("nvvm.cp.async.commit.group", "nvvm.cp.async.wait.group 7"),
    "layout_of_reads": f"""    %found = transform.structured.match ops{{["nvgpu.ldmatrix"]}} in %shared : ({OP}) -> {OP}
    %false = transform.param.constant false -> !transform.any_param
    transform.annotate %found "transpose" = %false : {OP}, !transform.any_param
""",
}


def main():
    family, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True)
    if family != "mutations":
        for name, case in (PRODUCTS if family == "products" else MASKED).items():
            isMasked = family == "masked"
            more = {"masked": True, "epilogue": case[-1]} if isMasked else {}
            for result in run(folder, name, *(case[:-1] if isMasked else case), **more):
                isExact = "largest error 0 absolute" in result.stdout
                print(f"{name}: {'ok' if isExact and result.returncode == 0 else 'WRONG'}")
                if not isExact:
                    print(result.stdout, result.stderr)
        return
    for name, last in MUTATIONS.items():
        for result in run(folder, name, *PRODUCTS["f16"], last):
            isCaught = "[fw-workgroup-race]" in result.stderr or ": mismatch" in result.stdout
            print(f"{name}: {'caught' if isCaught and result.returncode != 0 else 'MISSED'}")


main()
