// The marks of the move input on the board: stones that can move, points to step to, and what each
// step takes. Colour is never the only sign: targets carry the number of stones taken, or `A/W`
// where there is a choice, and its groups their letters.

import { svg } from './dom.js';

const WAYS = { A: 'approach', W: 'withdrawal' };

export class InputMarks {
  constructor(input) {
    this.input = input;
    this.layer = null;
  }

  clear() {
    this.layer?.remove();
    this.layer = null;
    for (const stone of this.input.board.root.querySelectorAll('.movable')) {
      stone.classList.remove('movable', 'takes', 'chosen');
    }
  }

  draw() {
    this.clear();
    const { input } = this;
    const { board } = input;
    if (!input.active || !board.signs) return;
    this.layer = svg('g', { class: 'marks' });
    board.signs.after(this.layer);
    if (input.from === null) {
      // Nearly every stone can move without taking; only those that have to take are pointed out.
      const kinds = input.mustTake ? ['movable', 'takes'] : ['movable'];
      for (const name of input.starts) board.stoneAt(name)?.classList.add(...kinds);
      return;
    }
    board.stoneAt(input.from)?.classList.add('chosen', 'movable');
    this.ring(input.from, 41, 'chosen-ring');
    if (input.choice) this.choice(input.choice);
    else this.targets();
  }

  // All targets, each with the stones that its step takes; the one looked at stands out.
  targets() {
    const { input } = this;
    const looked = input.preview;
    for (const [name, nodes] of input.targets) {
      const dim = looked !== null && looked[0] !== nodes[0];
      const state = dim ? ' dim' : looked ? ' looked' : '';
      for (const node of nodes) this.taken(node.step, state);
      const [x, y] = input.board.at(name);
      const target = svg('g', { class: `goal${state}`, transform: `translate(${x} ${y})` }, this.layer);
      const counts = nodes.map((node) => node.step.captured.length).filter(Boolean);
      svg('circle', { r: counts.length > 1 ? 31 : 23 }, target);
      const text = counts.length > 1 ? 'A/W' : String(counts[0] ?? '');
      if (text) svg('text', { y: 9 }, target).textContent = text;
    }
  }

  // Two groups of stones to choose between, each with its letter on every stone.
  choice(nodes) {
    const [{ step }] = nodes;
    const [[x1, y1], [x2, y2]] = [step.from, step.to].map((name) => this.input.board.at(name));
    svg('line', { x1, y1, x2, y2, class: 'step-way' }, this.layer);
    svg('circle', { cx: x2, cy: y2, r: 14, class: 'step-end' }, this.layer);
    for (const node of nodes) {
      this.taken(node.step, ' choosable');
      for (const name of node.step.captured) {
        const [x, y] = this.input.board.at(name);
        const kind = WAYS[node.step.mark];
        const letter = svg('g', { class: `letter ${kind}`, transform: `translate(${x} ${y})` }, this.layer);
        svg('circle', { r: 24 }, letter);
        svg('text', { y: 11 }, letter).textContent = node.step.mark;
      }
    }
  }

  taken(step, state) {
    for (const name of step.captured) this.ring(name, 39, `taken ${WAYS[step.mark]}${state}`);
  }

  ring(name, r, kind) {
    const [cx, cy] = this.input.board.at(name);
    svg('circle', { cx, cy, r, class: kind }, this.layer);
  }
}
