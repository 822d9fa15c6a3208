// The parts of the pages' scripts that need no document: `node pages.mjs SERVE_SCRIPTS REPORT_SCRIPTS`.

import assert from 'node:assert/strict';
import { load, runTests, test } from './modules.mjs';

const { infoOf, bestMoveOf } = await load('info_line.js');
const { treeOf, afterSteps } = await load('move_tree.js');
const { turned, forWhite, chanceOf, wordsForWhite } = await load('scores.js');
const { Clocks, clockText } = await load('clock.js');
const { GameTree } = await load('game_tree.js');
const { shortMove } = await load('move_words.js');
const { flawText } = await load('flaw_words.js');
const { Gif, Bytes, compress } = await load('gif.js');
const { provenText } = await load('explorer_table.js');
const { ratedAfter } = await load('glicko.js');
const { emptyRecord, dayText } = await load('puzzle_record.js');
const { ratingAfter, recordAfter, daysInARow } = await load('puzzle_result.js');
const { addressOf, wishOf } = await load('puzzle_choice.js');
const { acceptsDraw, mayOffer } = await load('play_draw.js');
const { resultsAfter, resultWords, strengthWords } = await load('play_levels.js');
const { EnginePort } = await load('port.js');
const { Thinker, positionLine } = await load('thinker.js');
const { analysisWords } = await load('place.js');
const { pointsOf, pointsText, sessionAfter } = await load('play_session.js');

test('an info line is read, whatever its words and their order', () => {
  const info = infoOf('info depth 7 seldepth 12 multipv 2 score cp -35 wdl 300 200 500 nodes 120000 nps 900000 hashfull 17 tbhits 3 time 133 pv e2e3A e5e4');
  assert.deepEqual(info, {
    multipv: 2, score: '-35', pv: ['e2e3A', 'e5e4'], depth: 7, seldepth: 12, nodes: 120000, nps: 900000, hashfull: 17, tbhits: 3, time: 133,
  });
  assert.equal(infoOf('info score win 5 pv a1b1').score, 'w5');
  assert.equal(infoOf('info score loss 4').score, 'l4');
  assert.equal(infoOf('info score cp').score, '');
  assert.equal(infoOf('info depth').depth, undefined);
  assert.equal(infoOf('info string score cp 3'), null);
  assert.equal(infoOf('readyok'), null);
});

test('a best move is two words', () => {
  assert.equal(bestMoveOf('bestmove e2e3A'), 'e2e3A');
  assert.equal(bestMoveOf('bestmove resign'), 'resign');
  assert.equal(bestMoveOf('bestmove a1b1 ponder b1a1'), null);
  assert.equal(bestMoveOf('info pv bestmove'), null);
});

test('scores turn with the side', () => {
  assert.equal(turned('35'), '-35');
  assert.equal(turned('0'), '0');
  assert.equal(turned('w5'), 'l5');
  assert.equal(turned(''), '');
  assert.equal(forWhite('l4', 'b'), 'w4');
  assert.equal(forWhite('-20', 'w'), '-20');
  assert.equal(chanceOf('w3', 350), 1);
  assert.equal(chanceOf('l3', 350), 0);
  assert.equal(chanceOf('0', 350), 0.5);
  assert.ok(Math.abs(chanceOf('350', 350) - 1 / (1 + Math.exp(-1))) < 1e-12);
  assert.equal(wordsForWhite('l1'), 'Black wins in 1 ply');
  assert.equal(wordsForWhite('-130'), 'Black is ahead by 1.30 stones');
});

const step = (from, to, mark, ...captured) => ({ from, to, mark, captured });
const FIRST = step('e2', 'e3', 'A', 'e4', 'e5');
const AWAY = step('e2', 'e3', 'W', 'e1');
const SECOND = step('e3', 'd4', 'W', 'f2');
const LEGAL = [
  { text: 'e2e3A', steps: [FIRST] },
  { text: 'e2e3Ad4W', steps: [FIRST, SECOND] },
  { text: 'e2e3W', steps: [AWAY] },
  { text: 'a1b1', steps: [step('a1', 'b1', '')] },
];

test('the tree offers exactly what the legal moves begin with', () => {
  const root = treeOf(LEGAL);
  assert.deepEqual([...root.starts()].sort(), ['a1', 'e2']);
  const targets = root.targets('e2');
  assert.deepEqual([...targets.keys()], ['e3']);
  assert.deepEqual(targets.get('e3').map((node) => node.step.mark), ['A', 'W']);
  const [approach, withdrawal] = targets.get('e3');
  assert.equal(approach.move.text, 'e2e3A');
  assert.equal(approach.next.size, 1);
  assert.equal(withdrawal.next.size, 0);
  const last = approach.targets('e3').get('d4')[0];
  assert.equal(last.move.text, 'e2e3Ad4W');
  assert.deepEqual(last.path(), [FIRST, SECOND]);
  assert.equal(root.targets('b1').size, 0);
});

test('steps move the stone and remove what they capture', () => {
  const stones = new Map([['e2', 'w'], ['e4', 'b'], ['e5', 'b'], ['f2', 'b'], ['a5', 'b']]);
  assert.deepEqual([...afterSteps(stones, [FIRST, SECOND])].sort(), [['a5', 'b'], ['d4', 'w']]);
  assert.equal(stones.size, 5);
});

test('clocks count down, gain their increment, and flag', () => {
  let now = 0;
  const clocks = new Clocks({ type: 'game', seconds: 60, increment: 2 }, null, () => now);
  clocks.start('w');
  now = 5000;
  assert.equal(clocks.of('w'), 55000);
  assert.equal(clocks.moved(), 5000);
  assert.deepEqual(clocks.left, { w: 57000, b: 60000 });
  clocks.start('b');
  assert.equal(clocks.goWords(), 'p1time 57000 p2time 60000 p1inc 2000 p2inc 2000');
  now += 60000;
  assert.equal(clocks.flagged(), 'b');
  clocks.pause();
  assert.equal(clocks.flagged(), null);
  assert.equal(clocks.of('b'), 0);
});

test('a clock per move starts again with each move, and no clock never flags', () => {
  let now = 0;
  const clocks = new Clocks({ type: 'move', seconds: 10 }, null, () => now);
  clocks.start('w');
  now = 9000;
  clocks.moved();
  clocks.start('w');
  assert.equal(clocks.of('w'), 10000);
  assert.equal(clocks.goWords(), 'movetime 9500');
  const none = new Clocks({ type: 'none' }, null, () => now);
  none.start('w');
  now += 1e9;
  assert.equal(none.flagged(), null);
  assert.equal(none.of('w'), null);
});

test('clock text', () => {
  assert.equal(clockText(65000), '1:05');
  assert.equal(clockText(9940), '9.9');
  assert.equal(clockText(3725000), '1:02:05');
  assert.equal(clockText(null), '');
});

test('a tree follows its moves, begins variations, and promotes them', () => {
  const line = new GameTree({ start: 'x', moves: ['a', 'b', 'c'], fixed: true });
  line.play('a');
  assert.deepEqual([line.ply, line.inVariation], [1, false]);
  line.play('x');
  assert.deepEqual([line.played, line.inVariation, line.shared, line.mainPly], [['a', 'x'], true, 1, 1]);
  line.play('y');
  line.goTo(2);
  line.play('z');
  assert.deepEqual(line.moves, ['a', 'x', 'z']);
  // Both ways to go on are kept, and the main line is as it was.
  assert.deepEqual(line.beside(-1)?.text, 'y');
  assert.deepEqual(line.main, ['a', 'b', 'c']);
  line.goTo(1);
  assert.ok(!line.inVariation && line.hasVariations);
  line.play('b');
  assert.deepEqual([line.hasVariations, line.ply], [false, 2]);
  line.goTo(3);
  line.play('d');
  assert.deepEqual([line.inVariation, line.main], [true, ['a', 'b', 'c']]);
  line.goToMain(3);
  assert.deepEqual(line.moves, ['a', 'b', 'c']);
  line.play('d');
  line.promote();
  assert.deepEqual([line.main, line.inVariation], [['a', 'b', 'c', 'd'], false]);
  line.goTo(99);
  line.play('e');
  assert.equal(line.main.length, 5);
  line.goToMain(1);
  line.play('x');
  line.goTo(2);
  line.drop();
  assert.deepEqual([line.node.text, line.node.next.length, line.ply], ['a', 1, 1]);
});

test('what is said about the moves of a tree comes out as it went in', () => {
  const plain = { glyph: '', comment: '', variations: [] };
  const aside = [{ ...plain, mv: 'x', glyph: '!' }, { ...plain, mv: 'y', variations: [[{ ...plain, mv: 'z', comment: 'deep' }]] }];
  const notes = [{ ...plain, glyph: '?!', comment: 'first' }, { ...plain, variations: [aside] }];
  const tree = new GameTree({ start: 's', moves: ['a', 'b'], notes, fixed: true });
  assert.deepEqual(tree.notes(), notes);
  // What goes on after the end of a recorded game is a variation that begins with its last move.
  tree.goToMain(2);
  tree.play('c');
  const after = [[{ ...plain, mv: 'b' }, { ...plain, mv: 'c' }]];
  const longer = [notes[0], { ...plain, variations: [aside, ...after] }];
  assert.deepEqual(tree.notes(), longer);
  assert.deepEqual(new GameTree({ start: 's', moves: ['a', 'b'], notes: longer, fixed: true }).notes(), longer);
});

test('a chain is written by its ends', () => {
  assert.equal(shortMove('e2e3Ad4Wb4A'), 'e2…b4');
  assert.equal(shortMove('e2e3A'), 'e2e3A');
  assert.equal(shortMove('a1b1'), 'a1b1');
});

test('a flaw is said in words', () => {
  const said = (flaw) => flawText({ line: [], best: null, ...flaw });
  assert.equal(said({ code: 'loses-stones', stones: 5, line: ['c4c3A'] }), 'loses 5 stones to c4c3A');
  assert.equal(said({ code: 'leaves-draw', own: 2, other: 3, lost: 41 }), 'leaves the drawn ending of 2 against 3: now lost in 41');
  assert.equal(said({ code: 'misses-capture', stones: 6, chain: true, best: 'e2e3Ad4W' }), 'misses a chain of 6 by e2…d4');
  assert.equal(said({ code: 'misses-win', plies: 3, drawn: true, best: 'f4g5W' }), 'misses a win in 3 by f4g5W: now a draw');
  assert.equal(said({ code: 'falls-behind', stones: 1, line: ['a4b4', 'b1b2'] }), 'costs a stone after a4b4 b1b2');
  assert.equal(said({ code: 'weaker' }), 'another move was better');
  assert.equal(flawText(null), '');
  assert.equal(provenText('draw'), 'Proven: a draw with best play');
});

// Reads LZW codes as a browser does: GIF89a, appendix F.
function decompressed(bytes) {
  let [at, buffer, held] = [0, 0, 0];
  const data = [];
  for (let block = 0; bytes[block] > 0; block += bytes[block] + 1) data.push(...bytes.slice(block + 1, block + 1 + bytes[block]));
  const read = (bits) => {
    for (; held < bits; held += 8, at += 1) buffer |= data[at] << held;
    const code = buffer & ((1 << bits) - 1);
    buffer >>>= bits;
    held -= bits;
    return code;
  };
  const out = [];
  let [table, bits, before] = [[], 9, null];
  for (;;) {
    const code = read(bits);
    if (code === 257) return out;
    if (code === 256) {
      [table, bits, before] = [[], 9, null];
      continue;
    }
    const known = (one) => (one < 256 ? [one] : table[one - 258]);
    const entry = known(code) ?? [...before, before[0]];
    out.push(...entry);
    if (before && table.length + 258 < 4096) table.push([...before, entry[0]]);
    if (table.length + 258 === 1 << bits && bits < 12) bits += 1;
    before = entry;
  }
}

test('the pixels of a film are those that were put in, at every length of the codes', () => {
  let seed = 1;
  const random = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (const [length, colours] of [[1, 1], [2, 2], [255, 1], [256, 256], [511, 256], [600, 3], [70000, 2], [70000, 200]]) {
    const places = Uint16Array.from({ length }, () => random(colours));
    const out = new Bytes();
    compress(places, out);
    assert.deepEqual(decompressed(out.done()), [...places], `${length} of ${colours}`);
  }
  for (let length = 240; length < 800; length += 1) {
    const places = Uint16Array.from({ length }, (_, at) => (at * 7) % 251);
    const out = new Bytes();
    compress(places, out);
    assert.equal(decompressed(out.done()).length, length);
  }
  const film = new Gif(2, 1);
  film.add(Uint8ClampedArray.from([255, 0, 0, 255, 0, 0, 0, 255]), 50);
  const bytes = film.bytes();
  assert.equal(String.fromCharCode(...bytes.slice(0, 6)), 'GIF89a');
  assert.deepEqual([bytes[6], bytes[8], bytes[bytes.length - 1]], [2, 1, 0x3b]);
});

test('values are answered in the order in which they were asked', async () => {
  const sent = [];
  const thinker = new Thinker({ send: (lines) => sent.push(lines), close: () => {} });
  const values = [thinker.value('position a'), thinker.value('position b'), thinker.value('position c')];
  assert.deepEqual(sent[0], 'position a\nquery value');
  thinker.port.onLine('response win 5');
  thinker.port.onLine('info string other');
  thinker.port.onLine('response unknown');
  thinker.port.onGone('it ended');
  assert.deepEqual(await Promise.all(values), ['win 5', 'unknown', '']);
});

test('the rating moves by the surprise, and less the more is known', () => {
  const even = (deviation) => ratingAfter({ rating: 1200, deviation }, 1200, true).rating - 1200;
  assert.ok(even(350) > even(150) && even(150) > even(60) && even(60) > 0);
  assert.equal(ratingAfter({ rating: 1200, deviation: 100 }, 1200, false).rating - 1200, -even(100));
  const gain = (puzzle) => ratingAfter({ rating: 1200, deviation: 100 }, puzzle, true).rating;
  assert.ok(gain(2000) > gain(1200) && gain(1200) > gain(600));
  assert.equal(ratingAfter({ rating: 100, deviation: 350 }, 600, false).rating, 100);
  let own = { rating: 1200, deviation: 350 };
  for (let count = 0; count < 200; count += 1) {
    const after = ratedAfter(own, { rating: own.rating, deviation: 100 }, count % 2);
    assert.ok(after.deviation <= own.deviation && after.deviation >= 60);
    own = after;
  }
  assert.equal(own.deviation, 60);
});

test('a puzzle counts once, and a later attempt changes the history alone', () => {
  const puzzle = { id: 'p', rating: 1200 };
  let record = recordAfter(emptyRecord(), puzzle, 'failed');
  assert.deepEqual([record.streak, record.failed, record.seen], [0, 1, ['p']]);
  const before = record;
  record = recordAfter(record, puzzle, 'solved');
  assert.deepEqual(record, { ...before, history: [{ id: 'p', rating: 1200, outcome: 'solved' }] });
  record = recordAfter(record, { id: 'q', rating: 1200 }, 'solved');
  assert.deepEqual([record.streak, record.best, record.solved], [1, 1, 1]);
  const { rating } = record;
  record = recordAfter(record, { id: 'r', rating: 1200 }, 'helped');
  assert.deepEqual([record.streak, record.best, record.rating], [0, 1, rating]);
  assert.deepEqual(record.history.map(({ outcome }) => outcome), ['solved', 'solved', 'helped']);
});

test('days in a row end today or yesterday', () => {
  const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-03'];
  assert.equal(daysInARow(days, '2026-03-01'), 3);
  assert.equal(daysInARow(days, '2026-03-02'), 3);
  assert.equal(daysInARow(days, '2026-03-03'), 1);
  assert.equal(daysInARow(days, '2026-03-05'), 0);
  assert.equal(dayText(new Date(Date.UTC(2026, 2, 1, 23, 59))), '2026-03-01');
});

test('the address of puzzles names the day, a theme or one of them', () => {
  const now = new Date(Date.UTC(2026, 2, 1));
  for (const wish of [{ kind: 'day', date: '2026-03-01' }, { kind: 'next', theme: 'offer' }, { kind: 'one', id: 'x1' }]) {
    assert.deepEqual(wishOf(addressOf(wish), now), wish);
  }
  assert.deepEqual(wishOf('#theme=nonsense', now), { kind: 'next' });
  assert.deepEqual(wishOf('', now), { kind: 'next' });
});

test('an engine accepts a draw late and when it was not ahead for a while', () => {
  assert.ok(acceptsDraw(30, ['500', '10', '-30', '50']));
  assert.ok(!acceptsDraw(29, ['10', '-30', '50']), 'too early');
  assert.ok(!acceptsDraw(30, ['10', '51', '0']), 'ahead');
  assert.ok(!acceptsDraw(30, ['10', 'w9', '0']), 'winning');
  assert.ok(acceptsDraw(30, ['10', 'l9', '-900']), 'losing');
  assert.ok(!acceptsDraw(30, ['10', '', '0']), 'a move without a score');
  assert.ok(!acceptsDraw(30, ['0', '0']), 'too few moves');
  assert.ok(mayOffer(30, null) && !mayOffer(35, 30) && mayOffer(40, 30) && mayOffer(20, 30));
});

test('results against levels make a strength among them', () => {
  const levels = [[1, -700], [2, 0], [3, 300]].map(([level, elo]) => ({ level, elo, low: elo - 40, high: elo + 40, below: 80 }));
  assert.equal(resultWords(null, levels[0]), '');
  let results = resultsAfter(null, levels[0], 1);
  results = resultsAfter(results, levels[1], 0);
  results = resultsAfter(results, levels[1], 0.5);
  assert.deepEqual(results.levels, { 1: { won: 1, drawn: 0, lost: 0 }, 2: { won: 0, drawn: 1, lost: 1 } });
  assert.ok(results.rating > -700 && results.rating < 0 && results.deviation < 350);
  assert.equal(resultWords(results, levels[1]), 'You: 0 won, 1 drawn, 1 lost');
  assert.match(strengthWords(results, levels), /−\d+ ± \d+, between Newcomer and Collector\.$/);
  assert.ok(!strengthWords(null, levels).includes('±'));
});

test('each side may have a clock of its own', () => {
  let now = 0;
  const setting = { type: 'game', seconds: 60, increment: 2, b: { seconds: 10, increment: 1 } };
  const clocks = new Clocks(setting, null, () => now);
  assert.deepEqual(clocks.left, { w: 60000, b: 10000 });
  clocks.start('b');
  now = 4000;
  clocks.moved();
  assert.deepEqual(clocks.left, { w: 60000, b: 7000 });
  assert.equal(clocks.goWords(), 'p1time 60000 p2time 7000 p1inc 2000 p2inc 1000');
});

test('what follows a game of riatra begins with its result', () => {
  const session = sessionAfter('b', '0-1');
  assert.deepEqual([session.youAreFirst, session.results, session.white, session.counted], [false, ['0-1'], [false], true]);
  assert.deepEqual(pointsOf(session), [1, 0]);
});

test('an engine in place of a lost one is told the options and the search that is still wanted', async () => {
  const sent = [];
  const port = { send: (lines) => sent.push(lines), open: async () => {}, close: () => {} };
  let back = 0;
  const thinker = new Thinker(port, { onBack: () => { back += 1; } });
  await thinker.open([['Skill', 4]]);
  const old = thinker.go('position a', 'nodes 5');
  const wanted = thinker.go('position b', 'nodes 5', () => {}, ['uginewgame']);
  sent.length = 0;
  port.onBack();
  assert.deepEqual([sent, back], [['setoption name Skill value 4\nuginewgame\nposition b\ngo nodes 5'], 1]);
  assert.equal(await old, null);
  port.onLine('bestmove c1d1');
  assert.equal(await wanted, 'c1d1');
  sent.length = 0;
  port.onBack();
  assert.deepEqual(sent, ['setoption name Skill value 4']);
});

test('every go gets its own bestmove, and a stopped search is not heard', async () => {
  const sent = [];
  const port = { send: (lines) => sent.push(lines), close: () => {} };
  const thinker = new Thinker(port);
  const heard = [];
  const first = thinker.go('position a', 'infinite', (info) => heard.push(['first', info.depth]));
  const second = thinker.go('position b', 'nodes 5', (info) => heard.push(['second', info.depth]));
  assert.deepEqual(sent, ['position a\ngo infinite', 'stop\nposition b\ngo nodes 5']);
  port.onLine('info depth 1');
  port.onLine('bestmove a1b1');
  port.onLine('info depth 2');
  port.onLine('bestmove c1d1');
  port.onLine('bestmove e1f1');
  assert.equal(await first, null);
  assert.equal(await second, 'c1d1');
  assert.deepEqual(heard, [['second', 2]]);
  assert.equal(positionLine('F', []), 'position fen F');
  assert.equal(positionLine('F', ['a1b1', 'b5b4']), 'position fen F moves a1b1 b5b4');
});

test('a port begins another engine where another server has none of the old ones', async () => {
  const [sent, said, page] = [[], [], new EventTarget()];
  let engines = 0;
  let refused = 0;
  Object.assign(globalThis, {
    window: page,
    document: { querySelector: () => null, getElementById: () => null, documentElement: { dataset: {} } },
    location: { protocol: 'http:', host: 'arena' },
    WebSocket: class extends EventTarget {
      constructor() {
        super();
        queueMicrotask(() => this.dispatchEvent(new Event('open')));
      }

      close() {}
    },
    fetch: async (path, { body }) => {
      if (path !== '/api/engine') sent.push(`${path} ${body}`);
      else if (refused > 0) {
        refused -= 1;
        return new Response('{}', { status: 503 });
      } else engines += 1;
      return new Response(JSON.stringify({ id: String(engines) }));
    },
  });
  const port = new EnginePort('bot');
  const turn = () => new Promise((done) => { setTimeout(done, 20); });
  const until = async (holds) => {
    while (!holds()) await turn();
  };
  Object.assign(port, {
    onLost: () => said.push('lost'),
    onGone: (reason) => said.push(reason),
    onBack: () => {
      said.push('back');
      port.send('again');
    },
  });
  await port.open();
  port.send('one');
  // A server that only was slow still has its engines.
  page.dispatchEvent(new CustomEvent('server-back', { detail: false }));
  await turn();
  assert.deepEqual([engines, said, sent], [1, [], ['/api/engine/1/lines one']]);
  // Another server lets the page in only at its second question.
  refused = 1;
  page.dispatchEvent(new CustomEvent('server-back', { detail: true }));
  await until(() => refused === 0);
  await turn();
  port.send('two');
  assert.deepEqual([engines, said], [1, ['lost']]);
  page.dispatchEvent(new CustomEvent('server-back', { detail: true }));
  await until(() => sent.length === 2);
  assert.deepEqual([engines, said], [2, ['lost', 'back']]);
  assert.deepEqual(sent.slice(1), ['/api/engine/2/lines again']);
  port.close();
});

test('a session counts points by the colour of each game', () => {
  const session = { results: ['1-0', '1-0', '1/2-1/2'], white: [true, false, true] };
  assert.deepEqual(pointsOf(session), [1.5, 1.5]);
  assert.deepEqual([0, 0.5, 1.5, 2].map(pointsText), ['0', '½', '1½', '2']);
});

test('a link to analysis keeps the game', () => {
  const link = analysisWords({ start: 'b/1/W w - 0 1', moves: ['a1b1', 'b5b4'], rules: 'quiet=60 blocked-is-draw', ply: 1 });
  const words = new URLSearchParams(link.slice(link.indexOf('#') + 1));
  assert.ok(link.startsWith('#fen=') && !link.includes(' '));
  assert.deepEqual([...words], [['fen', 'b/1/W w - 0 1'], ['moves', 'a1b1 b5b4'], ['rules', 'quiet=60 blocked-is-draw'], ['p', '1']]);
});

await runTests();
