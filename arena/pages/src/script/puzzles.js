// The puzzle page: a position, the moves to find, and the reply to each of them.

import { attempt, errorBox, postJson } from './api.js';
import { Desk, framesOfPlayed } from './desk.js';
import { button, make, node } from './dom.js';
import { analysisLink } from './place.js';
import { positionOf } from './position.js';
import { addressOf, PuzzleChoice, questionOf, wishOf } from './puzzle_choice.js';
import { loadRecord } from './puzzle_record.js';
import { walkKeys } from './walk.js';
import { dateText, say } from './words.js';

/** @import { Puzzle } from '../../views' */

export async function start(app) {
  const page = new PuzzlePage(app);
  page.show(wishOf(location.hash));
  window.addEventListener('hashchange', () => page.show(wishOf(location.hash)));
}

class PuzzlePage {
  // The puzzle shown, with the moves made in it. There is none before the first one has come.
  /** @type {Puzzle} */
  puzzle;
  /** @type {string[]} */
  moves;
  /** @type {import('./puzzle_choice.js').Wish} */
  wish;

  constructor(app) {
    this.record = loadRecord();
    this.run = 0;
    this.wish = { kind: 'next' };
    this.desk = new Desk(app, say('page.puzzles'), { onMove: (move) => this.act((it) => it.tried(move)) });
    // The first puzzle may be long in coming.
    this.desk.size('9/9/9/9/9 w - 0 1');
    this.choice = new PuzzleChoice((wish) => this.go(wish));
    this.own = make('section', { class: 'card own-rating', 'aria-label': say('puzzle.yours') });
    this.title = node('h2', '', 'puzzle-title');
    this.facts = node('p', '', 'soft');
    this.verdict = make('div', { class: 'verdict', role: 'status' });
    this.about = make('div');
    this.buttons = make('div', { class: 'controls' });
    const parts = [this.title, this.facts, this.verdict, this.about, this.buttons];
    const card = make('section', { class: 'card puzzle', 'aria-label': say('puzzles.one') }, ...parts);
    this.desk.side.replaceChildren(this.choice.root, card, this.own);
    this.flipButton = button(say('walk.flip'), null, () => this.desk.flip());
    walkKeys({ go: () => {}, flip: () => this.desk.flip() }, { h: () => this.hint(), n: () => this.ended && this.next() });
  }

  // Another choice of puzzles, which the address keeps.
  go(wish) {
    history.replaceState(null, '', location.pathname + location.search + addressOf(wish));
    return this.show(wish);
  }

  // After the puzzle of the day, or an old one, the usual ones go on.
  next() {
    return this.wish.kind === 'next' ? this.show(this.wish) : this.go({ kind: 'next' });
  }

  async show(wish) {
    this.run += 1;
    const { run } = this;
    this.wish = wish;
    this.choice.draw(wish);
    /** @type {Puzzle} */
    let puzzle;
    try {
      const [path, question] = questionOf(wish, this.record);
      puzzle = await postJson(path, question);
    } catch (error) {
      if (run !== this.run) return;
      this.title.textContent = say('puzzles.none');
      this.verdict.replaceChildren(errorBox(error));
      this.buttons.replaceChildren(button(say('play.retry'), null, () => this.show(wish), 'primary'));
      return;
    }
    if (run !== this.run) return;
    this.puzzle = puzzle;
    this.state = null;
    this.moves = [];
    this.attempt = null;
    this.ended = false;
    const { side, columns, rows } = positionOf(puzzle.fen);
    this.side = side;
    this.desk.board.flipped = side === 'b';
    this.desk.board.draw(columns, rows);
    this.desk.ratio();
    this.title.textContent = taskOf(puzzle);
    this.facts.textContent = this.factsOf(puzzle);
    this.about.replaceChildren();
    this.say(say('puzzles.turn'), '');
    await this.draw(false);
    // What is above it has its height now.
    if (run === this.run) await this.drawScore(null);
  }

  // The card of the user's rating, with what this puzzle did to it.
  async drawScore(change) {
    const { drawScore } = await import('./puzzle_score.js');
    drawScore(this.own, this.record, change, this.puzzle.id);
  }

  // How certain the solution is, and why this puzzle is shown.
  factsOf(puzzle) {
    const { wish } = this;
    const proof = say(`puzzle.${puzzle.kind}`);
    if (wish.kind === 'day') return say('puzzle.of-day', { date: dateText(new Date(wish.date ?? ''), { dateStyle: 'long', timeZone: 'UTC' }), proof });
    if (this.record.seen.includes(puzzle.id)) return say('puzzle.again', { proof });
    return say('puzzle.one-of', { proof, total: puzzle.total });
  }

  // Asks for the position after the moves so far, and for a move if it is the user's turn.
  async draw(animate) {
    const { run, puzzle } = this;
    const asked = attempt(() => postJson('/api/rules', { start: { fen: puzzle.fen }, rules: puzzle.rules, moves: this.moves }));
    const [state] = await Promise.all([asked, this.desk.ready]);
    if (!state || run !== this.run) return;
    this.state = state;
    this.frames = framesOfPlayed(state.start, state.played);
    const frame = this.frames[this.frames.length - 1];
    this.strips();
    if (!(await this.desk.show(frame, { animate })) || run !== this.run) return;
    this.desk.board.describe(taskOf(puzzle));
    const isOpen = !this.ended && !state.over && state.side === this.side;
    if (isOpen) this.desk.offer(frame.stones, state.side, state.legal);
    else this.desk.watch(frame.stones, state.side);
    this.drawButtons();
  }

  async strips() {
    const { fillStrip } = await import('./strip.js');
    const lower = this.desk.board.flipped ? 'b' : 'w';
    for (const [strip, side] of [[this.desk.bottom, lower], [this.desk.top, lower === 'w' ? 'b' : 'w']]) {
      fillStrip(strip, {
        side, name: side === this.side ? say(`puzzles.you.${side}`) : say(`side.${side}`), stones: this.state.stones[side],
        active: !this.ended && this.state.side === side,
      });
    }
  }

  // Has the attempt at this puzzle do something, if it is the user's turn.
  /** @param {(it: import('./puzzle_attempt.js').PuzzleAttempt) => void} action */
  async act(action) {
    const { run } = this;
    if (this.ended || !this.state || this.state.side !== this.side) return;
    const loaded = await attempt(() => import('./puzzle_attempt.js'));
    if (run !== this.run) return;
    if (!loaded) {
      await this.draw(false);
      return;
    }
    this.attempt ??= new loaded.PuzzleAttempt(this);
    action(this.attempt);
  }

  hint() {
    this.act((it) => it.hint());
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
    this.buttons.replaceChildren(button(say('play.hint'), null, () => this.hint()), button(say('puzzles.show'), null, () => this.act((it) => it.solve())), this.flipButton);
  }
}

// What there is to find.
/** @param {Puzzle} puzzle */
function taskOf({ fen, plies, material: [own, other] }) {
  const { side } = positionOf(fen);
  return plies === null ? say(`puzzle.task.only.${side}`) : say(`puzzle.task.wins.${side}`, { plies, own, other });
}
