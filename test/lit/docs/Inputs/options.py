"""Compares the options that `formwork COMMAND --help` lists with docs/commands.md.

usage: options.py COMMANDS.md

An option is documented in the section of its command, or in a section that is for
all commands. MLIR's own options and --help are not.
"""

import re
import subprocess
import sys

OPTION = r"(?<![\w-])--?[a-zA-Z][\w-]*"
SHARED = ("", "Inputs", "Strategies", "Exit codes")


def read_sections(path):
    sections, name = {}, ""
    for line in open(path, encoding="utf-8"):
        heading = re.match(r"## (.+)$", line)
        name = heading[1] if heading else name
        sections[name] = sections.get(name, "") + line
    # The options for reports, which all commands have, are explained at the first.
    sections[""] += sections["check"].partition("\n### Reports\n")[2]
    return sections


def read_help(*words):
    return subprocess.run(
        ["formwork", *words, "--help"], capture_output=True, text=True, check=True
    ).stdout


sections = read_sections(sys.argv[1])
shared = set(re.findall(OPTION, "".join(sections[name] for name in SHARED)))
commands = re.findall(r"^  ([a-z]+) ", read_help().partition("OPTIONS:")[0], re.M)
for command in commands:
    known = shared | set(re.findall(OPTION, sections[command]))
    for option in re.findall(r"^ +(--?[a-zA-Z][\w-]*)", read_help(command), re.M):
        # -Wno-ID is a prefix.
        if not re.match("--(mlir-|help|version)", option) and option not in known | {"--Wno-"}:
            print(f"{command} {option}: not in {sys.argv[1]}")
print(f"{len(commands)} commands")
