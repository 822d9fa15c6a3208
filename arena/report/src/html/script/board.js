// Draws a board as SVG: lines, strong points, stones, moves, arrows of engines and marks of points.
//
// How other modules use it:
//
//   const board = new Board(svgElement, { small: false });  // small: no names, no badges (thumbnails);
//                                      // flat: no light and shadow, as small boards unless told
//   board.draw(columns, rows);         // an empty board of a size; also after changing board.flipped
//   board.put(stones);                 // Map of point name to 'w' or 'b'; clears everything else
//   board.showMove(steps, side);       // path, captures of a finished move (Step as in the records:
//                                      // {from, to, mark, captured})
//   board.hints([{ steps, weight: 0..1, kind: 'best' | 'other' | 'threat', label: '1', left: false }]);
//                                      // arrows of engines below the stones' marks; [] removes them;
//                                      // the label stands to the right of the end, or to the left
//   board.marks({ selectable: [names], selected: name, targets: [names], doomed: [names],
//                 path: [names], last: [names], wrong: [names], right: [names],
//                 badges: [{ at, text: 'A', kind: 'approach' | 'withdrawal' }] });
//                                      // replaces all marks; every field is optional; {} removes them
//   board.describe('Ply 3.');          // the label of the drawing: text, then the points of all stones
//   board.flip();                      // turns the board and draws what it showed again
//   board.at(name)                     // [x, y] in the units of the drawing
//   board.nameAt(clientX, clientY)     // the point under a pointer or null
//   board.stoneAt(name), board.stone(name, side), board.doom(name), board.trace(name, side)
//
// Points as controls (pointer, keyboard, dragging): `points.js`. Moving stones: `motion.js`.
// Nothing here knows the rules: legal moves and captures come from the server.

import { paintWood } from './board_paint.js';
import { svg } from './dom.js';
import { pointOf, nameOf } from './position.js';
import { say } from './words.js';

export const UNIT = 100;

// The radius of a stone; the distance of two points is one unit.
const STONE = 34;

// The wood around the outermost points; with names there is room for them.
const [EDGE, SMALL_EDGE] = [70, 52];

export class Board {
  constructor(root, { small = false, flat = small } = {}) {
    this.root = root;
    this.small = small;
    this.flat = flat;
    this.flipped = false;
    this.shown = new Map();
    // Called after every drawing, so that layers of other modules can be renewed.
    this.onDraw = () => {};
    root.classList.add('board');
    root.classList.toggle('small', small);
    root.classList.toggle('flat', flat);
    if (!root.hasAttribute('role')) root.setAttribute('role', 'img');
  }

  // Draws an empty board of a size.
  draw(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    const [width, height] = [(columns - 1) * UNIT, (rows - 1) * UNIT];
    const edge = this.small ? SMALL_EDGE : EDGE;
    const box = [-edge, -edge, width + 2 * edge, height + 2 * edge];
    this.root.setAttribute('viewBox', box.join(' '));
    // The style sheet limits the height of a board; with the ratio it gives the drawing, and what
    // stands above and below it, the width that goes with this height.
    this.ratio = Math.round((1000 * box[2]) / box[3]) / 1000;
    (this.root.parentElement ?? this.root).style.setProperty('--ratio', String(this.ratio));
    this.root.replaceChildren();
    paintWood(this.root, { left: 1 - edge, top: 1 - edge, width: box[2] - 2, height: box[3] - 2, isFlat: this.flat });
    this.grid();
    if (!this.small) this.names(height);
    // From the lowest layer to the highest.
    this.spots = svg('g', { class: 'spots' }, this.root);
    this.traces = svg('g', { class: 'traces' }, this.root);
    this.stones = svg('g', { class: 'stones' }, this.root);
    this.hinted = svg('g', { class: 'hinted' }, this.root);
    this.arrows = svg('g', { class: 'arrows' }, this.root);
    this.signs = svg('g', { class: 'signs' }, this.root);
    this.shown = new Map();
    this.onDraw();
  }

  // The lines, as grooves that catch the light at their lower edge, and the strong points.
  grid() {
    const lines = svg('g', { class: 'lines' }, this.root);
    /** @type {string[]} */
    const ways = [];
    /** @type {string[]} */
    const strong = [];
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const isStrong = (column + row) % 2 === 0;
        const [x, y] = this.at({ column, row });
        const directions = isStrong ? [[1, 0], [0, 1], [1, 1], [-1, 1]] : [[1, 0], [0, 1]];
        for (const [over, up] of directions) {
          const end = { column: column + over, row: row + up };
          if (end.column < 0 || end.column >= this.columns || end.row >= this.rows) continue;
          ways.push(`M${x} ${y}L${this.at(end).join(' ')}`);
        }
        if (isStrong) strong.push(`M${x} ${y}h0`);
      }
    }
    if (!this.flat) svg('path', { d: ways.join(''), class: 'groove', transform: 'translate(1.5 2.5)' }, lines);
    svg('path', { d: ways.join(''), class: 'ways' }, lines);
    svg('path', { d: strong.join(''), class: 'strong' }, lines);
  }

  // The names of the columns and rows stand on the wood, at its lower and left edge.
  names(height) {
    const names = svg('g', { class: 'names', 'aria-hidden': 'true' }, this.root);
    for (let column = 0; column < this.columns; column += 1) {
      const [x] = this.at({ column, row: 0 });
      svg('text', { x, y: height + 60 }, names).textContent = String.fromCharCode(97 + column);
    }
    for (let row = 0; row < this.rows; row += 1) {
      const [, y] = this.at({ column: 0, row });
      svg('text', { x: -53, y: y + 7 }, names).textContent = String(row + 1);
    }
  }

  /** @returns {[number, number]} */
  at(point) {
    const { column, row } = typeof point === 'string' ? pointOf(point) : point;
    const over = this.flipped ? this.columns - 1 - column : column;
    const down = this.flipped ? row : this.rows - 1 - row;
    return [over * UNIT, down * UNIT];
  }

  // The point at a place of the window; null beside the points.
  nameAt(clientX, clientY) {
    const [x, y] = this.unitsAt(clientX, clientY);
    const [over, down] = [Math.round(x / UNIT), Math.round(y / UNIT)];
    if (over < 0 || down < 0 || over >= this.columns || down >= this.rows) return null;
    if (Math.hypot(x - over * UNIT, y - down * UNIT) > 0.56 * UNIT) return null;
    const column = this.flipped ? this.columns - 1 - over : over;
    const row = this.flipped ? down : this.rows - 1 - down;
    return nameOf({ column, row });
  }

  // A place of the window in the units of the drawing.
  unitsAt(clientX, clientY) {
    const matrix = this.root.getScreenCTM().inverse();
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  // Replaces all stones and removes moves and marks.
  put(stones) {
    for (const layer of [this.spots, this.stones, this.traces, this.arrows, this.hinted, this.signs]) layer.replaceChildren();
    this.shown = new Map(stones);
    for (const [name, side] of stones) this.stone(name, side);
  }

  // Turns the board by 180 degrees. Marks and arrows are the caller's to draw again.
  flip() {
    this.flipped = !this.flipped;
    // A board that has no size yet is drawn this way round later.
    if (!this.columns) return;
    const stones = this.shown;
    this.draw(this.columns, this.rows);
    this.put(stones);
  }

  stone(name, side) {
    const [x, y] = this.at(name);
    const place = { class: `stone ${side}`, 'data-at': name, transform: `translate(${x} ${y})` };
    const stone = svg('g', place, this.stones);
    if (!this.flat) svg('circle', { cx: 2, cy: 5, r: STONE + 9, class: 'shadow' }, stone);
    svg('circle', { r: STONE, class: 'disc' }, stone);
    return stone;
  }

  stoneAt(name) {
    return this.stones.querySelector(`[data-at="${name}"]`);
  }

  // Marks a stone that is about to be removed.
  doom(name) {
    const stone = this.stoneAt(name);
    if (!stone || stone.classList.contains('doomed')) return stone;
    stone.classList.add('doomed');
    svg('path', { d: 'M-15 -15L15 15M15 -15L-15 15', class: 'cross' }, stone);
    return stone;
  }

  spare(name) {
    const stone = this.stoneAt(name);
    stone?.classList.remove('doomed');
    stone?.querySelector('.cross')?.remove();
  }

  // Marks the point of a captured stone.
  trace(name, side) {
    const [x, y] = this.at(name);
    const trace = svg('g', { class: `trace ${side}`, transform: `translate(${x} ${y})` }, this.traces);
    svg('circle', { r: 25 }, trace);
    svg('path', { d: 'M-11 -11L11 11M11 -11L-11 11' }, trace);
  }

  // Shows a move that was played: where it began and ended, its path, and what it captured.
  showMove(steps, side) {
    if (steps.length === 0) return;
    this.spot(steps[0].from, 'last');
    this.spot(steps[steps.length - 1].to, 'last');
    steps.forEach((step, index) => {
      for (const name of step.captured) this.trace(name, side === 'w' ? 'b' : 'w');
      this.arrow(step, index);
    });
  }

  // Shows a step: the path of the stone and the direction of the capture.
  arrow(step, index) {
    const [from, to] = [this.at(step.from), this.at(step.to)];
    if (step.captured.length > 0 && !this.small) {
      const kind = step.mark === 'A' ? 'approach' : 'withdrawal';
      const last = this.at(step.captured[step.captured.length - 1]);
      this.line(this.arrows, step.mark === 'A' ? to : from, last, `capture ${kind}`, STONE + 2);
    }
    this.line(this.arrows, from, to, 'way', 0);
    if (step.mark && !this.small) {
      const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      const badge = svg('g', { class: 'badge', transform: `translate(${x} ${y})` }, this.arrows);
      svg('circle', { r: 17 }, badge);
      svg('text', { y: 8 }, badge).textContent = step.mark;
      if (index > 0) badge.classList.add('later');
    }
  }

  // A line with an arrowhead, beginning at a distance from its first point.
  line(layer, [x1, y1], [x2, y2], kind, gap, size = 13) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length === 0) return null;
    const [across, down] = [(x2 - x1) / length, (y2 - y1) / length];
    const group = svg('g', { class: kind }, layer);
    const [endX, endY] = [x2 - across * (size + 11), y2 - down * (size + 11)];
    svg('line', { x1: x1 + across * gap, y1: y1 + down * gap, x2: endX, y2: endY }, group);
    const corner = (side) => `${endX - side * down * size},${endY + side * across * size}`;
    svg('polygon', { points: `${x2 - across * 4},${y2 - down * 4} ${corner(1)} ${corner(-1)}` }, group);
    return group;
  }

  // Shows moves that engines propose; the weight, from 0 to 1, is the width of the arrow.
  hints(hints) {
    this.hinted.replaceChildren();
    // The best comes last, so that it lies above the others.
    for (const { steps, weight = 1, kind = 'best', label, left = false } of [...hints].reverse()) {
      const width = 8 + 12 * weight;
      const group = svg('g', { class: `hint ${kind}` }, this.hinted);
      // The shape lets the stones below it shine through, the label does not.
      const shape = svg('g', { class: 'shape' }, group);
      const points = [steps[0].from, ...steps.map((step) => step.to)].map((name) => this.at(name));
      for (let index = 1; index + 1 < points.length; index += 1) {
        const [[x1, y1], [x2, y2]] = [points[index - 1], points[index]];
        svg('line', { x1, y1, x2, y2, 'stroke-width': width }, shape);
      }
      const arrow = this.line(shape, points[points.length - 2], points[points.length - 1], 'head', 0, width + 5);
      arrow?.querySelector('line').setAttribute('stroke-width', width);
      if (label && !this.small) {
        const [x, y] = points[points.length - 1];
        const beside = left ? x - 27 : x + 27;
        svg('circle', { cx: beside, cy: y - 27, r: 17 }, group);
        svg('text', { x: beside, y: y - 19 }, group).textContent = label;
      }
    }
  }

  // Replaces the marks of points.
  marks(marks) {
    this.spots.replaceChildren();
    this.signs.replaceChildren();
    for (const name of this.shown.keys()) this.spare(name);
    for (const kind of ['last', 'selectable', 'right', 'wrong']) {
      for (const name of marks[kind] || []) this.spot(name, kind);
    }
    if (marks.selected) this.spot(marks.selected, 'selected');
    for (const name of marks.doomed || []) this.doom(name);
    const path = (marks.path || []).map((name) => this.at(name).join(','));
    if (path.length > 1) svg('polyline', { points: path.join(' '), class: 'sign path' }, this.signs);
    for (const name of marks.targets || []) {
      const [cx, cy] = this.at(name);
      svg('circle', { cx, cy, r: 17, class: 'sign target' }, this.signs);
    }
    for (const { at, text, kind } of marks.badges || []) {
      const [x, y] = this.at(at);
      const badge = svg('g', { class: `sign choice ${kind || ''}`, transform: `translate(${x} ${y})` }, this.signs);
      svg('circle', { r: 25 }, badge);
      svg('text', { y: 11 }, badge).textContent = text;
    }
  }

  // A ring below the stone of a point.
  spot(name, kind) {
    const [cx, cy] = this.at(name);
    return svg('circle', { cx, cy, r: STONE + 9, class: `spot ${kind}` }, this.spots);
  }

  // Sets the label of the drawing for those who do not see it.
  describe(text) {
    const of = (side) => [...this.shown].filter(([, stone]) => stone === side).map(([name]) => name).sort().join(' ') || 'none';
    this.root.setAttribute('aria-label', say('board.stones', { text, white: of('w'), black: of('b') }));
  }
}
