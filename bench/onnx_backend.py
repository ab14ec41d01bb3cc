#!/usr/bin/env python3
"""Runs the ONNX backend tests through `formwork run --strategies=gpu`.

The tests are those of the wheel `onnx` (backend/test/data): single operations and
small networks that PyTorch exported, with inputs and outputs. With --suite=node, those
of single operations that the wheel generates. Each model becomes Linalg by
`torch-mlir`, is compiled without a line of schedule, run by the emulator, and
compared with the outputs of the test. Where these differ, but the kernels compute
what the imported model does, the import is wrong. Prints a line for each test and
a summary; with --markdown, a table of the causes for those that do not agree.

    python -m venv venv
    venv/bin/pip install onnx torch-mlir
    venv/bin/python onnx_backend.py --formwork=PATH [NAME...]
"""

import argparse
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnx.shape_inference
import onnx.version_converter
from onnx import numpy_helper
from torch_mlir import ir, passmanager
from torch_mlir.dialects.torch import register_dialect
from torch_mlir.extras import onnx_importer

SUITES = ("pytorch-converted", "pytorch-operator", "simple")
PIPELINE = ("builtin.module(func.func(convert-torch-onnx-to-torch),"
            "torch-lower-to-backend-contract,func.func(cse,canonicalize),"
            "torch-backend-to-linalg-on-tensors-backend-pipeline)")


class Test:
    """A model with its inputs and outputs."""

    def __init__(self, name, model, inputs, outputs):
        self.name, self.model = name, model
        self.inputs, self.outputs = inputs, outputs


def read_values(folder, kind):
    files = sorted((folder / "test_data_set_0").glob(f"{kind}_*.pb"),
                   key=lambda path: int(path.stem.split("_")[1]))
    for file in files:
        tensor = onnx.TensorProto()
        tensor.ParseFromString(file.read_bytes())
        yield numpy_helper.to_array(tensor)


def find_tests(suite, names):
    if suite == "node":
        from onnx.backend.test.case import node

        for case in node.collect_testcases():
            # An operation that is written out as a function is tested twice.
            if names and case.name not in names or "_expanded" in case.name:
                continue
            inputs, outputs = case.data_sets[0]
            yield Test(case.name, case.model, inputs, outputs)
        return
    data = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
    for folder in sorted((data / suite).iterdir()):
        if (folder / "model.onnx").exists() and (
                not names or folder.name in names):
            yield Test(folder.name, onnx.load(folder / "model.onnx"),
                       list(read_values(folder, "input")),
                       list(read_values(folder, "output")))


def write_linalg(model, path):
    """Writes the model in Linalg."""
    try:
        model = onnx.version_converter.convert_version(model, 17)
    except RuntimeError:
        pass  # It is of operations of which no other version is known.
    model.graph.name = "model"
    model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    context = ir.Context()
    register_dialect(context)
    graph = onnx_importer.ModelInfo(model)
    module = graph.create_module(context=context)
    onnx_importer.NodeImporter.define_function(
        graph.main_graph, module.operation).import_all()
    with context:
        passmanager.PassManager.parse(PIPELINE).run(module.operation)
    path.write_text(module.operation.get_asm())


def import_model(test, work):
    """The model in Linalg, or None and why there is none."""
    linalg, errors = work / "model.mlir", work / "errors"
    child = os.fork()
    if child == 0:
        # An importer that aborts ends this process alone.
        os.dup2(os.open(errors, os.O_CREAT | os.O_WRONLY), 2)
        signal.alarm(120)
        status = 1
        try:
            write_linalg(test.model, linalg)
            status = 0
        except Exception as error:
            print(error, file=sys.stderr)
        finally:
            sys.stderr.flush()
            os._exit(status)
    if os.waitpid(child, 0)[1] == 0:
        return linalg, ""
    lines = errors.read_text(errors="replace").strip().splitlines() or ["?"]
    wrong = [line for line in lines if "error" in line.lower()]
    unknown = re.search(r'name = "(onnx\.\w+)"', wrong[0]) if wrong else None
    if unknown:
        return None, f"the importer has no rule for {unknown.group(1)}"
    return None, wrong[0] if wrong else lines[-1]


def write_values(values, kind, work):
    """The test's values as files of NumPy, in order."""
    paths = []
    for number, value in enumerate(values):
        if isinstance(value, onnx.TensorProto):
            value = numpy_helper.to_array(value)
        path = work / f"{kind}{number}.npy"
        np.save(path, np.asarray(value, order="C"))
        paths.append(path)
    return paths


def run_test(test, options, work):
    """What became of the test: a word, and the reason."""
    linalg, why = import_model(test, work)
    if linalg is None:
        return "not imported", why
    if options.keep:
        (options.keep / f"{test.name}.mlir").write_text(linalg.read_text())
    command = [options.formwork, "run", linalg,
               f"--strategies={options.strategies}", *options.option]
    try:
        command += [f"--input={path}"
                    for path in write_values(test.inputs, "input", work)]
        expected = [f"--expected={path}"
                    for path in write_values(test.outputs, "output", work)]
    except ValueError:
        return "not imported", "a value is a sequence of tensors"
    try:
        done = subprocess.run([*command, *expected], capture_output=True,
                              text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return "fails", f"takes more than {options.timeout} s"
    if done.returncode == 0:
        kernels = len(re.findall(r"\[fw-strategy\]", done.stderr))
        return "agrees", f"{kernels} kernels"
    errors = re.findall(r"error: (.*)", done.stderr)
    if errors:
        return "fails", errors[0]
    lines = done.stdout.strip().splitlines() or done.stderr.splitlines() or ["?"]
    if "result" not in lines[0]:
        return "fails", lines[0]
    own = subprocess.run(command, capture_output=True)
    return "differs" if own.returncode else "imported wrong", lines[0]


def print_classes(misses):
    """A table of the misses: those of one cause together, most of them first."""
    classes = collections.defaultdict(list)
    for name, outcome, why in misses:
        if outcome == "imported wrong":
            why = "is not what the test expects"
        elif outcome == "not imported":
            why = re.sub(r"onnx\.\w+", "the operation", why)
            if "no rule" not in why:
                why = "the importer does not finish"
        # Without names, numbers, and the kind of 8-bit float.
        why = re.sub(r"custom op.*|'[^']*'", "…", why)
        why = re.sub(r"f8E\w+", "float of eight bits", why)
        why = re.sub(r"\d+(\.\d+)?(e-\d+)?", "N", why)
        classes[outcome, why.replace("|", "/")].append(name)
    print("| tests | result | cause | one of them |\n|---|---|---|---|")
    for (outcome, why), names in sorted(classes.items(),
                                        key=lambda item: -len(item[1])):
        print(f"| {len(names)} | {outcome} | {why} | {names[0]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--formwork", default="formwork")
    parser.add_argument("--strategies", default="gpu")
    parser.add_argument("--suite", choices=[*SUITES, "node"], action="append",
                        help="the tests to run; all but node, if not given")
    parser.add_argument("--option", action="append", default=[],
                        help="further option of 'formwork run'")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--keep", type=pathlib.Path,
                        help="folder for the models in Linalg")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    counts, misses = collections.Counter(), []
    tests = (test for suite in options.suite or SUITES
             for test in find_tests(suite, options.names))
    for test in tests:
        with tempfile.TemporaryDirectory() as work:
            outcome, why = run_test(test, options, pathlib.Path(work))
        counts[outcome] += 1
        if outcome != "agrees":
            misses.append((test.name, outcome, why))
        if not options.markdown:
            print(f"{test.name}: {outcome}: {why}", flush=True)
    if options.markdown:
        print_classes(misses)
    print(", ".join(f"{count} {outcome}"
                    for outcome, count in counts.most_common()))


if __name__ == "__main__":
    main()
