// The grid of small boards of the running games. A game keeps its place until it is over, and the
// next game to begin takes the place of a finished one, so that boards do not wander.

import { make, node, svg } from './dom.js';
import { whiteScore } from './position.js';
import { Board } from './board.js';
import { resultText, shortNumber } from './format.js';
import { clockText } from './clock.js';
import { ENDED, timeOf } from './live_games.js';
import { say } from './words.js';

// A finished game stays at least this long if another place is free.
const LINGER_MS = 4000;

export class LiveGrid {
  // `onPick(card)` is called when the user chooses a game; `onChange(card)` when a card shows
  // another game.
  constructor(root, { onPick, onChange }) {
    this.root = root;
    this.onPick = onPick;
    this.onChange = onChange;
    this.cards = [];
  }

  // Shows exactly these games; those that are shown already keep their places.
  all(games) {
    const ids = new Set(games.map((game) => game.id));
    for (const card of this.cards) {
      if (ids.has(card.game.id) || card.game.result) continue;
      card.over = 0;
      card.show({ ...card.game, ...ENDED });
    }
    for (const game of games) this.begin(game);
  }

  cardOf(id) {
    return this.cards.find((card) => card.game.id === id);
  }

  // A page that comes later hears of the beginning of games that it has been told of already.
  begin(game) {
    const known = this.cardOf(game.id);
    if (known) {
      known.show(game);
      return;
    }
    const free = this.cards.filter((card) => card.over !== null).sort((a, b) => a.over - b.over);
    let [card] = free;
    if (!card) {
      card = new LiveCard(game, () => this.onPick(card));
      this.cards.push(card);
      this.root.append(card.root);
    } else {
      card.show(game);
    }
    this.onChange(card);
  }

  update(game) {
    this.cardOf(game.id)?.show(game);
  }

  finish(game) {
    const card = this.cardOf(game.id);
    if (!card) return;
    card.over = performance.now() + LINGER_MS;
    card.show({ ...card.game, ...game });
  }

  tick() {
    for (const card of this.cards) card.tick();
  }
}

class LiveCard {
  constructor(game, onPick) {
    this.drawing = svg('svg', { class: 'board small', 'aria-hidden': 'true' });
    this.sides = { b: sideRow('b'), w: sideRow('w') };
    this.note = node('p', '', 'note-line');
    this.button = make('button', { type: 'button', class: 'pick', onclick: onPick });
    this.root = make('li', { class: 'live-card' }, this.sides.b.root, make('div', { class: 'thumb' }, this.drawing), this.sides.w.root, this.note, this.button);
    this.board = new Board(this.drawing, { small: true });
    this.over = null;
    this.game = null;
    this.show(game);
  }

  show(game) {
    const isOther = this.game?.id !== game.id;
    if (isOther) {
      if (this.board.columns !== game.start.columns || this.board.rows !== game.start.rows) this.board.draw(game.start.columns, game.start.rows);
      for (const side of ['w', 'b']) {
        this.sides[side].name.textContent = side === 'w' ? game.white : game.black;
        this.sides[side].name.title = this.sides[side].name.textContent;
      }
      this.button.setAttribute('aria-label', say('watch.one', { game: String(game.id), white: game.white, black: game.black }));
      this.shown = null;
    }
    this.game = game;
    if (!game.result) this.over = null;
    const frame = game.frames[game.frames.length - 1];
    if (frame !== this.shown) {
      this.shown = frame;
      this.board.put(frame.stones);
      this.board.showMove(frame.steps, frame.side);
    }
    for (const side of ['w', 'b']) {
      this.sides[side].root.classList.toggle('to-move', game.toMove === side);
      this.sides[side].says.textContent = saysText(game.info[side], side);
    }
    const moves = Math.ceil((game.frames.length - 1) / 2);
    const ended = game.result ? endText(game) : '';
    this.note.textContent = ended || say('watch.note', { n: moves, kind: say(`kind.${game.kind}`), game: String(game.id) });
    this.root.classList.toggle('over', Boolean(game.result));
    this.tick();
  }

  tick() {
    for (const side of ['w', 'b']) {
      const time = timeOf(this.game, side);
      const text = time === null ? '' : clockText(time);
      const { clock } = this.sides[side];
      if (clock.textContent !== text) clock.textContent = text;
    }
  }

  mark(isPinned) {
    if (isPinned) this.button.setAttribute('aria-current', 'true');
    else this.button.removeAttribute('aria-current');
  }
}

// How a game ended. While nobody has said how, it has just ended.
function endText({ result, reason }) {
  return [resultText(result), reason ? say(`reason.${reason}`) : ''].join(' ').trim();
}

// What an engine reports, with the score from White's view; the most important comes first, because
// the line is cut off at its end.
function saysText(info, side) {
  if (!info) return '–';
  const pv = Array.isArray(info.pv) ? info.pv.join(' ') : info.pv;
  const speed = info.nps ? `${shortNumber(info.nps)}/s` : '';
  return [whiteScore(info.score, side), info.depth ? say('analyse.depth', { n: info.depth }) : '', speed, pv].filter(Boolean).join(' · ');
}

function sideRow(side) {
  const [name, clock, says] = [node('bdi'), node('span', '', 'clock'), node('p', '', 'says')];
  const root = make('div', { class: 'live-side' },
    make('p', {}, make('span', { class: `chip ${side}`, role: 'img', 'aria-label': say(`side.${side}`) }), name, clock), says);
  return { root, name, clock, says };
}
