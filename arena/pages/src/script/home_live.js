// A small board on the home page that follows a game of a running tournament.

import { make, node, svg } from './dom.js';
import { Board } from './board.js';
import { LiveGames } from './live_games.js';
import { resultText } from './format.js';

export class HomeLive {
  constructor(id) {
    this.drawing = svg('svg', { class: 'board small', 'aria-hidden': 'true' });
    this.players = node('p', '', 'soft');
    this.root = make('div', { class: 'now-playing', hidden: true }, make('div', { class: 'thumb' }, this.drawing), this.players);
    this.board = new Board(this.drawing, { small: true });
    this.game = null;
    this.live = new LiveGames(id, {
      onGames: ([first]) => first && this.show(first),
      onBegin: (game) => (!this.game || this.game.result ? this.show(game) : undefined),
      onGame: (game) => (!this.game || this.game.result || game.id === this.game.id ? this.show(game) : undefined),
      onEnd: (game) => (game.id === this.game?.id ? this.show({ ...this.game, ...game }) : undefined),
    });
    this.live.start();
  }

  stop() {
    this.live.stop();
    this.root.remove();
  }

  show(game) {
    if (this.game?.id !== game.id) {
      this.board.draw(game.start.columns, game.start.rows);
      this.root.hidden = false;
    }
    this.game = game;
    const frame = game.frames[game.frames.length - 1];
    this.players.replaceChildren(node('bdi', game.white), ' – ', node('bdi', game.black), game.result ? ` ${resultText(game.result)}` : '');
    if (this.frame === frame) return;
    this.frame = frame;
    this.board.put(frame.stones);
    this.board.showMove(frame.steps, frame.side);
  }
}
