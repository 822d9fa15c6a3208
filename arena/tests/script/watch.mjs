// The parts of the tournament pages and of the report's script that need no browser, and the links
// between all modules.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { folder, load } from './modules.mjs';

// Pages and reports start in these.
const ENTRIES = ['app.js', 'main.js', 'report_workspace.js'];

test('every module finds what it imports, and does nothing when it is loaded', async () => {
  const modules = readdirSync(folder).filter((name) => name.endsWith('.js') && !ENTRIES.includes(name));
  assert.ok(modules.includes('board.js') && modules.includes('tournament.js'));
  // There is no document here, so that a module which uses it at once fails.
  assert.equal(typeof document, 'undefined');
  for (const name of modules) await load(name);
});

const START = 'bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW';

test('captures follow the line of the move', async () => {
  const { positionOf, applyMove } = await load('position.js');
  const { stones } = positionOf(`${START} w - 0 1`);
  const [step] = applyMove(stones, 'e2e3A', false).steps;
  assert.deepEqual(step, { from: 'e2', to: 'e3', mark: 'A', captured: ['e4', 'e5'] });
  assert.deepEqual(applyMove(stones, 'e2e3A', true).steps[0].captured, ['e4'], 'phase one of a vela');
  const after = applyMove(stones, 'd3e3W', false);
  assert.deepEqual(after.steps[0].captured, ['c3']);
  assert.equal(after.stones.get('e3'), 'w');
  assert.equal(after.stones.has('d3') || after.stones.has('c3'), false);
  assert.equal(stones.get('c3'), 'b', 'the position before stays as it was');
});

test('scores and heights are shown from White', async () => {
  const { scoreHeight, whiteScore, whiteWords, signed } = await load('position.js');
  assert.deepEqual(['35', '-120', '0', 'w5', 'l4', ''].map((score) => whiteScore(score, 'w')), ['+0.35', '−1.20', '0.00', 'W in 5', 'B in 4', '']);
  assert.deepEqual(['35', 'w5', 'l4'].map((score) => whiteWords(score, 'b')), ['score −0.35', 'Black wins in 5 plies', 'White wins in 4 plies']);
  assert.equal(whiteScore('35', 'b'), '−0.35');
  assert.equal(whiteScore('l4', 'b'), 'W in 4');
  assert.equal(signed(-0.001, 2), '0.00', 'zero has no sign');
  assert.equal(scoreHeight('w1', 'w'), 1);
  assert.equal(scoreHeight('w1', 'b'), -1);
  assert.equal(scoreHeight('', 'w'), null);
  assert.ok(scoreHeight('9900', 'w') < 1 && scoreHeight('100', 'w') > scoreHeight('50', 'w'));
});

test('frames tell opening moves from those that engines chose', async () => {
  const { framesOf } = await load('position.js');
  const game = { start: `${START} w - 0 1`, moves: ['e2e3A', 'f4e5W'], book: 1, single: 0, scores: ['-40'], times: [12] };
  const { frames } = framesOf(game);
  assert.deepEqual(frames.map((frame) => [frame.ply, frame.side, frame.score, frame.ms, frame.book]), [
    [0, null, '', null, false], [1, 'w', '', null, true], [2, 'b', '-40', 12, false],
  ]);
});

test('numbers are short and have real signs', async () => {
  const { durationText, shortNumber, pointsText, agoText, resultText } = await load('format.js');
  assert.deepEqual([0.2, 59, 60, 3599, 3660, 7200, 200000].map(durationText), ['1 s', '59 s', '1 min', '1 h', '1 h 1 min', '2 h', '2 days']);
  assert.deepEqual([null, 950, 1200, 34e6, 2.5e9].map(shortNumber), ['', '950', '1.2 k', '34 M', '2.5 G']);
  assert.deepEqual([0, 0.5, 3, 3.5].map(pointsText), ['0', '½', '3', '3½']);
  const now = Date.parse('2026-11-22T14:00:00Z');
  assert.equal(agoText('2026-11-22T13:55:00Z', now), '5 min ago');
  assert.equal(agoText('nonsense', now), '');
  assert.deepEqual(['1-0', '1/2-1/2', '*'].map(resultText), ['1–0', '½–½', '*']);
});

// A stream of live games whose handlers are called directly.
async function liveGames() {
  const { LiveGames } = await load('live_games.js');
  const heard = [];
  const hear = (name) => (...said) => heard.push([name, ...said]);
  const games = new LiveGames('t', { onGames: hear('games'), onBegin: hear('begin'), onGame: hear('game'), onEnd: hear('end') });
  games.start = () => heard.push(['restart']);
  return { games, heard };
}

const LIVE = {
  game: '7', kind: 'riatra', white: 'a', black: 'b', start: `${START} w - 0 1`, book: 1, single: 0, moves: ['e2e3A'],
  clocks: [1000, 900], to_move: 'b', thinking_ms: 100, info: { w: null, b: null }, scores: [],
};

test('live games grow by their updates', async () => {
  const { games, heard } = await liveGames();
  games.all([LIVE]);
  const game = games.games.get('7');
  assert.equal(game.frames.length, 2);
  const info = { w: null, b: { score: '-40', depth: 3 } };
  games.update({ game: '7', from: 1, moves: ['f4e5W'], single: 0, clocks: [1000, 700], to_move: 'w', thinking_ms: 0, pondering: [null, 'd2e2'], info, scores: ['-40'] });
  assert.deepEqual(game.frames[2].steps[0].captured, ['g3', 'h2', 'i1']);
  assert.equal(game.frames[2].side, 'b');
  assert.equal(game.frames[2].score, '-40');
  assert.deepEqual(heard.at(-1).slice(2), [1], 'one move was added');
  assert.deepEqual(game.pondering, { w: null, b: 'd2e2' });
  // A report without a move changes neither the moves nor the scores.
  games.update({ game: '7', from: 2, moves: [], single: 0, clocks: [1000, 700], to_move: 'w', thinking_ms: 50, info: { w: { depth: 9 }, b: null }, scores: [] });
  assert.deepEqual([game.frames.length, game.scores, game.info.w.depth, game.info.b.depth], [3, ['-40'], 9, 3]);
  games.finish({ game: '7', result: '0-1', reason: 'no-stones' });
  assert.equal(games.games.size, 0);
  assert.equal(heard.at(-1)[1].result, '0-1');
});

test('a gap in the stream begins it again', async () => {
  const { games, heard } = await liveGames();
  games.all([LIVE]);
  games.update({ game: '7', from: 3, moves: ['a1b1'], scores: [] });
  games.update({ game: '8', from: 0, moves: [], scores: [] });
  assert.deepEqual(heard.slice(1), [['restart'], ['restart']]);
});

test('clocks run for the side to move alone', async () => {
  const { games } = await liveGames();
  const { timeOf } = await load('live_games.js');
  games.all([LIVE]);
  const game = games.games.get('7');
  assert.equal(timeOf(game, 'w'), 1000);
  const left = timeOf(game, 'b');
  assert.ok(left <= 800 && left > 700, `${left}`);
  game.clocks = null;
  assert.equal(timeOf(game, 'w'), null);
  assert.ok(timeOf(game, 'b') >= 100);
});

test('one line says who leads, how far it is, and who is out', async () => {
  const { headline } = await load('headline.js');
  const outcome = { state: 'undecided' };
  const said = (known) => headline({ state: 'running', finished: 26, expected: 83, outcome, ...known }, (name) => `<${name}>`).join('');
  const facts = (leaders, ahead = null, withdrawn = []) => ({ headline: { leaders, ahead, withdrawn, answer: [{ say: 'outcome.so-far', values: {} }, { say: 'outcome.level', values: {} }] } });
  const out = [{ engine: 'crash', faults: 3, fault: 'crash' }, { engine: 'x', faults: 0, fault: null }, { engine: 'y', faults: 3, fault: null }];
  assert.equal(said(facts(['alphabeta'], 4, out.slice(0, 1))), '<alphabeta> leads by 4; game 27 of 83; <crash> withdrawn after three crashes');
  assert.equal(said(facts(['a'], 0.5, out.slice(1))), '<a> leads by ½; game 27 of 83; <x> did not start; <y> withdrawn after three faults');
  assert.equal(said(facts(['a'])), '<a> leads; game 27 of 83', 'nobody else is left');
  assert.equal(said(facts(['a', 'b'], 1)), '<a> and <b> share the lead; game 27 of 83');
  assert.equal(said(facts(['a', 'b', 'c', 'd'], 1)), '4 engines share the lead; game 27 of 83');
  assert.equal(said({ ...facts([]), finished: 0 }), 'No game is over yet; game 1 of 83');
  assert.equal(said({ ...facts(['a'], 2), expected: null }), '<a> leads by 2; game 27', 'of stages to come nobody knows');
  assert.equal(said({ ...facts(['a'], 2), paused: true }), '<a> leads by 2; paused after 26 of 83 games');
  assert.equal(said({ ...facts(['a'], 2), state: 'stopped' }), '<a> leads by 2; stopped after 26 of 83 games');
  assert.equal(said(facts([])), 'In progress, no measurable difference yet; game 27 of 83', 'where points are not the goal');
  assert.equal(said({ ...facts(['a'], 2), state: 'finished' }), 'In progress, no measurable difference yet', 'at the end the result says it');
  assert.equal(said({ outcome: null, headline: null }), 'No game is over yet; game 27 of 83', 'a damaged journal');
});

test('the line of an engine goes on from the board, and ends where it is impossible', async () => {
  const { games } = await liveGames();
  const { lineFrom, frameAfter } = await load('line_board.js');
  games.all([LIVE]);
  const game = games.games.get('7');
  assert.deepEqual(lineFrom(game, 'b', ['f4e5W', 'd2e2']), ['f4e5W', 'd2e2'], 'it thinks about this position');
  assert.deepEqual(lineFrom(game, 'w', ['e2e3A', 'f4e5W']), ['f4e5W'], 'it has just moved');
  assert.deepEqual(lineFrom(game, 'w', ['d2e3A', 'f4e5W']), [], 'the game went another way');
  const end = frameAfter(game, ['f4e5W', 'd2e2']);
  assert.deepEqual([end.ply, end.side, end.stones.get('e2'), end.stones.has('g3')], [3, 'w', 'w', false]);
  for (const nonsense of [['a1a1'], ['a1b1'], ['e5'], [''], ['i9i8A']]) assert.equal(frameAfter(game, nonsense).ply, 1, nonsense[0]);
});

test('after a sleep the stream begins again', async () => {
  const { games, heard } = await liveGames();
  Object.assign(games, { end: () => {}, looked: 1000, isOver: false });
  games.wake(3000);
  assert.deepEqual(heard, []);
  games.wake(3_600_000);
  assert.deepEqual(heard, [['restart']]);
});
