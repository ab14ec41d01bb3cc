#!/usr/bin/env python3
"""Runs the ONNX backend tests through `formwork run --strategies=gpu`.

The tests are those of the wheel `onnx` (backend/test/data): single operations and
small networks that PyTorch exported, with inputs and outputs. Each model becomes
Linalg by `torch-mlir`, is compiled without a line of schedule, run by the
emulator, and compared with the outputs of the test. Prints a line for each test
and a summary; with --markdown, a table of those that do not agree.

    python -m venv venv
    venv/bin/pip install onnx torch-mlir
    venv/bin/python onnx_backend.py --formwork=PATH [NAME...]
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

SUITES = ("pytorch-converted", "pytorch-operator", "simple")
PIPELINE = ("builtin.module(func.func(convert-torch-onnx-to-torch),"
            "torch-lower-to-backend-contract,func.func(cse,canonicalize),"
            "torch-backend-to-linalg-on-tensors-backend-pipeline)")
TOOLS = pathlib.Path(sys.executable).parent


def find_tests(names):
    data = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
    for suite in SUITES:
        for folder in sorted((data / suite).iterdir()):
            if (folder / "model.onnx").exists() and (
                    not names or folder.name in names):
                yield folder


def import_model(folder, work):
    """The model in Linalg, or None and why there is none."""
    model = onnx.load(folder / "model.onnx")
    model = onnx.version_converter.convert_version(model, 17)
    model.graph.name = "model"
    source = work / "model.onnx"
    onnx.save(model, source)
    torch, linalg = work / "torch.mlir", work / "model.mlir"
    for command in (
            [sys.executable, "-m", "torch_mlir.tools.import_onnx", source, "-o",
             torch],
            [TOOLS / "torch-mlir-opt", f"--pass-pipeline={PIPELINE}", torch,
             "-o", linalg]):
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=120)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["?"]
            errors = [line for line in lines if "error" in line.lower()]
            return None, (errors or lines)[-1 if not errors else 0]
    return linalg, ""


def write_values(folder, kind, work):
    """The test's values as files of NumPy, in order."""
    paths = []
    files = sorted((folder / "test_data_set_0").glob(f"{kind}_*.pb"),
                   key=lambda path: int(path.stem.split("_")[1]))
    for number, file in enumerate(files):
        tensor = onnx.TensorProto()
        tensor.ParseFromString(file.read_bytes())
        path = work / f"{kind}{number}.npy"
        np.save(path, np.asarray(numpy_helper.to_array(tensor), order="C"))
        paths.append(path)
    return paths


def run_test(folder, options, work):
    """What became of the test: a word, and the reason."""
    try:
        linalg, why = import_model(folder, work)
    except Exception as error:  # the importer's own
        linalg, why = None, str(error).splitlines()[0]
    if linalg is None:
        return "not imported", why
    if options.keep:
        (options.keep / f"{folder.name}.mlir").write_text(linalg.read_text())
    command = [options.formwork, "run", linalg,
               f"--strategies={options.strategies}", *options.option]
    command += [f"--input={path}" for path in write_values(folder, "input", work)]
    command += [f"--expected={path}"
                for path in write_values(folder, "output", work)]
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return "fails", f"takes more than {options.timeout} s"
    if done.returncode == 0:
        kernels = len(re.findall(r"\[fw-strategy\]", done.stderr))
        return "agrees", f"{kernels} kernels"
    errors = re.findall(r"error: (.*)", done.stderr)
    if errors:
        return "fails", errors[0]
    lines = done.stdout.strip().splitlines() or done.stderr.splitlines() or ["?"]
    return "differs" if "result" in lines[0] else "fails", lines[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--formwork", default="formwork")
    parser.add_argument("--strategies", default="gpu")
    parser.add_argument("--option", action="append", default=[],
                        help="further option of 'formwork run'")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--keep", type=pathlib.Path,
                        help="folder for the models in Linalg")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    counts, misses = collections.Counter(), []
    for folder in find_tests(options.names):
        with tempfile.TemporaryDirectory() as work:
            outcome, why = run_test(folder, options, pathlib.Path(work))
        counts[outcome] += 1
        if outcome != "agrees":
            misses.append((folder.name, outcome, why))
        if not options.markdown:
            print(f"{folder.name}: {outcome}: {why}", flush=True)
    if options.markdown:
        print("| test | outcome | why |\n|---|---|---|")
        for name, outcome, why in misses:
            print(f"| {name} | {outcome} | {why.replace('|', '/')} |")
    print(", ".join(f"{count} {outcome}"
                    for outcome, count in counts.most_common()))


if __name__ == "__main__":
    main()
