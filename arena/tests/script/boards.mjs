// Boards, and the small ones of the running games, without a browser. Run as
// `node boards.mjs SERVE_SCRIPTS REPORT_SCRIPTS`.

import assert from 'node:assert/strict';
import { Element } from './document.mjs';
import { load, runTests, test } from './modules.mjs';

const { LiveGames } = await load('live_games.js');
const { Board } = await load('board.js');
const { BoardPoints } = await load('points.js');
const { positionOf, stepsOf } = await load('position.js');
const { LiveGrid } = await load('live_grid.js');

const START = 'bbbbb/bbbbb/bW1bW/WWWWW/WWWWW w - 0 1';

function live(game) {
  return { game, kind: 'riatra', white: 'a', black: 'b', start: START, book: 0, single: 0, moves: [], scores: [], clocks: null, to_move: 'w', thinking_ms: 0, info: {} };
}

test('boards do not become more with every game, however games end', () => {
  const list = new Element('ul');
  const grid = new LiveGrid(list, { onPick: () => {}, onChange: () => {} });
  const games = new LiveGames('t', {
    onBegin: (game) => grid.begin(game), onGame: (game) => grid.update(game), onEnd: (game) => grid.finish(game),
  });
  // Two at once.
  const ends = [{ result: '1-0', reason: 'no-stones' }, { result: null, reason: null }, {}];
  games.begin(live('0'));
  for (let number = 1; number <= 60; number += 1) {
    games.begin(live(String(number)));
    games.update({ game: String(number), from: 0, moves: ['c2c3A'], scores: ['5'], to_move: 'b', thinking_ms: 0 });
    games.finish({ game: String(number - 1), ...ends[number % ends.length] });
  }
  assert.equal(list.children.length, 2);
  const notes = grid.cards.map((card) => card.note.textContent);
  assert.ok(notes.some((note) => note.startsWith('ended') || note === '1–0 no stones left'), notes.join());
});

test('a game that a page hears of twice has one board', () => {
  const list = new Element('ul');
  const grid = new LiveGrid(list, { onPick: () => {}, onChange: () => {} });
  const games = new LiveGames('t', { onGames: (all) => grid.all(all), onBegin: (game) => grid.begin(game) });
  games.all([live('1'), live('2')]);
  games.begin(live('2'));
  games.all([live('1'), live('2')]);
  assert.equal(list.children.length, 2);
});

test('a board has its lines, stones and proposed moves', () => {
  const root = new Element('svg');
  const board = new Board(root);
  const { columns, rows, stones } = positionOf('bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1');
  board.draw(columns, rows);
  board.put(stones);
  const count = (selector) => root.querySelectorAll(selector).length;
  // 40 lines across, 36 upright, and one diagonal in each of the 32 squares.
  const ends = (kind) => root.querySelectorAll(kind)[0].getAttribute('d').match(/M/g).length;
  assert.equal(ends('.ways'), 40 + 36 + 32);
  const sides = board.stones.children.map((stone) => stone.getAttribute('class'));
  assert.deepEqual(['stone w', 'stone b'].map((side) => sides.filter((it) => it === side).length), [22, 22]);
  assert.equal(ends('.strong'), 23);
  assert.equal(count('.disc'), 44);
  const names = root.querySelectorAll('.names')[0].children.map((name) => name.textContent);
  assert.deepEqual(names, [...'abcdefghi12345']);
  // Both moves end at the same point, and their signs stand beside each other.
  board.hints([
    { steps: stepsOf('d3e3W'), kind: 'best', label: '2' },
    { steps: stepsOf('d2e3A'), kind: 'other', label: '1', left: true },
  ]);
  const arrows = board.hinted.children;
  assert.deepEqual(arrows.map((arrow) => arrow.getAttribute('class')), ['hint other', 'hint best']);
  const signs = arrows.map((arrow) => arrow.children.find((child) => child.name === 'text'));
  assert.deepEqual(signs.map((sign) => [sign.textContent, sign.getAttribute('x')]), [['1', '373'], ['2', '427']]);
});

test('a board without a size can be turned', () => {
  const board = new Board(new Element('svg'));
  new BoardPoints(board, {});
  board.flip();
  board.draw(9, 5);
  assert.deepEqual(board.at('a1'), [800, 0]);
});

await runTests();
