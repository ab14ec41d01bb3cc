"""Prints what the scripts of a page of `check --trace=html` say, a line each. Fails
when the page asks for another resource."""

import json
import re
import sys

text = sys.stdin.read() if sys.argv[1] == "-" else open(sys.argv[1], encoding="utf-8").read()
assert not re.search(r"""(src|href)=["'](?!#)|@import|url\(|https?:""", text)
names = {}
steps = {}
payload = []


def patch(lines, difference):
    """`lines` behind a unified difference."""
    result = []
    at = 0
    for line in difference:
        head = re.match(r"@@ -(\d+),(\d+) ", line)
        if head:
            begin = int(head[1]) - (head[2] != "0")
            result += lines[at:begin]
            at = begin
        elif line[0] != "+":
            assert lines[at] == line[1:]
            at += 1
        if line[0] in " +":
            result.append(line[1:])
    return result + lines[at:]


for line in text.splitlines():
    match = re.fullmatch(r"<script>(begin|step|beginRun|ran|compared|runIsCut|noRun|end)\((.*)\)</script>", line)
    if not match:
        continue
    assert "<" not in match[2]
    data = json.loads(match[2])
    if match[1] == "begin":
        print(f"begin {data['name']}: {len(data['text'].splitlines())} lines")
    elif match[1] == "beginRun":
        payload = data["text"].splitlines()
        assert len(payload) == data["lines"]
        print("run")
    elif match[1] == "ran":
        assert data["seconds"] >= 0
        if "step" in data:
            assert data["step"]["isInserted"] and data["step"]["number"] == data["number"]
            steps[data["number"]] = f"{data['step']['place']['line']} {data['step']['op']} inserted"
        names |= {int(number): (name, False) for number, name in data.get("names", {}).items()}
        difference = (data.get("difference") or "").splitlines()[2:]
        payload = patch(payload, difference)
        assert len(payload) == data["lines"]
        held = [f"{names[number][0]}: " + ", ".join(payload[at - 1].strip() for at in places)
                for number, places in data["handles"]]
        print(f"behind {steps[data['number']]}: {data['operations']} operations, {data['lines']} lines, "
              f"+{sum(l[0] == '+' for l in difference)} -{sum(l[0] == '-' for l in difference)} | "
              + " | ".join(held))
    elif match[1] == "noRun":
        print(f"no payload: {data['why']}")
    elif match[1] == "runIsCut":
        print(f"the run was {data['why']}")
    elif match[1] == "compared":
        print(f"compared {steps[data['number']]}, run {data['visit']}: {'same' if data['isSame'] else 'different'}")
    elif match[1] == "step":
        words = [f"{data['place']['line']} {data['op']}"]
        steps[data["number"]] = words[0]
        if data.get("isInserted"):
            words[0] += " inserted"
        for around in data["path"]:
            words[0] += f" in {around['op']}"
        for one in data["set"]:
            if "name" in one:
                assert one["id"] not in names
                names[one["id"]] = one["name"], one["isParameter"]
            name, is_parameter = names[one["id"]]
            if one.get("isBack"):
                words.append(f"({name})")
                continue
            values = [one["payload"]] if is_parameter else [one["validity"], one["payload"]]
            words.append(f"{name}: " + ", ".join(v for v in values if v != "-"))
        if data["gone"]:
            words.append("gone " + ", ".join(names[number][0] for number in data["gone"]))
        if "numLeft" in data:
            words.append(f"{data['numLeft']} left")
        print(" | ".join(words))
    else:
        found = [f" {one['severity']} {one['id'] or 'of MLIR'} in line {one['place']['line']}"
                 f" with {len(one['notes'])} notes" for one in data["findings"]]
        print(f"end {data['verdict']}, {data['steps']} steps:" + ";".join(found))
