"""links.py FILE|FOLDER...: prints each relative link of Markdown files that leads to nothing."""

import pathlib
import re
import sys

for argument in map(pathlib.Path, sys.argv[1:]):
    for path in sorted(argument.rglob("*.md")) if argument.is_dir() else [argument]:
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target and not (path.parent / target).exists():
                print(f"{path}: {target}")
