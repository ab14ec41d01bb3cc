#!/usr/bin/env python3
"""Edits real schedules at random in formwork-lsp-server, also with the payload in the same file.

usage: random_edits.py SERVER FOLDER [EDITS] [SEED]

Each edit is a change of a range, as an editor sends it: characters go or come,
lines are doubled, exchanged or taken from another schedule; now and then, all
is undone. After each burst, requests are made. Fails when the server or a
request fails, when a version is published again or late, when the last result
of a document is not that of its text, when the check of a text crashes or takes
too long, or when memory grows.
"""

import os
import random
import subprocess
import sys
import time

from client import Client

TOKENS = [
    "%", "@", "{", "}", "(", ")", "<", ">", "[", "]", ":", ",", "=", "\n", "//", '"',
    "->", "transform.", "normalform.", "0", "-1", "9223372036854775808", "é", "😀",
    "%module", "@__transform_main", "!transform.any_op", "ops{[", "^bb0", "#map",
]


def to_position(text, offset):
    line = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    return {"line": line,
            "character": len(text[start:offset].encode("utf-16-le")) // 2}


def choose_edit(text, original, others, choice):
    """(begin, end, inserted)"""
    size = len(text)
    kind = choice.random()
    if kind < 0.35:
        begin = choice.randrange(size + 1)
        return begin, min(size, begin + choice.choice([1, 1, 2, 5, 30])), ""
    if kind < 0.7:
        begin = choice.randrange(size + 1)
        return begin, begin, choice.choice(TOKENS)
    if kind < 0.95:
        lines = text.splitlines(keepends=True)
        number = choice.randrange(max(1, len(lines)))
        begin = sum(map(len, lines[:number]))
        source = lines if choice.random() < 0.5 else choice.choice(others)
        line = choice.choice(source) if source else "\n"
        end = begin + (len(lines[number]) if lines and choice.random() < 0.5 else 0)
        return begin, end, line
    return 0, size, original


def count_memory(pid):
    """Kilobytes of a process and of its children."""
    table = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="],
                           capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in table.splitlines()]
    family, size = {pid}, 0
    for _ in range(3):
        family |= {p for p, parent, _ in rows if parent in family}
    return sum(rss for p, _, rss in rows if p in family)


def read_memory(pid):
    """Kilobytes of a process alone."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


def main():
    server, folder = sys.argv[1:3]
    edits = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    print(f"seed {seed}")
    choice = random.Random(seed)
    documents = []
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.abspath(os.path.join(place, name))
            if name.endswith(".mlir") and name != "payload.mlir":
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                payload = os.path.join(place, "payload.mlir")
                if os.path.exists(payload):
                    with open(payload, encoding="utf-8") as file:
                        both = file.read() + text
                    documents.append(["file://" + path + ".both.mlir", both])
                    text = "// formwork: payload=payload.mlir\n" + text
                documents.append(["file://" + path, text])
    others = [text.splitlines(keepends=True) for _, text in documents]
    # On a busy machine, the same text may not be decided in the same time.
    client = Client(server, "--debounce=5", "--budget=0")
    done, results, memory, own, start = 0, 0, [], [], time.time()
    version = 0
    while done < edits:
        uri, original = choice.choice(documents)
        text = original
        version += 1
        client.open(uri, text, version)
        first = version
        for _ in range(choice.randrange(1, 60)):
            changes = []
            for _ in range(choice.choice([1, 1, 1, 2])):
                begin, end, inserted = choose_edit(text, original, others, choice)
                changes.append({"range": {"start": to_position(text, begin),
                                          "end": to_position(text, end)},
                                "text": inserted})
                text = text[:begin] + inserted + text[end:]
                done += 1
            version += 1
            client.change(uri, version, *changes)
            if choice.random() < 0.3:
                time.sleep(choice.random() * 0.05)
            if choice.random() < 0.1:
                ask(client, uri, text, choice)
        found = client.wait_for(uri, version)
        ask(client, uri, text, choice)
        # The same text, opened as another document, gives the same.
        if choice.random() < 0.2:
            again = uri + ".again.mlir"
            client.open(again, text, version)
            same = client.wait_for(again, version)
            assert [(d["range"], d["severity"]) for d in same] == \
                [(d["range"], d["severity"]) for d in found], text
            client.notify("textDocument/didClose", {"textDocument": {"uri": again}})
        versions = [v for u, v, _ in client.published if u == uri and v is not None]
        assert versions == sorted(versions) and versions[-1] == version, versions
        assert all(first <= v for v in versions)
        for diagnostic in found:
            for fault in "takes longer", "crashes":
                assert fault not in diagnostic["message"], (diagnostic, text)
        results += len(client.published)
        client.published.clear()
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        memory.append(count_memory(client.process.pid))
        own.append(read_memory(client.process.pid))
    client.end()
    half = len(memory) // 2
    print(f"{done} edits, {results} results in {time.time() - start:.0f} s")
    print(f"the server: {own[0] >> 10} MiB at the beginning, {own[-1] >> 10} at the end; with its processes "
          f"at most {max(memory[:half]) >> 10} MiB in the first half, {max(memory[half:]) >> 10} in the second")
    assert own[-1] < own[0] + 65536
    assert max(memory[half:]) < 1.5 * max(memory[:half]) + 65536


def ask(client, uri, text, choice):
    document = {"textDocument": {"uri": uri}}
    whole = {"start": {"line": 0, "character": 0},
             "end": {"line": 1 << 20, "character": 0}}
    place = to_position(text, choice.randrange(len(text) + 1))
    client.call("textDocument/inlayHint", {**document, "range": whole})
    client.call("textDocument/codeAction",
                {**document, "range": whole, "context": {"diagnostics": []}})
    for method in "hover", "definition", "completion":
        client.call("textDocument/" + method, {**document, "position": place})
    client.call("textDocument/references", {
        **document, "position": place, "context": {"includeDeclaration": True}})


main()
