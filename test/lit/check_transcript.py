"""Runs the ```console blocks of a Markdown file and compares what they print.

usage: check_transcript.py FILE ROOT

In a block, a line "$ COMMAND" is run by sh; what follows up to the next command is
its expected output, standard error included. All blocks share one scratch folder
in which ROOT's examples are visible. "..." alone on a line stands for any lines.
Rounding errors (numbers in exponent notation) differ from machine to machine and
are not compared. A block that starts with a line "# not run" is skipped: it is for
what installs.
"""

import os
import re
import subprocess
import sys
import tempfile


def blocks(text):
    for match in re.finditer(r"^```console\n(.*?)^```", text, re.M | re.S):
        if not match.group(1).startswith("# not run"):
            yield match.group(1)


def commands(block):
    """Pairs of a command and its expected lines."""
    result = []
    for line in block.splitlines():
        if line.startswith("$ "):
            result.append((line[2:], []))
        elif result and line.startswith("    ") and result[-1][0].endswith("\\"):
            result[-1] = (result[-1][0][:-1] + line.strip(), [])
        else:
            result[-1][1].append(line)
    return result


def comparable(line):
    return re.sub(r"\b\d+(\.\d+)?e[-+]\d+\b", "<rounding error>", line)


def matches(expected, actual):
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return (
        bool(actual)
        and comparable(expected[0]) == comparable(actual[0])
        and matches(expected[1:], actual[1:])
    )


def main():
    path, root = sys.argv[1:]
    text = open(path, encoding="utf-8").read()
    ran = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.symlink(os.path.join(root, "examples"), os.path.join(scratch, "examples"))
        for block in blocks(text):
            for command, expected in commands(block):
                done = subprocess.run(
                    command,
                    shell=True,
                    cwd=scratch,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                actual = done.stdout.rstrip("\n").splitlines()
                ran += 1
                if not matches(expected, actual):
                    sys.exit(
                        f"{path}: $ {command}\n--- expected\n"
                        + "\n".join(expected)
                        + "\n--- actual\n"
                        + "\n".join(actual)
                    )
    if not ran:
        sys.exit(f"{path}: no transcript to run")


main()
