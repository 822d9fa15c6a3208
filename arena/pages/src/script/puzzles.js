// The puzzle page: a position, the moves to find, and the reply to each of them.

import { attempt, errorBox, postJson } from './api.js';
import { Desk, framesOfPlayed } from './desk.js';
import { button, make, node, pause } from './dom.js';
import { analysisLink } from './place.js';
import { positionOf, signed } from './position.js';
import { loadRecord, recordAfter, saveRecord } from './puzzle_record.js';
import { fillStrip } from './strip.js';
import { BOARD_KEYS, walkKeys } from './walk.js';
import { say } from './words.js';

/** @import { Puzzle } from '../../views' */

export async function start(app) {
  const page = new PuzzlePage(app);
  await page.next();
  return [...BOARD_KEYS, ['h', say('play.hint')], ['n', say('puzzles.next')]];
}

class PuzzlePage {
  // The puzzle shown, with the moves made in it. There is none before the first one has come.
  /** @type {Puzzle} */
  puzzle;
  /** @type {string[]} */
  moves;

  constructor(app) {
    this.record = loadRecord();
    this.run = 0;
    this.desk = new Desk(app, say('page.puzzles'), { onMove: (move) => this.tried(move) });
    this.title = node('h2', '', 'puzzle-title');
    this.facts = node('p', '', 'soft');
    this.verdict = make('div', { class: 'verdict', role: 'status' });
    this.buttons = make('div', { class: 'controls' });
    this.score = make('div', { class: 'card own-rating' });
    const parts = [this.title, this.facts, this.verdict, this.buttons];
    this.desk.side.replaceChildren(make('section', { class: 'card puzzle', 'aria-label': say('puzzles.one') }, ...parts), this.score);
    this.flipButton = button(say('walk.flip'), null, () => this.desk.flip());
    walkKeys({ go: () => {}, flip: () => this.desk.flip() }, { h: () => this.hint(), n: () => this.ended && this.next() });
    this.drawScore(null);
  }

  async next() {
    this.run += 1;
    const { run } = this;
    const { rating, seen } = this.record;
    /** @type {Puzzle} */
    let puzzle;
    try {
      puzzle = await postJson('/api/puzzles/next', { rating, seen });
    } catch (error) {
      this.title.textContent = say('puzzles.none');
      this.verdict.replaceChildren(errorBox(error));
      this.buttons.replaceChildren(button(say('play.retry'), null, () => this.next(), 'primary'));
      return;
    }
    if (run !== this.run) return;
    this.puzzle = puzzle;
    this.state = null;
    this.moves = [];
    this.outcome = null;
    this.ended = false;
    this.known = null;
    const { side, columns, rows } = positionOf(puzzle.fen);
    this.side = side;
    this.desk.board.flipped = side === 'b';
    this.desk.board.draw(columns, rows);
    this.desk.ratio();
    this.title.textContent = puzzle.title;
    this.facts.textContent = say(`puzzles.facts.${puzzle.kind}`, { n: puzzle.total });
    this.say(say('puzzles.turn'), '');
    await this.show(false);
  }

  // Asks for the position after the moves so far, and for a move if it is the user's turn.
  async show(animate) {
    const { run, puzzle } = this;
    const state = await attempt(() => postJson('/api/rules', { start: { fen: puzzle.fen }, rules: puzzle.rules, moves: this.moves }));
    if (!state || run !== this.run) return;
    this.state = state;
    this.frames = framesOfPlayed(state.start, state.played);
    const frame = this.frames[this.frames.length - 1];
    this.strips();
    if (!(await this.desk.show(frame, { animate })) || run !== this.run) return;
    this.desk.board.describe(puzzle.title);
    const asked = !this.ended && !state.over && state.side === this.side;
    if (asked) this.desk.input.offer(frame.stones, state.side, state.legal);
    else this.desk.input.watch(frame.stones, state.side);
    this.drawButtons();
  }

  strips() {
    const lower = this.desk.board.flipped ? 'b' : 'w';
    for (const [strip, side] of [[this.desk.bottom, lower], [this.desk.top, lower === 'w' ? 'b' : 'w']]) {
      fillStrip(strip, {
        side, name: side === this.side ? say(`puzzles.you.${side}`) : say(`side.${side}`), stones: this.state.stones[side],
        active: !this.ended && this.state.side === side,
      });
    }
  }

  ask(moves) {
    return postJson('/api/puzzles/try', { id: this.puzzle.id, moves });
  }

  async tried(move) {
    const { run } = this;
    const at = move.steps[move.steps.length - 1].to;
    const answer = await attempt(() => this.ask([...this.moves, move.text]));
    if (run !== this.run) return;
    if (!answer) {
      await this.show(false);
      return;
    }
    if (answer.state === 'wrong') {
      this.known = this.rest(answer.solution);
      this.count('failed');
      this.desk.board.marks({ wrong: [at] });
      this.say(say('puzzles.wrong'), 'wrong');
      await pause(900);
      if (run === this.run) await this.show(false);
      return;
    }
    this.known = null;
    this.moves.push(move.text);
    this.desk.board.marks({ right: [at] });
    this.say(say(answer.state === 'solved' ? 'puzzles.solved' : 'puzzles.right'), 'right');
    if (answer.state === 'solved') {
      this.finish('solved');
      return;
    }
    await pause(500);
    if (run !== this.run) return;
    if (answer.reply) this.moves.push(answer.reply);
    await this.show(answer.reply !== null);
  }

  // The part of a solution that is still to be played, whether it begins at the puzzle or here.
  rest(solution) {
    if (!solution) return null;
    const whole = this.moves.length > 0 && this.moves.every((text, index) => solution[index] === text);
    return whole ? solution.slice(this.moves.length) : solution;
  }

  // What there is to play here. The server tells it after a wrong move only, so any legal move is
  // tried: it is wrong, or it is the solution.
  async solutionHere() {
    if (this.known) return this.known;
    const [any] = this.state.legal;
    const answer = await attempt(() => this.ask([...this.moves, any.text]));
    if (answer) this.known = this.rest(answer.solution) ?? [any.text];
    return this.known;
  }

  async hint() {
    if (this.ended || !this.state || this.state.side !== this.side) return;
    const { run } = this;
    const solution = await this.solutionHere();
    if (!solution || run !== this.run || this.ended) return;
    this.count('helped');
    const from = solution[0].slice(0, 2);
    this.desk.board.marks({ right: [from] });
    this.say(say('puzzles.hint', { point: from }), '');
    this.drawButtons();
  }

  // Plays the whole solution.
  async solve() {
    const { run } = this;
    const solution = await this.solutionHere();
    if (!solution || run !== this.run) return;
    this.count('failed');
    this.ended = true;
    this.say(say('puzzles.solution', { moves: solution.join(' ') }), '');
    for (const text of solution) {
      this.moves.push(text);
      await this.show(true);
      await pause(500);
      if (run !== this.run) return;
    }
    this.finish(null);
  }

  // The first outcome counts; what comes later changes nothing.
  count(outcome) {
    if (this.outcome !== null) return;
    this.outcome = outcome;
    const before = this.record.rating;
    this.record = recordAfter(this.record, this.puzzle, outcome);
    saveRecord(this.record);
    this.drawScore(this.record.rating - before);
  }

  finish(outcome) {
    if (outcome) this.count(outcome);
    this.ended = true;
    this.show(false).then(() => this.buttons.querySelector('button')?.focus({ preventScroll: true }));
  }

  say(text, kind) {
    this.verdict.replaceChildren(node('p', text, kind));
  }

  drawButtons() {
    const { puzzle } = this;
    const href = analysisLink({ start: puzzle.fen, rules: puzzle.rules, moves: this.moves });
    const link = make('a', { class: 'button', href }, say('page.analyse'));
    if (this.ended) {
      this.buttons.replaceChildren(button(say('puzzles.next'), null, () => this.next(), 'primary'), link, this.flipButton);
      return;
    }
    this.buttons.replaceChildren(button(say('play.hint'), null, () => this.hint()), button(say('puzzles.show'), null, () => this.solve()), this.flipButton);
  }

  drawScore(change) {
    const { rating, streak, best, solved, failed } = this.record;
    const value = make('p', { class: 'rating' }, node('span', `${say('puzzles.rating')} `, 'soft'), node('b', String(rating)));
    if (change) value.append(' ', node('span', signed(change), change > 0 ? 'up' : 'down'));
    const facts = make('dl', { class: 'facts' });
    for (const [name, number] of [[say('puzzles.streak'), streak], [say('puzzles.best'), best], [say('puzzles.count.solved'), solved], [say('puzzles.count.failed'), failed]]) {
      facts.append(node('dt', name), node('dd', String(number)));
    }
    if (change !== null && this.ended) facts.append(node('dt', say('puzzles.this')), node('dd', String(this.puzzle.rating)));
    this.score.replaceChildren(value, facts);
  }
}
