// The list of games: sorted by a column, filtered, in a frame of fifteen rows that is filled as it is
// scrolled.
//
//   const list = new List(games, engineNames, { onOpen: (game) => {} });
//   list.choose({ engine, opponent, kind });  // shows these games; every field is optional
//   list.mark(id);                            // marks the game in the replay
//   list.beside(id, places);                  // the game at an offset from another one in the list

import { $, dropDown, make, node } from './dom.js';
import { say } from './words.js';

const ROWS = 60;
// The distance from the end, in pixels, at which further rows are added.
const NEAR = 400;

export class List {
  /** @type {any[]} */
  shown;

  constructor(games, engines, { onOpen }) {
    this.games = games;
    this.onOpen = onOpen;
    this.sort = { by: 'id', down: false };
    this.current = null;
    for (const id of ['by-engine', 'by-opponent']) $(id).append(...engines.map((name) => new Option(name, name)));
    const distinct = (key) => [...new Set(games.map((game) => game[key]))].sort();
    for (const [id, key] of [['by-kind', 'kind'], ['by-reason', 'reason']]) $(id).append(...distinct(key).map((word) => new Option(say(`${key}.${word}`), word)));
    $('filters').addEventListener('change', () => this.update());
    $('filters').addEventListener('reset', () => setTimeout(() => this.update()));
    $('filters').addEventListener('submit', (event) => event.preventDefault());
    this.heads = [...$('list').querySelectorAll('button')];
    for (const head of this.heads) head.addEventListener('click', () => this.order(head.dataset.by));
    $('rows').addEventListener('click', (event) => this.click(event));
    $('games-box').addEventListener('scroll', () => this.more(), { passive: true });
    this.update();
  }

  // Shows the games with these fields, and all of them in the other ones.
  choose({ engine = '', opponent = '', kind = '' }) {
    for (const field of $('filters').querySelectorAll('select')) field.value = '';
    dropDown('by-engine').value = engine;
    dropDown('by-opponent').value = opponent;
    dropDown('by-kind').value = kind;
    this.update();
  }

  // Sorts by a column; once more in the other direction.
  order(by) {
    this.sort = { by, down: this.sort.by === by && !this.sort.down };
    this.update();
  }

  update() {
    const engine = dropDown('by-engine').value;
    dropDown('by-opponent').disabled = engine === '';
    if (engine === '') dropDown('by-opponent').value = '';
    for (const option of dropDown('by-result').options) {
      if (!option.classList.contains('of-engine')) continue;
      option.disabled = engine === '';
      if (option.disabled && option.selected) dropDown('by-result').value = '';
    }
    const valueOf = (name) => dropDown(`by-${name}`).value;
    const wanted = { engine, opponent: valueOf('opponent'), kind: valueOf('kind'), result: valueOf('result'), reason: valueOf('reason') };
    this.shown = sorted(this.games.filter((game) => isWanted(game, wanted)), this.sort);
    for (const head of this.heads) {
      const cell = /** @type {HTMLElement} */ (head.parentElement);
      if (head.dataset.by === this.sort.by) cell.setAttribute('aria-sort', this.sort.down ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
    $('games-box').scrollTop = 0;
    $('rows').replaceChildren();
    this.more();
    const [some, all] = [this.shown.length, this.games.length];
    $('count').textContent = some === all ? say('games.count', { n: all }) : say('games.count-of', { some, n: all });
  }

  // Adds rows until the frame is full and some more are below it.
  more() {
    const [box, body] = [$('games-box'), $('rows')];
    while (body.children.length < this.shown.length && box.scrollHeight - box.scrollTop - box.clientHeight < NEAR) {
      const begin = body.children.length;
      body.append(...this.shown.slice(begin, begin + ROWS).map(rowOf));
      // A frame that is not drawn has no height to fill.
      if (box.clientHeight === 0) break;
    }
    this.mark(this.current);
  }

  click(event) {
    const row = event.target.closest('tr');
    // A link does this itself, and text can be selected.
    if (!row || event.target.closest('a') || String(getSelection())) return;
    this.onOpen(this.games.find((game) => game.id === row.dataset.game));
  }

  mark(id) {
    this.current = id;
    for (const row of /** @type {HTMLTableSectionElement} */ ($('rows')).rows) {
      if (row.dataset.game === id) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  beside(id, places) {
    const place = this.shown.findIndex((game) => game.id === id);
    return place < 0 ? this.shown[0] : this.shown[place + places];
  }
}

// Whether a game passes the filter.
export function isWanted(game, { engine, opponent, kind, result, reason }) {
  const isOf = (name) => !name || game.white === name || game.black === name;
  if (!isOf(engine) || !isOf(opponent)) return false;
  if (kind && game.kind !== kind) return false;
  if (reason && game.reason !== reason) return false;
  const winner = { '1-0': game.white, '0-1': game.black }[game.result];
  if (result === 'won') return winner === engine;
  if (result === 'lost') return winner !== undefined && winner !== engine;
  return !result || game.result === result;
}

// A sorted copy; games that are equal in the column keep their order.
export function sorted(games, { by, down }) {
  const direction = down ? -1 : 1;
  return [...games].sort((a, b) => direction * compared(a[by], b[by]));
}

// Numbers by value, also within texts such as `9.2` and `10.1`.
function compared(a, b) {
  if (typeof a === 'number') return a - b;
  return a.localeCompare(b, 'en', { numeric: true });
}

function rowOf(game) {
  const link = make('a', { href: `#g=${game.id}` }, game.id);
  const row = make('tr', { 'data-game': game.id }, make('th', { scope: 'row', class: 'fixed' }, link));
  for (const [name, short, won] of [[game.white, game.short[0], '1-0'], [game.black, game.short[1], '0-1']]) {
    row.append(make('td', { class: game.result === won ? 'won' : null, title: name }, node('bdi', short)));
  }
  const said = [game.result, say(`reason.${game.reason}`), say(`kind.${game.kind}`), game.opening];
  row.append(...said.map((text) => node('td', text)), node('td', String(game.plies), 'number'));
  return row;
}
