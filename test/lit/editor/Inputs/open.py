"""Prints the messages that open a file and ask for its hints."""

import json
import sys

path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    text = file.read()
document = {"uri": "file://" + path}
everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
messages = [
    {"id": 0, "method": "initialize", "params": {"capabilities": {
        "textDocument": {"publishDiagnostics": {"relatedInformation": True}}}}},
    {"method": "textDocument/didOpen",
     "params": {"textDocument": {**document, "version": 1, "text": text}}},
    {"id": 1, "method": "textDocument/inlayHint",
     "params": {"textDocument": document, "range": everything}},
    {"id": 2, "method": "shutdown"},
    {"method": "exit"},
]
print("\n// -----\n".join(json.dumps({"jsonrpc": "2.0", **one}) for one in messages))
