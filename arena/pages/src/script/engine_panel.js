// Continuous analysis: an engine thinks about the position shown for as long as it is shown, and
// reports one or more lines.

import { attempt, errorBox } from './api.js';
import { make, node } from './dom.js';
import { engineOf } from './engines.js';
import { choiceList } from './fields.js';
import { moveButton } from './move_words.js';
import { sayOver } from './rule_words.js';
import { forWhite, isExact, wordsForWhite } from './scores.js';
import { whiteScore } from './position.js';
import { positionLine, Thinker } from './thinker.js';
import { say } from './words.js';

// How many moves of a line are shown.
const LONGEST = 10;
const LINES = ['1', '2', '3', '4', '5'];

export class EnginePanel {
  // `onInfo(lines, position)` hears of new lines, the best first; `onLine(moves)` of a click on a
  // move of a line, with all moves up to it.
  constructor(engines, { onInfo, onLine }) {
    this.engines = engines;
    this.onInfo = onInfo;
    this.onLine = onLine;
    this.position = null;
    this.thinker = null;
    this.rules = '';
    this.on = false;
    this.lines = new Map();
    const first = engines.find((engine) => engine.multipv) ?? engines[0];
    this.name = first?.name ?? '';
    this.count = '3';
    // Nobody looks at a hidden page, so its engine rests.
    document.addEventListener('visibilitychange', () => {
      if (!this.on || !this.opened) return;
      if (document.hidden) /** @type {Thinker} */ (this.thinker).cancel();
      else this.think();
    });
    this.toggle = make('input', { type: 'checkbox', role: 'switch', 'aria-label': say('analyse.engine') });
    this.toggle.addEventListener('change', () => this.turn(this.toggle.checked));
    this.facts = node('span', '', 'facts soft');
    this.table = make('ol', { class: 'lines', 'aria-label': say('analyse.lines') });
    this.trouble = make('div');
    this.head = make('div', { class: 'head' });
    this.root = make('section', { class: 'engine-panel', 'aria-label': say('analyse.engine') }, this.head, this.table, this.trouble);
    this.drawHead();
  }

  get engine() {
    return this.engines.find((engine) => engine.name === this.name);
  }

  drawHead() {
    const names = choiceList(this.engines.map((engine) => [engine.name, engine.name]), this.name, (name) => this.choose(name));
    names.setAttribute('aria-label', say('analyse.engine'));
    const parts = [make('label', { class: 'switch' }, this.toggle, node('span')), names];
    if (this.engine?.multipv) {
      const numbers = LINES.map((line) => [line, say('analyse.n-lines', { n: Number(line) })]);
      const count = choiceList(numbers, this.count, (value) => this.setCount(value));
      count.setAttribute('aria-label', say('analyse.count'));
      parts.push(count);
    }
    this.head.replaceChildren(...parts, this.facts);
  }

  choose(name) {
    this.name = name;
    this.drawHead();
    if (this.on) this.restart();
  }

  setCount(value) {
    this.count = value;
    if (this.on && this.opened) this.think();
  }

  async turn(on) {
    this.on = on;
    this.toggle.checked = on;
    if (on) {
      await this.restart();
      return;
    }
    this.thinker?.close();
    this.thinker = null;
    this.lines.clear();
    this.draw();
    this.onInfo([], this.position);
  }

  async restart() {
    this.thinker?.close();
    const thinker = new Thinker(engineOf(this.name, this.rules), { onGone: (reason) => this.lost(thinker, reason) });
    this.thinker = thinker;
    this.opened = false;
    this.trouble.replaceChildren();
    const opened = await attempt(() => thinker.open().then(() => true));
    if (this.thinker !== thinker) return;
    if (!opened) {
      this.turn(false);
      return;
    }
    this.opened = true;
    this.think();
  }

  lost(thinker, reason) {
    if (this.thinker !== thinker) return;
    this.turn(false);
    this.trouble.replaceChildren(errorBox({ message: say('play.gone', { why: reason }), help: say('analyse.turn-on') }));
  }

  // Sets the position to think about: `{ start, moves, side, legal, over, rules }`.
  set(position) {
    this.position = position;
    const changed = position.rules !== this.rules;
    this.rules = position.rules;
    if (!this.on) return;
    if (changed) this.restart();
    else if (this.opened) this.think();
  }

  think() {
    const { position } = this;
    // It thinks only while it is on.
    const thinker = /** @type {Thinker} */ (this.thinker);
    this.lines.clear();
    this.facts.textContent = '';
    if (!position || position.over) {
      thinker.cancel();
      this.draw();
      this.onInfo([], position);
      return;
    }
    this.waiting = true;
    const options = this.engine.multipv ? [`setoption name MultiPV value ${this.count}`] : [];
    thinker.go(positionLine(position.start, position.moves), 'infinite', (info) => this.hear(info, position), options);
  }

  hear(info, position) {
    if (position !== this.position || info.pv.length === 0) return;
    // The lines of the position before stay in view until the first new one.
    if (this.waiting) this.lines.clear();
    this.waiting = false;
    this.lines.set(info.multipv, info);
    // Engines report many times in a frame; the page is drawn once.
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (position !== this.position || !this.on) return;
      this.draw();
      this.onInfo(this.best(), position);
    });
  }

  best() {
    return [...this.lines.entries()].sort(([one], [two]) => one - two).map(([, info]) => info);
  }

  draw() {
    const best = this.best();
    const [first] = best;
    this.facts.textContent = first ? factsOf(first, this.position.side) : '';
    const over = this.on && this.position?.over;
    this.table.replaceChildren(...best.map((info) => this.row(info)));
    if (over) this.table.append(node('li', sayOver(this.position.over)));
  }

  row(info) {
    const { side } = this.position;
    const score = forWhite(info.score, side);
    const black = Number(score) < 0 || score[0] === 'l';
    const value = node('b', whiteScore(score, 'w') || '…', `value${isExact(score) ? ' exact' : ''}${black ? ' black' : ''}`);
    value.title = wordsForWhite(score);
    const moves = info.pv.slice(0, LONGEST).map((text, index) => {
      const move = moveButton(text, () => this.onLine(info.pv.slice(0, index + 1)), { class: 'pv', heard: say('analyse.play', { moves: info.pv.slice(0, index + 1).join(' ') }) });
      // Tab goes from line to line; the moves further on may be cut off.
      if (index > 0) move.tabIndex = -1;
      return move;
    });
    return make('li', {}, value, make('span', { class: 'moves-of-line' }, ...moves));
  }
}

// How far the engine has searched; an exact value in words.
function factsOf(info, side) {
  const words = isExact(info.score) ? [wordsForWhite(forWhite(info.score, side))] : [];
  if (info.depth) words.push(say('analyse.depth', { n: info.depth }));
  if (info.nps) words.push(info.nps >= 1e6 ? `${(info.nps / 1e6).toFixed(1)} M/s` : `${Math.round(info.nps / 1000)} k/s`);
  if (info.tbhits) words.push(say('values.from.tables'));
  return words.join(' · ');
}
