"""Changes the files around a schedule that a server has open, and prints what it says then.

usage: change_files.py [--save | --watch] FOLDER SERVER [OPTIONS]

Prints a line each time: the change, and the id or the message of the first diagnostic.
--save: the client says of each file that it is saved.
--watch: the client watches the files that the server asks for, and says that they change.
"""

import fnmatch
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "ui"))
from client import Client  # noqa: E402


def main():
    arguments = sys.argv[1:]
    mode = arguments.pop(0) if arguments[0].startswith("--") else None
    folder, *command = arguments
    client = Client(*command, capabilities={
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": mode == "--watch"}}})
    patterns = []
    if mode == "--watch":
        for one in client.wait_for_request("client/registerCapability")["registrations"]:
            assert one["method"] == "workspace/didChangeWatchedFiles"
            patterns += [w["globPattern"] for w in one["registerOptions"]["watchers"]]
        print("watched:", *patterns)
    uri = "file://" + os.path.join(folder, "schedule.mlir")
    seen = 0

    def read(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()

    def show(what):
        nonlocal seen
        diagnostics = client.wait_for_next(seen)
        seen += 1
        text = "no diagnostics"
        if diagnostics:
            message = diagnostics[0]["message"].split("\n")[0]
            text = diagnostics[0].get("code", message).replace(folder, "").lstrip("/")
        print(f"{what}: {text.removeprefix('library/')}")

    def change(what, name, text):
        path = os.path.join(folder, name)
        if text is None:
            os.remove(path)
        else:
            # At once, as editors save.
            with open(path + ".new", "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(path + ".new", path)
        if mode == "--save":
            client.notify("textDocument/didSave", {"textDocument": {"uri": "file://" + path}})
        elif any(fnmatch.fnmatch(path, pattern) for pattern in patterns):
            client.notify("workspace/didChangeWatchedFiles",
                          {"changes": [{"uri": "file://" + path, "type": 2}]})
        show(what)

    settings, payload, note = map(read, ["formwork.toml", "payload.mlir", "library/note.mlir"])
    client.open(uri, read("schedule.mlir"), 1)
    show("payload and library")
    change("other settings", "formwork.toml", settings.replace("payload.mlir", "other.mlir"))
    change("wrong settings", "formwork.toml", "payloads = 1")
    change("settings again", "formwork.toml", settings)
    change("changed payload", "payload.mlir", read("other.mlir"))
    change("no payload", "payload.mlir", None)
    change("payload again", "payload.mlir", payload)
    change("library", "library/note.mlir", "what")
    change("library again", "library/note.mlir", note)
    change("another library", "library/more.mlir", "what")
    change("one library", "library/more.mlir", None)
    assert mode == "--watch" or not client.requests, client.requests
    client.end()


main()
