// Formwork in Visual Studio Code: starts formwork-lsp-server and hands documents,
// diagnostics and requests on. The client of the protocol is in this file, so that the
// extension needs no package and no build.

'use strict';

const childProcess = require('child_process');
const vscode = require('vscode');

const SELECTOR = { language: 'mlir' };

/** Messages of JSON-RPC over the pipes of a process. */
class Connection {
  constructor(command, args, onNotification, onEnd) {
    this.onNotification = onNotification;
    this.waiting = new Map();
    this.lastId = 0;
    this.buffer = Buffer.alloc(0);
    this.isOpen = true;
    this.process = childProcess.spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const end = (reason) => {
      if (!this.isOpen) return;
      this.isOpen = false;
      for (const { reject } of this.waiting.values()) reject(new Error(reason));
      this.waiting.clear();
      onEnd(reason);
    };
    this.process.on('error', (error) => end(error.message));
    this.process.on('exit', (code, signal) => end(`ended with ${signal || code}`));
    this.process.stdin.on('error', () => {});
    this.process.stdout.on('data', (data) => this.receive(data));
  }

  send(message) {
    if (!this.isOpen) return;
    const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }), 'utf8');
    this.process.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
    this.process.stdin.write(text);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  /** The result, or null where the server refuses or is gone. */
  async request(method, params) {
    if (!this.isOpen) return null;
    const id = ++this.lastId;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.send({ id, method, params });
    try {
      return await answer;
    } catch {
      return null;
    }
  }

  receive(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const header = this.buffer.indexOf('\r\n\r\n');
      if (header < 0) return;
      const size = /content-length: *(\d+)/i.exec(this.buffer.toString('ascii', 0, header));
      const begin = header + 4;
      const end = begin + Number(size ? size[1] : 0);
      if (this.buffer.length < end) return;
      const text = this.buffer.toString('utf8', begin, end);
      this.buffer = this.buffer.subarray(end);
      if (size) this.take(JSON.parse(text));
    }
  }

  take(message) {
    if (message.method && message.id !== undefined) {
      this.onNotification(message.method, message.params);
      this.send({ id: message.id, result: null });
    } else if (message.method) {
      this.onNotification(message.method, message.params);
    } else if (this.waiting.has(message.id)) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  }

  async end() {
    await this.request('shutdown', null);
    this.notify('exit', null);
    this.isOpen = false;
  }
}

// Values of the protocol as values of the editor.

const toPosition = (p) => new vscode.Position(p.line, p.character);
const toRange = (r) => new vscode.Range(toPosition(r.start), toPosition(r.end));
const toLocation = (l) => new vscode.Location(vscode.Uri.parse(l.uri), toRange(l.range));
const toMarkdown = (contents) => new vscode.MarkdownString(contents.value);
const fromPosition = (p) => ({ line: p.line, character: p.character });
const fromRange = (r) => ({ start: fromPosition(r.start), end: fromPosition(r.end) });

function toDiagnostic(found) {
  // The protocol counts severities from 1.
  const diagnostic = new vscode.Diagnostic(
    toRange(found.range), found.message, found.severity - 1);
  diagnostic.source = found.source;
  diagnostic.code = found.code;
  diagnostic.relatedInformation = (found.relatedInformation || []).map(
    (related) => new vscode.DiagnosticRelatedInformation(
      toLocation(related.location), related.message));
  return diagnostic;
}

/** The extension while it is active. */
class Client {
  constructor() {
    this.diagnostics = vscode.languages.createDiagnosticCollection('formwork');
    this.hintsChanged = new vscode.EventEmitter();
    this.connection = null;
    /** The documents that the server knows to be open. */
    this.open = new Set();
    /** The watchers of files that the server wants to hear of. */
    this.watchers = [];
  }

  async start() {
    const settings = vscode.workspace.getConfiguration('formwork');
    const command = settings.get('server') || 'formwork-lsp-server';
    this.connection = new Connection(
      command, settings.get('arguments') || [],
      (method, params) => this.hear(method, params),
      (reason) => vscode.window.showErrorMessage(
        `Formwork: '${command}' ${reason}. The setting formwork.server is its path.`));
    await this.connection.request('initialize', {
      processId: process.pid,
      capabilities: {
        workspace: {
          inlayHint: { refreshSupport: true },
          didChangeWatchedFiles: { dynamicRegistration: true },
        },
        textDocument: { publishDiagnostics: { relatedInformation: true } },
      },
    });
    this.connection.notify('initialized', {});
    vscode.workspace.textDocuments.forEach((document) => this.didOpen(document));
  }

  async stop() {
    this.open.clear();
    this.diagnostics.clear();
    this.watchers.splice(0).forEach((watcher) => watcher.dispose());
    if (this.connection) await this.connection.end();
  }

  hear(method, params) {
    if (method === 'workspace/inlayHint/refresh') {
      this.hintsChanged.fire();
    } else if (method === 'textDocument/publishDiagnostics') {
      const document = vscode.workspace.textDocuments.find(
        (one) => one.uri.toString() === params.uri);
      // Nothing is shown for a text that has changed since then.
      if (document && params.version !== undefined && document.version !== params.version) return;
      this.diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(toDiagnostic));
    } else if (method === 'client/registerCapability') {
      params.registrations
        .filter((one) => one.method === 'workspace/didChangeWatchedFiles')
        .forEach((one) => one.registerOptions.watchers.forEach(
          ({ globPattern }) => this.watch(globPattern)));
    }
  }

  /** Tells the server of files, whoever changes them: a build writes payloads, too. */
  watch(pattern) {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    // As the protocol counts what happens to a file.
    ['onDidCreate', 'onDidChange', 'onDidDelete'].forEach((event, index) => watcher[event](
      (uri) => this.connection.notify('workspace/didChangeWatchedFiles', {
        changes: [{ uri: uri.toString(), type: index + 1 }],
      })));
    this.watchers.push(watcher);
  }

  didOpen(document) {
    const uri = document.uri.toString();
    if (document.languageId !== 'mlir' || this.open.has(uri)) return;
    this.open.add(uri);
    this.connection.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'mlir', version: document.version, text: document.getText() },
    });
  }

  didChange(event) {
    const uri = event.document.uri.toString();
    if (!this.open.has(uri)) return;
    this.connection.notify('textDocument/didChange', {
      textDocument: { uri, version: event.document.version },
      contentChanges: event.contentChanges.map(
        (change) => ({ range: fromRange(change.range), text: change.text })),
    });
  }

  didClose(document) {
    const uri = document.uri.toString();
    if (!this.open.delete(uri)) return;
    this.connection.notify('textDocument/didClose', { textDocument: { uri } });
  }

  /** A payload or a configuration may be what was saved. */
  didSave(document) {
    this.connection.notify('textDocument/didSave', {
      textDocument: { uri: document.uri.toString() },
    });
  }

  ask(method, document, more) {
    return this.connection.request(`textDocument/${method}`, {
      textDocument: { uri: document.uri.toString() }, ...more,
    });
  }

  async provideHover(document, position) {
    const hover = await this.ask('hover', document, { position: fromPosition(position) });
    return hover && new vscode.Hover(
      toMarkdown(hover.contents), hover.range && toRange(hover.range));
  }

  async provideDefinition(document, position) {
    const found = await this.ask('definition', document, { position: fromPosition(position) });
    return found && toLocation(found);
  }

  async provideReferences(document, position, context) {
    const found = await this.ask('references', document, {
      position: fromPosition(position),
      context: { includeDeclaration: context.includeDeclaration },
    });
    return (found || []).map(toLocation);
  }

  async provideInlayHints(document, range) {
    const hints = await this.ask('inlayHint', document, { range: fromRange(range) });
    return (hints || []).map((found) => {
      const hint = new vscode.InlayHint(toPosition(found.position), found.label, found.kind);
      hint.tooltip = toMarkdown(found.tooltip);
      hint.paddingRight = found.paddingRight;
      return hint;
    });
  }

  async provideCompletionItems(document, position) {
    const items = await this.ask('completion', document, { position: fromPosition(position) });
    return (items || []).map((found) => {
      // The protocol counts kinds from 1.
      const item = new vscode.CompletionItem(found.label, found.kind - 1);
      item.detail = found.detail;
      item.insertText = found.textEdit.newText;
      item.filterText = found.textEdit.newText;
      item.range = toRange(found.textEdit.range);
      return item;
    });
  }

  async provideCodeActions(document, range, context) {
    const only = context.only ? [context.only.value] : undefined;
    const actions = await this.ask('codeAction', document, {
      range: fromRange(range), context: { diagnostics: [], only },
    });
    const result = [];
    for (const found of actions || []) {
      const [change] = found.edit.documentChanges;
      // Edits of another text would be wrong.
      if (change.textDocument.version !== document.version) continue;
      const action = new vscode.CodeAction(
        found.title, vscode.CodeActionKind.Empty.append(found.kind));
      action.edit = new vscode.WorkspaceEdit();
      for (const edit of change.edits)
        action.edit.replace(document.uri, toRange(edit.range), edit.newText);
      action.diagnostics = (found.diagnostics || []).map(toDiagnostic);
      result.push(action);
    }
    return result;
  }

  register(subscriptions) {
    const { languages, workspace, commands } = vscode;
    const provide = (...names) => Object.fromEntries(
      names.map((name) => [name, this[name].bind(this)]));
    subscriptions.push(
      this.diagnostics,
      this.hintsChanged,
      workspace.onDidOpenTextDocument((document) => this.didOpen(document)),
      workspace.onDidChangeTextDocument((event) => this.didChange(event)),
      workspace.onDidCloseTextDocument((document) => this.didClose(document)),
      workspace.onDidSaveTextDocument((document) => this.didSave(document)),
      languages.registerHoverProvider(SELECTOR, provide('provideHover')),
      languages.registerDefinitionProvider(SELECTOR, provide('provideDefinition')),
      languages.registerReferenceProvider(SELECTOR, provide('provideReferences')),
      languages.registerInlayHintsProvider(SELECTOR, {
        ...provide('provideInlayHints'), onDidChangeInlayHints: this.hintsChanged.event,
      }),
      languages.registerCompletionItemProvider(
        SELECTOR, provide('provideCompletionItems'), '.', '@', '%'),
      languages.registerCodeActionsProvider(SELECTOR, provide('provideCodeActions'), {
        providedCodeActionKinds: ['quickfix', 'source.fixAll.formwork'].map(
          (kind) => vscode.CodeActionKind.Empty.append(kind)),
      }),
      commands.registerCommand('formwork.restart', async () => {
        await this.stop();
        await this.start();
      }));
  }
}

let client = null;

exports.activate = async (context) => {
  client = new Client();
  client.register(context.subscriptions);
  await client.start();
};

exports.deactivate = () => client && client.stop();
