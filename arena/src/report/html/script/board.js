// Draws the board as SVG: lines, strong points, stones, and the arrows of a move.

const UNIT = 100;
const SVG = 'http://www.w3.org/2000/svg';

function svg(name, attributes, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (parent) parent.append(node);
  return node;
}

class Board {
  constructor(root) {
    this.root = root;
    this.flipped = false;
  }

  // Draws an empty board of a size.
  draw(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    const [width, height] = [(columns - 1) * UNIT, (rows - 1) * UNIT];
    this.root.setAttribute('viewBox', `-80 -60 ${width + 140} ${height + 155}`);
    this.root.replaceChildren();
    svg('rect', { x: -50, y: -50, width: width + 100, height: height + 100, rx: 14, class: 'wood' }, this.root);
    const lines = svg('g', { class: 'lines' }, this.root);
    const points = svg('g', { class: 'points' }, this.root);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const strong = (column + row) % 2 === 0;
        const [x, y] = this.at({ column, row });
        const directions = strong ? [[1, 0], [0, 1], [1, 1], [-1, 1]] : [[1, 0], [0, 1]];
        for (const [over, up] of directions) {
          const end = { column: column + over, row: row + up };
          if (end.column < 0 || end.column >= columns || end.row >= rows) continue;
          const [x2, y2] = this.at(end);
          svg('line', { x1: x, y1: y, x2, y2 }, lines);
        }
        if (strong) svg('circle', { cx: x, cy: y, r: 9, class: 'strong' }, points);
      }
    }
    const names = svg('g', { class: 'names' }, this.root);
    for (let column = 0; column < columns; column += 1) {
      const [x] = this.at({ column, row: 0 });
      svg('text', { x, y: height + 79 }, names).textContent = String.fromCharCode(97 + column);
    }
    for (let row = 0; row < rows; row += 1) {
      const [, y] = this.at({ column: 0, row });
      svg('text', { x: -66, y: y + 9 }, names).textContent = String(row + 1);
    }
    this.traces = svg('g', { class: 'traces' }, this.root);
    this.stones = svg('g', { class: 'stones' }, this.root);
    this.arrows = svg('g', { class: 'arrows' }, this.root);
  }

  at(point) {
    const { column, row } = typeof point === 'string' ? pointOf(point) : point;
    const over = this.flipped ? this.columns - 1 - column : column;
    const down = this.flipped ? row : this.rows - 1 - row;
    return [over * UNIT, down * UNIT];
  }

  // Replaces all stones.
  put(stones) {
    this.stones.replaceChildren();
    this.traces.replaceChildren();
    this.arrows.replaceChildren();
    for (const [name, side] of stones) this.stone(name, side);
  }

  stone(name, side) {
    const [x, y] = this.at(name);
    const place = { class: `stone ${side}`, 'data-at': name, transform: `translate(${x} ${y})` };
    const stone = svg('g', place, this.stones);
    svg('circle', { r: 37 }, stone);
    svg('circle', { r: 27, class: 'rim' }, stone);
    return stone;
  }

  stoneAt(name) {
    return this.stones.querySelector(`[data-at="${name}"]`);
  }

  // Marks a stone that is about to be removed.
  doom(name) {
    const stone = this.stoneAt(name);
    if (!stone) return null;
    stone.classList.add('doomed');
    svg('path', { d: 'M-17 -17L17 17M17 -17L-17 17', class: 'cross' }, stone);
    return stone;
  }

  // Marks the point of a captured stone.
  trace(name, side) {
    const [x, y] = this.at(name);
    const trace = svg('g', { class: `trace ${side}`, transform: `translate(${x} ${y})` }, this.traces);
    svg('circle', { r: 30 }, trace);
    svg('path', { d: 'M-13 -13L13 13M13 -13L-13 13' }, trace);
  }

  // Shows a step: the path of the stone and the direction of the capture.
  arrow(step, index) {
    const [from, to] = [this.at(step.from), this.at(step.to)];
    if (step.captured.length > 0) {
      const kind = step.mark === 'A' ? 'approach' : 'withdrawal';
      const last = this.at(step.captured[step.captured.length - 1]);
      this.line(step.mark === 'A' ? to : from, last, `capture ${kind}`, 40);
    }
    this.line(from, to, 'way', 0);
    if (step.mark) {
      const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      const badge = svg('g', { class: 'badge', transform: `translate(${x} ${y})` }, this.arrows);
      svg('circle', { r: 17 }, badge);
      svg('text', { y: 8 }, badge).textContent = step.mark;
      if (index > 0) badge.classList.add('later');
    }
  }

  // A line with an arrowhead, beginning at a distance from its first point.
  line([x1, y1], [x2, y2], kind, gap) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length === 0) return;
    const [across, down] = [(x2 - x1) / length, (y2 - y1) / length];
    const group = svg('g', { class: kind }, this.arrows);
    const [endX, endY] = [x2 - across * 24, y2 - down * 24];
    svg('line', { x1: x1 + across * gap, y1: y1 + down * gap, x2: endX, y2: endY }, group);
    const corner = (side) => `${endX - side * down * 13},${endY + side * across * 13}`;
    svg('polygon', { points: `${x2 - across * 4},${y2 - down * 4} ${corner(1)} ${corner(-1)}` }, group);
  }
}
