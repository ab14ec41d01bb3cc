"""A client of a language server: messages over the pipes of a process."""

import json
import subprocess
import threading
import time


class Client:
    def __init__(self, *command, capabilities=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0
        self.responses = {}
        # The published messages, in order: (URI, version, diagnostics).
        self.published = []
        # The requests of the server, in order: (method, parameters).
        self.requests = []
        self.ended = False
        self.condition = threading.Condition()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        self.call("initialize", {"capabilities": capabilities or {}})
        self.notify("initialized", {})

    def _read(self):
        stream = self.process.stdout
        while True:
            size = None
            while line := stream.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if size is None:
                break
            message = json.loads(stream.read(size))
            with self.condition:
                if "method" not in message:
                    self.responses[message["id"]] = message
                elif "id" in message:
                    self.requests.append((message["method"], message["params"]))
                    self._send({"id": message["id"], "result": None})
                elif message["method"] == "textDocument/publishDiagnostics":
                    found = message["params"]
                    self.published.append(
                        (found["uri"], found.get("version"), found["diagnostics"]))
                self.condition.notify_all()
        with self.condition:
            self.ended = True
            self.condition.notify_all()

    def _send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def _wait(self, done, seconds):
        with self.condition:
            self.condition.wait_for(lambda: done() or self.ended, seconds)
            assert done(), "the server ended" if self.ended else "the server hangs"

    def notify(self, method, parameters):
        self._send({"method": method, "params": parameters})

    def call(self, method, parameters, seconds=30):
        self.last_id += 1
        identifier = self.last_id
        self._send({"id": identifier, "method": method, "params": parameters})
        self._wait(lambda: identifier in self.responses, seconds)
        response = self.responses.pop(identifier)
        assert "error" not in response, response
        return response["result"]

    def open(self, uri, text, version=0):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "mlir", "version": version, "text": text}})

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": list(changes)})

    def wait_for(self, uri, version, seconds=60):
        """The diagnostics of that version, when they are there."""
        def find():
            return [d for u, v, d in self.published if u == uri and v == version]
        self._wait(find, seconds)
        return find()[-1]

    def wait_for_next(self, count, seconds=60):
        """The diagnostics that were published behind the first `count` of them."""
        self._wait(lambda: len(self.published) > count, seconds)
        return self.published[count][2]

    def wait_for_request(self, method, seconds=10):
        """The parameters of the first request of that kind."""
        def find():
            return [parameters for name, parameters in self.requests if name == method]
        self._wait(find, seconds)
        return find()[0]

    def end(self):
        self.call("shutdown", None)
        self.notify("exit", None)
        assert self.process.wait(30) == 0


def wait_until(done, seconds=10):
    end = time.time() + seconds
    while not done():
        assert time.time() < end, "too late"
        time.sleep(0.02)
