// The small boards of the running games, without a browser. Run as
// `node boards.mjs SERVE_SCRIPTS REPORT_SCRIPTS`.

import assert from 'node:assert/strict';
import { Element } from './document.mjs';
import { load, runTests, test } from './modules.mjs';

const { LiveGames } = await load('live_games.js');
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
  assert.ok(notes.some((note) => note.startsWith('ended') || note === '1–0 no-stones'), notes.join());
});

await runTests();
