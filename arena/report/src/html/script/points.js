// The points of a board as controls: each can be focused and pressed by pointer or keyboard, and
// stones can be dragged. What a press means is the caller's business:
//
//   const points = new BoardPoints(board, {
//     press: (name, how) => {},      // 'pointer' (on pointer down) or 'key' (Enter, space)
//     release: (name, from) => {},   // the pointer went up over point `name`, or null, after a press
//                                    // at `from`; called only when name !== from
//     hover: (name) => {},           // the point under the pointer or with the focus; null: none
//     canDrag: (name) => true,       // whether the stone there follows the pointer
//     label: (name) => 'e3, empty',  // the spoken label; optional
//     cancel: () => {},              // Escape, or a press beside the points
//   });
//   points.refresh();                // after a change of stones or labels
//   points.enable(false);            // no presses, e.g. while the other side moves
//   points.focus('e3');
//
// Arrow keys move the focus along rows and columns; one point only is in the order of Tab.

import { svg } from './dom.js';
import { pointOf, nameOf } from './position.js';
import { UNIT } from './board.js';
import { say } from './words.js';

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
// Pixels a pointer moves before a press becomes a drag.
const DRAG = 6;

export class BoardPoints {
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    this.enabled = true;
    // The controls by the name of their point; none before the first drawing.
    this.hits = new Map();
    this.current = null;
    this.pressed = null;
    board.root.setAttribute('role', 'group');
    board.root.classList.add('interactive');
    board.onDraw = () => this.build();
    const { root } = board;
    root.addEventListener('pointerdown', (event) => this.down(event));
    root.addEventListener('pointermove', (event) => this.move(event));
    root.addEventListener('pointerup', (event) => this.up(event));
    root.addEventListener('pointercancel', () => this.drop());
    root.addEventListener('pointerleave', () => this.hover(null));
    root.addEventListener('keydown', (event) => this.key(event));
    if (board.columns) this.build();
  }

  // Builds a hit area for every point of the board.
  build() {
    const { board } = this;
    this.layer = svg('g', { class: 'hits' }, board.root);
    this.hits = new Map();
    for (let row = board.rows - 1; row >= 0; row -= 1) {
      for (let column = 0; column < board.columns; column += 1) {
        const name = nameOf({ column, row });
        const [cx, cy] = board.at(name);
        const hit = svg('circle', { cx, cy, r: 49, class: 'hit', role: 'button', tabindex: -1, 'data-point': name }, this.layer);
        hit.addEventListener('focus', () => this.turnTo(name));
        hit.addEventListener('blur', () => this.hover(null));
        this.hits.set(name, hit);
      }
    }
    if (!this.hits.has(this.current)) this.current = this.hits.keys().next().value;
    this.hits.get(this.current).setAttribute('tabindex', 0);
    this.refresh();
  }

  // Renews the spoken labels.
  refresh() {
    for (const [name, hit] of this.hits) hit.setAttribute('aria-label', this.label(name));
  }

  label(name) {
    if (this.handlers.label) return this.handlers.label(name);
    return say(`input.point.${this.board.shown.get(name) ?? 'empty'}`, { point: name });
  }

  enable(enabled) {
    this.enabled = enabled;
    if (!enabled) this.drop();
    this.board.root.classList.toggle('interactive', enabled);
    for (const hit of this.hits.values()) hit.setAttribute('aria-disabled', String(!enabled));
  }

  focus(name) {
    this.hits.get(name)?.focus();
  }

  // Makes a point the one in the order of Tab.
  turnTo(name) {
    this.hits.get(this.current)?.setAttribute('tabindex', -1);
    this.current = name;
    this.hits.get(name).setAttribute('tabindex', 0);
    this.hover(name);
  }

  hover(name) {
    if (this.hovered === name) return;
    this.hovered = name;
    this.handlers.hover?.(name);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const name = event.target.dataset?.point;
    if (!name) return;
    if (event.key === 'Enter' || event.key === ' ') {
      if (this.enabled) this.handlers.press?.(name, 'key');
    } else if (event.key === 'Escape') {
      this.handlers.cancel?.();
    } else if (ARROWS[event.key]) {
      // Up is up on the screen, also on a flipped board.
      const turn = this.board.flipped ? -1 : 1;
      const [over, up] = ARROWS[event.key];
      const { column, row } = pointOf(name);
      this.focus(nameOf({ column: column + over * turn, row: row + up * turn }));
    } else {
      return;
    }
    // The page's own keys, like those of a replay, do not apply within the board.
    event.preventDefault();
    event.stopPropagation();
  }

  down(event) {
    if (!this.enabled || event.button !== 0) return;
    const name = this.board.nameAt(event.clientX, event.clientY);
    if (!name) {
      this.handlers.cancel?.();
      return;
    }
    event.preventDefault();
    // The pointer keeps its point in the order of Tab, without the ring that the keyboard needs.
    this.hits.get(this.current)?.setAttribute('tabindex', -1);
    this.current = name;
    this.hits.get(name).setAttribute('tabindex', 0);
    const drags = this.board.stoneAt(name) && (this.handlers.canDrag?.(name) ?? false);
    this.pressed = { name, x: event.clientX, y: event.clientY, drags, dragging: false };
    this.board.root.setPointerCapture(event.pointerId);
    this.handlers.press?.(name, 'pointer');
  }

  move(event) {
    const { pressed } = this;
    this.hover(this.board.nameAt(event.clientX, event.clientY));
    if (!pressed?.drags) return;
    if (!pressed.dragging && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < DRAG) return;
    pressed.dragging = true;
    const stone = this.board.stoneAt(pressed.name);
    if (!stone) return;
    stone.classList.add('dragged');
    const [x, y] = this.board.unitsAt(event.clientX, event.clientY);
    stone.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${1 + 8 / UNIT})`);
  }

  up(event) {
    if (!this.pressed) return;
    const from = this.pressed.name;
    this.drop();
    const name = this.board.nameAt(event.clientX, event.clientY);
    if (name !== from) this.handlers.release?.(name, from);
  }

  // Ends a drag: the stone returns to its point.
  drop() {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed?.dragging) return;
    const stone = this.board.stoneAt(pressed.name);
    if (!stone) return;
    stone.classList.remove('dragged');
    const [x, y] = this.board.at(pressed.name);
    stone.setAttribute('transform', `translate(${x} ${y})`);
  }
}
