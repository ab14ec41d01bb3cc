"""The tool is missing, does not fit, crashes or hangs; strange names, threads and forks."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import formwork as fw
from formwork._server import Server, get_server
from formwork._tool import find_tool


def write_tool(folder: Path, body: str) -> Path:
    """A program that answers as formwork does, or not."""
    path = folder / "formwork"
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


VERSION = 'if [ "$1" = --version ]; then printf "formwork 0.1.0\\n  LLVM 22.1.8\\n"; exit; fi\n'


def test_no_tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FORMWORK", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(fw.SetupError, match="which is not on PATH"):
        fw.schedule("func.func @f() { return }")
    monkeypatch.setenv("FORMWORK", "/none/formwork")
    with pytest.raises(fw.SetupError, match="variable FORMWORK names '/none/formwork'"):
        fw.schedule("func.func @f() { return }")
    with pytest.raises(fw.SetupError, match="argument 'formwork' names 'other'"):
        fw.schedule("func.func @f() { return }", formwork="other")


@pytest.mark.parametrize(
    "body, message",
    [
        ('printf "formwork 9.0.0\\n  LLVM 22.1.8\\n"', "is formwork 9.0.0 for LLVM 22.1.8"),
        ('printf "formwork 0.1.0\\n  LLVM 21.0.0\\n"', "is formwork 0.1.0 for LLVM 21.0.0"),
        ("echo hello", "does not answer as formwork does"),
        ("exit 1", "does not answer as formwork does"),
        (VERSION + "echo unknown command >&2; exit 3", "no command 'serve' that works: .*exit code 3: unknown command"),
        (VERSION + 'echo "{\\"protocol\\": 2}"; cat', "of protocol 1, but that of '.*' has 2"),
        (VERSION + "echo hello; cat", "no command 'serve' that works"),
    ],
)
def test_another_tool(tmp_path: Path, body: str, message: str) -> None:
    tool = write_tool(tmp_path, body)
    with pytest.raises(fw.SetupError, match=message):
        fw.schedule("func.func @f() { return }", formwork=tool)


def test_a_tool_that_crashes(tmp_path: Path, matmul: str) -> None:
    tool = write_tool(tmp_path, VERSION + "kill -SEGV $$")
    with pytest.raises(fw.ToolError, match="'formwork check' ends with signal 11"):
        fw.check(matmul, formwork=tool)


def test_the_server_starts_again(matmul: str) -> None:
    s = fw.schedule(matmul)
    server = get_server(find_tool())
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    time.sleep(0.1)
    assert s.match("linalg.matmul").facts.payload == "1 linalg.matmul"


def test_the_server_crashes_in_a_request(tmp_path: Path, matmul: str) -> None:
    hello = 'echo "{\\"protocol\\": 1}"\n'
    tool = write_tool(tmp_path, VERSION + hello + "read line; echo oops >&2; kill -ABRT $$")
    with pytest.raises(fw.ToolError, match="ended with signal 6: oops"):
        fw.schedule(matmul, formwork=tool)


def test_the_server_answers_nonsense(tmp_path: Path, matmul: str) -> None:
    tool = write_tool(tmp_path, VERSION + 'echo "{\\"protocol\\": 1}"; read line; echo "[]"; exit 0')
    with pytest.raises(fw.ToolError, match="ended with exit code 0"):
        fw.schedule(matmul, formwork=tool)


def test_an_interrupt_ends_a_request(tmp_path: Path) -> None:
    tool = write_tool(tmp_path, VERSION + 'echo "{\\"protocol\\": 1}"; read line; exec sleep 60')
    server = Server(find_tool(tool))
    # A shell lets its background jobs ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        server.check({}, "f.mlir", "module {}")
    assert time.monotonic() - begin < 30
    # Nothing of it is left.
    assert server.pid is None


def test_an_interrupt_takes_the_step_back(monkeypatch: pytest.MonkeyPatch, matmul: str) -> None:
    s = fw.schedule(matmul)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Server, "check", interrupt)
        with pytest.raises(KeyboardInterrupt):
            s.match("linalg.matmul")
    assert "structured.match" not in str(s)
    assert s.match("linalg.matmul").name == "matmul"


@pytest.mark.parametrize("payload", ["func.func @f(", "garbage\n", "\x00\x01\n", "module {\n", "(", "\udcff\n"])
def test_garbage_is_no_payload(payload: str) -> None:
    with pytest.raises(fw.ScheduleError) as caught:
        fw.schedule(payload)
    assert "<payload>" in str(caught.value) and "/tmp" not in str(caught.value)


def test_no_payload_file(tmp_path: Path) -> None:
    with pytest.raises(fw.ScheduleError, match="No such file"):
        fw.schedule(tmp_path / "none.mlir")
    with pytest.raises(fw.ScheduleError, match="No such file"):
        fw.check("module {\n}", tmp_path / "none.mlir")


def test_an_unknown_target(matmul: str) -> None:
    with pytest.raises(fw.ScheduleError, match="unknown target 'sm_1'"):
        fw.schedule(matmul, target="sm_1")


def test_unicode(tmp_path: Path, matmul: str) -> None:
    path = tmp_path / "Größe 数 payload.mlir"
    path.write_text(matmul)
    script = tmp_path / "Plän.py"
    script.write_text(
        "import formwork as fw\n"
        f"s = fw.schedule({str(path)!r})\n"
        "数 = s.match('linalg.matmul')\n"
        "数.tile([4, 4]); 'ä'; 数.tile([4, 4])\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, encoding="utf-8")
    assert f"{script}:4:" in done.stderr and "[fw-use-after-consume]" in done.stderr


def test_threads_share_a_server(matmul: str) -> None:
    made: list[str] = []

    def build(size: int) -> None:
        with fw.schedule(matmul) as s:
            tile, _ = s.match("linalg.matmul").tile([size, size])
            made.append(f"{tile.facts.payload} {size in (2, 4, 8)}")

    threads = [threading.Thread(target=build, args=(size,)) for size in (2, 4, 8) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == ["1 linalg.matmul True"] * 12


def test_a_fork_has_a_server_of_its_own(matmul: str) -> None:
    s = fw.schedule(matmul)
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if s.match("linalg.matmul").facts.payload == "1 linalg.matmul" else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert s.match("func.func").facts.payload == "1 func.func"


def test_files_go_with_their_schedule(matmul: str) -> None:
    s = fw.schedule(matmul)
    folder = s._folder
    assert (folder / "payload.mlir").exists()
    del s
    import gc

    gc.collect()
    assert not folder.exists()
