// The running games of a tournament, kept up to date by its stream.
//
//   const games = new LiveGames(id, { onGames, onBegin, onGame, onEnd, onSummary });
//   games.start();
//
// A game is { id, kind, white, black, opening moves `book`, frames, start, clocks, toMove, since,
// pondering: {w, b}, info: {w, b}, result, reason }; `frames` are those of `position.js`, and grow with the game.

import { positionOf, firstFrame, nextFrame } from './position.js';
import { subscribe } from './stream.js';

// What is shown of a game that ended without a result, or while nobody said how.
export const ENDED = { toMove: null, result: 'ended', reason: '' };

// When a timer is this late, the computer has slept: clocks that count here stood still meanwhile, and the
// stream may have ended unnoticed.
const [LOOK_MS, SLEPT_MS] = [2000, 15000];

// A hidden page drops its stream after this time, and gets everything again when it is looked at.
const HIDDEN_MS = 20000;

export class LiveGames {
  constructor(id, handlers) {
    this.id = id;
    this.handlers = handlers;
    this.games = new Map();
    this.end = null;
    this.hiding = undefined;
    this.follows = false;
    this.looked = Date.now();
  }

  start() {
    this.isOver = false;
    if (!this.follows) {
      document.addEventListener('visibilitychange', () => this.visibility());
      setInterval(() => this.wake(), LOOK_MS);
    }
    this.follows = true;
    this.looked = Date.now();
    this.end?.();
    this.end = subscribe(`/api/t/${encodeURIComponent(this.id)}/live`, {
      games: (list) => this.all(list),
      begin: (live) => this.begin(live),
      game: (update) => this.update(update),
      end: (said) => this.finish(said),
      summary: (said) => this.handlers.onSummary?.(said.version),
    });
  }

  // Ends the stream for good.
  stop() {
    clearTimeout(this.hiding);
    this.end?.();
    this.end = null;
    this.isOver = true;
  }

  wake(now = Date.now()) {
    const slept = now - this.looked > SLEPT_MS;
    this.looked = now;
    if (!slept || this.isOver || !this.end) return;
    this.start();
    this.handlers.onSummary?.(null);
  }

  visibility() {
    if (this.isOver) return;
    clearTimeout(this.hiding);
    if (document.hidden) {
      this.hiding = setTimeout(() => {
        this.end?.();
        this.end = null;
      }, HIDDEN_MS);
    } else if (!this.end) {
      this.start();
      this.handlers.onSummary?.(null);
    }
  }

  all(list) {
    const ids = new Set(list.map((live) => live.game));
    for (const id of [...this.games.keys()]) if (!ids.has(id)) this.games.delete(id);
    for (const live of list) this.games.set(live.game, gameOf(live));
    this.handlers.onGames?.([...this.games.values()]);
  }

  begin(live) {
    const game = gameOf(live);
    this.games.set(game.id, game);
    this.handlers.onBegin?.(game);
  }

  update(update) {
    const game = this.games.get(update.game);
    // An update that does not fit means that something was lost: the stream begins again.
    if (!game || update.from > game.frames.length - 1) {
      this.start();
      return;
    }
    game.single = update.single ?? game.single;
    const before = game.frames.length;
    const known = Math.max(0, update.from - game.book);
    game.scores.splice(known, Infinity, ...(update.scores || []));
    if (update.moves.length > 0) grow(game, update.from, update.moves);
    readClocks(game, update);
    for (const side of ['w', 'b']) game.info[side] = update.info?.[side] ?? game.info[side];
    this.handlers.onGame?.(game, game.frames.length - before);
  }

  finish({ game: id, result, reason }) {
    const game = this.games.get(id);
    this.games.delete(id);
    const end = result ? { toMove: null, result, reason } : ENDED;
    if (game) Object.assign(game, end);
    this.handlers.onEnd?.(game || { id, ...end });
  }
}

function gameOf(live) {
  const start = positionOf(live.start);
  const game = {
    id: live.game,
    kind: live.kind,
    white: live.white,
    black: live.black,
    start,
    book: live.book,
    single: live.single,
    scores: [...(live.scores || [])],
    frames: [firstFrame(start)],
    info: { w: live.info?.w ?? null, b: live.info?.b ?? null },
    result: null,
    reason: null,
  };
  grow(game, 0, live.moves);
  readClocks(game, live);
  return game;
}

// Replaces the moves from an index on.
function grow(game, from, moves) {
  game.frames.length = from + 1;
  let side = sideAt(game, from);
  for (const text of moves) {
    game.frames.push(nextFrame(game.frames[game.frames.length - 1], text, side, game));
    side = side === 'w' ? 'b' : 'w';
  }
}

// The side that plays the move with an index.
function sideAt(game, index) {
  const isFirst = index % 2 === 0;
  return isFirst === (game.start.side === 'w') ? 'w' : 'b';
}

function readClocks(game, said) {
  game.clocks = said.clocks ?? null;
  game.toMove = said.to_move ?? null;
  // The replies that the sides expect while they search in their opponent's time.
  game.pondering = { w: said.pondering?.[0] ?? null, b: said.pondering?.[1] ?? null };
  // The clocks are those at the beginning of the move; what has been used since then is counted here.
  game.since = performance.now() - (said.thinking_ms || 0);
}

// The time of a side in milliseconds now: what is left on its clock, or, without clocks, how long it
// has been thinking; null if there is nothing to show.
export function timeOf(game, side) {
  const used = game.toMove === side ? performance.now() - game.since : 0;
  if (game.clocks) return Math.max(0, game.clocks['wb'.indexOf(side)] - used);
  return game.toMove === side ? used : null;
}
