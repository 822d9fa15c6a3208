// The frame of every page with a board to move on: the board as large as the window allows, a strip
// above and below it, the buttons of the move input, and a panel beside it.

import { begun } from './begun.js';
import { attempt, postJson } from './api.js';
import { Board } from './board.js';
import { make, node, svg } from './dom.js';
import { afterSteps } from './move_tree.js';
import { positionOf } from './position.js';

/** @import { Frame } from './position.js' */

/**
 * A position of a game that the server has played, with the move that led to it.
 * @typedef {Pick<Frame, 'ply' | 'stones' | 'steps' | 'side' | 'text'>} PlayedFrame
 */

export class Desk {
  // Makes moves on the board. It is there once `ready` has resolved.
  /** @type {import('./input.js').MoveInput} */
  input;

  /**
   * @param {HTMLElement} app
   * @param {string} title
   * @param {{ onMove?: (move: any) => void }} [on]
   */
  constructor(app, title, { onMove = () => {} } = {}) {
    this.top = make('div', { class: 'strip top' });
    this.bottom = make('div', { class: 'strip bottom' });
    this.gauge = make('div', { class: 'gauge', hidden: true });
    this.bar = make('div');
    this.side = make('div', { class: 'desk-side' });
    // What stands below the board, where the page has something to put there.
    this.below = make('div', { class: 'desk-below' });
    this.live = make('div', { class: 'visually-hidden', 'aria-live': 'polite' });
    const drawing = svg('svg', {});
    const frame = make('div', { class: 'board-frame' }, this.gauge, drawing);
    this.column = make('div', { class: 'desk-board' }, this.top, frame, this.bottom, this.bar);
    this.root = make('div', { class: 'desk' }, node('h1', title, 'visually-hidden'), this.column, this.side, this.below, this.live);
    app.replaceChildren(this.root);
    begun(app);
    this.board = new Board(drawing);
    this.onMove = onMove;
    // The points that were pressed before the first move could be made; null: it could.
    /** @type {string[] | null} */
    this.early = [];
    drawing.addEventListener('pointerdown', ({ clientX, clientY }) => this.pressed(clientX, clientY));
    this.ready = attempt(async () => {
      const { MoveInput } = await import('./input.js');
      this.input = new MoveInput(this.board, { bar: this.bar, say: (text) => this.say(text), onMove: (move) => this.onMove(move) });
      this.input.watch(this.shown.stones, this.shown.side ?? 'w');
    });
    /** @type {Pick<PlayedFrame, 'stones' | 'steps' | 'side'>} */
    this.shown = { stones: new Map(), steps: [], side: 'w' };
    // Each drawing has a number, so that a newer one ends an animation.
    this.run = 0;
  }

  say(text) {
    this.live.textContent = text;
  }

  pressed(x, y) {
    const name = this.board.columns ? this.board.nameAt(x, y) : null;
    if (name) this.early?.push(name);
  }

  // Offers the legal moves of the position shown. What was pressed before the first ones is done now.
  offer(stones, side, legal) {
    this.input.offer(stones, side, legal);
    const { early } = this;
    this.early = null;
    for (const name of early ?? []) this.input.press(name, 'pointer');
  }

  // Only shows the position, whatever was pressed before.
  watch(stones, side) {
    this.input.watch(stones, side);
    this.early = null;
  }

  // Draws the empty board of a FEN if its size differs from what is drawn.
  size(fen) {
    const { columns, rows } = positionOf(fen);
    if (this.board.columns === columns && this.board.rows === rows) return;
    this.board.draw(columns, rows);
    this.ratio();
  }

  // Shows the usual start of a board, and offers its moves.
  async start({ name, start }) {
    this.size(start);
    this.show({ stones: positionOf(start).stones, steps: [], side: null });
    const { run } = this;
    const asked = attempt(() => postJson('/api/rules', { start: { board: name, kind: 'riatra' }, rules: '', moves: [] }));
    const [state] = await Promise.all([asked, this.ready]);
    if (state && run === this.run) this.offer(this.shown.stones, state.side, state.legal);
  }

  // The style sheet computes the width of the column from the ratio of the drawing.
  ratio() {
    const [, , width, height] = this.board.root.getAttribute('viewBox').split(' ').map(Number);
    this.root.style.setProperty('--ratio', String(width / height));
  }

  // Shows stones and the move that led to them. With `animate` the board shows the position before
  // and the move is played on it. Returns false if another drawing came in between.
  /**
   * @param {Pick<PlayedFrame, 'stones' | 'steps' | 'side'>} frame
   * @param {{ animate?: boolean }} [how]
   */
  async show({ stones, steps, side }, { animate = false } = {}) {
    this.run += 1;
    const { run } = this;
    if (animate && steps.length > 0) {
      this.board.put(this.shown.stones);
      const { animateMove } = await import('./motion.js');
      const finished = await animateMove(this.board, steps, side, { wanted: () => this.run === run });
      if (!finished || this.run !== run) return false;
    }
    this.shown = { stones, steps, side };
    this.board.put(stones);
    this.board.showMove(steps, side);
    return true;
  }

  flip() {
    this.board.flip();
    this.board.showMove(this.shown.steps, this.shown.side);
    this.input?.repaint();
  }
}

// All positions of a game from what the server says of its moves: stones, steps and the side that
// moved. The first one has no move.
/** @returns {PlayedFrame[]} */
export function framesOfPlayed(start, played) {
  const position = positionOf(start);
  /** @type {PlayedFrame[]} */
  const frames = [{ ply: 0, stones: position.stones, steps: [], side: null, text: '' }];
  let { side } = position;
  for (const move of played) {
    const before = frames[frames.length - 1];
    frames.push({ ply: before.ply + 1, stones: afterSteps(before.stones, move.steps), steps: move.steps, side, text: move.text });
    side = side === 'w' ? 'b' : 'w';
  }
  return frames;
}
