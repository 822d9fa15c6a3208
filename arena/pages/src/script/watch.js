// What is being played: the pinned game with a large board, and a small board for every game.

import { make, node } from './dom.js';
import { ENDED, LiveGames } from './live_games.js';
import { LiveGrid } from './live_grid.js';
import { PinnedGame } from './pinned.js';
import { say } from './words.js';

// How long the end of the pinned game is shown before its place goes on to the next game.
const END_MS = 5000;
// Of more boards than this, each shows only the board, the names and the clocks.
const MANY = 24;
// How often the clocks are written.
const TICK_MS = 100;

export class WatchPanel {
  // `on.replay(id)`: the user wants the replay of a finished game; `on.end()`: a game has ended;
  // `on.summary()`: the numbers of the tournament have changed.
  constructor(root, id, { scale, ...on }) {
    this.root = root;
    this.covered = false;
    // The pinned card; its board follows the games that take the card's place.
    this.card = null;
    this.view = make('div', { class: 'viewer pinned', tabindex: 0, role: 'group', 'aria-label': say('watch.pinned') });
    this.list = make('ul', { class: 'live-grid', 'aria-label': say('watch.running') });
    this.next = make('p', { class: 'next-games' });
    root.append(this.view, this.list, this.next);
    root.hidden = true;
    this.pinned = new PinnedGame(this.view, { scale, onReplay: (game) => on.replay(game.id), onFollow: () => this.follow() });
    this.grid = new LiveGrid(this.list, { onPick: (card) => this.pick(card), onChange: (card) => this.changed(card) });
    this.live = new LiveGames(id, {
      onGames: (games) => this.all(games),
      onBegin: (game) => this.begin(game),
      onGame: (game, added) => this.update(game, added),
      onEnd: (game) => {
        this.finish(game);
        on.end();
      },
      onSummary: () => on.summary(),
    });
    setInterval(() => this.tick(), TICK_MS);
  }

  start() {
    this.live.start();
  }

  // Ends the stream. The last positions stay, so that the page does not jump at the end.
  stop() {
    this.live.stop();
  }

  // Whether something else, the replay, takes the place of the boards.
  cover(covered) {
    this.covered = covered;
    this.display();
  }

  // The games that begin next.
  /** @param {import('../../views').NextGame[]} games */
  soon(games) {
    this.next.hidden = games.length === 0;
    const items = games.map(({ game, first, second, kind }) => make('span', { title: say('watch.game', { game: String(game) }) }, node('bdi', first), ' – ', node('bdi', second), node('small', ` ${say(`kind.${kind}`)}`)));
    this.next.replaceChildren(node('b', say('watch.next')), ...items);
  }

  display() {
    const wasHidden = this.root.hidden;
    this.root.hidden = this.covered || this.grid.cards.length === 0;
    this.list.hidden = this.grid.cards.length < 2;
    this.list.classList.toggle('many', this.grid.cards.length > MANY);
    // A list of moves without a height could not be scrolled to its current move.
    if (wasHidden && !this.root.hidden) this.pinned.settle();
  }

  all(games) {
    this.grid.all(games);
    const { game } = this.pinned;
    const now = game && this.live.games.get(game.id);
    if (now) this.pinned.update(now, now.frames.length - game.frames.length);
    else if (game && !game.result) this.pinned.update({ ...game, ...ENDED }, 0);
    this.display();
  }

  begin(game) {
    this.grid.begin(game);
    this.display();
  }

  update(game, added) {
    this.grid.update(game);
    if (this.pinned.game?.id === game.id) this.pinned.update(game, added);
  }

  finish(game) {
    this.grid.finish(game);
    if (this.pinned.game?.id === game.id) this.pinned.update({ ...this.pinned.game, ...game }, 0);
  }

  pin(card) {
    this.card = card;
    for (const one of this.grid.cards) one.mark(one === card);
    this.pinned.open(card.game);
  }

  pick(card) {
    this.pin(card);
    this.view.scrollIntoView({ block: 'nearest' });
  }

  // A card shows another game.
  changed(card) {
    if (this.card === null) this.pin(card);
    else if (this.card === card) setTimeout(() => this.follow(), this.pinned.game?.result ? END_MS : 0);
  }

  // Goes on to the next game of the pinned place, unless the user looks back in the last one.
  follow() {
    if (this.pinned.game.id !== this.card.game.id && this.pinned.ply === null) this.pin(this.card);
  }

  tick() {
    if (document.hidden || this.root.hidden) return;
    this.grid.tick();
    this.pinned.tick();
  }
}
