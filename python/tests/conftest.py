"""What the tests share: the examples of the repository, and small payloads."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

MATMUL = """
func.func @f(%a: tensor<16x64xf32>, %b: tensor<64x64xf32>, %c: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x64xf32>)
      outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
"""


@pytest.fixture
def examples() -> Path:
    return EXAMPLES


@pytest.fixture
def matmul() -> str:
    return MATMUL
