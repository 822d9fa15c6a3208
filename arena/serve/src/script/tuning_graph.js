// The values of tuned options over the iterations, each within its range.

import { make, node, svg } from './dom.js';
import { plural } from './format.js';

export class TuningGraph {
  constructor(root) {
    this.foot = node('p', '', 'soft foot');
    this.plots = make('div', { class: 'plots' });
    root.append(this.plots, this.foot);
  }

  show({ iterations, planned, parameters }) {
    const band = parameters.some(({ interval }) => interval) ? '; the band: the best value is there (95 %)' : '';
    this.foot.textContent = `${iterations.toLocaleString('en')} of ${plural(planned, 'iteration')}, from left to right; dashed: the start${band}`;
    this.plots.replaceChildren(...parameters.map((parameter) => plot(parameter, planned)));
  }
}

function plot(parameter, planned) {
  const { name, start, value, interval, trace } = parameter;
  const [min, max] = shownRange(parameter);
  // The time to come is empty space on the right.
  const x = (iteration) => ((100 * iteration) / Math.max(planned, 1)).toFixed(2);
  const y = (at) => ((100 * (max - at)) / (max - min)).toFixed(2);
  const last = trace[trace.length - 1];
  const drawing = svg('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', role: 'img' });
  drawing.setAttribute('aria-label', `${name} from ${shown(start)} to ${shown(last[1])}`);
  if (interval) {
    const [low, high] = interval.map((end) => Math.min(max, Math.max(min, end)));
    svg('rect', { x: 0, width: 100, y: y(high), height: Math.max(0, y(low) - y(high)), class: 'best' }, drawing);
  }
  svg('line', { x1: 0, x2: 100, y1: y(start), y2: y(start), class: 'zero' }, drawing);
  const points = trace.map(([iteration, at]) => `${x(iteration)},${y(at)}`);
  svg('polyline', { points: points.join(' '), class: 'llr' }, drawing);
  const [endX, endY] = points[points.length - 1].split(',');
  svg('line', { x1: endX, x2: endX, y1: endY, y2: endY, class: 'dot' }, drawing);
  const ticks = make('div', { class: 'ticks', 'aria-hidden': 'true' });
  for (const at of marks(min, max, start)) {
    const tick = node('span', shown(at));
    tick.style.top = `${y(at)}%`;
    ticks.append(tick);
  }
  return make('figure', { class: 'tuned' },
    make('figcaption', {}, node('bdi', name), ` ${shown(value)}${known(interval)}`, node('span', ` (${shown(parameter.min)} to ${shown(parameter.max)} allowed)`, 'soft')),
    make('div', { class: 'tuned-plot' }, ticks, drawing));
}

function known(interval) {
  return interval ? `, the best is from ${shown(interval[0])} to ${shown(interval[1])}` : '';
}

// The part of the range that the values have been in, with the start and some room on both sides.
export function shownRange({ min, max, start, interval, trace }) {
  const seen = [start, ...trace.map(([, at]) => at), ...(interval || [])];
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const room = Math.max((high - low) / 4, (max - min) / 50);
  return [Math.max(min, low - room), Math.min(max, high + room)];
}

// Both ends of the range, and the start if it is not too close to them.
export function marks(min, max, start) {
  const far = (at) => Math.abs(start - at) > (max - min) / 8;
  return far(min) && far(max) ? [max, start, min] : [max, min];
}

// A number with at most three or four significant digits.
export function shown(value) {
  const size = Math.abs(value);
  const decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return String(Number(value.toFixed(decimals))).replace('-', '−');
}
