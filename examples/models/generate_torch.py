#!/usr/bin/env python3
"""Exports models of PyTorch: payloads in Linalg, with reference values.

Each model is a module with seeded weights, in evaluation mode. PyTorch exports it
to ONNX and runs it on seeded inputs; `torch-mlir` makes Linalg of it: NAME.mlir,
NAME.in0.npy, …, NAME.out0.npy. The tests need none of this.

    python -m venv venv
    venv/bin/pip install torch onnx onnxscript torch-mlir
    venv/bin/python generate_torch.py
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import torch
from torch import nn


class ResidualNet(nn.Module):
    """Convolutions with batch norm, a connection around one, a classifier."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.first_norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(8)
        self.classify = nn.Linear(8, 10)

    def forward(self, image):
        features = torch.relu(self.first_norm(self.first(image)))
        more = self.second_norm(self.second(features))
        return self.classify(torch.relu(features + more).mean((2, 3)))


class EncoderLayer(nn.TransformerEncoderLayer):
    """An encoder layer: attention of two heads, GELU, norms in front."""

    def __init__(self):
        super().__init__(16, nhead=2, dim_feedforward=32, activation="gelu",
                         batch_first=True, norm_first=True)


MODELS = {
    "residual_net": (ResidualNet, (2, 3, 12, 12)),
    "encoder_layer": (EncoderLayer, (2, 16, 16)),
}
PIPELINE = ("builtin.module(func.func(convert-torch-onnx-to-torch),"
            "torch-lower-to-backend-contract,func.func(cse,canonicalize),"
            "torch-backend-to-linalg-on-tensors-backend-pipeline)")
TOOLS = pathlib.Path(sys.executable).parent


def build(name):
    """The module, with statistics of batches that are not those of new ones."""
    torch.manual_seed(sum(map(ord, name)))
    make, shape = MODELS[name]
    model = make()
    with torch.no_grad():
        for part in model.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.running_mean.uniform_(-0.5, 0.5)
                part.running_var.uniform_(0.5, 2)
    return model.eval(), torch.rand(shape) * 2 - 1


def export(name, folder):
    model, value = build(name)
    with tempfile.TemporaryDirectory() as work:
        source, imported = pathlib.Path(work, "onnx"), pathlib.Path(work, "mlir")
        torch.onnx.export(model, (value,), source, dynamo=True)
        graph = onnx.load(source)
        graph.graph.name = name
        onnx.save(graph, source)
        subprocess.run([sys.executable, "-m", "torch_mlir.tools.import_onnx",
                        source, "-o", imported], check=True)
        linalg = subprocess.run(
            [TOOLS / "torch-mlir-opt", f"--pass-pipeline={PIPELINE}", imported],
            capture_output=True, text=True, check=True).stdout
    header = (f"// {type(model).__doc__}\n// Exported by generate_torch.py: "
              f"PyTorch {torch.__version__}, through ONNX and torch-mlir.\n")
    (folder / f"{name}.mlir").write_text(header + linalg)
    with torch.no_grad():
        result = model(value)
    np.save(folder / f"{name}.in0.npy", value.numpy())
    np.save(folder / f"{name}.out0.npy", result.numpy())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent)
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    for name in options.models or MODELS:
        export(name, options.folder)


if __name__ == "__main__":
    main()
