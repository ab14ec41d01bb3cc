"""compare_cost.py ASSIGNMENT PROFILE: is the cost of an assignment what a run of it counts?"""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    counts = json.load(file)["$counts"]
with open(sys.argv[2], encoding="utf-8") as file:
    (launch,) = json.load(file)
sectors = launch["globalLoads"]["sectors"] + launch["globalStores"]["sectors"]
instructions = sum(launch["instructions"].values())
told = {kind: float(number) for number, kind in re.findall(r"([\d.e+]+) (instructions|sectors)", counts)}
assert f"{sectors:.2e}" == f"{told['sectors']:.2e}", (sectors, counts)
assert 0.75 < told["instructions"] / instructions < 1.25, (instructions, counts)
