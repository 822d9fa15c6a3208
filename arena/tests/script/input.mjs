// Moves made on a board, without a browser: every legal move can be made, and no other one comes
// out. Run as `node input.mjs SERVE_SCRIPTS REPORT_SCRIPTS`.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Element } from './document.mjs';
import { load, runTests, test } from './modules.mjs';

const { Board } = await load('board.js');
const { MoveInput } = await load('input.js');
const { positionOf } = await load('position.js');

// Positions with their legal moves, as the server sends them.
const POSITIONS = JSON.parse(readFileSync(new URL('positions.json', import.meta.url), 'utf8'));

// A board with a move input; `made` collects the moves, `said` what screen readers hear.
function table({ fen, legal }) {
  const position = positionOf(fen);
  const [made, said, bar] = [[], [], new Element('div')];
  const board = new Board(new Element('svg'));
  // The window is as large as the drawing, so that places are points.
  board.unitsAt = (x, y) => [x, y];
  const input = new MoveInput(board, { bar, say: (text) => said.push(text), onMove: (move) => made.push(move.text) });
  board.draw(position.columns, position.rows);
  board.put(position.stones);
  input.offer(position.stones, position.side, legal);
  const hit = (name) => board.root.querySelector(`[data-point="${name}"]`);
  const settle = () => new Promise((done) => setImmediate(done));
  const pointer = (type, name) => {
    const [clientX, clientY] = board.at(name);
    hit(name).fire(type, { clientX, clientY });
  };
  return {
    board, input, bar, made, said, hit,
    click: async (name) => {
      pointer('pointerdown', name);
      pointer('pointerup', name);
      await settle();
    },
    drag: async (from, to) => {
      pointer('pointerdown', from);
      pointer('pointermove', to);
      pointer('pointerup', to);
      await settle();
    },
    key: async (name, key) => {
      hit(name).focus();
      hit(name).fire('keydown', { key });
      await settle();
    },
    press: async (start) => {
      const button = bar.querySelectorAll('button').find((one) => one.textContent.startsWith(start));
      assert.ok(button, `a button ${start}`);
      button.click();
      await settle();
    },
  };
}

const stonesOf = (board) => [...board.shown].map(([name, side]) => name + side).sort().join(' ');

for (const position of POSITIONS) {
  for (const way of ['click', 'drag', 'keys']) {
    test(`every move can be made: ${position.name}, ${way}`, async () => {
      for (const move of position.legal) {
        const at = table(position);
        const [first] = move.steps;
        if (way === 'keys') await at.key(first.from, 'Enter');
        else if (way === 'click') await at.click(first.from);
        for (const step of move.steps) {
          if (way === 'drag') await at.drag(step.from, step.to);
          else if (way === 'keys') await at.key(step.to, 'Enter');
          else await at.click(step.to);
          if (!at.input.choice) continue;
          // The stones to be taken choose, or the letter on the keyboard.
          if (way === 'keys') await at.key(step.to, step.mark.toLowerCase());
          else await at.click(step.captured[step.captured.length - 1]);
        }
        const last = move.steps[move.steps.length - 1].to;
        if (at.made.length === 0 && way === 'keys') await at.key(last, 'Enter');
        else if (at.made.length === 0 && way === 'click') await at.click(last);
        else if (at.made.length === 0) await at.press('End move');
        assert.deepEqual(at.made, [move.text]);
        assert.ok(!at.input.active);
      }
    });
  }
}

test('points that are no step do nothing, and nothing illegal comes out', async () => {
  for (const position of POSITIONS) {
    const texts = new Set(position.legal.map((move) => move.text));
    let seed = 7;
    const at = table(position);
    const names = [...Array(at.board.columns * at.board.rows).keys()]
      .map((index) => String.fromCharCode(97 + (index % at.board.columns)) + (1 + Math.floor(index / at.board.columns)));
    for (let count = 0; count < 3000; count += 1) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      await at.click(names[Math.floor((seed / 2147483648) * names.length)]);
      if (at.input.active) continue;
      const { stones, side } = positionOf(position.fen);
      at.board.put(stones);
      at.input.offer(stones, side, position.legal);
    }
    assert.ok(at.made.length > 0, position.name);
    assert.deepEqual(at.made.filter((text) => !texts.has(text)), []);
  }
});

test('steps are undone one by one, down to the position before', async () => {
  const position = POSITIONS.find((one) => one.name === 'long chains');
  const move = position.legal.reduce((best, one) => (one.steps.length > best.steps.length ? one : best));
  assert.ok(move.steps.length > 1);
  const at = table(position);
  const before = stonesOf(at.board);
  await at.click(move.steps[0].from);
  await at.click(move.steps[0].to);
  if (at.input.choice) await at.press(move.steps[0].mark);
  assert.notEqual(stonesOf(at.board), before);
  await at.key(move.steps[0].to, 'Backspace');
  assert.equal(stonesOf(at.board), before);
  assert.ok(at.input.active && !at.input.inChain);
  assert.deepEqual(at.made, []);
});

test('a choice shows both groups, is undone by Escape, and is made by its button', async () => {
  const position = POSITIONS.find((one) => one.name === 'single steps');
  const at = table(position);
  await at.click('d3');
  await at.click('e3');
  const letters = at.board.root.querySelectorAll('.letter').map((letter) => letter.textContent);
  assert.deepEqual(letters.sort(), ['A', 'W']);
  await at.key('e3', 'Escape');
  assert.equal(at.input.choice, null);
  assert.equal(at.input.from, 'd3');
  await at.click('e3');
  await at.press('W');
  assert.deepEqual(at.made, ['d3e3W']);
});

test('labels tell what a point is for', async () => {
  const position = POSITIONS.find((one) => one.name === 'single steps');
  const at = table(position);
  assert.equal(at.hit('d3').getAttribute('aria-label'), 'd3, white stone, can move');
  assert.equal(at.hit('a1').getAttribute('aria-label'), 'a1, white stone');
  await at.key('d3', 'Enter');
  assert.equal(at.said.at(-1), 'd3 chosen. It can go to e3.');
  assert.match(at.hit('e3').getAttribute('aria-label'), /^e3, empty, Enter steps here/);
});

test('without an offer nothing can be chosen', async () => {
  const [position] = POSITIONS;
  const at = table(position);
  const { stones, side } = positionOf(position.fen);
  at.input.watch(stones, side);
  for (const move of position.legal) await at.click(move.steps[0].from);
  assert.equal(at.board.root.querySelectorAll('.chosen').length, 0);
  assert.deepEqual(at.made, []);
});

await runTests();
