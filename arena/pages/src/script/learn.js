// The course: short steps on the board, from the first move to endings. The rules judge every move.

import { attempt, postJson } from './api.js';
import COURSE from './course.json' with { type: 'json' };
import { Desk, framesOfPlayed } from './desk.js';
import { button, make, node, pause } from './dom.js';
import { answerTo, helpFor, reaches } from './learn_goal.js';
import { loadDone, saveDone } from './learn_record.js';
import { analysisLink, pageAddress } from './place.js';
import { positionOf } from './position.js';
import { walkKeys } from './walk.js';
import { say } from './words.js';

/** @import { Goal } from './learn_goal.js' */

// Every step with its lesson, in the order of the course.
/** @type {{ lesson: string, number: number, start: string, goal: Goal }[]} */
const STEPS = COURSE.flatMap(({ id, steps }) => steps.map((step, index) => ({ lesson: id, number: index + 1, ...step })));

// How long a wrong move is seen.
const WRONG_MS = 1100;

const nameOf = ({ lesson, number }) => `${lesson}.${number}`;

export async function start(app) {
  const page = new LearnPage(app);
  page.open();
}

class LearnPage {
  constructor(app) {
    this.done = loadDone();
    this.run = 0;
    this.index = 0;
    // The moves in this step, of both sides, and what remains of its solution.
    /** @type {string[]} */
    this.moves = [];
    this.desk = new Desk(app, say('learn.title'), { onMove: (move) => this.tried(move) });
    this.desk.root.classList.add('learn');
    this.title = node('h2');
    this.where = node('p', '', 'soft');
    this.task = node('p', '', 'task');
    this.verdict = make('div', { class: 'verdict', role: 'status' });
    this.buttons = make('div', { class: 'controls' });
    this.contents = make('nav', { class: 'contents', 'aria-label': say('learn.contents') });
    this.desk.side.append(
      make('section', { class: 'card lesson', 'aria-labelledby': 'lesson' }, this.where, this.title, this.task, this.verdict, this.buttons),
      this.contents);
    this.title.id = 'lesson';
    walkKeys({ go: () => {}, flip: () => this.desk.flip() }, { h: () => this.help(), n: () => this.ended && this.next() });
    window.addEventListener('hashchange', () => this.open());
  }

  get step() {
    return STEPS[this.index];
  }

  // Opens the step that the address names, or else the first one that is not done.
  open() {
    const named = STEPS.findIndex((step) => `#${nameOf(step)}` === location.hash || `#${step.lesson}` === location.hash);
    const open = STEPS.findIndex((step) => !this.done.has(nameOf(step)));
    this.begin(named >= 0 ? named : Math.max(0, open));
  }

  begin(index) {
    this.run += 1;
    this.index = index;
    this.moves = [];
    this.rest = this.step.goal.solution ?? null;
    this.ended = false;
    history.replaceState(null, '', `#${nameOf(this.step)}`);
    const { lesson, number, start } = this.step;
    const { side, columns, rows, stones } = positionOf(start);
    this.side = side;
    this.desk.board.flipped = side === 'b';
    this.desk.board.draw(columns, rows);
    this.desk.ratio();
    this.desk.show({ stones, steps: [], side: null });
    const steps = STEPS.filter((step) => step.lesson === lesson).length;
    this.where.textContent = say('learn.where', { n: number, of: steps });
    this.title.textContent = say(`learn.${lesson}.title`);
    this.task.textContent = say(`learn.${lesson}.${number}.task`);
    this.tell('', '');
    this.drawContents();
    this.drawButtons();
    this.shown = this.show(false);
  }

  ask(moves) {
    return attempt(() => postJson('/api/rules', { start: { fen: this.step.start }, rules: '', moves }));
  }

  // Shows the position after the moves so far, and offers the next one.
  async show(animate) {
    const { run } = this;
    const [state] = await Promise.all([this.ask(this.moves), this.desk.ready]);
    if (!state || run !== this.run) return;
    this.state = state;
    const frame = lastFrame(state.start, state.played);
    if (!(await this.desk.show(frame, { animate })) || run !== this.run) return;
    this.desk.board.describe(this.task.textContent);
    this.desk.offer(frame.stones, state.side, state.legal);
  }

  async tried(move) {
    const { run, step } = this;
    const at = move.steps[move.steps.length - 1].to;
    // The move is legal. Only whether the game goes on is a question.
    const after = step.goal.stays ? await this.ask([...this.moves, move.text]) : { over: null };
    if (!after || run !== this.run) return;
    const goal = this.rest ? { ...step.goal, solution: this.rest } : step.goal;
    if (!reaches(goal, move, after.over !== null)) {
      this.desk.board.marks({ wrong: [at] });
      this.tell(say('learn.wrong'), 'wrong');
      await pause(WRONG_MS);
      if (run !== this.run) return;
      this.tell('', '');
      await this.show(false);
      return;
    }
    this.moves.push(move.text);
    const answer = this.rest && answerTo(this.rest, move.text);
    if (answer?.reply) {
      this.rest = answer.then ?? [];
      this.moves.push(answer.reply);
      this.tell(say('learn.go-on'), 'right');
      await pause(400);
      if (run === this.run) await this.show(true);
      return;
    }
    await this.finish(move);
  }

  async finish(move) {
    this.ended = true;
    this.done.add(nameOf(this.step));
    saveDone(this.done);
    const { run, step } = this;
    const loaded = await attempt(() => import('./learn_done.js'));
    if (run !== this.run) return;
    this.tell(loaded?.doneText(step) ?? '', 'right');
    this.drawContents();
    this.drawButtons();
    this.buttons.querySelector('button')?.focus({ preventScroll: true });
    const { start, played, side } = this.state;
    const frame = lastFrame(start, [...played, move]);
    await this.desk.show(frame);
    this.desk.board.describe(this.task.textContent);
    this.desk.watch(frame.stones, side === 'w' ? 'b' : 'w');
  }

  async help() {
    const { run } = this;
    // The rules may be on their way.
    await this.shown;
    if (this.ended || !this.state || run !== this.run) return;
    const goal = this.rest ? { ...this.step.goal, solution: this.rest } : this.step.goal;
    const move = helpFor(goal, this.state.legal) ?? this.state.legal[0];
    if (move) this.desk.board.hints([{ steps: move.steps, weight: 0.8, kind: 'best' }]);
  }

  next() {
    if (this.index + 1 < STEPS.length) this.begin(this.index + 1);
  }

  tell(text, kind) {
    this.verdict.replaceChildren(...(text ? [node('p', text, kind)] : []));
  }

  drawButtons() {
    const { step, ended } = this;
    const again = button(say('learn.again'), null, () => this.begin(this.index));
    if (!ended) {
      this.buttons.replaceChildren(button(say('learn.help'), null, () => this.help()), again);
      return;
    }
    const isLast = this.index + 1 === STEPS.length;
    const on = isLast
      ? make('a', { class: 'button primary', href: pageAddress('play') }, say('learn.play'))
      : button(say('learn.next'), null, () => this.next(), 'primary');
    const analyse = make('a', { class: 'button', href: analysisLink({ start: step.start }) }, say('page.analyse'));
    this.buttons.replaceChildren(on, again, ...(step.goal.solution || step.goal.moves ? [analyse] : []));
  }

  drawContents() {
    const items = COURSE.map(({ id, steps }) => {
      const done = steps.filter((step, index) => this.done.has(`${id}.${index + 1}`)).length;
      const state = done === steps.length ? say('learn.done') : say('learn.part', { n: done, of: steps.length });
      const link = make('a', { href: `#${id}`, 'aria-current': id === this.step.lesson ? 'step' : null },
        node('span', say(`learn.${id}.title`)), ' ', make('small', { class: done === steps.length ? 'done' : null }, state));
      return make('li', {}, link);
    });
    this.contents.replaceChildren(node('h2', say('learn.contents')), make('ol', {}, ...items));
  }
}

function lastFrame(start, played) {
  const frames = framesOfPlayed(start, played);
  return frames[frames.length - 1];
}
