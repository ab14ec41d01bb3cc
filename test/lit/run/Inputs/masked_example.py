#!/usr/bin/env python3
"""An example on tensor cores for tiles that do not divide the sizes.

usage: masked_example.py SCHEDULE STEP [--no-pipeline]

Prints the schedule of an example, which vectorizes whole tiles, with
`vectorize_tiles` in place of that, for tiles as the schedule has them and STEP
steps of the sum. With --no-pipeline, nothing is copied ahead.
"""

import re
import sys

OP = "!transform.any_op"


def main():
    text = open(sys.argv[1]).read()
    tile = re.search(r"tile_using_forall.*?tile_sizes \[([^]]*)\]", text, re.DOTALL)[1]
    names = [("tile_fill", tile), ("step", f"{tile}, {sys.argv[2]}")]
    if "%result, " in text:
        names.append(("result", tile))
    steps = "".join(f"    transform.formwork.vectorize_tiles %{name} sizes = [{sizes}]\n        : ({OP}) -> ()\n"
                    for name, sizes in names)
    begin, end = text.index("    %func = "), text.index("    %bufferized = ")
    text = text[:begin] + steps + text[end:]
    if "--no-pipeline" in sys.argv:
        text = re.sub(r"    %pipelined = .*\n.*\n", "", text)
    print(text)


main()
