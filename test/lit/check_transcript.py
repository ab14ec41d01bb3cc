"""Runs the ```console blocks of Markdown files and compares what they print.

usage: check_transcript.py FILE... ROOT [--link=PATH...]

In a block, a line "$ COMMAND" is run by sh; what follows up to the next command is
its expected output, standard error included. A block whose first line names a file
(```mlir schedule.mlir) is written to that file; the paragraph above names it as well,
since a reader does not see the fence. All blocks of all FILEs share one
scratch folder, in which ROOT's examples and each PATH are visible under their last
name. "..." alone on a line stands for any lines. Rounding errors (numbers in exponent
notation) differ from machine to machine and are not compared. A block that starts with
a line "# not run" is skipped: it is for what installs.
"""

import os
import re
import subprocess
import sys
import tempfile


def blocks(path, text):
    """Pairs of a file name, or None for a transcript, and the text."""
    for match in re.finditer(r"^```(\w+)(?: (\S+))?\n(.*?)^```", text, re.M | re.S):
        language, name, body = match.groups()
        if name:
            above = text[: match.start()].rstrip().rpartition("\n\n")[2]
            if f"`{name}`" not in above:
                sys.exit(f"{path}: the text above a block does not say that it is `{name}`")
            yield name, body
        elif language == "console" and not body.startswith("# not run"):
            yield None, body


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


def run(path, text, scratch):
    """Runs the transcripts of `text`; the number of commands."""
    ran = 0
    for name, block in blocks(path, text):
        if name:
            with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
                file.write(block)
            continue
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
    return ran


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--link=")]
    links = [word[len("--link=") :] for word in sys.argv[1:] if word.startswith("--link=")]
    *paths, root = words
    with tempfile.TemporaryDirectory() as scratch:
        for link in [os.path.join(root, "examples"), *links]:
            os.symlink(link, os.path.join(scratch, os.path.basename(link)))
        for path in paths:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if not run(path, text, scratch):
                sys.exit(f"{path}: no transcript to run")


main()
