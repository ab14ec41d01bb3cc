"""The program `formwork`: where it is, whether it fits, and one run of it."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import SetupError, ToolError

VERSION = "0.1"
LLVM_VERSION = "22.1"


@dataclass(frozen=True)
class Outcome:
    """What one run of the program left."""

    returncode: int
    output: bytes
    report: dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """A program `formwork` that fits this package."""

    path: str

    def run(self, arguments: Sequence[str], timeout: float | None = None) -> Outcome:
        """Runs a command that takes `--diagnostics-format`; the report is its document.

        Raises `ToolError` where there is no document: the command line is wrong, or the
        program crashed.
        """
        command = [self.path, *arguments, "--diagnostics-format=json", "--color=never"]
        try:
            # An interrupt is Python's to handle; `run` ends the program then.
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, start_new_session=True
            )
        except OSError as error:
            raise SetupError(f"cannot start '{self.path}': {error}") from error
        except subprocess.TimeoutExpired as error:
            raise ToolError(f"'formwork {arguments[0]}' takes longer than {timeout} s; it was ended") from error
        text = done.stderr.decode("utf-8", "replace")
        report, words = _split_report(text)
        # A wrong command line is in no finding.
        if report is None or done.returncode == 3 and not any(run.get("findings") for run in report["runs"]):
            how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit code {done.returncode}"
            raise ToolError(f"'formwork {arguments[0]}' ends with {how}: {words or 'no message'}", done.returncode)
        return Outcome(done.returncode, done.stdout, report)


def _split_report(text: str) -> tuple[dict[str, Any] | None, str]:
    """The document in what was printed on standard error, and the words around it."""
    begin = text.find("{\n")
    try:
        value, length = json.JSONDecoder().raw_decode(text[begin:])
    except ValueError:
        return None, text.strip()
    if begin < 0 or not isinstance(value, dict) or "runs" not in value:
        return None, text.strip()
    return value, (text[:begin] + text[begin + length :]).strip()


@functools.cache
def _open(path: str, _stamp: float) -> Tool:
    try:
        done = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
        raise SetupError(f"cannot start '{path}': {error}") from error
    words = done.stdout.split()
    if done.returncode != 0 or words[:1] != ["formwork"] or "LLVM" not in words:
        raise SetupError(f"'{path} --version' does not answer as formwork does")
    version, llvm = words[1], words[words.index("LLVM") + 1]
    if not version.startswith(VERSION + ".") or not llvm.startswith(LLVM_VERSION + "."):
        raise SetupError(
            f"requires formwork {VERSION} for LLVM {LLVM_VERSION}, but '{path}' is formwork {version} for LLVM {llvm}"
        )
    return Tool(path)


def find_tool(path: str | os.PathLike[str] | None = None) -> Tool:
    """The program at `path`, else that of the variable FORMWORK, else the one on PATH."""
    named = os.fspath(path) if path is not None else os.environ.get("FORMWORK")
    where = "the argument 'formwork'" if path is not None else "the variable FORMWORK"
    if named:
        found = shutil.which(named)
        if found is None:
            raise SetupError(f"{where} names '{named}', which is no program")
    else:
        found = shutil.which("formwork")
        if found is None:
            raise SetupError(
                "requires the program 'formwork', which is not on PATH: build or install Formwork, then add "
                "its bin folder to PATH, or name the program in the variable FORMWORK or the argument 'formwork'"
            )
    found = str(Path(found).resolve())
    return _open(found, os.stat(found).st_mtime)
