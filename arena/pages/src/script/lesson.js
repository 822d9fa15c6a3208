// Learning from mistakes: the game stops before each mistake of one side, and the user looks for a
// better move. Any move is accepted that gives away little of the winning chance.

import { attempt } from './api.js';
import { button, make, node } from './dom.js';
import { engineOf } from './engines.js';
import { chanceOf } from './scores.js';
import { positionLine, Thinker } from './thinker.js';
import { say } from './words.js';

// The winning chance that a move may lose and still be good.
const GOOD = 0.05;
const NODES = 100000;

export class Lesson {
  constructor(review) {
    this.review = review;
    this.active = false;
    this.side = null;
    this.plies = [];
    this.index = 0;
    this.thinker = null;
    this.root = make('section', { class: 'card lesson', 'aria-label': say('lesson.title'), hidden: true });
  }

  get page() {
    return this.review.page;
  }

  get said() {
    return this.review.judged.get(this.plies[this.index]);
  }

  // The plies of a side that were judged to be worse than necessary.
  pliesOf(side) {
    const { judged } = this.review;
    return this.review.judgedMoves().filter((move) => move.side === side && judged.get(move.ply).mark).map((move) => move.ply);
  }

  async begin(side) {
    const { page } = this;
    this.engineWasOn = page.engine.on;
    if (page.engine.on) await page.engine.turn(false);
    Object.assign(this, { side, plies: this.pliesOf(side), index: 0, active: true });
    page.view.setAside(this.root);
    page.desk.board.hints([]);
    if (page.desk.board.flipped !== (side === 'b')) page.flip();
    this.show();
  }

  // Shows the position before the mistake.
  async show() {
    const { page, said } = this;
    page.line.goToMain(said.ply - 1);
    const word = say({ '??': 'lesson.blunder', '?': 'lesson.mistake' }[said.mark] ?? 'lesson.inaccuracy');
    this.draw([
      node('p', say(`lesson.played.${this.side}`, { move: said.played, word })),
      node('p', say('lesson.find'), 'ask'),
    ], [button(say('puzzles.show'), null, () => this.solution()), button(say('lesson.skip'), null, () => this.next())]);
    await page.changed();
  }

  draw(texts, buttons) {
    const last = this.index === this.plies.length - 1;
    this.root.replaceChildren(
      node('h2', say('lesson.where', { n: this.index + 1, of: this.plies.length })),
      make('div', { role: 'status' }, ...texts),
      make('div', { class: 'controls' }, ...buttons.filter(Boolean), button(say(last ? 'lesson.finish' : 'lesson.end'), null, () => this.close())));
  }

  async tried(move) {
    const { page, said, index } = this;
    const { board } = page.desk;
    const at = move.steps[move.steps.length - 1].to;
    if (move.text === said.best[0]) {
      this.praise(at, say('lesson.best', { move: move.text }));
      return;
    }
    if (move.text === said.played) {
      this.refuse(at, say('lesson.same'));
      return;
    }
    this.draw([node('p', say('lesson.looking', { move: move.text }))], []);
    const score = await this.scoreOf(move.text);
    if (!this.active || this.index !== index) return;
    if (score === '') {
      this.refuse(at, say('lesson.no-answer', { move: move.text }));
      return;
    }
    const loss = said.chance - chanceOf(score, page.lists.scale);
    if (loss <= GOOD) this.praise(at, say('lesson.good', { move: move.text, best: said.best[0] }));
    else this.refuse(at, say('lesson.bad', { move: move.text }));
    board.describe('');
  }

  // The engine's score of one move, from the mover's view.
  async scoreOf(text) {
    const { page } = this;
    if (!this.thinker || this.thinker.port.closed) {
      const gone = () => {
        this.thinker = null;
      };
      const thinker = new Thinker(engineOf(page.engine.name, page.line.rules), { onGone: gone });
      this.thinker = thinker;
      this.opened = attempt(() => thinker.open().then(() => true));
    }
    if (!(await this.opened) || !this.thinker) return '';
    let score = '';
    await this.thinker.go(positionLine(page.line.start, page.line.played), `nodes ${NODES} searchmoves ${text}`, (info) => {
      if (info.score) score = info.score;
    });
    return score;
  }

  praise(at, text) {
    this.page.desk.board.marks({ right: [at] });
    const more = this.index + 1 < this.plies.length ? button(say('lesson.next'), null, () => this.next(), 'primary') : null;
    this.draw([node('p', text, 'right')], [more, button(say('puzzles.show'), null, () => this.solution())]);
    this.root.querySelector('button')?.focus({ preventScroll: true });
  }

  // Shows for a moment that a move is not good, then the position again.
  refuse(at, text) {
    const { page, index } = this;
    page.desk.board.marks({ wrong: [at] });
    const ways = [button(say('puzzles.show'), null, () => this.solution()), button(say('lesson.skip'), null, () => this.next())];
    this.draw([node('p', text, 'wrong'), node('p', say('lesson.retry'))], ways);
    setTimeout(() => {
      if (this.active && this.index === index) page.changed();
    }, 900);
  }

  async solution() {
    const { page, said } = this;
    const { index } = this;
    await page.changed();
    if (!this.active || this.index !== index || !page.state) return;
    const move = page.state.legal.find((legal) => legal.text === said.best[0]);
    if (move) page.desk.board.hints([{ steps: move.steps, weight: 0.8, kind: 'best' }]);
    page.desk.input.watch(page.desk.shown.stones, this.side);
    const more = this.index + 1 < this.plies.length ? button(say('lesson.next'), null, () => this.next(), 'primary') : null;
    this.draw([node('p', say('lesson.best-was', { moves: said.best.slice(0, 5).join(' ') }))], [more]);
  }

  next() {
    this.page.desk.board.hints([]);
    if (this.index + 1 >= this.plies.length) {
      this.close();
      return;
    }
    this.index += 1;
    this.show();
  }

  close() {
    this.thinker?.close();
    this.thinker = null;
    if (!this.active) return;
    this.active = false;
    const { page } = this;
    page.view.setAside(null);
    page.desk.board.hints([]);
    page.changed();
    if (this.engineWasOn) page.engine.turn(true);
  }
}
