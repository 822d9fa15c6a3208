// Which games the explorer counts: board and kind, tournaments, an engine, and the rating of the players.

import { make, node } from './dom.js';
import { choiceList, choiceRow, field } from './fields.js';
import { boardTitle } from './board_words.js';
import { say } from './words.js';

// The least rating of both players, in Elo above the mean of their tournament.
const RATINGS = [['', say('explorer.rating.any')], ['-100', say('explorer.rating.from', { elo: '−100' })], ['0', say('explorer.rating.mean')], ['100', say('explorer.rating.from', { elo: '+100' })], ['200', say('explorer.rating.from', { elo: '+200' })]];

export class ExplorerFilter {
  // `onStart(board, kind)` and `onChange()` hear of the user's choices.
  constructor(boards, tournaments, { onStart, onChange }) {
    this.tournaments = tournaments;
    this.onChange = onChange;
    this.engine = '';
    this.rating = '';
    this.chosen = new Set();
    let [board, kind] = [boards[0].name, 'riatra'];
    const start = choiceList(boards.map((one) => [one.name, boardTitle(one)]), board, (value) => {
      board = value;
      onStart(board, kind);
    });
    const kinds = choiceRow(say('explorer.kind'), ['riatra', 'vela'].map((one) => [one, say(`kind.${one}`)]), kind, (value) => {
      kind = value;
      onStart(board, kind);
    });
    const names = [...new Set(tournaments.flatMap((one) => one.engines))].sort();
    const engines = choiceList([['', say('explorer.engines')], ...names.map((name) => [name, name])], '', (name) => this.set('engine', name));
    const ratings = choiceList(RATINGS, '', (value) => this.set('rating', value));
    this.summary = node('summary', '');
    const boxes = tournaments.map((one) => this.box(one));
    const list = make('details', { open: true }, this.summary, make('div', { class: 'tournament-boxes' }, ...boxes));
    list.hidden = tournaments.length < 2;
    this.root = make('section', { class: 'filter', 'aria-label': say('explorer.which') },
      make('div', { class: 'pair' }, field(say('play.board'), start), kinds),
      make('div', { class: 'pair' }, field(say('analyse.engine'), engines), field(say('explorer.rated'), ratings)), list);
    this.tell();
  }

  set(name, value) {
    this[name] = value;
    this.onChange();
  }

  box(tournament) {
    const check = make('input', { type: 'checkbox' });
    check.addEventListener('change', () => {
      if (check.checked) this.chosen.add(tournament.id);
      else this.chosen.delete(tournament.id);
      this.tell();
      this.onChange();
    });
    const name = node('bdi', tournament.title || tournament.name);
    return make('label', {}, check, make('span', {}, name, ' ', node('small', say('count.games', { n: tournament.finished }))));
  }

  tell() {
    const { size } = this.chosen;
    this.summary.textContent = size === 0 ? say('explorer.tournaments') : say('explorer.some', { size, n: this.tournaments.length });
  }

  // The choices in words; empty if all games count.
  get said() {
    const { engine, rating, chosen } = this;
    const words = [chosen.size > 0 ? this.summary.textContent : '', engine, RATINGS.find(([value]) => value === rating && value)?.[1] ?? ''];
    return words.filter(Boolean).join(', ');
  }

  // The fields of a question to the server.
  get words() {
    return { tournaments: [...this.chosen], engine: this.engine, min_elo: this.rating === '' ? null : Number(this.rating) };
  }
}
