// The log-likelihood ratio of a sequential test over its pairs, between its bounds.

import { make, node, svg } from './dom.js';
import { signed } from './position.js';
import { plural } from './format.js';

const STATES = { running: 'running', h0: 'H0 accepted', h1: 'H1 accepted' };

export class SprtGraph {
  constructor(root) {
    this.text = node('p');
    this.state = node('span', '', 'state');
    this.drawing = svg('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', role: 'img' });
    this.ticks = make('div', { class: 'ticks', 'aria-hidden': 'true' });
    this.foot = node('p', '', 'soft foot');
    root.append(
      make('p', {}, this.state), this.text,
      make('div', { class: 'sprt-plot' }, this.ticks, this.drawing), this.foot);
  }

  show(sprt) {
    const { llr, low, high, history, pairs } = sprt;
    this.state.textContent = STATES[sprt.state] || sprt.state;
    this.state.dataset.state = sprt.state;
    this.text.textContent = sprt.text;
    this.foot.textContent = `${plural(pairs, 'pair')} of games, from left to right`;
    const [top, bottom] = [Math.max(high, ...history) * 1.1, Math.min(low, ...history) * 1.1];
    const y = (value) => (100 * (top - value)) / (top - bottom);
    // The time to come is empty space on the right, so that the line does not seem to be complete.
    const last = Math.max(10, history.length * (sprt.state === 'running' ? 1.15 : 1));
    const points = [[0, 0], ...history.map((value, index) => [index + 1, value])].map(([at, value]) => `${((100 * at) / last).toFixed(2)},${y(value).toFixed(2)}`);
    this.drawing.replaceChildren();
    this.drawing.setAttribute('aria-label', `Log-likelihood ratio ${signed(llr, 2)}; H1 at ${signed(high, 2)}, H0 at ${signed(low, 2)}`);
    for (const [value, kind] of [[high, 'bound h1'], [0, 'zero'], [low, 'bound h0']]) {
      svg('line', { x1: 0, x2: 100, y1: y(value), y2: y(value), class: kind }, this.drawing);
    }
    svg('polyline', { points: points.join(' '), class: 'llr' }, this.drawing);
    const [x, end] = points[points.length - 1].split(',');
    svg('line', { x1: x, x2: x, y1: end, y2: end, class: 'dot' }, this.drawing);
    this.ticks.replaceChildren(...[[`H1 ${signed(high, 2)}`, high], ['0', 0], [`H0 ${signed(low, 2)}`, low]].map(([text, value]) => {
      const tick = node('span', text);
      tick.style.top = `${y(value)}%`;
      return tick;
    }));
  }
}
