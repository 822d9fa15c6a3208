// An attempt at a puzzle: the moves that are tried, with the reply to each, help, and the outcome.

import { attempt, postJson } from './api.js';
import { make, node, pause } from './dom.js';
import { themeName } from './puzzle_choice.js';
import { saveRecord } from './puzzle_record.js';
import { daysInARow, recordAfter, recordAfterDay } from './puzzle_result.js';
import { say } from './words.js';

export class PuzzleAttempt {
  // What is left of the solution, if that is known.
  /** @type {string[] | null} */
  known = null;
  // The first outcome, which counts.
  /** @type {'solved' | 'failed' | 'helped' | null} */
  outcome = null;

  // `page` shows the puzzle. It has the moves made in it, and tells when they are over.
  constructor(page) {
    this.page = page;
    this.puzzle = page.puzzle;
    this.run = page.run;
  }

  // Whether the page shows another puzzle now.
  get isGone() {
    return this.run !== this.page.run;
  }

  ask(moves) {
    return postJson('/api/puzzles/try', { id: this.puzzle.id, moves });
  }

  async tried(move) {
    const { page } = this;
    const at = move.steps[move.steps.length - 1].to;
    const answer = await attempt(() => this.ask([...page.moves, move.text]));
    if (this.isGone) return;
    if (!answer) {
      await page.draw(false);
      return;
    }
    if (answer.state === 'wrong') {
      this.known = this.rest(answer.solution);
      this.count('failed');
      page.desk.board.marks({ wrong: [at] });
      page.say(say('puzzles.wrong'), 'wrong');
      await pause(900);
      if (!this.isGone) await page.draw(false);
      return;
    }
    this.known = null;
    page.moves.push(move.text);
    page.desk.board.marks({ right: [at] });
    page.say(say(answer.state === 'solved' ? 'puzzles.solved' : 'puzzles.right'), 'right');
    if (answer.state === 'solved') {
      this.finish('solved');
      return;
    }
    await pause(500);
    if (this.isGone) return;
    if (answer.reply) page.moves.push(answer.reply);
    await page.draw(answer.reply !== null);
  }

  // The part of a solution that is still to be played, whether it begins at the puzzle or here.
  rest(solution) {
    if (!solution) return null;
    const { moves } = this.page;
    const whole = moves.length > 0 && moves.every((text, index) => solution[index] === text);
    return whole ? solution.slice(moves.length) : solution;
  }

  // What there is to play here. The server tells it after a wrong move only, so any legal move is
  // tried: it is wrong, or it is the solution.
  async solutionHere() {
    if (this.known) return this.known;
    const { moves, state } = this.page;
    const [any] = state.legal;
    const answer = await attempt(() => this.ask([...moves, any.text]));
    if (answer) this.known = this.rest(answer.solution) ?? [any.text];
    return this.known;
  }

  async hint() {
    const { page } = this;
    const solution = await this.solutionHere();
    if (!solution || this.isGone || page.ended) return;
    this.count('helped');
    const from = solution[0].slice(0, 2);
    page.desk.board.marks({ right: [from] });
    page.say(say('puzzles.hint', { point: from }), '');
    page.drawButtons();
  }

  // Plays the whole solution.
  async solve() {
    const { page } = this;
    const solution = await this.solutionHere();
    if (!solution || this.isGone) return;
    this.count('failed');
    page.ended = true;
    page.say(say('puzzles.solution', { moves: solution.join(' ') }), '');
    for (const text of solution) {
      page.moves.push(text);
      await page.draw(true);
      await pause(500);
      if (this.isGone) return;
    }
    this.finish(null);
  }

  // The first outcome counts; what comes later changes nothing.
  count(outcome) {
    if (this.outcome !== null) return;
    this.outcome = outcome;
    const { page } = this;
    const before = page.record.rating;
    page.record = recordAfter(page.record, this.puzzle, outcome);
    if (page.wish.kind === 'day' && outcome === 'solved') page.record = recordAfterDay(page.record, page.wish.date);
    saveRecord(page.record);
    page.drawScore(page.record.rating - before);
  }

  finish(outcome) {
    const { page } = this;
    if (outcome) this.count(outcome);
    page.ended = true;
    page.about.replaceChildren(themeChips(this.puzzle), node('p', this.afterwards(), 'soft'));
    page.draw(false).then(() => page.buttons.querySelector('button')?.focus({ preventScroll: true }));
  }

  // What is said once it is over.
  afterwards() {
    const { wish, record } = this.page;
    const days = wish.kind === 'day' ? daysInARow(record.days, wish.date) : 0;
    const rated = say('puzzle.rated', { rating: String(this.puzzle.rating) });
    return days > 1 ? `${rated} ${say('puzzle.days')}: ${say('puzzle.days.row', { n: days })}.` : rated;
  }
}

// The themes of a puzzle as a list of words; what each means is its title.
function themeChips(puzzle) {
  const chips = puzzle.themes.map((theme) => {
    const [own, other] = puzzle.material;
    const words = theme === 'ending' ? say('puzzle.theme.ending.of', { own, other }) : themeName(theme);
    const chip = make('a', { class: 'theme', href: `#theme=${theme}`, title: say(`puzzle.theme.${theme}.about`) }, words);
    return make('li', {}, chip);
  });
  return make('ul', { class: 'themes', 'aria-label': say('puzzle.themes') }, ...chips);
}
