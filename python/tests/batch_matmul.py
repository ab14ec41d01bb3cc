"""The batch matmul of examples/batch_matmul, which the talk shows."""

from pathlib import Path

import formwork as fw

PAYLOAD = Path(__file__).resolve().parents[2] / "examples/batch_matmul/payload.mlir"


def make() -> fw.Schedule:
    with fw.schedule(PAYLOAD, target="sm_90") as s:
        matmul = s.match("linalg.batch_matmul")
        fill = s.match("linalg.fill")
        block_matmul, blocks = matmul.tile(blocks=[1, 16, 64])
        block_fill, _ = fill.fuse_into(blocks)
        thread_matmul, threads = block_matmul.tile(threads=[0, 4, 4])
        block_fill.fuse_into(threads)
        thread_matmul.tile(steps=[0, 0, 0, 8])
        s.match("func.func").vectorize()
        s.bufferize()
        launch = s.match("func.func").map_to_blocks()
        launch.map_to_threads([16, 4, 1])
    return s
