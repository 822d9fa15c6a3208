// The standings: a table whose intervals share one axis, with zero marked.

import { make, node, svg } from './dom.js';
import { signed } from './position.js';
import { pointsText } from './format.js';

const SCOPES = { all: 'All games', riatra: 'Riatra', vela: 'Vela', session: 'Sessions' };

export class Standings {
  // `onEngine(name)` is called when the user chooses an engine.
  constructor(root, { onEngine }) {
    this.onEngine = onEngine;
    this.scope = 'all';
    this.scopes = make('div', { class: 'choices', role: 'group', 'aria-label': 'Kind of game' });
    this.axis = make('th', { scope: 'col', class: 'chart' });
    const head = make('tr', {},
      make('th', { scope: 'col', class: 'number' }, '#'), make('th', { scope: 'col' }, 'Engine'), make('th', { scope: 'col', class: 'number' }, 'Elo'),
      this.axis, make('th', { scope: 'col', class: 'number' }, 'Points'), make('th', { scope: 'col', class: 'number' }, 'Won–drawn–lost'));
    this.body = make('tbody');
    const table = make('table', { class: 'standings' }, make('caption', { class: 'visually-hidden' }, 'Standings'), make('thead', {}, head), this.body);
    this.empty = node('p', 'The first finished game fills this table.', 'soft');
    this.box = make('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': 'Table of ratings' }, table);
    root.append(this.scopes, this.empty, this.box);
    this.rows = new Map();
  }

  show(standings) {
    this.standings = standings;
    if (!standings.some((one) => one.scope === this.scope)) this.scope = standings[0]?.scope ?? 'all';
    const scopes = standings.map((one) => one.scope);
    if (scopes.join() !== this.known) {
      this.known = scopes.join();
      this.scopes.replaceChildren(...scopes.map((scope) => make('button', {
        type: 'button', 'data-scope': scope, onclick: () => this.choose(scope),
      }, SCOPES[scope] || scope)));
    }
    for (const choice of this.scopes.children) choice.setAttribute('aria-pressed', String(choice.dataset.scope === this.scope));
    const shown = standings.find((one) => one.scope === this.scope);
    const ratings = shown?.ratings ?? [];
    const played = ratings.some((one) => one.games > 0);
    this.empty.hidden = played;
    this.box.hidden = !played;
    this.scopes.hidden = scopes.length < 2 || !standings.some((one) => one.ratings.some((rating) => rating.games > 0));
    const axis = axisOf(shown?.axis ?? [0, 0]);
    drawAxis(this.axis, axis);
    const names = new Set(ratings.map((one) => one.engine));
    for (const [name, row] of this.rows) {
      if (names.has(name)) continue;
      row.root.remove();
      this.rows.delete(name);
    }
    ratings.forEach((rating, index) => this.row(rating, index, axis));
  }

  choose(scope) {
    this.scope = scope;
    this.show(this.standings);
  }

  // Writes a row; rows are kept, so that the focus stays where it is.
  row(rating, index, axis) {
    let row = this.rows.get(rating.engine);
    if (!row) {
      row = this.make(rating.engine);
      this.rows.set(rating.engine, row);
    }
    if (this.body.children[index] !== row.root) this.body.insertBefore(row.root, this.body.children[index] ?? null);
    row.rank.textContent = rating.rank || index + 1;
    row.elo.textContent = rating.elo === null ? '–' : signed(rating.elo, 0);
    row.points.replaceChildren(`${pointsText(rating.points)}`, node('small', ` / ${rating.games}`));
    row.games.textContent = `${rating.wins}–${rating.draws}–${rating.losses}`;
    drawInterval(row.chart, rating, axis);
  }

  make(name) {
    const [rank, elo, points, games] = [0, 1, 2, 3].map(() => make('td', { class: 'number' }));
    const chart = make('td', { class: 'chart' });
    const choose = make('button', { type: 'button', class: 'name', title: `Show the games of ${name}`, onclick: () => this.onEngine(name) }, node('bdi', name));
    const root = make('tr', {}, rank, make('th', { scope: 'row' }, choose), elo, chart, points, games);
    return { root, rank, elo, chart, points, games };
  }
}

// A range with round numbers. A few engines far from all others may lie beyond it.
function axisOf([low, high]) {
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((size) => (high - low) / size <= 5) ?? 10000;
  const from = Math.floor(low / step) * step;
  const to = Math.max(from + step, Math.ceil(high / step) * step);
  const ticks = [];
  for (let tick = from; tick <= to; tick += step) ticks.push(tick);
  return { from, to, step, ticks, at: (elo) => (100 * (Math.min(to, Math.max(from, elo)) - from)) / (to - from) };
}

function drawAxis(cell, axis) {
  const key = axis.ticks.join();
  if (cell.dataset.axis === key) return;
  cell.dataset.axis = key;
  const marks = make('div', { class: 'axis', 'aria-hidden': 'true' });
  const isEnd = (tick) => tick === axis.from || tick === axis.to;
  axis.ticks.forEach((tick) => {
    // Narrow charts name fewer numbers; zero and the ends are always named.
    const kinds = [isEnd(tick) ? '' : 'inner', !isEnd(tick) && (tick / axis.step) % 2 !== 0 ? 'minor' : ''];
    const mark = node('span', signed(tick), tick === 0 ? 'zero' : kinds.join(' '));
    mark.style.left = `${axis.at(tick)}%`;
    marks.append(mark);
  });
  cell.replaceChildren(node('span', '95 % interval', 'visually-hidden'), marks);
}

function drawInterval(cell, rating, axis) {
  const chart = svg('svg', { viewBox: '0 0 100 20', preserveAspectRatio: 'none', role: 'img', 'aria-label': intervalText(rating) });
  for (const tick of axis.ticks) {
    svg('line', { x1: axis.at(tick), x2: axis.at(tick), y1: 0, y2: 20, class: tick === 0 ? 'grid zero' : 'grid' }, chart);
  }
  const beyond = rating.elo !== null && (rating.elo < axis.from ? `◂ ${signed(rating.elo)}` : rating.elo > axis.to && `${signed(rating.elo)} ▸`);
  if (rating.elo !== null && !beyond) {
    const [low, high] = [rating.low ?? axis.from, rating.high ?? axis.to];
    const isOpen = rating.low === null || rating.high === null;
    svg('line', { x1: axis.at(low), x2: axis.at(high), y1: 10, y2: 10, class: isOpen ? 'bar open' : 'bar' }, chart);
    for (const end of [rating.low, rating.high]) {
      if (end !== null && end >= axis.from && end <= axis.to) svg('line', { x1: axis.at(end), x2: axis.at(end), y1: 5, y2: 15, class: 'bar' }, chart);
    }
    svg('line', { x1: axis.at(rating.elo), x2: axis.at(rating.elo), y1: 10, y2: 10, class: 'dot' }, chart);
  }
  cell.replaceChildren(chart, ...(beyond ? [node('span', beyond, rating.elo < axis.from ? 'beyond' : 'beyond high')] : []));
  cell.title = intervalText(rating);
}

function intervalText({ elo, low, high }) {
  if (elo === null) return 'no rating yet';
  const end = (value, open) => (value === null ? open : signed(value));
  return `${signed(elo)} Elo, 95 % interval ${end(low, 'open')} to ${end(high, 'open')}`;
}
