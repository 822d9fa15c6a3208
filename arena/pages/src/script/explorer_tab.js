// The explorer as a part of the analysis: the moves that were played in the position shown, and what is
// proven of it.

import { attempt, postJson } from './api.js';
import { make, node } from './dom.js';
import { movesTable, provenLine, sampleList } from './explorer_table.js';
import { explorerLink, isReport } from './place.js';
import { say } from './words.js';

export class ExplorerTab {
  // `onPick(text)` hears of a move that is chosen, `onLook(text)` of one that is looked at; null: none.
  constructor({ onPick, onLook }) {
    this.onPick = onPick;
    this.onLook = onLook;
    this.run = 0;
    this.root = make('section', { class: 'explorer-tab', 'aria-label': say('explorer.tab') });
  }

  // Asks for the position after some moves.
  async show({ start, rules, moves }) {
    this.run += 1;
    const { run } = this;
    const answer = await attempt(() => postJson('/api/explorer', { start, rules, moves }));
    if (!answer || run !== this.run) return;
    const parts = [];
    const proven = provenLine(answer.proven.value);
    if (proven.length > 0) parts.push(make('p', { class: 'proven' }, ...proven));
    if (answer.moves.length > 0 || answer.proven.moves.length > 0) parts.push(movesTable(answer, this));
    if (answer.games === 0) parts.push(node('p', say('explorer.none'), 'soft'));
    if (answer.sample.length > 0) parts.push(node('h2', say('explorer.newest')), sampleList(answer.sample));
    if (!isReport()) parts.push(make('p', {}, make('a', { href: explorerLink(start, moves) }, say('explorer.choose'))));
    this.root.replaceChildren(...parts);
  }
}
