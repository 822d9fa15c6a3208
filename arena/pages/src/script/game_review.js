// The whole game judged by an engine: marks and reasons in the moves, a graph, the accuracy of both
// sides, and the list of the mistakes.

import { errorBox, postJson } from './api.js';
import { button, make, node } from './dom.js';
import { choiceList } from './fields.js';
import { flawText } from './flaw_words.js';
import { ScoreGraph } from './graph.js';
import { Lesson } from './lesson.js';
import { moveButton } from './move_words.js';
import { engineOf } from './engines.js';
import { Reviewer } from './reviewer.js';
import { Thinker } from './thinker.js';
import { say } from './words.js';

const DEPTHS = [['30000', say('review.quick')], ['100000', say('review.normal')], ['500000', say('review.thorough')]];
const KINDS = [['inaccuracies', say('review.inaccuracies'), '?!'], ['mistakes', say('review.mistakes'), '?'], ['blunders', say('review.blunders'), '??']];
const PHASES = { opening: say('review.opening'), middle: say('review.middle'), end: say('review.end') };

export class GameReview {
  constructor(page) {
    this.page = page;
    // What is said of the main line's moves, by ply.
    this.judged = new Map();
    this.nodes = '100000';
    // Asks the engine while the analysis is in progress; null: it is not.
    /** @type {Reviewer | null} */
    this.reviewer = null;
    this.moves = null;
    this.lesson = new Lesson(this);
    this.graphBox = make('div');
    this.progress = make('progress', { max: 1, value: 0, 'aria-label': say('review.progress') });
    this.head = make('div', { class: 'controls head' });
    this.outcome = make('div', { class: 'outcome' });
    this.trouble = make('div');
    this.strip = make('section', { class: 'review graph-strip', 'aria-label': say('review.graph') }, this.head, this.trouble, this.graphBox);
    this.root = make('section', { class: 'review', 'aria-label': say('review.title') }, this.outcome);
  }

  get learning() {
    return this.lesson.active;
  }

  // Forgets the judgements of a game that is no longer shown.
  close() {
    this.stop();
    this.lesson.close();
    this.judged.clear();
    this.moves = null;
    this.done = null;
  }

  // The main line has changed: what belongs to other moves goes.
  lineChanged() {
    const { main } = this.page.line;
    if (this.moves && this.moves.join(' ') !== main.join(' ')) this.close();
    this.draw();
  }

  draw() {
    const { main } = this.page.line;
    this.strip.hidden = main.length === 0;
    this.drawHead();
    this.drawGraph();
    this.drawOutcome();
  }

  drawHead() {
    const { main } = this.page.line;
    if (this.reviewer) {
      this.progress.max = main.length;
      this.progress.value = this.judged.size;
      const stop = button(say('review.stop'), null, () => this.halt());
      this.head.replaceChildren(node('span', say('review.running')), this.progress, stop);
    } else {
      const depth = choiceList(DEPTHS, this.nodes, (value) => {
        this.nodes = value;
      });
      depth.setAttribute('aria-label', say('review.depth'));
      const again = this.judged.size > 0;
      this.head.replaceChildren(button(say(again ? 'review.again' : 'review.begin'), null, () => this.begin(), again ? '' : 'primary'), depth);
    }
    // A game that is analysed needs its place for the graph.
    this.head.classList.toggle('later', this.done !== null && this.done !== undefined);
  }

  drawGraph() {
    const { page } = this;
    const moves = this.judged.size > 0 ? this.judgedMoves() : page.view.mainMoves().filter((move) => move.score);
    this.graphBox.hidden = moves.length === 0;
    if (moves.length === 0) return;
    const sides = this.judged.size === 0;
    if (!this.graph || this.graph.sides !== sides) {
      this.graph = new ScoreGraph(this.graphBox, { sides, onPick: (ply) => page.goToMain(ply) });
    }
    this.graph.set(moves, page.line.main.length);
    this.graph.cursor(page.line.mainPly);
  }

  // The judged moves for the graph: each has the score of the move that was played.
  judgedMoves() {
    return [...this.judged.values()].sort((one, two) => one.ply - two.ply)
      .map(({ ply, side, after, mark, played }) => ({ ply, side, score: after, mark, text: played }));
  }

  cursor(ply) {
    this.graph?.cursor(ply);
  }

  async begin() {
    const { page } = this;
    const { cache } = page;
    const { start, rules, main } = page.line;
    this.close();
    this.trouble.replaceChildren();
    const moves = main;
    const engine = page.engine.engine;
    const thinker = new Thinker(engineOf(engine.name, rules), { onGone: (error) => this.lost(thinker, error) });
    const isOver = async (played) => (await cache.at(played)).over !== null;
    const book = Math.min(page.game.book ?? 0, moves.length);
    const reviewer = new Reviewer(thinker, { start, rules, moves, book, nodes: this.nodes, values: engine.values, isOver });
    Object.assign(this, { moves, reviewer });
    this.draw();
    try {
      await thinker.open();
      thinker.port.send('uginewgame');
      const whole = await reviewer.run((said) => this.reviewer === reviewer && this.hear(said));
      if (whole && this.reviewer === reviewer) await this.finish();
    } catch (error) {
      if (this.reviewer === reviewer) this.fail(/** @type {Error} */ (error).message);
    }
  }

  hear(said) {
    this.judged.set(said.ply, said);
    this.page.view.judged(said.ply);
    // Plies come quickly at first; the graph is drawn once in a frame.
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.progress.value = this.judged.size;
      this.drawGraph();
    });
  }

  async finish() {
    const moves = [...this.judged.values()].map(({ side, phase, loss }) => ({ side, phase, loss }));
    const done = await postJson('/api/accuracy', { moves });
    this.stop();
    this.done = done;
    this.draw();
    this.page.showRecorded();
    this.page.desk.say(say('review.done', { white: percent(done.all.w.accuracy), black: percent(done.all.b.accuracy) }));
  }

  lost(thinker, error) {
    if (this.reviewer?.thinker === thinker) this.fail(error);
  }

  fail(error) {
    this.stop();
    this.trouble.replaceChildren(errorBox({ message: say('review.failed', { why: error }), help: null }));
    this.draw();
  }

  stop() {
    this.reviewer?.stop();
    this.reviewer = null;
  }

  // Ends the analysis on the user's request; what is judged stays.
  halt() {
    this.stop();
    this.draw();
  }

  drawOutcome() {
    const { done } = this;
    this.outcome.replaceChildren();
    if (!done) {
      this.outcome.append(node('p', say(this.page.line.main.length > 0 ? 'review.what' : 'review.no-game'), 'soft'));
      return;
    }
    const row = (title, of) => make('tr', {}, make('th', { scope: 'row' }, title), ...['w', 'b'].map((side) => node('td', of(side), 'number')));
    const heads = ['w', 'b'].map((side) => make('th', { scope: 'col', class: 'number' }, node('span', '', `chip ${side}`), ` ${say(`side.${side}`)}`));
    const phases = done.phases.filter(({ w, b }) => w.judged + b.judged > 0);
    const table = make('table', {},
      make('thead', {}, make('tr', {}, make('td', {}), ...heads)),
      make('tbody', {},
        row(say('review.accuracy'), (side) => percent(done.all[side].accuracy)),
        ...KINDS.map(([kind, title, mark]) => row(`${title} ${mark}`, (side) => String(done.all[side][kind]))),
        ...phases.map((phase) => row(PHASES[phase.phase], (side) => percent(phase[side].accuracy)))));
    const lessons = ['w', 'b'].filter((side) => this.lesson.pliesOf(side).length > 0)
      .map((side) => button(say(`review.learn.${side}`), null, () => this.lesson.begin(side)));
    this.outcome.append(table, make('div', { class: 'controls' }, ...lessons), this.mistakes());
  }

  // Every marked move with what is wrong with it.
  mistakes() {
    const marked = [...this.judged.values()].filter((said) => said.mark).sort((one, two) => one.ply - two.ply);
    const items = marked.map((said) => make('li', { class: { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' }[said.mark] },
      node('span', '', `chip ${said.side}`),
      moveButton(said.played, () => this.page.goToMain(said.ply), { class: 'pv', heard: say('review.go', { n: said.ply, move: said.played }) }),
      node('span', said.mark, 'glyph'), node('span', flawText(said.flaw), 'reason')));
    return make('ol', { class: 'mistakes', 'aria-label': say('review.mistakes') }, ...items);
  }
}

function percent(number) {
  return number === null || number === undefined ? '–' : `${Math.round(number)} %`;
}
