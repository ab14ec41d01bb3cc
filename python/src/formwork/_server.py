"""A client of `formwork serve`, the check of schedules that runs as long as Python does."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
import threading
from typing import IO, Any

from ._errors import SetupError, ToolError
from ._tool import Tool

PROTOCOL = 1


class Server:
    """One process, started when it is first needed, and again where it has ended.

    Threads can share a server: it answers one request after the other. After a
    `fork`, the child has a process of its own.
    """

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._owner = 0
        self._last_id = 0

    def check(self, settings: dict[str, Any], file: str, text: str) -> dict[str, Any]:
        """The facts of `text`, which is the content of `file`; docs/commands.md describes them.

        Raises `ToolError` where the check does not finish: MLIR crashes, or a
        limit is reached.
        """
        with self._lock:
            try:
                self._last_id += 1
                request = {"id": self._last_id, "settings": settings, "file": file, "text": text}
                answer = self._ask(json.dumps(request))
            except BaseException:
                # An interrupt leaves an answer under way: nothing that comes belongs to the next request.
                self._stop()
                raise
        if "error" in answer:
            raise ToolError(f"formwork: {answer['error']}")
        facts: dict[str, Any] = answer["facts"]
        return facts

    def close(self) -> None:
        """Ends the process; the next request starts another one."""
        with self._lock:
            self._stop()

    @property
    def pid(self) -> int | None:
        """Of the process, if there is one."""
        return self._process.pid if self._process else None

    def _ask(self, line: str) -> dict[str, Any]:
        if self._process is not None and (self._owner != os.getpid() or self._process.poll() is not None):
            self._stop()
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode("utf-8") + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._explain_end() from None
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            answer = json.loads(line)
        except ValueError:
            raise self._explain_end() from None
        if not isinstance(answer, dict):
            raise self._explain_end()
        return answer

    def _start(self) -> None:
        self._log = tempfile.TemporaryFile()
        try:
            # Ctrl-C on a terminal goes to Python's group of processes only.
            self._process = subprocess.Popen(
                [self.tool.path, "serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                start_new_session=True,
            )
        except OSError as error:
            raise SetupError(f"cannot start '{self.tool.path}': {error}") from error
        self._owner = os.getpid()
        try:
            hello = self._read()
        except ToolError as error:
            raise SetupError(f"'{self.tool.path}' has no command 'serve' that works: {error}") from None
        if hello.get("protocol") != PROTOCOL:
            raise SetupError(
                f"requires 'formwork serve' of protocol {PROTOCOL}, but that of '{self.tool.path}' has "
                f"{hello.get('protocol')}"
            )

    def _explain_end(self) -> ToolError:
        assert self._process is not None
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return ToolError("'formwork serve' answers what is no JSON")
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        log = ""
        if self._log is not None:
            self._log.seek(0)
            log = self._log.read().decode("utf-8", "replace").strip()
        return ToolError(f"'formwork serve' ended with {how}" + (f": {log}" if log else ""), code)

    def _stop(self) -> None:
        process, self._process = self._process, None
        log, self._log = self._log, None
        if log is not None:
            log.close()
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass
        if self._owner == os.getpid():
            process.kill()
            process.wait()


_servers: dict[Tool, Server] = {}
_servers_lock = threading.Lock()


def get_server(tool: Tool) -> Server:
    """The server of this process for `tool`."""
    with _servers_lock:
        return _servers.setdefault(tool, Server(tool))


@atexit.register
def _close_all() -> None:
    for server in _servers.values():
        server.close()


def _forget_lock() -> None:
    # The lock of the parent can be held by a thread that the child does not have.
    global _servers_lock
    _servers_lock = threading.Lock()
    for server in _servers.values():
        server._lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_lock)
