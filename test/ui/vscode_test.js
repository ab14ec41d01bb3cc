// Runs the extension without Visual Studio Code: the part of its API that the extension
// uses stands here, and the server is the real one.
// usage: vscode_test.js EXTENSION SERVER FOLDER

'use strict';

const assert = require('assert');
const fs = require('fs');
const Module = require('module');
const path = require('path');

const [extensionPath, server, folder] = process.argv.slice(2).map((one) => path.resolve(one));

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
}
class Emitter {
  constructor() {
    this.listeners = [];
    this.event = (listener) => { this.listeners.push(listener); };
  }
  fire(event) { this.listeners.forEach((listener) => listener(event)); }
}
class Plain {
  constructor(...values) { this.values = values; }
}
class Kind {
  constructor(value) { this.value = value; }
  append(more) { return new Kind(this.value ? `${this.value}.${more}` : more); }
}
Kind.Empty = new Kind('');

const events = {};
const providers = {};
const shown = new Map();
const errors = [];
const watchers = [];
let hintsChanged = 0;

const vscode = {
  Position, Range, EventEmitter: Emitter, Hover: Plain, InlayHint: Plain, CompletionItem: Plain,
  MarkdownString: Plain, DiagnosticRelatedInformation: Plain, CodeActionKind: Kind,
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  Uri: { parse: (text) => ({ text, toString: () => text }) },
  Diagnostic: class {
    constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
  },
  CodeAction: class { constructor(title, kind) { Object.assign(this, { title, kind }); } },
  WorkspaceEdit: class {
    constructor() { this.edits = []; }
    replace(uri, range, text) { this.edits.push({ uri, range, text }); }
  },
  languages: {
    createDiagnosticCollection: () => ({
      set: (uri, all) => shown.set(uri.toString(), all), clear: () => shown.clear(),
    }),
  },
  workspace: {
    textDocuments: [],
    createFileSystemWatcher: (pattern) => {
      const watcher = { pattern, isDisposed: false, dispose() { this.isDisposed = true; } };
      for (const name of ['onDidCreate', 'onDidChange', 'onDidDelete']) {
        watcher[name] = (listener) => { watcher[`${name}Fired`] = listener; };
      }
      watchers.push(watcher);
      return watcher;
    },
    getConfiguration: () => ({ get: (key) => (key === 'server' ? server : ['--watch=0']) }),
  },
  window: { showErrorMessage: (message) => errors.push(message) },
  commands: { registerCommand: () => {} },
};
for (const name of ['Open', 'Change', 'Close', 'Save']) {
  events[name] = new Emitter();
  vscode.workspace[`onDid${name}TextDocument`] = events[name].event;
}
for (const name of ['Hover', 'Definition', 'Reference', 'CompletionItem', 'CodeActions', 'InlayHints'])
  vscode.languages[`register${name}Provider`] =
    (selector, provider) => {
      assert.strictEqual(selector.language, 'mlir');
      providers[name] = provider;
    };
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

async function until(what, done) {
  for (let i = 0; i < 1000; ++i) {
    const result = await done();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no ${what}`);
}

class Document {
  constructor(file) {
    this.file = file;
    this.uri = vscode.Uri.parse(`file://${file}`);
    this.languageId = 'mlir';
    this.version = 1;
    this.text = fs.readFileSync(file, 'utf8');
  }
  getText() { return this.text; }
  toOffset({ line, character }) {
    const lines = this.text.split('\n');
    return lines.slice(0, line).join('\n').length + (line ? 1 : 0) + character;
  }
  find(text, add = 0) {
    const before = this.text.slice(0, this.text.indexOf(text) + add).split('\n');
    return new Position(before.length - 1, before[before.length - 1].length);
  }
  edit(range, text) {
    this.text = this.text.slice(0, this.toOffset(range.start)) + text +
      this.text.slice(this.toOffset(range.end));
    ++this.version;
    events.Change.fire({ document: this, contentChanges: [{ range, text }] });
  }
}

async function main() {
  const manifest = JSON.parse(fs.readFileSync(path.join(extensionPath, 'package.json'), 'utf8'));
  assert(!manifest.dependencies && !manifest.scripts);
  const extension = require(path.join(extensionPath, manifest.main));
  const document = new Document(path.join(folder, 'schedule.mlir'));
  vscode.workspace.textDocuments.push(document);
  await extension.activate({ subscriptions: [] });
  providers.InlayHints.onDidChangeInlayHints(() => { ++hintsChanged; });

  const get = () => shown.get(document.uri.toString()) || [];
  await until('warnings', () => get().length === 2);
  assert.strictEqual(get()[0].code, 'fw-missing-form');
  assert.strictEqual(get()[0].severity, 1);
  assert(get()[0].relatedInformation.length > 1);

  const everything = new Range(new Position(0, 0), new Position(999, 0));
  const hints = await providers.InlayHints.provideInlayHints(document, everything);
  assert(hints.some((hint) => hint.values[1].startsWith(': 1 linalg.batch_matmul')));
  const tile = document.find('tile_using_forall', 3);
  const hover = await providers.Hover.provideHover(document, tile);
  assert(hover.values[0].values[0].includes('transform.structured.tile_using_forall'));
  const use = document.find('%matmul\n', 3);
  const definition = await providers.Definition.provideDefinition(document, use);
  assert.deepStrictEqual(definition.range.start, document.find('%matmul'));
  const references = await providers.Reference.provideReferences(
    document, use, { includeDeclaration: true });
  assert.strictEqual(references.length, 2);

  const actions = await until('actions', async () => {
    const all = await providers.CodeActions.provideCodeActions(document, everything, {});
    return all.length === 3 && all;
  });
  const [edit] = actions[2].edit.edits;
  document.edit(edit.range, edit.text);
  await until('end of the warnings', () => get().length === 0);
  await until('new hints', () => hintsChanged > 0);

  const step = document.find('transform.yield');
  document.edit(new Range(step, step), 'transform.structured.tile_using_fora\n    ');
  const word = document.find('tile_using_fora\n', 15);
  const items = await providers.CompletionItem.provideCompletionItems(document, word);
  assert.deepStrictEqual(items.map((item) => item.insertText), ['transform.structured.tile_using_forall']);
  await until('the error of the parser', () => get().length === 1 && get()[0].severity === 0);

  // A file that another program writes.
  document.edit(new Range(step, word), '');
  await until('no error', () => get().length === 0);
  await until('watchers', () => watchers.length === 2);
  const payload = path.join(folder, 'payload.mlir');
  const [watcher] = watchers.filter(({ pattern }) => pattern === '**/*.mlir');
  const written = fs.readFileSync(payload, 'utf8');
  fs.writeFileSync(payload, 'func.func @other() {\n  return\n}\n');
  watcher.onDidChangeFired(vscode.Uri.parse(`file://${payload}`));
  await until('the changed payload', () => get().some(({ code }) => code === 'fw-empty-match'));
  fs.writeFileSync(payload, written);
  watcher.onDidChangeFired(vscode.Uri.parse(`file://${payload}`));
  await until('the payload of before', () => get().length === 0);

  await extension.deactivate();
  assert(watchers.every(({ isDisposed }) => isDisposed));
  assert.deepStrictEqual(errors, []);
  console.log('vscode_test: passed');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
