// The whole game judged by an engine in the background: marks in the move list, a graph, and the
// accuracy of both sides.

import { attempt, errorBox, postJson, subscribe } from './api.js';
import { button, make, node, SIDES } from './dom.js';
import { choiceList } from './fields.js';
import { ScoreGraph } from './graph.js';
import { Lesson } from './lesson.js';

const DEPTHS = [['30000', 'Quick'], ['100000', 'Normal'], ['500000', 'Thorough']];
// How often in a row a lost connection is opened again.
const TRIES = 5;
const KINDS = [['inaccuracy', 'Inaccuracies', '?!'], ['mistake', 'Mistakes', '?'], ['blunder', 'Blunders', '??']];

export class GameReview {
  constructor(page) {
    this.page = page;
    // What the engine says of the main line's moves, by ply.
    this.judged = new Map();
    this.nodes = '100000';
    // Ends the stream of the analysis in progress; null: there is none.
    this.hush = null;
    this.moves = null;
    this.lesson = new Lesson(this);
    this.graphBox = make('div');
    this.progress = make('progress', { max: 1, value: 0, 'aria-label': 'Analysed moves' });
    this.head = make('div', { class: 'controls head' });
    this.outcome = make('div', { class: 'outcome' });
    this.trouble = make('div');
    this.root = make('section', { class: 'card review', 'aria-label': 'Review of the game' }, this.head, this.trouble, this.graphBox, this.outcome);
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

  // The main line was drawn again: what belongs to other moves goes.
  lineChanged() {
    const { main } = this.page.line;
    if (this.moves && this.moves.join(' ') !== main.join(' ')) this.close();
    this.draw();
  }

  draw() {
    const { main } = this.page.line;
    this.root.hidden = main.length === 0;
    this.drawHead();
    this.drawGraph();
    this.drawOutcome();
  }

  drawHead() {
    const { main } = this.page.line;
    if (this.hush) {
      this.progress.max = main.length;
      this.progress.value = this.judged.size;
      const stop = button('Stop', null, () => this.halt());
      this.head.replaceChildren(node('span', 'Analysing the game…'), this.progress, stop);
      return;
    }
    const depth = choiceList(DEPTHS, this.nodes, (value) => {
      this.nodes = value;
    });
    depth.setAttribute('aria-label', 'Thoroughness');
    const again = this.judged.size > 0;
    this.head.replaceChildren(button(again ? 'Analyse again' : 'Analyse the whole game', null, () => this.begin(), again ? '' : 'primary'), depth);
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
    this.graph.cursor(page.line.ply);
  }

  // The judged moves for the graph: each has the score of the move that was played.
  judgedMoves() {
    const { frames, line } = this.page;
    const first = frames[1]?.side ?? 'w';
    return [...this.judged.values()].sort((one, two) => one.ply - two.ply).map((said) => ({
      ply: said.ply,
      side: (said.ply % 2 === 1) === (first === 'w') ? 'w' : 'b',
      score: said.after,
      mark: said.mark,
      text: line.main[said.ply - 1],
    }));
  }

  cursor(ply) {
    this.graph?.cursor(ply);
  }

  async begin() {
    const { page } = this;
    const { start, rules, main } = page.line;
    this.close();
    this.trouble.replaceChildren();
    this.moves = [...main];
    const engine = page.engine.name;
    const answer = await attempt(() => postJson('/api/analysis', { start, rules, moves: this.moves, book: page.game.book ?? 0, engine, nodes: Number(this.nodes) }));
    if (!answer || this.moves === null) return;
    this.id = answer.id;
    // A stream that is opened again tells everything from the beginning.
    this.hush = subscribe(`/api/analysis/${encodeURIComponent(answer.id)}`, {
      ply: (said) => this.hear(said),
      done: (said) => this.finish(said),
      failed: (said) => this.fail(said),
    }, { onFail: () => this.fail({ error: 'the connection was lost' }), tries: TRIES });
    this.draw();
  }

  hear(said) {
    this.judged.set(said.ply, said);
    this.page.view.list.annotate(said.ply, said.mark, said.text);
    // Plies come quickly at first; the graph is drawn once in a frame.
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.progress.value = this.judged.size;
      this.drawGraph();
    });
  }

  finish(done) {
    this.done = done;
    this.stop();
    this.draw();
    this.page.showRecorded();
    this.page.desk.say(`The game is analysed. Accuracy: White ${percent(done.accuracy.w)}, Black ${percent(done.accuracy.b)}.`);
  }

  fail({ error }) {
    this.stop();
    this.trouble.replaceChildren(errorBox({ message: `The analysis failed: ${error}`, help: null }));
    this.draw();
  }

  // Ends listening.
  stop() {
    this.hush?.();
    this.hush = null;
  }

  // Ends the analysis on the user's request; what is judged stays.
  halt() {
    this.stop();
    attempt(() => postJson(`/api/analysis/${encodeURIComponent(this.id)}/stop`, {}));
    this.draw();
  }

  drawOutcome() {
    const { done } = this;
    this.outcome.replaceChildren();
    if (!done) return;
    const row = (title, of) => make('tr', {}, make('th', { scope: 'row' }, title), ...['w', 'b'].map((side) => node('td', of(side), 'number')));
    const heads = ['w', 'b'].map((side) => make('th', { scope: 'col', class: 'number' }, node('span', '', `chip ${side}`), ` ${SIDES[side]}`));
    const table = make('table', {},
      make('thead', {}, make('tr', {}, make('td', {}), ...heads)),
      make('tbody', {},
        row('Accuracy', (side) => percent(done.accuracy[side])),
        ...KINDS.map(([kind, title, mark]) => row(`${title} ${mark}`, (side) => String(done.counts[side]?.[kind] ?? 0)))));
    const lessons = ['w', 'b'].filter((side) => this.lesson.pliesOf(side).length > 0)
      .map((side) => button(`Learn from ${SIDES[side]}’s mistakes`, null, () => this.lesson.begin(side)));
    this.outcome.append(table, make('div', { class: 'controls' }, ...lessons));
  }
}

function percent(number) {
  return number === null || number === undefined ? '–' : `${Math.round(number)} %`;
}
