#!/usr/bin/env python3
"""Small payloads and schedules, as a user writes them, for the lowering of vectors.

usage: lowering_cases.py FAMILY DIR     write the pairs of a family, and run them

Each pair is DIR/NAME.payload.mlir and DIR/NAME.mlir; a line `NAME: ok` says that the
emulated kernel has the result of the payload. FAMILY is reductions, products or maps.
"""

import itertools
import pathlib
import subprocess
import sys

OP = "!transform.any_op"


class Schedule:
    """The text of a schedule, step by step; handles are numbered."""

    def __init__(self):
        self.steps = []
        self.count = 0

    def step(self, text, results=0):
        handles = [f"%h{self.count + i}" for i in range(results)]
        self.count += results
        start = ", ".join(handles) + " = " if handles else ""
        self.steps.append(f"    {start}transform.{text}")
        return handles

    def match(self, what):
        return self.step(f"structured.match {what} in %module : ({OP}) -> {OP}", 1)[0]

    def tile(self, handle, sizes, mapping):
        where = ", ".join(f"#gpu.{axis}" for axis in mapping)
        return self.step(
            f"structured.tile_using_forall {handle} tile_sizes {sizes} (mapping = [{where}])"
            f" : ({OP}) -> ({OP}, {OP})",
            2,
        )

    def fuse(self, handle, loop):
        return self.step(
            f"structured.fuse_into_containing_op {handle} into {loop}"
            f" : ({OP}, {OP}) -> ({OP}, {OP})",
            2,
        )[0]

    def tile_for(self, handle, sizes):
        loops = sum(1 for size in sizes if size)
        types = ", ".join([OP] * (loops + 1))
        return self.step(
            f"structured.tile_using_for {handle} tile_sizes {sizes} : ({OP}) -> ({types})",
            loops + 1,
        )[0]

    def vectorize(self, handle, sizes=None):
        given = f" vector_sizes {sizes}" if sizes else ""
        self.step(f"structured.vectorize {handle}{given} : {OP}")

    def text(self, block):
        self.step(
            "bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module"
            f" {{bufferize_function_boundaries = true}} : ({OP}) -> {OP}",
            1,
        )
        func = self.step(
            f'structured.match ops{{["func.func"]}} in %h{self.count - 1} : ({OP}) -> {OP}', 1
        )[0]
        launch = self.step(
            f"gpu.map_forall_to_blocks {func} generate_gpu_launch : ({OP}) -> {OP}", 1
        )[0]
        self.step(
            f"gpu.map_nested_forall_to_threads {launch} block_dims = {block} : ({OP}) -> {OP}", 1
        )
        lines = "\n".join(self.steps)
        return (
            "module attributes {transform.with_named_sequence} {\n"
            "  transform.named_sequence @__transform_main("
            f"%module: {OP} {{transform.consumed}}) {{\n{lines}\n    transform.yield\n  }}\n}}\n"
        )


def tensor(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def generic(ins, out, maps, iterators, body, start=None):
    """A function of one linalg.generic; `ins` and `out` are (shape, element type), `start`
    what a reduction begins with, `body` makes %r of %x0, %x1, … and %o."""
    dims = ", ".join(f"d{i}" for i in range(len(iterators)))
    types = [tensor(*operand) for operand in ins]
    result = tensor(*out)
    args = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    names = ", ".join(f"%a{i}" for i in range(len(types)))
    block = ", ".join(f"%x{i}: {element}" for i, (_, element) in enumerate(ins))
    affine = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in maps)
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    init = "%e"
    fill = ""
    if start is not None:
        init = "%i"
        fill = (
            f"  %c = arith.constant {start} : {out[1]}\n"
            f"  %i = linalg.fill ins(%c : {out[1]}) outs(%e : {result}) -> {result}\n"
        )
    return (
        f"func.func @f({args}) -> {result} {{\n"
        f"  %e = tensor.empty() : {result}\n{fill}"
        f"  %g = linalg.generic {{indexing_maps = [{affine}], iterator_types = [{kinds}]}}\n"
        f"      ins({names} : {', '.join(types)}) outs({init} : {result}) {{\n"
        f"  ^bb0({block}, %o: {out[1]}):\n"
        + "".join(f"    {line}\n" for line in body)
        + f"    linalg.yield %r : {out[1]}\n  }} -> {result}\n  return %g : {result}\n}}\n"
    )


def reductions():
    """Rows and columns, each kind of combination, each element type."""
    kinds = [
        ("f32", "arith.addf", "0.0"),
        ("f32", "arith.maximumf", "-3.0e38"),
        ("f32", "arith.mulf", "1.0"),
        ("f64", "arith.addf", "0.0"),
        ("f16", "arith.minnumf", "60000.0"),
        ("bf16", "arith.addf", "0.0"),
        ("i8", "arith.addi", "0"),
        ("i32", "arith.xori", "0"),
        ("i64", "arith.maxsi", "-9223372036854775808"),
    ]
    cases = [kind + (column, False) for kind in kinds for column in (False, True)]
    cases += [kinds[0] + (column, True) for column in (False, True)]
    for element, combine, start, column, masked in cases:
        length = 93 if masked else 96
        shape = (length, 64) if column else (64, length)
        out = "d1" if column else "d0"
        iterators = ["reduction", "parallel"] if column else ["parallel", "reduction"]
        payload = generic(
            [(shape, element)], ((64,), element), ["d0, d1", out], iterators,
            [f"%r = {combine} %o, %x0 : {element}"], start,
        )
        schedule = Schedule()
        reduce, fill = (schedule.match(f'ops{{["linalg.{op}"]}}') for op in ("generic", "fill"))
        zero = [0] if column else []
        reduce, blocks = schedule.tile(reduce, zero + [32], ["block<x>"])
        fill = schedule.fuse(fill, blocks)
        reduce, threads = schedule.tile(reduce, zero + [4], ["thread<x>"])
        fill = schedule.fuse(fill, threads)
        reduce = schedule.tile_for(reduce, [8] if column else [0, 8])
        schedule.vectorize(reduce, ([8, 4] if column else [4, 8]) if masked else None)
        schedule.vectorize(fill)
        name = ("column" if column else "row") + f"-{combine}-{element}"
        yield name + ("-masked" if masked else ""), payload, schedule.text([8, 1, 1])


def products():
    """Contractions: operands transposed or not, element types, unit tiles, masked tails."""
    forms = itertools.product(("d0, d2", "d2, d0"), ("d2, d1", "d1, d2"))
    cases = [(form, "f32", "f32", [4, 4, 8], m) for form in forms for m in (False, True)]
    plain = ("d0, d2", "d2, d1")
    for types in (("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("f64", "f64"), ("i8", "i32")):
        cases.append((plain, *types, [4, 4, 8], False))
    for tile in ([1, 1, 8], [1, 4, 1], [4, 1, 4]):
        cases.append((plain, "f32", "f32", tile, False))
    for (lhs, rhs), element, sum_type, tile, masked in cases:
        size = {"d0": 64, "d1": 64, "d2": 53 if masked else 64}
        shapes = [tuple(size[dim] for dim in m.split(", ")) for m in (lhs, rhs)]
        kind = "i" if sum_type[0] == "i" else "f"
        extend = "arith.ext" + ("si" if kind == "i" else "f")
        body, values = [], ["%x0", "%x1"]
        if element != sum_type:
            values = ["%w0", "%w1"]
            body = [f"%w{i} = {extend} %x{i} : {element} to {sum_type}" for i in range(2)]
        body += [
            f"%m = arith.mul{kind} {values[0]}, {values[1]} : {sum_type}",
            f"%r = arith.add{kind} %o, %m : {sum_type}",
        ]
        payload = generic(
            [(shapes[0], element), (shapes[1], element)], ((64, 64), sum_type),
            [lhs, rhs, "d0, d1"], ["parallel", "parallel", "reduction"], body,
            "0" if kind == "i" else "0.0",
        )
        schedule = Schedule()
        product, fill = (schedule.match(f'ops{{["linalg.{op}"]}}') for op in ("generic", "fill"))
        block = [8 * tile[0], 8 * tile[1]]
        product, blocks = schedule.tile(product, block, ["block<y>", "block<x>"])
        fill = schedule.fuse(fill, blocks)
        product, threads = schedule.tile(product, tile[:2], ["thread<y>", "thread<x>"])
        fill = schedule.fuse(fill, threads)
        product = schedule.tile_for(product, [0, 0, tile[2]])
        schedule.vectorize(product, tile if masked else None)
        schedule.vectorize(fill)
        name = "-".join([lhs, rhs, element, sum_type, *map(str, tile)]).replace(", ", "")
        yield name + ("-masked" if masked else ""), payload, schedule.text([8, 8, 1])


def maps():
    """Element by element: broadcasts, permutations, casts, indices, functions."""
    square = (64, 64)
    cases = [
        ("bias-of-row", [(square, "f32"), ((64,), "f32")], ["d0, d1", "d0"], "f32",
         ["%r = arith.addf %x0, %x1 : f32"]),
        ("bias-of-column", [(square, "f32"), ((64,), "f32")], ["d0, d1", "d1"], "f32",
         ["%r = arith.addf %x0, %x1 : f32"]),
        ("functions", [(square, "f32")], ["d0, d1"], "f32",
         ["%t = math.tanh %x0 : f32", "%q = math.erf %t : f32", "%u = math.exp %q : f32",
          "%s = math.rsqrt %u : f32", "%r = math.log %s : f32"]),
        ("functions-f16", [(square, "f16")], ["d0, d1"], "f16",
         ["%t = math.tanh %x0 : f16", "%u = math.exp %t : f16", "%r = math.sqrt %u : f16"]),
        ("functions-f64", [(square, "f64")], ["d0, d1"], "f64",
         ["%t = math.tanh %x0 : f64", "%u = math.exp %t : f64", "%r = arith.divf %u, %t : f64"]),
        ("integers", [(square, "i32"), (square, "i32")], ["d0, d1", "d1, d0"], "i32",
         ["%c = arith.cmpi slt, %x0, %x1 : i32", "%r = arith.select %c, %x0, %x1 : i32"]),
        ("casts", [(square, "f32")], ["d0, d1"], "f32",
         ["%i = arith.fptosi %x0 : f32 to i32", "%t = arith.trunci %i : i32 to i8",
          "%f = arith.sitofp %t : i8 to f16", "%r = arith.extf %f : f16 to f32"]),
        ("indices", [(square, "f32")], ["d0, d1"], "f32",
         ["%i = linalg.index 0 : index", "%j = linalg.index 1 : index",
          "%b = arith.cmpi sle, %j, %i : index", "%z = arith.constant 0.0 : f32",
          "%r = arith.select %b, %x0, %z : f32"]),
        ("transposed", [(square, "f32")], ["d1, d0"], "f32",
         ["%r = arith.addf %x0, %x0 : f32"]),
        ("transposed-i8", [(square, "i8")], ["d1, d0"], "i8",
         ["%r = arith.addi %x0, %x0 : i8"]),
    ]
    for name, ins, in_maps, element, body in cases:
        payload = generic(
            ins, (square, element), in_maps + ["d0, d1"], ["parallel", "parallel"], body
        )
        yield name, payload, map_schedule([32, 32], [4, 4], None)
    # Threads of 5x5, in vectors of 8x8.
    for name, m in (("masked", "d0, d1"), ("transposed-masked", "d1, d0")):
        payload = generic(
            [((80, 80), "f32")], ((80, 80), "f32"), [m, "d0, d1"], ["parallel", "parallel"],
            ["%r = arith.addf %x0, %x0 : f32"],
        )
        yield name, payload, map_schedule([40, 40], [5, 5], [8, 8])
    for name, depth, sizes in (("rank-3", 16, None), ("rank-3-masked", 13, [4, 4, 16])):
        payload = generic(
            [((64, depth, 64), "f32"), ((depth, 64), "f32")], ((64, 64, depth), "f32"),
            ["d1, d2, d0", "d2, d0", "d0, d1, d2"], ["parallel"] * 3,
            ["%r = arith.addf %x0, %x1 : f32"],
        )
        yield name, payload, map_schedule([32, 32], [4, 4, 0], sizes)


def map_schedule(block, thread, sizes):
    schedule = Schedule()
    op = schedule.match('ops{["linalg.generic"]}')
    op, _ = schedule.tile(op, block, ["block<y>", "block<x>"])
    op, _ = schedule.tile(op, thread, ["thread<y>", "thread<x>"])
    schedule.vectorize(op, sizes)
    return schedule.text([8, 8, 1])


def main():
    family = {"reductions": reductions, "products": products, "maps": maps}[sys.argv[1]]
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, payload, schedule in family():
        (folder / f"{name}.payload.mlir").write_text(payload)
        (folder / f"{name}.mlir").write_text(schedule)
        done = subprocess.run(
            ["formwork", "run", f"{name}.payload.mlir", f"--transform={name}.mlir"],
            cwd=folder, capture_output=True, text=True,
        )
        passed = done.returncode == 0 and done.stdout.rstrip().endswith("ok")
        print(f"{name}: {'ok' if passed else 'WRONG'}")
        if not passed:
            print(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
