"""compare_cost.py ASSIGNMENT PROFILE [memory]: is the cost of an assignment what a run of it counts?

With "memory", instructions are not compared: one on tensor cores counts 16.
"""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    counts = json.load(file)["$counts"]
with open(sys.argv[2], encoding="utf-8") as file:
    (launch,) = json.load(file)
sectors = sum(launch[kind]["sectors"] for kind in ("globalLoads", "globalStores", "asyncCopies"))
wavefronts = sum(launch[kind]["wavefronts"] for kind in ("workgroupLoads", "workgroupStores", "asyncCopies"))
instructions = sum(launch["instructions"].values())
told = {
    kind: float(number)
    for number, kind in re.findall(r"([\d.e+]+) (instructions|sectors|wavefronts)", counts)
}
assert f"{sectors:.2e}" == f"{told['sectors']:.2e}", (sectors, counts)
assert f"{wavefronts:.2e}" == f"{told['wavefronts']:.2e}", (wavefronts, counts)
assert "memory" in sys.argv or 0.75 < told["instructions"] / instructions < 1.25, (instructions, counts)
