"""Prints as many sequences as the argument says, of which each includes the next."""

import sys

length = int(sys.argv[1])
print("module attributes {transform.with_named_sequence} {")
for i in range(length):
    name = f"s{i}" if i else "__transform_main"
    argument = "%m: !transform.any_op {transform.readonly}"
    print(f"transform.named_sequence @{name}({argument}) {{")
    if i + 1 < length:
        print(f"transform.include @s{i + 1} failures(propagate) (%m)")
        print("  : (!transform.any_op) -> ()")
    print("transform.yield\n}")
print("}")
