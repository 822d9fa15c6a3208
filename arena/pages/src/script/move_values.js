// The exact value of every legal move, as far as it is known: from the rules, from an engine's endgame
// tables, and from proofs. Shown as a list, the best first, and on request as arrows.

import { attempt, postJson } from './api.js';
import { make, node } from './dom.js';
import { moveButton } from './move_words.js';
import { engineOf } from './engines.js';
import { stepsOf } from './position.js';
import { positionLine, Thinker } from './thinker.js';
import { say } from './words.js';

export class MoveValues {
  // `engine()` is the engine to ask; `onPick(text)` hears of a move that is chosen, `onArrows(hints)` of
  // arrows to draw.
  constructor({ engine, onPick, onArrows }) {
    this.engine = engine;
    this.onPick = onPick;
    this.onArrows = onArrows;
    this.on = false;
    this.position = null;
    this.thinker = null;
    this.values = [];
    this.toggle = make('input', { type: 'checkbox' });
    this.toggle.addEventListener('change', () => this.turn(this.toggle.checked));
    this.arrows = make('input', { type: 'checkbox', disabled: true });
    this.arrows.addEventListener('change', () => this.drawArrows());
    this.list = make('ol', { class: 'values', 'aria-label': say('values.list') });
    this.note = node('p', '', 'soft');
    this.root = make('section', { class: 'values-panel', 'aria-label': say('values.title') },
      make('div', { class: 'controls' }, make('label', {}, this.toggle, ' ', say('values.every')), make('label', {}, this.arrows, ' ', say('values.board'))),
      this.note, this.list);
    this.note.hidden = true;
  }

  turn(on) {
    this.on = on;
    this.toggle.checked = on;
    this.arrows.disabled = !on;
    if (!on) {
      this.close();
      this.show([]);
      return;
    }
    this.ask();
  }

  close() {
    this.thinker?.close();
    this.thinker = null;
  }

  // Sets the position: `{ start, moves, legal, over, rules }`.
  set(position) {
    if (this.position && this.position.rules !== position.rules) this.close();
    this.position = position;
    if (this.on) this.ask();
  }

  async ask() {
    const { position } = this;
    if (!position) return;
    if (position.over) {
      this.show([]);
      return;
    }
    const engine = this.engine();
    const answers = engine?.values ? await attempt(() => this.answers(engine, position)) : [];
    if (position !== this.position || !this.on) return;
    const question = { start: { fen: position.start }, rules: position.rules, moves: position.moves, values: answers ?? [] };
    const values = await attempt(() => postJson('/api/values', question));
    if (values && position === this.position && this.on) this.show(values);
  }

  // What the engine knows of the positions after the legal moves.
  async answers(engine, { start, moves, legal, rules }) {
    if (!this.thinker || this.name !== engine.name || this.thinker.port.closed) {
      this.close();
      this.name = engine.name;
      const port = engineOf(engine.name, rules);
      port.onTables = () => this.ask();
      this.thinker = new Thinker(port);
      this.opened = this.thinker.open();
    }
    const { thinker } = this;
    await this.opened;
    return Promise.all(legal.map(({ text }) => thinker.value(positionLine(start, [...moves, text]))));
  }

  show(values) {
    this.values = values;
    this.list.replaceChildren(...values.filter(({ value }) => value).map((one) => this.row(one)));
    const open = values.filter(({ value }) => !value).length;
    this.note.hidden = values.length === 0 || open === 0;
    this.note.textContent = open === values.length ? say('values.none') : say('values.open', { n: open });
    this.drawArrows();
  }

  row({ text, value, plies, source }) {
    const words = plies === null ? say(`values.${value}`) : say(`values.${value}.in`, { n: plies });
    const title = say(`values.from.${source}`);
    return make('li', {}, moveButton(text, () => this.onPick(text), { class: 'pv' }), make('b', { class: `worth ${value}`, title }, words));
  }

  drawArrows() {
    if (!this.arrows.checked || this.arrows.disabled) {
      this.onArrows([]);
      return;
    }
    const known = this.values.filter(({ value }) => value);
    this.onArrows(known.map(({ text, value }) => ({
      steps: this.position.legal.find((move) => move.text === text)?.steps ?? stepsOf(text), weight: 0.3, kind: value,
    })));
  }
}
