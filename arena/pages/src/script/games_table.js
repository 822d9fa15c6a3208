// The finished games: sorted and filtered by the server, in a frame of fifteen rows that loads
// further rows when it is scrolled. New games appear without moving what is being read.

import { focusedIn, make, node } from './dom.js';
import { getJson, showError } from './api.js';
import { resultText } from './format.js';
import { say } from './words.js';

const PAGE = 100;
// Many games may end at once.
const PERIOD_MS = 1000;
const COLUMNS = ['game', 'white', 'black', 'result', 'reason', 'kind', 'opening', 'plies'].map((by) => [by, say(`games.${by}`)]);
const RESULTS = [['', say('games.any')], ['1-0', say('games.1-0')], ['0-1', say('games.0-1')], ['1/2-1/2', say('games.drawn')], ['*', say('games.none')], ['won', say('games.won')], ['lost', say('games.lost')]];

const FILTERS = { engine: say('games.engine'), opponent: say('play.opponent'), result: say('games.result'), kind: say('games.kind'), reason: say('games.reason') };

export class GamesTable {
  constructor(root, { id, onOpen }) {
    this.id = id;
    this.onOpen = onOpen;
    this.games = [];
    this.total = 0;
    // Whether the last question had no answer.
    this.isOld = false;
    this.sort = { by: 'game', down: true };
    this.fields = Object.fromEntries(['engine', 'opponent', 'result', 'kind', 'reason'].map((name) => [name, make('select', { 'data-field': name })]));
    this.fields.result.append(...RESULTS.map(([value, text]) => new Option(text, value)));
    for (const name of ['engine', 'opponent', 'kind', 'reason']) this.fields[name].append(new Option(say('games.any'), ''));
    const reset = make('button', { type: 'button', onclick: () => this.reset() }, say('explorer.all'));
    this.filters = make('div', { class: 'filters', role: 'group', 'aria-label': say('games.filter') },
      ...Object.entries(this.fields).map(([name, field]) => make('label', {}, FILTERS[name], field)), reset);
    this.filters.addEventListener('change', () => this.changed());
    this.count = make('p', { class: 'soft' });
    this.heads = new Map(COLUMNS.map(([by, text]) => [by, make('th', { scope: 'col', class: by === 'plies' ? 'number' : null }, make('button', { type: 'button', class: 'sort', onclick: () => this.order(by) }, text))]));
    this.body = make('tbody');
    const table = make('table', { class: 'games' }, make('caption', { class: 'visually-hidden' }, say('home.finished')), make('thead', {}, make('tr', {}, ...this.heads.values())), this.body);
    this.box = make('div', { class: 'scroll fifteen', role: 'region', tabindex: 0, 'aria-label': say('home.finished') }, table);
    this.box.addEventListener('scroll', () => this.more(), { passive: true });
    this.body.addEventListener('click', (event) => this.click(event));
    root.append(this.filters, this.count, this.box);
    this.heading();
  }

  engines(names) {
    if (this.fields.engine.options.length > 1) return;
    for (const field of [this.fields.engine, this.fields.opponent]) field.append(...names.map((name) => new Option(name, name)));
  }

  // Shows the games of an engine, or of two engines against each other.
  filter({ engine = '', opponent = '', kind = '' }) {
    for (const field of Object.values(this.fields)) field.value = '';
    this.fields.engine.value = engine;
    this.fields.opponent.value = opponent;
    this.fields.kind.value = kind;
    this.changed();
  }

  reset() {
    this.filter({});
  }

  changed() {
    const isOf = this.fields.engine.value !== '';
    this.fields.opponent.disabled = !isOf;
    if (!isOf) this.fields.opponent.value = '';
    for (const option of this.fields.result.options) {
      if (!['won', 'lost'].includes(option.value)) continue;
      option.disabled = !isOf;
      if (!isOf && option.selected) this.fields.result.value = '';
    }
    this.box.scrollTop = 0;
    this.count.setAttribute('aria-live', 'polite');
    this.load(PAGE);
  }

  order(by) {
    this.sort = { by, down: this.sort.by === by ? !this.sort.down : by === 'plies' };
    this.heading();
    this.box.scrollTop = 0;
    this.count.setAttribute('aria-live', 'polite');
    this.load(PAGE);
  }

  heading() {
    for (const [by, cell] of this.heads) {
      if (by === this.sort.by) cell.setAttribute('aria-sort', this.sort.down ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
  }

  // Asks again for all rows that are loaded, at most once in a period.
  refresh() {
    if (this.waiting) return;
    const wait = Math.max(0, (this.asked ?? -PERIOD_MS) + PERIOD_MS - performance.now());
    this.waiting = setTimeout(() => {
      this.waiting = null;
      this.asked = performance.now();
      // Games that end are not announced one by one.
      this.count.setAttribute('aria-live', 'off');
      this.load(Math.max(PAGE, this.games.length));
    }, wait);
  }

  query(offset, limit) {
    const query = new URLSearchParams({ offset, limit, sort: this.sort.by });
    if (this.sort.down) query.set('desc', '1');
    for (const [name, field] of Object.entries(this.fields)) if (field.value) query.set(name, field.value);
    return `/api/t/${encodeURIComponent(this.id)}/games?${query}`;
  }

  async load(limit) {
    // Only the answer to the latest question counts.
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      /** @type {import('../../views').Games} */
      const said = await getJson(this.query(0, limit), asking.signal);
      if (this.asking !== asking) return;
      this.games = said.games;
      this.total = said.total;
      this.isOld = false;
      this.options(said);
      this.draw();
    } catch (error) {
      if (asking.signal.aborted) return;
      this.isOld = true;
      showError(error);
    } finally {
      if (this.asking === asking) this.asking = null;
    }
  }

  async more() {
    const { box } = this;
    const near = box.scrollHeight - box.scrollTop - box.clientHeight < 400;
    if (!near || this.asking || this.games.length >= this.total) return;
    await this.load(this.games.length + PAGE);
  }

  options({ reasons }) {
    for (const name of ['reason', 'kind']) {
      const values = name === 'kind' ? ['riatra', 'vela'] : reasons || [];
      const field = this.fields[name];
      const known = new Set([...field.options].map((option) => option.value));
      field.append(...values.filter((value) => !known.has(value)).map((value) => new Option(say(`${name}.${value}`), value)));
    }
  }

  // Writes the rows. If the user has scrolled, the row at the upper edge keeps its place.
  draw() {
    const { box } = this;
    const anchor = box.scrollTop > 0 ? [...this.body.children].find((row) => row.offsetTop + row.offsetHeight > box.scrollTop + 40) : null;
    const [anchorId, before] = [anchor?.dataset.game, anchor?.offsetTop];
    const focused = focusedIn(this.body)?.closest('tr')?.dataset.game;
    const old = new Map([...this.body.children].map((row) => [row.dataset.game, row]));
    this.body.replaceChildren(...this.games.map((game) => old.get(String(game.id)) ?? rowOf(game)));
    const now = anchorId ? this.rowOf(anchorId) : null;
    if (now) box.scrollTop += now.offsetTop - before;
    if (focused) this.rowOf(focused)?.querySelector('a').focus({ preventScroll: true });
    const isFiltered = Object.values(this.fields).some((field) => field.value);
    this.count.textContent = this.total > 0 ? say('count.games', { n: this.total }) : say(isFiltered ? 'games.no-match' : 'games.not-yet');
    box.hidden = this.total === 0;
    this.filters.hidden = this.total === 0 && !isFiltered;
    this.mark();
  }

  rowOf(id) {
    return this.body.querySelector(`[data-game="${CSS.escape(id)}"]`);
  }

  click(event) {
    const row = event.target.closest('tr');
    if (!row || event.target.closest('a') || String(getSelection())) return;
    this.onOpen(row.dataset.game);
  }

  // Marks the game in the replay.
  mark(id = this.current) {
    this.current = id;
    for (const row of this.body.children) {
      if (row.dataset.game === id) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  // The identifier of the game some places from another one in the list; null if there is none.
  beside(id, places) {
    const place = this.games.findIndex((game) => String(game.id) === id);
    return this.games[place < 0 ? 0 : place + places]?.id ?? null;
  }
}

/** @param {import('../../views').GameRow} game */
function rowOf(game) {
  const row = make('tr', { 'data-game': game.id });
  row.append(make('th', { scope: 'row' }, make('a', { href: `#g=${encodeURIComponent(game.id)}` }, String(game.id))));
  for (const [name, won] of [[game.white, '1-0'], [game.black, '0-1']]) {
    row.append(make('td', { class: game.result === won ? 'won' : null, title: name }, node('bdi', name)));
  }
  row.append(node('td', resultText(game.result)), node('td', say(`reason.${game.reason}`)), node('td', say(`kind.${game.kind}`)), node('td', game.opening || ''), node('td', String(game.plies), 'number'));
  return row;
}
