// Opens pages of `formwork check --trace=html` in Chromium without a screen, presses keys
// in them, and looks at what they show. usage: stepper_test.js FORMWORK SOURCE FOLDER
// The folder gets the pages and a picture of each.

'use strict';

const assert = require('assert');
const childProcess = require('child_process');
const fs = require('fs');
const path = require('path');

const [formwork, source, folder] = process.argv.slice(2).map((one) => path.resolve(one));
fs.mkdirSync(folder, { recursive: true });

/** Writes the page, and says how the check ended. */
function check(name, args) {
  const page = path.join(folder, `${name}.html`);
  const run = childProcess.spawnSync(
    formwork, ['check', ...args, '--trace=html', '-o', page], { encoding: 'utf8' });
  assert(run.status === 0 || run.status === 1, run.stderr);
  return page;
}

function chromium(page, ...args) {
  const run = childProcess.spawnSync('chromium', [
    '--headless', '--no-sandbox', '--disable-gpu', '--enable-logging=stderr', '--window-size=1500,850',
    '--virtual-time-budget=20000', ...args, page.startsWith('/') ? `file://${page}` : page,
  ], { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 120000 });
  assert.strictEqual(run.status, 0, run.stderr);
  const said = run.stderr.split('\n').filter((line) => line.includes(':CONSOLE'));
  assert.deepStrictEqual(said, []);
  return run.stdout;
}

/** Runs `body` in the page, and returns what that returns. */
function inPage(page, body, hash = '') {
  const driven = page.replace('.html', '.driven.html');
  fs.writeFileSync(driven, `${fs.readFileSync(page, 'utf8')}<script>
    const press = (key) => dispatchEvent(new KeyboardEvent('keydown', { key }));
    const text = (id) => document.getElementById(id).textContent;
    addEventListener('load', () => {
      let result;
      try { result = (${body})(); } catch (error) { result = { error: String(error) }; }
      const node = document.createElement('pre');
      node.id = 'result';
      node.textContent = JSON.stringify(result);
      document.body.append(node);
    });</script>`);
  const dom = chromium(`file://${driven}${hash}`, '--dump-dom');
  const found = /<pre id="result">(.*?)<\/pre>/s.exec(dom);
  assert(found, 'no result');
  const plain = found[1].replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
  return JSON.parse(plain);
}

function photograph(page, ...args) {
  const picture = page.replace('.html', '.png');
  chromium(page, `--screenshot=${picture}`, ...args);
  assert(fs.statSync(picture).size > 20000);
}

// The batch matmul: keys, a link, the search, light and dark.
const example = path.join(source, 'examples', 'batch_matmul');
const matmul = check('batch_matmul', [
  path.join(example, 'payload.mlir'), `--transform=${path.join(example, 'schedule.mlir')}`]);
let seen = inPage(matmul, `() => {
  const steps = [text('count')];
  for (const key of ['j', 'j', 'k', 'End', 'j', 'Home', 'k', 'n'])
    { press(key); steps.push(text('count')); }
  const search = document.getElementById('search');
  press('/');
  const isFocused = document.activeElement === search;
  search.value = 'one_shot_bufferize';
  search.oninput();
  const theme = document.documentElement.dataset.theme;
  press('t');
  return {
    steps, isFocused, isOther: theme !== document.documentElement.dataset.theme,
    found: text('count'), hash: location.hash, hits: document.querySelectorAll('.row.hit').length,
    verdict: text('verdict'), about: text('about'), handles: text('handles'),
    here: document.querySelector('.row.here').textContent,
  };
}`);
assert.deepStrictEqual(seen.steps, [1, 2, 3, 2, 13, 13, 1, 1, 10].map((n) => `step ${n} of 13`));
assert(seen.isFocused && seen.isOther);
assert.strictEqual(seen.found, 'step 10 of 13');
assert.strictEqual(seen.hits, 1);
assert.strictEqual(seen.verdict, 'proved');
assert(seen.about.includes('wants form @tensor.bufferizable') && seen.about.includes('has a warning'));
assert(seen.handles.includes('%bufferized') && seen.handles.includes('dead since line 41'));
assert(seen.here.includes('transform.bufferization.one_shot_bufferize'));
seen = inPage(matmul, `() => ({ count: text('count'), handles: text('handles') })`, '#step-3');
assert.strictEqual(seen.count, 'step 3 of 13');
photograph(matmul);
photograph(matmul, '--blink-settings=preferredColorScheme=0');

// A schedule that fails half-way: the page opens at the error. One that is cut says so.
const schedule = path.join(folder, 'fails.mlir');
fs.writeFileSync(schedule, fs.readFileSync(path.join(example, 'schedule.mlir'), 'utf8')
  .replace('tile_using_for %thread_matmul', 'tile_using_for %block_matmul'));
const fails = check('fails', [path.join(example, 'payload.mlir'), `--transform=${schedule}`]);
seen = inPage(fails, `() => ({ count: text('count'), about: text('about'), verdict: text('verdict') })`);
assert.strictEqual(seen.verdict, 'refuted');
assert(/refused.*requires a valid handle but %block_matmul/s.test(seen.about), seen.about);
photograph(fails);
const cut = path.join(folder, 'cut.html');
const whole = fs.readFileSync(fails, 'utf8').split('\n');
fs.writeFileSync(cut, whole.slice(0, whole.findIndex((line) => line.startsWith('<script>end')) - 2).join('\n'));
seen = inPage(cut, `() => ({ cut: getComputedStyle(document.getElementById('cut')).display, count: text('count') })`);
assert.strictEqual(seen.cut, 'block');
assert(/^step 1 of \d+$/.test(seen.count));

// A thousand steps: a key is quick.
const lines = [];
for (let i = 0; i < 500; ++i)
  lines.push(`%m${i} = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op`,
    `transform.annotate %m${i} "seen" : !transform.any_op`);
const long = path.join(folder, 'long.mlir');
fs.writeFileSync(long, `module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
${lines.join('\n')}
transform.yield
}
}
`);
const thousand = check('long', [path.join(example, 'payload.mlir'), `--transform=${long}`]);
seen = inPage(thousand, `() => {
  const start = performance.now();
  press('End');
  for (let i = 0; i < 50; ++i) press('k');
  return { time: (performance.now() - start) / 51, count: text('count') };
}`);
assert.strictEqual(seen.count, 'step 950 of 1000');
assert(seen.time < 150, `${seen.time} ms for a key`);
// A run over a payload of 20 000 lines: a key is quick, and a difference folds.
const large = path.join(folder, 'large.payload.mlir');
fs.writeFileSync(large, `func.func @f(%v0: f32, %c: tensor<8xf32>) -> (f32, tensor<8xf32>) {
  %r = linalg.fill ins(%v0 : f32) outs(%c : tensor<8xf32>) -> tensor<8xf32>
${Array.from({ length: 20000 }, (_, i) => `  %v${i + 1} = arith.addf %v${i}, %v${i} : f32`).join('\n')}
  return %v20000, %r : f32, tensor<8xf32>
}
`);
const steps = path.join(folder, 'large.mlir');
fs.writeFileSync(steps, `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %f "one" : !transform.any_op
    %t, %l = transform.structured.tile_using_for %f tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %l "two" : !transform.any_op
    transform.yield
  }
}
`);
const run = path.join(folder, 'large.html');
// It is no kernel, so that the run ends behind the steps.
const ended = childProcess.spawnSync(
  formwork, ['run', large, `--transform=${steps}`, '--trace=html', '-o', run], { encoding: 'utf8' });
assert.strictEqual(ended.status, 1, ended.stderr);
seen = inPage(run, `() => {
  const start = performance.now();
  for (let i = 0; i < 20; ++i) press(i % 2 ? 'k' : 'j');
  const time = (performance.now() - start) / 20;
  press('Home'); press('j'); press('j');
  return { time, about: text('about'), hunks: document.querySelectorAll('details[open]').length };
}`);
assert(/200\d\d operations/.test(seen.about) && seen.hunks > 0, JSON.stringify(seen));
assert(/\+ .*scf.for/.test(seen.about));
assert(seen.time < 150, `${seen.time} ms for a key`);
photograph(run);
console.log(`stepper_test: passed; pictures in ${folder}`);
