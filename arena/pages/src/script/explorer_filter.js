// Which games the explorer counts: the start, tournaments, and games of one engine.

import { make, node } from './dom.js';
import { choiceList, field } from './fields.js';
import { boardTitle } from './rule_words.js';

export class ExplorerFilter {
  // `onStart(board, kind)` and `onChange()` hear of the user's choices.
  constructor(boards, tournaments, { onStart, onChange }) {
    this.tournaments = tournaments;
    this.onChange = onChange;
    this.engine = '';
    this.chosen = new Set();
    const starts = boards.flatMap((board) => [[`${board.name} riatra`, boardTitle(board)], [`${board.name} vela`, `${boardTitle(board)}, vela`]]);
    this.start = choiceList(starts, `${boards[0].name} riatra`, (value) => onStart(...value.split(' ')));
    const names = [...new Set(tournaments.flatMap((one) => one.engines))].sort();
    const engines = choiceList([['', 'All engines'], ...names.map((name) => [name, name])], '', (name) => {
      this.engine = name;
      onChange();
    });
    this.summary = node('summary', '');
    const boxes = tournaments.map((one) => this.box(one));
    const list = make('details', {}, this.summary, make('div', { class: 'tournament-boxes' }, ...boxes));
    list.hidden = tournaments.length < 2;
    this.root = make('section', { class: 'card filter', 'aria-label': 'Which games' },
      make('div', { class: 'pair' }, field('Start', this.start), field('Engine', engines)), list);
    this.tell();
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
    return make('label', {}, check, make('span', {}, name, ' ', node('small', `${tournament.finished} games`)));
  }

  tell() {
    const { size } = this.chosen;
    this.summary.textContent = size === 0 ? 'All tournaments' : `${size} of ${this.tournaments.length} tournaments`;
  }

  // The fields of a question to the server.
  get words() {
    return { tournaments: [...this.chosen], engine: this.engine };
  }
}
