"""Drives the server with pytest-lsp, a client of the whole protocol."""

import asyncio
import os
import pathlib
import shutil
import statistics
import time

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SERVER = os.environ["SERVER"]
EXAMPLES = os.environ["EXAMPLES"]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[SERVER]))
async def client(lsp_client: LanguageClient):
    lsp_client.registered = []

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(parameters: types.RegistrationParams):
        lsp_client.registered.extend(parameters.registrations)

    response = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities("visual-studio-code")))
    assert response.capabilities.hover_provider
    yield lsp_client
    await lsp_client.shutdown_session()


class Document:
    def __init__(self, client, path, text):
        self.client, self.text, self.version = client, text, 1
        self.uri = "file://" + str(path)
        client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(self.uri, "mlir", 1, text)))

    def identify(self):
        return types.TextDocumentIdentifier(self.uri)

    def change(self, text):
        self.text = text
        self.version += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(self.version, self.uri),
            [types.TextDocumentContentChangeWholeDocument(text)]))

    def find(self, text, add=0):
        before = self.text[:self.text.index(text) + add]
        return types.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)

    async def wait(self, done):
        """The diagnostics, when they are as expected."""
        for _ in range(200):
            found = self.client.diagnostics.get(self.uri)
            if found is not None and done(found):
                return found
            await self.client.wait_for_notification("textDocument/publishDiagnostics")
        raise AssertionError(self.client.diagnostics)


WHOLE = types.Range(types.Position(0, 0), types.Position(9999, 0))


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(os.path.join(EXAMPLES, "batch_matmul"), tmp_path, dirs_exist_ok=True)
    (tmp_path / "formwork.toml").write_text('payload = "payload.mlir"\n')
    return tmp_path


def open_schedule(client, folder):
    path = folder / "schedule.mlir"
    return Document(client, path, path.read_text())


@pytest.mark.asyncio
async def test_fix_it(client, folder):
    document = open_schedule(client, folder)
    found = await document.wait(lambda all: len(all) == 2)
    assert {one.code for one in found} == {"fw-missing-form"}
    assert all(one.related_information for one in found)
    for _ in range(100):
        actions = await client.text_document_code_action_async(types.CodeActionParams(
            document.identify(), found[0].range, types.CodeActionContext(found)))
        if len(actions) == 2:
            break
    change = actions[0].edit.document_changes[0]
    assert change.text_document.version == document.version
    edit = change.edits[0]
    lines = document.text.splitlines(keepends=True)
    assert edit.range.start == edit.range.end
    line = lines[edit.range.start.line]
    at = edit.range.start.character
    lines[edit.range.start.line] = line[:at] + edit.new_text + line[at:]
    document.change("".join(lines))
    await document.wait(lambda all: len(all) == 1)


@pytest.mark.asyncio
async def test_names(client, folder):
    document = open_schedule(client, folder)
    await document.wait(lambda all: len(all) == 2)
    place = document.find("%blocks\n", 3)
    definition = await client.text_document_definition_async(
        types.DefinitionParams(document.identify(), place))
    assert definition.range.start == document.find("%blocks =")
    references = await client.text_document_references_async(types.ReferenceParams(
        types.ReferenceContext(True), document.identify(), place))
    assert len(references) == 2
    hover = await client.text_document_hover_async(
        types.HoverParams(document.identify(), place))
    assert "1 scf.forall" in hover.contents.value
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(document.identify(), WHOLE))
    assert any(hint.label.startswith(": 1 scf.forall, dead since") for hint in hints)
    items = await client.text_document_completion_async(
        types.CompletionParams(document.identify(), place))
    assert "%blocks" in [item.label for item in items]


@pytest.mark.asyncio
async def test_payload_changes(client, folder):
    document = open_schedule(client, folder)
    await document.wait(lambda all: len(all) == 2)
    (folder / "payload.mlir").write_text("func.func @f() { return }\n")
    client.text_document_did_save(types.DidSaveTextDocumentParams(document.identify()))
    await document.wait(lambda all: any(one.code == "fw-empty-match" for one in all))
    (folder / "formwork.toml").write_text("payloads = 1\n")
    client.text_document_did_save(types.DidSaveTextDocumentParams(document.identify()))
    found = await document.wait(lambda all: len(all) == 1)
    assert "unknown key 'payloads'" in found[0].message


@pytest.mark.asyncio
async def test_watched_files(client, folder):
    document = open_schedule(client, folder)
    await document.wait(lambda all: len(all) == 2)
    [registered] = client.registered
    assert registered.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    assert [one["globPattern"] for one in registered.register_options["watchers"]] == [
        "**/*.mlir", "**/formwork.toml"]
    payload = folder / "payload.mlir"
    payload.write_text("func.func @f() { return }\n")
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(
        [types.FileEvent(payload.as_uri(), types.FileChangeType.Changed)]))
    await document.wait(lambda all: any(one.code == "fw-empty-match" for one in all))


OP = "!transform.any_op"


def make_body(first, count, root="%root"):
    """That many steps, which end in a nest of ever more loops; `first` numbers their handles."""
    return "".join(
        f'%m{i} = transform.structured.match ops{{["linalg.batch_matmul"]}} in {root} : ({OP}) -> {OP}\n'
        f"%t{i}, %l{i} = transform.structured.tile_using_for %m{i} tile_sizes"
        f" [0, {2 ** (6 - i % 5)}] : ({OP}) -> ({OP}, {OP})\n"
        f'%f{i} = transform.structured.match ops{{["func.func"]}} in {root} : ({OP}) -> {OP}\n'
        f"transform.apply_patterns to %f{i} {{"
        f" transform.apply_patterns.canonicalization }} : {OP}\n"
        for i in range(first, first + count // 4))


def make_steps(count, shape="flat"):
    """A schedule of about that many steps that is proved: one behind the other, in ten nested loops
    over handles, in included sequences, or in alternatives."""
    sequences, text, end = "", "", ""
    match = f'transform.structured.match ops{{["func.func"]}} in %root : ({OP}) -> {OP}\n'
    if shape == "flat":
        text = make_body(0, count)
    elif shape == "foreach":
        for i in range(10):
            text += make_body(i * count, count // 10) + f"%func{i} = {match}"
            text += f"transform.foreach %func{i} : {OP} {{\n^bb0(%each{i}: {OP}):\n"
            end += "}\n"
    elif shape == "include":
        for i in range(count // 20):
            sequences += (f"transform.named_sequence @part{i}(%root: {OP} {{transform.readonly}}) {{\n"
                          + make_body(i * count, 20) + "transform.yield\n}\n")
            text += f"transform.include @part{i} failures(propagate) (%root) : ({OP}) -> ()\n"
    else:
        for i in range(count // 40):
            text += f"%func{i} = {match}transform.alternatives %func{i} : {OP} {{\n^bb0(%one{i}: {OP}):\n"
            text += make_body(2 * i * count, 20, f"%one{i}") + f"}}, {{\n^bb0(%two{i}: {OP}):\n"
            text += make_body((2 * i + 1) * count, 20, f"%two{i}") + "}\n"
    return ("module attributes {transform.with_named_sequence} {\n" + sequences
            + f"transform.named_sequence @__transform_main(%root: {OP} {{transform.readonly}}) {{\n"
            + text + end + "transform.yield\n}\n}\n")


@pytest.mark.asyncio
async def test_bursts(client, folder):
    """Each change comes at another point of the check before it; neither fits into a pipe."""
    text = make_steps(2000)
    broken = text.replace("%m1 tile", "%m0 tile")
    document = Document(client, folder / "steps.mlir", text)
    for i in range(40):
        document.change(text if i % 2 else broken)
        await asyncio.sleep(0.02 * (i % 8))
    document.change(broken.replace("%m3 tile", "%m2 tile"))
    found = await document.wait(lambda all: len(all) == 2)
    assert {one.code for one in found} == {"fw-use-after-consume"}


@pytest.mark.asyncio
@pytest.mark.parametrize("shape", ["flat", "foreach", "include", "alternatives"])
@pytest.mark.parametrize("count", [100, 1000])
async def test_many_steps(client, folder, count, shape):
    """From the end of the debouncing to the diagnostics; on an idle machine, that is the processor
    time, of which a step may take half a millisecond."""
    text = make_steps(count, shape)
    document = Document(client, folder / "steps.mlir", text)
    assert not await document.wait(lambda all: True)
    times = []
    before = get_processor_time()
    for i in range(20):
        broken = i % 2 == 0
        start = time.perf_counter()
        document.change(text.replace("%m1 tile", "%m0 tile") if broken else text)
        await document.wait(lambda all: bool(all) == broken)
        times.append(time.perf_counter() - start - 0.060)
    spent = (get_processor_time() - before) / 20
    print(f"{count} steps, {shape}: median {1000 * statistics.median(times):.0f} ms,"
          f" {1000 * spent:.0f} ms of a processor")
    assert spent < count / 2000


def get_processor_time():
    """The seconds that the server, its processes and those that have ended have worked."""
    ticks = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = stat.read_text().split("(", 1)[1].rsplit(")", 1)
        except FileNotFoundError:
            continue
        if name == os.path.basename(SERVER)[:15]:
            ticks += sum(map(int, rest.split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
