// The list of games with its filters; rows are added on demand.

import { $, node } from './dom.js';

const ROWS = 100;

export class List {
  constructor(games, engines) {
    this.games = games;
    this.shown = games;
    for (const name of engines) {
      $('by-engine').append(new Option(name, name));
    }
    const distinct = (key) => [...new Set(games.map((game) => game[key]))].sort();
    for (const kind of distinct('kind')) $('by-kind').append(new Option(kind, kind));
    for (const reason of distinct('reason')) $('by-reason').append(new Option(reason, reason));
    $('filters').addEventListener('change', () => this.filter());
    $('filters').addEventListener('reset', () => setTimeout(() => this.filter()));
    $('filters').addEventListener('submit', (event) => event.preventDefault());
    $('more').addEventListener('click', () => this.more());
    this.filter();
  }

  filter() {
    const engine = $('by-engine').value;
    for (const option of $('by-result').querySelectorAll('.of-engine')) {
      option.disabled = engine === '';
      if (option.disabled && option.selected) $('by-result').value = '';
    }
    const [kind, result, reason] = ['by-kind', 'by-result', 'by-reason'].map((id) => $(id).value);
    const winner = { '1-0': 'white', '0-1': 'black' };
    this.shown = this.games.filter((game) => {
      if (engine && game.white !== engine && game.black !== engine) return false;
      if (kind && game.kind !== kind) return false;
      if (reason && game.reason !== reason) return false;
      const won = winner[game.result] && game[winner[game.result]] === engine;
      if (result === 'won') return won;
      if (result === 'lost') return winner[game.result] && !won;
      return !result || game.result === result;
    });
    $('rows').replaceChildren();
    this.more();
    const [some, all] = [this.shown.length, this.games.length];
    $('count').textContent = some === all ? `${all} games` : `${some} of ${all} games`;
  }

  // Adds the next rows.
  more() {
    const body = $('rows');
    const begin = body.children.length;
    for (const game of this.shown.slice(begin, begin + ROWS)) body.append(this.row(game));
    const left = this.shown.length - body.children.length;
    $('more').hidden = left === 0;
    $('more').textContent = `Show more (${left} left)`;
    this.mark();
  }

  row(game) {
    const row = node('tr');
    row.dataset.game = game.id;
    const number = node('th');
    number.scope = 'row';
    const link = node('a', game.id);
    link.href = `#g=${game.id}`;
    number.append(link);
    row.append(number);
    for (const name of [game.white, game.black]) {
      const cell = node('td');
      cell.append(node('bdi', name));
      row.append(cell);
    }
    row.append(node('td', game.result), node('td', game.reason), node('td', game.kind), node('td', game.opening));
    row.append(node('td', String(game.plies), 'number'));
    return row;
  }

  // Marks the game in the replay.
  mark() {
    for (const row of $('rows').children) {
      const now = row.dataset.game === this.current;
      if (now) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  // The game at an offset from another one in the filtered list.
  beside(id, places) {
    const place = this.shown.findIndex((game) => game.id === id);
    return place < 0 ? this.shown[0] : this.shown[place + places];
  }
}
