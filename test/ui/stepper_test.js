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

function photograph(page, hash = '', ...args) {
  const picture = page.replace('.html', '.png');
  chromium(`file://${page}${hash}`, `--screenshot=${picture}`, ...args);
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
assert(seen.handles.includes('%block_matmul'));

// The payload behind a step: what the step changed, the lines that have other names alone, where
// the operations of handles are, and what is folded.
seen = inPage(matmul, `() => {
  const lines = (selector) => [...document.querySelectorAll('#payload ' + selector)].map((row) => row.textContent);
  const result = { added: lines('.added'), taken: lines('.taken'), held: lines('.held'), folds: lines('.fold') };
  const row = [...document.querySelectorAll('#handles tr')].find((one) => one.textContent.includes('%thread_fill'));
  row.onclick();
  result.chosen = lines('div.chosen');
  document.querySelector('#payload .fold').onclick();
  result.unfolded = lines('.fold').length;
  press('j');
  result.next = lines('div.chosen');
  press('k');
  document.querySelector('#payload button.mark.chosen').onclick();
  result.none = lines('div.chosen').length;
  return result;
}`, '#step-7');
assert.strictEqual(seen.added.length, 11, seen.added);
assert.strictEqual(seen.taken.length, 1);
assert(/scf.for .*%reduction$/.test(seen.added[3]), seen.added[3]);
assert(seen.held.some((line) => /linalg.batch_matmul.*%step$/.test(line)), seen.held);
assert(!seen.held.some((line) => line.includes('%thread_matmul')), 'a dead handle has no operation');
assert.strictEqual(seen.folds.length, 2);
assert.strictEqual(seen.unfolded, 1);
assert(seen.chosen.length === 1 && /linalg.fill/.test(seen.chosen[0]), seen.chosen);
assert.deepStrictEqual([seen.next.length, seen.none], [1, 0]);
// Each version is what the one before it becomes.
seen = inPage(matmul, `() => trace.versions.map((one) => getLines(one.version).length - one.lines)`);
assert.deepStrictEqual(seen, Array(13).fill(0));
photograph(matmul, '#step-7');
photograph(matmul, '#step-7', '--blink-settings=preferredColorScheme=0');

// A schedule that fails half-way: the page opens at the error. One that is cut says so.
const schedule = path.join(folder, 'fails.mlir');
fs.writeFileSync(schedule, fs.readFileSync(path.join(example, 'schedule.mlir'), 'utf8')
  .replace('tile_using_for %thread_matmul', 'tile_using_for %block_matmul'));
const fails = check('fails', [path.join(example, 'payload.mlir'), `--transform=${schedule}`]);
seen = inPage(fails, `() => ({ count: text('count'), about: text('about'), verdict: text('verdict') })`);
assert.strictEqual(seen.verdict, 'refuted');
assert(/refused.*requires a valid handle but %block_matmul/s.test(seen.about), seen.about);
seen = inPage(fails, `() => ({ payload: text('payload') })`);
assert(/does not get beyond this step. Before it.*scf.forall/s.test(seen.payload), seen.payload);
photograph(fails);

// A schedule that runs only when it is normalized: what is inserted is a step in front of the one that needs it.
const loop = path.join(folder, 'loop.payload.mlir');
fs.writeFileSync(loop, `func.func @f(%from: memref<16xf32>, %to: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.muli %c4, %c4 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %from[%i] : memref<16xf32>
    memref.store %x, %to[%i] : memref<16xf32>
  }
  return
}
`);
const pipelines = path.join(folder, 'loop.mlir');
fs.writeFileSync(pipelines, `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %done = transform.loop.pipeline %loop : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}
`);
seen = inPage(check('loop', [loop, `--transform=${pipelines}`]),
  `() => { press('j'); return { count: text('count'), about: text('about'), payload: text('payload') }; }`, '#step-1');
assert.strictEqual(seen.count, 'step 2 of 3');
assert(/normalform.normalize \(inserted\)/.test(seen.about), seen.about);
assert(/arith.constant 16/.test(seen.payload), seen.payload);

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
    %sums = transform.structured.match ops{["arith.addf"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %sums "three" : !transform.any_op
    transform.yield
  }
}
`);
const run = path.join(folder, 'large.html');
// It is no kernel, so that the run ends behind the steps.
const ended = childProcess.spawnSync(
  formwork, ['run', large, `--transform=${steps}`, '--trace=html', '-o', run], { encoding: 'utf8' });
assert.strictEqual(ended.status, 1, ended.stderr);
for (const page of [run, check('large-check', [large, `--transform=${steps}`])]) {
  // Keys over all steps, of which one changes one part and another one all lines, to and fro.
  seen = inPage(page, `() => {
    const times = [];
    for (let i = 0; i < 20; ++i) {
      const start = performance.now();
      press(Math.floor(i / 5) % 2 ? 'k' : 'j');
      times.push(performance.now() - start);
    }
    press('Home'); press('j'); press('j');
    return {
      time: Math.max(...times), payload: text('payload'), folds: document.querySelectorAll('.fold').length,
      added: [...document.querySelectorAll('.payload .added')].map((row) => row.textContent).join('\\n'),
      last: (press('End'), document.querySelectorAll('.payload > div').length),
    };
  }`);
  assert(/200\d\d operations/.test(seen.payload) && seen.folds === 1, JSON.stringify(seen));
  assert(/\+ .*scf.for/.test(seen.added), seen.added);
  assert(seen.last > 500 && seen.last < 1000, seen.last);
  console.log(`stepper_test: 20 000 lines, at most ${seen.time.toFixed(0)} ms for a key`);
  assert(seen.time < 1000, `${seen.time} ms for a key`);
}
photograph(run, '#step-3');
console.log(`stepper_test: passed; pictures in ${folder}`);
