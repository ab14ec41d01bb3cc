#!/usr/bin/env python3
"""Exports the models of this folder: payloads in Linalg, with reference values.

Each model is a function of JAX. It becomes StableHLO, then Linalg on tensors
(`torch-mlir-opt`, or `iree-opt` with --with=iree), and is run by JAX on seeded
inputs: NAME.mlir, NAME.in0.npy, …, NAME.out0.npy. The tests need none of this.

    python -m venv venv
    venv/bin/pip install jax torch-mlir iree-base-compiler
    venv/bin/python generate.py
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np


def perceptron(x, w1, b1, w2, b2):
    """Two layers with a ReLU between them, then a softmax."""
    hidden = jax.nn.relu(x @ w1 + b1)
    return jax.nn.softmax(hidden @ w2 + b2, axis=-1)


def attention(q, k, v):
    """Scaled dot-product attention of several heads."""
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[-1])
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, axis=-1), v)


def layer_norm_gelu(x, scale, shift, w):
    """A layer norm, a projection and the GELU of its result."""
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean((x - mean) ** 2, axis=-1, keepdims=True)
    normal = (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift
    return jax.nn.gelu(normal @ w, approximate=True)


def convolution_net(image, kernel1, kernel2, w):
    """Two convolutions with ReLU, a pooling, and a layer that classifies."""
    def layer(x, kernel, stride):
        return jax.nn.relu(jax.lax.conv_general_dilated(
            x, kernel, (stride, stride), "VALID",
            dimension_numbers=("NHWC", "HWIO", "NHWC")))
    features = layer(layer(image, kernel1, 1), kernel2, 2)
    pooled = jax.lax.reduce_window(features, -jnp.inf, jax.lax.max,
                                   (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return pooled.reshape(pooled.shape[0], -1) @ w


def bf16_product(a, b):
    """A product of bf16 matrices, summed in f32."""
    return jnp.matmul(a, b, preferred_element_type=jnp.float32)


F32, BF16 = np.float32, jnp.bfloat16
MODELS = {
    "perceptron": (perceptron, F32,
                   [(32, 96), (96, 128), (128,), (128, 40), (40,)]),
    "attention": (attention, F32, [(2, 64, 32), (2, 64, 32), (2, 64, 32)]),
    "layer_norm_gelu": (layer_norm_gelu, F32, [(32, 96), (96,), (96,), (96, 64)]),
    "convolution_net": (convolution_net, F32,
                        [(2, 12, 12, 3), (3, 3, 3, 8), (3, 3, 8, 16), (64, 10)]),
    "bf16_product": (bf16_product, BF16, [(64, 96), (96, 64)]),
}
TORCH_MLIR = "builtin.module(inline,stablehlo-legalize-to-linalg,canonicalize,cse)"
IREE = "builtin.module(iree-stablehlo-input-transformation-pipeline)"


def export(name, tool, folder):
    function, dtype, shapes = MODELS[name]
    random = np.random.default_rng(sum(map(ord, name)))
    inputs = [jnp.asarray(random.uniform(-1, 1, shape), dtype)
              for shape in shapes]
    jitted = jax.jit(function)
    text = jitted.lower(*inputs).as_text()
    text = text.replace("@main", "@" + name, 1)
    pipeline = IREE if tool == "iree-opt" else TORCH_MLIR
    binary = shutil.which(tool, path=str(pathlib.Path(sys.executable).parent))
    linalg = subprocess.run([binary, f"--pass-pipeline={pipeline}"], input=text,
                            capture_output=True, text=True, check=True).stdout
    header = (f"// {function.__doc__}\n// Exported by generate.py: JAX "
              f"{jax.__version__}, {tool}.\n")
    (folder / f"{name}.mlir").write_text(header + linalg)
    for kind, values in (("in", inputs), ("out", [jitted(*inputs)])):
        for i, value in enumerate(values):
            np.save(folder / f"{name}.{kind}{i}.npy", np.asarray(value))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--with", dest="tool", default="torch",
                        choices=["torch", "iree"])
    parser.add_argument("--folder", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent)
    parser.add_argument("models", nargs="*", default=list(MODELS))
    options = parser.parse_args()
    tool = "iree-opt" if options.tool == "iree" else "torch-mlir-opt"
    for name in options.models or MODELS:
        export(name, tool, options.folder)


if __name__ == "__main__":
    main()
