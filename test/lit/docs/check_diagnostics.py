"""Compares the ids in the sources with the entries of docs/diagnostics.md.

usage: check_diagnostics.py ROOT

An id in the sources is a string literal "fw-…", or stands in brackets in one. An
entry is a heading of the third level that is an id; below it stand its severity
and its meaning. Fails, naming the id, where one has no partner, has two entries, or
has an entry that does not begin with a severity.
"""

import pathlib
import re
import sys

FOLDERS = ["engine", "normalforms", "verifier", "transforms", "tools", "runtime"]
SUFFIXES = {".cpp", ".h", ".c"}
ID = r"fw-[a-z0-9]+(?:-[a-z0-9]+)*"
SEVERITIES = ("Error", "Warning", "Remark")


def find_ids(root):
    """Ids and where each is first used."""
    ids = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            text = path.read_text(encoding="utf-8")
            for match in re.finditer(rf'"({ID})"|\[({ID})\]', text):
                line = text.count("\n", 0, match.start()) + 1
                place = f"{path.relative_to(root)}:{line}"
                ids.setdefault(match.group(1) or match.group(2), place)
    return ids


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    entries = re.findall(rf"^### ({ID})\n(.*)$", page, re.M)
    ids = find_ids(root)
    if not ids:
        sys.exit(f"no ids in the sources below {root}")
    names = [name for name, _ in entries]
    problems = [
        f"docs/diagnostics.md has no entry for {id} ({place})"
        for id, place in sorted(ids.items())
        if id not in names
    ]
    problems += [
        f"docs/diagnostics.md has an entry for {name}, which no source has"
        for name in sorted(set(names) - set(ids))
    ]
    problems += [
        f"docs/diagnostics.md has two entries for {name}"
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    problems += [
        f"docs/diagnostics.md: the entry for {name} has no severity"
        for name, text in entries
        if not text.startswith(SEVERITIES)
    ]
    if problems:
        sys.exit("\n".join(problems))


main()
