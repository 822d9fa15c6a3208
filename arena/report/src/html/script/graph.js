// The scores of a game as a graph from White's view: filled above zero where White is better, and
// below where Black is.
//
//   const graph = new ScoreGraph(divElement, {
//     onPick: (ply) => {},         // a click chose a position
//     sides: true,                 // a line for each engine; false: all scores come from one engine
//   });
//   graph.set(moves, last);        // moves: [{ ply, side, score, mark, text }], score from the mover's
//                                  // view; last: the ply at the right edge
//   graph.cursor(ply);
//   graph.isEmpty                  // whether no move has a score
//
// Where the scores of two engines alternate, the area is the mean of their latest scores.

import { make, node, svg } from './dom.js';
import { scoreHeight, stonesHeight, whiteScore } from './position.js';
import { say } from './words.js';

const MARK_KINDS = { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' };
// The axis: leads in stones, and proven wins at the edges.
/** @type {[string, number][]} */
const TICKS = [['1-0', 1], ['+5', stonesHeight(5)], ['+2', stonesHeight(2)], ['0', 0], ['−2', -stonesHeight(2)], ['−5', -stonesHeight(5)], ['0-1', -1]];

export class ScoreGraph {
  /**
   * @param {HTMLElement} root
   * @param {{ onPick?: (ply: number) => void, sides?: boolean }} [on]
   */
  constructor(root, { onPick, sides = true } = {}) {
    this.root = root;
    this.sides = sides;
    this.moves = [];
    this.last = 1;
    root.classList.add('graph');
    this.svg = svg('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    const ticks = make('div', { class: 'ticks', 'aria-hidden': 'true' });
    for (const [text, height] of TICKS) {
      const tick = node('span', text);
      tick.style.top = `${heightToY(height)}%`;
      if (!['0', '+5', '−5'].includes(text)) tick.className = 'minor';
      ticks.append(tick);
    }
    this.said = node('span', '', 'said');
    this.plot = make('div', { class: 'plot', 'aria-hidden': 'true' }, this.svg, this.said);
    const legend = make('p', { class: 'key', 'aria-hidden': 'true' });
    if (sides) legend.append(legendKey('of-w', say('side.w')), legendKey('of-b', say('side.b')));
    legend.append(node('small', say('graph.key')));
    root.replaceChildren(make('div', { class: 'frame' }, ticks, this.plot), legend);
    this.layers = ['areas', 'grid', 'tracks', 'dots', 'now'].map((name) => svg('g', { class: name }, this.svg));
    if (onPick) {
      this.plot.classList.add('pickable');
      this.plot.addEventListener('click', (event) => onPick(this.plyAt(event)));
    }
    this.plot.addEventListener('pointermove', (event) => this.say(this.plyAt(event)));
    this.plot.addEventListener('pointerleave', () => this.say(null));
    this.drawGrid();
  }

  get isEmpty() {
    return !this.moves.some((move) => move.score);
  }

  drawGrid() {
    for (const [, height] of TICKS) {
      const y = heightToY(height);
      svg('line', { x1: 0, y1: y, x2: 100, y2: y, class: height === 0 ? 'zero' : 'tick' }, this.layers[1]);
    }
    this.now = svg('line', { y1: 0, y2: 100, class: 'cursor' }, this.layers[4]);
    this.cursor(0);
  }

  set(moves, last) {
    this.moves = moves;
    this.last = Math.max(1, last);
    const [areas, , tracks, dots] = this.layers;
    for (const layer of [areas, tracks, dots]) layer.replaceChildren();
    const scored = moves.filter((move) => move.score).map((move) => ({ ...move, height: scoreHeight(move.score, move.side) }));
    const area = this.sides ? means(scored) : scored;
    for (const [side, sign] of [['w', 1], ['b', -1]]) {
      svg('polygon', { points: this.area(area, sign), class: `area ${side}` }, areas);
    }
    const lines = this.sides ? ['w', 'b'].map((side) => [side, scored.filter((move) => move.side === side)]) : [['w', scored]];
    for (const [side, of] of lines) {
      svg('polyline', { points: of.map((move) => this.place(move)).join(' '), class: `of-${side}` }, tracks);
    }
    for (const move of scored) {
      if (!MARK_KINDS[move.mark]) continue;
      const [x, y] = this.place(move).split(',');
      // A line without length and with round ends stays a round dot in a stretched drawing.
      svg('line', { x1: x, y1: y, x2: x, y2: y, class: `dot ${MARK_KINDS[move.mark]}` }, dots);
    }
    this.cursor(this.ply ?? 0);
  }

  place({ ply, height }) {
    return `${((100 * ply) / this.last).toFixed(2)},${heightToY(height).toFixed(1)}`;
  }

  // The area between zero and the scores on one side of zero, with the points where they cross it.
  area(scored, sign) {
    const points = [];
    const add = (ply, height) => points.push(this.place({ ply, height }));
    scored.forEach((move, index) => {
      const before = scored[index - 1];
      if (before && before.height * move.height < 0) {
        const part = before.height / (before.height - move.height);
        add(before.ply + (move.ply - before.ply) * part, 0);
      }
      if (index === 0) add(move.ply, 0);
      add(move.ply, sign * Math.max(0, sign * move.height));
    });
    if (scored.length > 0) add(scored[scored.length - 1].ply, 0);
    return points.join(' ');
  }

  cursor(ply) {
    this.ply = ply;
    const x = (100 * Math.min(ply, this.last)) / this.last;
    this.now.setAttribute('x1', x);
    this.now.setAttribute('x2', x);
  }

  plyAt(event) {
    const box = this.plot.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return Math.round(part * this.last);
  }

  // Says what the graph shows under the pointer.
  say(ply) {
    const move = ply === null ? null : this.moves.find((one) => one.ply === ply);
    if (!move) {
      this.said.textContent = ply ? say('graph.ply', { n: ply }) : '';
      return;
    }
    const parts = [say('graph.ply', { n: ply }), `${say(`side.${move.side}`)}${move.text ? ` ${move.text}` : ''}`, whiteScore(move.score, move.side)];
    this.said.textContent = parts.filter(Boolean).join(', ');
  }
}

// The mean of the latest scores of both sides at every scored move.
function means(scored) {
  const latest = {};
  return scored.map((move) => {
    latest[move.side] = move.height;
    const other = latest[move.side === 'w' ? 'b' : 'w'] ?? move.height;
    return { ...move, height: (move.height + other) / 2 };
  });
}

function heightToY(height) {
  return 50 - 46 * height;
}

function legendKey(kind, text) {
  const sample = svg('svg', { viewBox: '0 0 24 8', class: 'sample' });
  svg('line', { x1: 0, y1: 4, x2: 24, y2: 4, class: kind }, sample);
  const small = make('small', {}, sample, ` ${text}`);
  return small;
}
