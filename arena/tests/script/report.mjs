// The parts of the report's script that need no page: `node report.mjs SERVE_SCRIPTS REPORT_SCRIPTS`.

import assert from 'node:assert/strict';
import { load, runTests, test } from './modules.mjs';

const { framesOf } = await load('position.js');
const { fenAt, fgnOf } = await load('fgn.js');
const { isWanted, sorted } = await load('list.js');

const START = 'bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW';

test('a game is written as the arena writes it', () => {
  const game = {
    start: `${START} w - 0 1`, tags: '[Event "test"]\n', result: '1-0', book: 1,
    moves: ['e2e3A', 'f4e5We4A', 'a1a2'], times: ['30', '7'], scores: ['-35', 'w3'],
  };
  assert.equal(fgnOf(game), '[Event "test"]\n\n1. e2e3A f4e5We4A {30ms cp -35} 2. a1a2 {7ms win 3} 1-0\n\n');
  const bare = { ...game, start: `${START} b w 3 9`, book: 0, moves: ['a1a2'], times: [''], scores: [''], result: '*' };
  assert.equal(fgnOf(bare), '[Event "test"]\n\n9... a1a2 *\n\n');
});

test('lines of a game are at most eighty characters long', () => {
  const moves = Array.from({ length: 60 }, () => 'e2e3A');
  const text = fgnOf({ start: `${START} w - 0 1`, tags: '', result: '0-1', moves, times: [''], scores: [''] });
  const lines = text.trim().split('\n');
  assert.ok(lines.length > 4 && lines.every((line) => line.length <= 80), text);
  assert.ok(lines.slice(0, -1).every((line, index) => line.length + 1 + lines[index + 1].split(' ')[0].length > 70), text);
});

test('every position has its FEN', () => {
  // The example of the protocol: a vela in its first phase.
  const game = { start: `${START} w w 0 1`, single: 4, moves: ['e2e3A', 'e5e4', 'e3e2W'] };
  const { start, frames } = framesOf(game);
  assert.equal(fenAt(start, frames, 0, game.start), game.start);
  assert.equal(fenAt(start, frames, 1, game.start), 'bbbbbbbbb/bbbb1bbbb/bWbWWbWbW/WWWW1WWWW/WWWWWWWWW b w 0 1');
  assert.equal(fenAt(start, frames, 2, game.start), 'bbbb1bbbb/bbbbbbbbb/bWbWWbWbW/WWWW1WWWW/WWWWWWWWW w w 1 2');
  assert.equal(fenAt(start, frames, 3, game.start).split(' ').slice(1).join(' '), 'b w 0 2');
  // Black may begin, at any number.
  const black = { start: `${START} b - 5 7`, moves: ['d4e3', 'a1a1'] };
  const { start: from, frames: of } = framesOf(black);
  assert.deepEqual([0, 1, 2].map((ply) => fenAt(from, of, ply, black.start).split(' ').slice(1).join(' ')), ['b - 5 7', 'w - 6 8', 'b - 7 8']);
});

const GAMES = [
  { id: '9.2', white: 'a', black: 'b', result: '1-0', reason: 'no-stones', kind: 'riatra', plies: 30 },
  { id: '10.1', white: 'b', black: 'a', result: '1-0', reason: 'crash', kind: 'vela', plies: 9 },
  { id: '9.10', white: 'b', black: 'c', result: '1/2-1/2', reason: 'quiet', kind: 'riatra', plies: 100 },
];
const ids = (games) => games.map((game) => game.id);

test('the list is sorted by value, in both directions', () => {
  assert.deepEqual(ids(sorted(GAMES, { by: 'id', down: false })), ['9.2', '9.10', '10.1']);
  assert.deepEqual(ids(sorted(GAMES, { by: 'plies', down: true })), ['9.10', '9.2', '10.1']);
  // Equal games keep their order.
  assert.deepEqual(ids(sorted(GAMES, { by: 'white', down: false })), ['9.2', '10.1', '9.10']);
  assert.deepEqual(ids(GAMES), ['9.2', '10.1', '9.10']);
});

test('filters of the list go together', () => {
  const all = { engine: '', opponent: '', kind: '', result: '', reason: '' };
  const found = (wanted) => ids(GAMES.filter((game) => isWanted(game, { ...all, ...wanted })));
  assert.deepEqual(found({}), ids(GAMES));
  assert.deepEqual(found({ engine: 'a' }), ['9.2', '10.1']);
  assert.deepEqual(found({ engine: 'b', opponent: 'c' }), ['9.10']);
  assert.deepEqual(found({ engine: 'a', result: 'won' }), ['9.2']);
  assert.deepEqual(found({ engine: 'a', result: 'lost' }), ['10.1']);
  assert.deepEqual(found({ engine: 'b', result: '1/2-1/2' }), ['9.10']);
  assert.deepEqual(found({ kind: 'vela', reason: 'crash' }), ['10.1']);
});

await runTests();
