// Engines inside a page, without a browser: one that hears nothing during a search obeys `stop` all the
// same. Run as `node engine.mjs PAGES_SCRIPTS REPORT_SCRIPTS`.

import assert from 'node:assert/strict';
import { load, runTests, test } from './modules.mjs';

const { DeafEngine } = await load('deaf_engine.js');
const { EngineInPage, useEngineFiles } = await load('engine_in_page.js');

// An engine that says what a test lets it say, and everything that happened, in order.
function deaf() {
  const events = [];
  const engine = new DeafEngine({
    say: (line) => events.push(`to: ${line}`),
    restart: () => events.push('restart'),
    answer: (line) => events.push(`from: ${line}`),
  });
  return { engine, happened: () => events.splice(0), send: (...lines) => lines.forEach((line) => engine.send(line)) };
}

test('lines that come during a search follow after it', () => {
  const { engine, happened, send } = deaf();
  send('setoption name Hash value 8', 'isready', 'position startpos', 'go depth 9', 'isready', 'position startpos moves f2e3A', 'go depth 3', 'isready');
  assert.deepEqual(happened(), [
    'to: setoption name Hash value 8', 'to: isready', 'to: position startpos', 'to: go depth 9',
    'from: readyok', 'from: readyok',
  ]);
  engine.hear('info depth 9 score cp 1 pv f2e3A');
  engine.hear('bestmove f2e3A');
  assert.deepEqual(happened(), [
    'from: info depth 9 score cp 1 pv f2e3A', 'from: bestmove f2e3A',
    'to: position startpos moves f2e3A', 'to: go depth 3',
  ]);
});

test('stop replaces the engine by another one and answers with the best line', () => {
  const { engine, happened, send } = deaf();
  send('setoption name MultiPV value 2', 'position startpos moves f2e3A', 'go infinite', 'position startpos');
  engine.hear('info depth 4 multipv 1 score cp 9 pv e4d4A d2e2');
  engine.hear('info depth 4 multipv 2 score cp 3 pv d4e4W');
  happened();
  send('stop', 'go depth 2');
  assert.deepEqual(happened(), [
    'restart', 'to: setoption name MultiPV value 2', 'to: position startpos moves f2e3A',
    'from: bestmove e4d4A', 'to: position startpos', 'to: go depth 2',
  ]);
  engine.hear('bestmove d3e3A');
  assert.deepEqual(happened(), ['from: bestmove d3e3A']);
});

test('a search stopped before its first line, and one that waits for it, get short ones', () => {
  const { engine, happened, send } = deaf();
  send('go infinite', 'go infinite', 'stop');
  assert.deepEqual(happened(), ['to: go infinite', 'restart', 'to: position startpos', 'to: go nodes 1']);
  engine.hear('bestmove f2e3A');
  assert.deepEqual(happened(), ['from: bestmove f2e3A', 'to: go nodes 1']);
});

// A worker that a test speaks for.
class FakeWorker {
  constructor(all) {
    this.heard = [];
    this.ended = false;
    all.push(this);
  }

  postMessage(data) {
    this.heard.push(data);
  }

  terminate() {
    this.ended = true;
  }

  say(data) {
    this.onmessage({ data });
  }
}

const settle = () => new Promise((done) => setImmediate(done));

// A port that has been opened, with the lines and reasons that come out of it.
async function opened(hears) {
  const workers = [];
  useEngineFiles({ compile: async () => 'module', worker: () => new FakeWorker(workers) });
  const port = new EngineInPage('bot-alphabeta', 'repetition=2');
  const [lines, reasons] = [[], []];
  port.onLine = (line) => lines.push(line);
  port.onGone = (reason) => reasons.push(reason);
  port.send('isready');
  const opening = port.open();
  await settle();
  workers[0].say({ opened: { hears } });
  await opening;
  return { port, workers, lines, reasons };
}

test('a port gives its engine the rules and all lines sent before it was open', async () => {
  const { port, workers, lines } = await opened(true);
  port.send('position startpos\ngo infinite');
  port.send('stop');
  assert.deepEqual(workers[0].heard, [
    { module: 'module', engine: 'bot-alphabeta', tables: [] }, 'setoption name Rules value repetition=2', 'isready',
    'position startpos\ngo infinite', 'stop',
  ]);
  workers[0].say({ line: 'readyok' });
  assert.deepEqual(lines, ['readyok']);
  assert.equal(workers.length, 1);
});

test('the worker of an engine that hears nothing is replaced and no longer heard', async () => {
  const { port, workers, lines, reasons } = await opened(false);
  port.send('position startpos\ngo infinite');
  const [first] = workers;
  first.say({ line: 'info depth 1 score cp 0 pv f2e3A' });
  port.send('stop');
  assert.ok(first.ended && workers.length === 2);
  assert.deepEqual(lines, ['info depth 1 score cp 0 pv f2e3A', 'bestmove f2e3A']);
  first.say({ line: 'bestmove d3e3A' });
  first.say({ gone: 'late' });
  assert.deepEqual([lines.length, reasons], [2, []]);
  workers[1].say({ opened: { hears: false } });
  port.send('isready');
  assert.deepEqual(workers[1].heard, [
    { module: 'module', engine: 'bot-alphabeta', tables: [] }, 'setoption name Rules value repetition=2',
    'position startpos', 'isready',
  ]);
});

test('an engine that has ended is gone once', async () => {
  const { port, workers, reasons } = await opened(true);
  workers[0].say({ gone: 'the engine has failed: unreachable' });
  assert.deepEqual(reasons, ['the engine has failed: unreachable']);
  assert.ok(port.closed && workers[0].ended);
  port.send('isready');
  port.close();
  assert.equal(reasons.length, 1);
});

test('a module that cannot be had is told by opening, and asked for again', async () => {
  let tries = 0;
  useEngineFiles({
    compile: async () => {
      tries += 1;
      throw new Error('nothing here');
    },
    worker: () => new FakeWorker([]),
  });
  await assert.rejects(new EngineInPage('bot-mcts').open(), /nothing here/);
  await assert.rejects(new EngineInPage('bot-mcts').open(), /nothing here/);
  assert.equal(tries, 2);
});

await runTests();
