// The large board of one running game, with what both engines say, the moves and the scores.

import { make, node, svg, button } from './dom.js';
import { countStones, stepsOf } from './position.js';
import { Board } from './board.js';
import { MoveList } from './moves.js';
import { ScoreGraph } from './graph.js';
import { animateMove } from './motion.js';
import { resultText } from './format.js';
import { clockText } from './clock.js';
import { Gauge } from './gauge.js';
import { LineBoard } from './line_board.js';
import { timeOf } from './live_games.js';
import { forWhite } from './scores.js';
import { sound } from './sound.js';
import { say } from './words.js';

export class PinnedGame {
  // `onReplay(game)` is called when the user wants the replay of the finished game, `onFollow()`
  // when the latest position, or the next game, is to be shown again.
  constructor(root, { scale, onReplay, onFollow }) {
    this.onFollow = onFollow;
    this.root = root;
    this.game = null;
    // The ply shown while the user looks back; null: the latest.
    this.ply = null;
    this.run = 0;
    const drawing = svg('svg', { class: 'board', role: 'img' });
    const gauge = make('div', { class: 'gauge' });
    this.title = node('h3', '');
    this.facts = node('p', '', 'soft');
    this.sides = { w: engineRow('w'), b: engineRow('b') };
    this.lines = ['w', 'b'].map((side) => new LineBoard(side));
    this.now = make('p', { class: 'now' });
    this.upper = make('div', { class: 'player engine' });
    this.lower = make('div', { class: 'player engine' });
    const moves = make('ol', { tabindex: 0, 'aria-label': say('play.moves') });
    const graph = make('div');
    this.latest = button(say('watch.follow'), say('watch.follow.help'), () => this.look(null), 'live-now');
    this.replay = button(say('replay.title'), say('watch.replay.help'), () => onReplay(this.game));
    const controls = make('div', { class: 'controls', role: 'toolbar', 'aria-label': say('watch.back') },
      button('⇤', say('watch.start'), () => this.look(0)), button('←', say('walk.back'), () => this.look(this.shown() - 1)),
      button('→', say('walk.on'), () => this.look(this.shown() + 1)), this.latest, button(say('walk.flip'), null, () => this.flip()), this.replay);
    root.replaceChildren(
      make('div', { class: 'stage' }, this.upper, make('div', { class: 'board-frame' }, gauge, drawing), this.lower, this.now, controls),
      make('div', { class: 'side' }, this.title, this.facts, graph, make('div', { class: 'line-boards' }, ...this.lines.map((line) => line.root)), moves));
    this.gauge = new Gauge(gauge, scale);
    this.board = new Board(drawing);
    this.list = new MoveList(moves, { onPick: (ply) => this.look(ply) });
    this.graph = new ScoreGraph(graph, { onPick: (ply) => this.look(ply) });
    root.addEventListener('keydown', (event) => this.key(event));
    this.place();
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || !this.game) return;
    const action = {
      ArrowLeft: () => this.look(this.shown() - 1),
      ArrowRight: () => this.look(this.shown() + 1),
      Home: () => this.look(0),
      End: () => this.look(null),
      f: () => this.flip(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // Which engine stands above the board.
  place() {
    const top = this.board.flipped ? 'w' : 'b';
    this.upper.replaceChildren(this.sides[top].head);
    this.lower.replaceChildren(this.sides[top === 'w' ? 'b' : 'w'].head);
  }

  flip() {
    this.board.flip();
    this.place();
    this.settle();
  }

  last() {
    return this.game.frames.length - 1;
  }

  shown() {
    return Math.min(this.ply ?? this.last(), this.last());
  }

  // Shows a game from now on.
  open(game) {
    this.game = game;
    this.ply = null;
    this.board.draw(game.start.columns, game.start.rows);
    this.root.style.setProperty('--ratio', String(this.board.ratio));
    this.title.replaceChildren(node('bdi', game.white), ' – ', node('bdi', game.black));
    for (const side of ['w', 'b']) this.sides[side].name.textContent = side === 'w' ? game.white : game.black;
    this.list.set(game.frames.slice(1), game.start.side);
    this.refresh();
    this.settle();
  }

  // Takes over an update of the game; `added` is the number of new moves.
  update(game, added) {
    const follows = this.ply === null;
    const isEnd = Boolean(game.result) && !this.game.result;
    this.game = game;
    const known = this.list.links.size;
    if (game.frames.length - 1 < known) this.list.set(game.frames.slice(1), game.start.side);
    else this.list.add(game.frames.slice(known + 1));
    this.refresh(added !== 0);
    if (isEnd) sound('end');
    if (follows && game.result) this.settle();
    else if (!follows || added === 0) this.hint();
    else if (added === 1 && !document.hidden) this.animate();
    else this.settle();
  }

  async animate() {
    this.run += 1;
    const { run } = this;
    const frame = this.game.frames[this.last()];
    this.board.put(this.game.frames[this.last() - 1].stones);
    this.tell(frame);
    const wanted = () => this.run === run;
    if (await animateMove(this.board, frame.steps, frame.side, { pace: 0.7, wanted })) this.settle();
  }

  look(ply) {
    this.ply = ply === null || ply >= this.last() ? null : Math.max(0, ply);
    this.settle();
    if (this.ply === null) this.onFollow();
  }

  // Shows the ply at once.
  settle() {
    this.run += 1;
    const frame = this.game.frames[this.shown()];
    this.board.put(frame.stones);
    this.board.showMove(frame.steps, frame.side);
    this.board.describe(say('watch.where', { game: String(this.game.id), n: frame.ply }));
    this.hint();
    this.tell(frame);
  }

  // The move that the engine to move expects to play.
  hint() {
    const { game } = this;
    const best = this.ply === null && game.toMove ? game.info[game.toMove]?.pv?.[0] : null;
    // The line may be that of the move before until the engine reports again.
    const steps = best && this.board.shown.get(best.slice(0, 2)) === game.toMove ? stepsOf(best) : [];
    this.board.hints(steps.length > 0 ? [{ steps, weight: 0.5, kind: 'best' }] : []);
  }

  tell(frame) {
    const captured = frame.steps.flatMap((step) => step.captured).length;
    const words = [frame.side ? `${say(`side.${frame.side}`)} ${frame.text}` : say('explorer.start')];
    if (captured) words.push(say('watch.takes', { n: captured }));
    const { result, reason } = this.game;
    if (result && this.ply === null) words.push(reason ? say('watch.by', { result: resultText(result), reason: say(`reason.${reason}`) }) : resultText(result));
    this.now.textContent = words.join(', ');
    this.list.current(frame.ply);
    this.graph.cursor(frame.ply);
    this.gauge.set(this.scoreAt(frame), this.board.flipped);
    for (const side of ['w', 'b']) this.sides[side].stones.textContent = say('count.stones', { n: countStones(frame.stones, side) });
    this.latest.disabled = this.ply === null;
  }

  // The score of a position from White's view: what the engine to move reports now, or the last
  // one before it.
  scoreAt(frame) {
    const { toMove, info, frames } = this.game;
    const now = this.ply === null && toMove ? info[toMove]?.score : '';
    if (now) return forWhite(now, toMove);
    const scored = frames.slice(0, frame.ply + 1).reverse().find((one) => one.score);
    return scored ? forWhite(scored.score, scored.side) : '';
  }

  // Everything beside the board.
  refresh(movesChanged = true) {
    const { game } = this;
    const facts = [say('watch.game', { game: String(game.id) }), say(`kind.${game.kind}`)];
    if (game.start.debtor !== '-') facts.push(say(`watch.debtor.${game.start.debtor}`));
    this.facts.textContent = facts.join(' · ');
    if (movesChanged) this.graph.set(game.frames.slice(1), Math.max(20, this.last()));
    this.replay.disabled = !game.result;
    for (const side of ['w', 'b']) {
      const row = this.sides[side];
      const expected = game.pondering[side];
      row.ponders.textContent = expected ? say('watch.ponders', { move: expected }) : '';
      row.ponders.title = expected ? say('watch.ponders.help', { move: expected }) : '';
      row.head.classList.toggle('to-move', game.toMove === side);
    }
    for (const line of this.lines) line.show(game);
    this.gauge.set(this.scoreAt(game.frames[this.shown()]), this.board.flipped);
    this.tick();
  }

  tick() {
    if (!this.game) return;
    for (const side of ['w', 'b']) {
      const time = timeOf(this.game, side);
      const text = clockText(time);
      const { clock } = this.sides[side];
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle('low', this.game.clocks !== null && /** @type {number} */ (time) < 10000);
    }
  }
}

// What stands at the board about one side: name, whether it ponders, stones and clock.
function engineRow(side) {
  const name = node('bdi');
  const [ponders, stones, clock] = [node('span', '', 'ponders soft'), node('span', '', 'left'), node('span', '', 'clock')];
  const head = make('p', { class: 'engine-head' }, make('span', { class: `chip ${side}`, role: 'img', 'aria-label': say(`side.${side}`) }), name, ponders, stones, clock);
  return { name, ponders, stones, clock, head };
}
