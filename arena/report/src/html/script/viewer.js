// The replay of one game: board, moves, scores and controls.
//
//   const viewer = new Viewer(divElement, {
//     onNeighbour: (places) => {},   // previous (−1) or next (1) game; without it there are no buttons
//     links: (game) => [elements],   // what else can be done with the game; optional
//   });
//   viewer.open(game, ply);          // see `framesOf` for the fields of a game
//
// Once the user has moved in the game, the address is `#g=GAME&p=PLY`.

import { node, pause } from './dom.js';
import { framesOf, countStones, whiteWords } from './position.js';
import { Board } from './board.js';
import { MoveList } from './moves.js';
import { ScoreGraph } from './graph.js';
import { animateMove } from './motion.js';
import { viewerParts, describeGame } from './viewer_parts.js';
import { say } from './words.js';

/** @import { Frame, Position } from './position.js' */

export class Viewer {
  // The game that is open: its start and all its positions.
  /** @type {Position} */
  start;
  /** @type {Frame[]} */
  frames;

  /**
   * @param {HTMLElement} root
   * @param {{ onNeighbour?: (places: number) => void, links?: (game: any) => HTMLElement[] }} [on]
   */
  constructor(root, { onNeighbour, links } = {}) {
    this.root = root;
    this.links = links;
    this.game = null;
    this.ply = 0;
    // The number of the current animation; starting another one cancels it.
    this.run = 0;
    // The ply whose move is being animated; null if there is none.
    this.moving = null;
    this.playing = false;
    this.linked = false;
    this.parts = viewerParts(root, {
      first: () => this.jump(0),
      back: () => this.back(),
      play: () => this.toggle(),
      forward: () => this.step(),
      last: () => this.jump(Infinity),
      flip: () => this.flip(),
      neighbour: onNeighbour,
    });
    this.board = new Board(this.parts.board);
    this.list = new MoveList(this.parts.moves, { href: (ply) => this.address(ply) });
    this.graph = new ScoreGraph(this.parts.graph, { onPick: (ply) => this.jump(ply) });
    this.parts.ply.addEventListener('input', () => this.jump(Number(this.parts.ply.value)));
    root.addEventListener('keydown', (event) => this.key(event));
  }

  last() {
    return this.frames.length - 1;
  }

  address(ply) {
    return `#g=${this.game.id}&p=${ply}`;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || !this.game) return;
    // Fields, lists and buttons handle their own keys.
    const own = event.target.closest('select, input');
    const pressed = event.target.closest('button, a, summary');
    const actions = {
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.step(),
      Home: () => this.jump(0),
      End: () => this.jump(Infinity),
      ' ': () => this.toggle(),
      f: () => this.flip(),
    };
    const action = actions[event.key];
    if (!action || own || (pressed && event.key === ' ')) return;
    event.preventDefault();
    action();
  }

  // Shows a game at a ply.
  open(game, ply) {
    this.game = game;
    const { start, frames } = framesOf(game);
    this.start = start;
    this.frames = frames;
    if (game.blunder && frames[game.blunder]) Object.assign(frames[game.blunder], { mark: '?', note: game.blunderText });
    this.board.draw(start.columns, start.rows);
    // The column of the board is as wide as the board is when it is as high as the style sheet allows.
    this.root.style.setProperty('--ratio', String(this.board.ratio));
    this.parts.ply.max = String(this.last());
    describeGame(this.parts, game, start, this.last(), this.address.bind(this));
    this.parts.links.replaceChildren(...(this.links?.(game) || []));
    this.players();
    const moves = frames.slice(1);
    this.list.set(moves, start.side);
    this.graph.set(moves, this.last());
    this.parts.graph.hidden = this.graph.isEmpty;
    this.parts.search.hidden = !moves.some((frame) => frame.info);
    this.show(ply);
  }

  players() {
    for (const [part, side] of [['upper', 'b'], ['lower', 'w']]) {
      const shown = this.board.flipped ? (side === 'w' ? 'b' : 'w') : side;
      const name = shown === 'w' ? this.game.white : this.game.black;
      this.parts[part].replaceChildren(node('span', '', `chip ${shown}`), say('replay.label', { text: say(`side.${shown}`) }), node('bdi', name), node('span', '', 'left'));
      this.parts[part].dataset.side = shown;
    }
  }

  // Shows a ply at once and cancels any animation.
  show(ply) {
    this.stop();
    this.settle(ply);
  }

  settle(ply) {
    this.run += 1;
    this.moving = null;
    this.ply = Math.min(Math.max(0, Math.floor(ply) || 0), this.last());
    if (ply === Infinity) this.ply = this.last();
    const frame = this.frames[this.ply];
    this.board.put(frame.stones);
    this.board.showMove(frame.steps, frame.side);
    this.tell(frame);
  }

  // Updates everything outside the board that depends on the ply.
  tell(frame) {
    const { parts } = this;
    for (const part of [parts.upper, parts.lower]) {
      const count = countStones(frame.stones, part.dataset.side);
      part.querySelector('.left').textContent = say('count.stones', { n: count });
    }
    const last = this.last();
    parts.ply.value = String(this.ply);
    parts.ply.setAttribute('aria-valuetext', say('replay.where', { n: this.ply, of: last }));
    parts.where.textContent = `${this.ply} / ${last}`;
    this.board.describe(`${say('graph.ply', { n: this.ply })}.`);
    this.graph.cursor(this.ply);
    this.say(frame);
    this.list.current(this.ply);
    if (this.linked && location.hash !== this.address(this.ply)) history.replaceState(null, '', this.address(this.ply));
  }

  // Names the move that led here or is being played.
  say(frame) {
    const captured = frame.steps.flatMap((step) => step.captured).length;
    const words = [frame.side ? `${say(`side.${frame.side}`)} ${frame.text}` : say('explorer.start')];
    if (captured) words.push(say('watch.takes', { n: captured }));
    if (frame.score) words.push(whiteWords(frame.score, frame.side));
    if (frame.note) words.push(frame.note);
    this.parts.now.textContent = words.join(', ');
    this.parts.search.textContent = searchText(frame.info);
    this.parts.search.title = this.parts.search.textContent;
  }

  flip() {
    this.board.flip();
    this.players();
    this.show(this.ply);
  }

  // Shows a ply on the user's request; from then on the address is updated.
  jump(ply) {
    this.linked = true;
    this.show(ply);
  }

  back() {
    this.jump((this.moving ?? this.ply) - 1);
  }

  // Animates the next move; a move still being animated is finished at once.
  async step() {
    this.stop();
    if (this.moving !== null) this.settle(this.moving);
    this.linked = true;
    await this.animate();
  }

  async toggle() {
    if (this.playing) {
      this.stop();
      return;
    }
    this.linked = true;
    if (this.ply === this.last()) this.settle(0);
    this.playing = true;
    this.label();
    const mine = {};
    this.player = mine;
    while (this.player === mine && this.ply < this.last()) {
      const shown = await this.animate();
      if (!shown || this.player !== mine) return;
      await pause(500 * this.pace());
    }
    if (this.player === mine) this.stop();
  }

  stop() {
    this.player = null;
    this.playing = false;
    this.label();
  }

  label() {
    this.parts.play.textContent = say(this.playing ? 'replay.pause' : 'replay.play');
  }

  pace() {
    return Number(this.parts.pace.value);
  }

  // Animates the steps of the next move; returns false if it was cancelled.
  async animate() {
    if (this.ply >= this.last()) return false;
    const next = this.ply + 1;
    const frame = this.frames[next];
    this.board.put(this.frames[this.ply].stones);
    this.run += 1;
    this.moving = next;
    this.say(frame);
    this.list.current(next);
    const { run } = this;
    const finished = await animateMove(this.board, frame.steps, frame.side, { pace: this.pace(), wanted: () => this.run === run });
    if (finished && this.run === run) this.settle(next);
    return finished && this.ply === next;
  }
}

// What an engine reported about the search of its move, as far as it is known.
function searchText(info) {
  if (!info) return '';
  const parts = [];
  if (info.depth) parts.push(say('line.depth', { n: info.depth }));
  if (info.nodes) parts.push(say('line.nodes', { count: info.nodes }));
  if (info.tbhits) parts.push(say('replay.tables', { count: info.tbhits }));
  const pv = Array.isArray(info.pv) ? info.pv.join(' ') : info.pv;
  if (pv) parts.push(say('replay.expects', { moves: pv }));
  return parts.join(' · ');
}
