"""Opens a schedule of some steps in a server, and prints the hints of its handles that are called %m... .

usage: hints_of_long_schedule.py STEPS SERVER [OPTIONS]

The schedule sets two handles to one product; so many steps later, it tiles by one of them.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "ui"))
from client import Client  # noqa: E402

MATCH = 'transform.structured.match ops{["%s"]} in %%root : (!transform.any_op) -> !transform.any_op\n'


def main():
    count, *command = sys.argv[1:]
    text = (
        "func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
        "%r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)"
        " outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
        "return %r : tensor<8x8xf32>\n"
        "}\n"
        "module attributes {transform.with_named_sequence} {\n"
        "transform.named_sequence @__transform_main(%root: !transform.any_op) {\n"
        "%m1 = " + MATCH % "linalg.matmul" + "%m2 = " + MATCH % "linalg.matmul" +
        "".join(f"%f{i} = " + MATCH % "func.func" for i in range(int(count))) +
        "%tile, %loop = transform.structured.tile_using_for %m2 tile_sizes [4]"
        " : (!transform.any_op) -> (!transform.any_op, !transform.any_op)\n"
        "%last = " + MATCH % "func.func" + "transform.yield\n}\n}\n")
    uri = "file:///long.mlir"
    client = Client(*command)
    client.open(uri, text, 1)
    assert not client.wait_for(uri, 1)
    lines = text.split("\n")
    for hint in client.call("textDocument/inlayHint", {
            "textDocument": {"uri": uri},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}}):
        position = hint["position"]
        name = lines[position["line"]][:position["character"]]
        if name.startswith("%m"):
            print(name + hint["label"])
            print(hint["tooltip"]["value"])
    client.end()


main()
