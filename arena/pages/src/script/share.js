// What can be taken away from the analysis: a link, the position, the game, and pictures.

import { attempt } from './api.js';
import { Board } from './board.js';
import { button, make, node, svg } from './dom.js';
import { copyFrom, download } from './files.js';
import { Gif } from './gif.js';
import { canvasOf, pngOf, svgText } from './picture.js';
import { say } from './words.js';

// Widths of the pictures in pixels.
const LARGE = 1280;
const MOVING = 600;
// How long a position of a film is shown, and the last one, in hundredths of a second.
const DELAY = 120;
const LAST = 400;

export class Share {
  constructor(page) {
    this.page = page;
    const link = button(say('share.link'), null, () => copyFrom(link, location.href));
    const fen = button(say('share.fen'), null, () => page.state && copyFrom(fen, page.state.fen));
    this.film = button(say('share.gif'), null, () => this.saveFilm());
    this.told = node('p', '', 'soft');
    this.told.setAttribute('role', 'status');
    this.told.hidden = true;
    this.root = make('details', { class: 'share' }, node('summary', say('share.title')),
      make('div', { class: 'controls' }, link, fen, button(say('share.fgn'), null, () => page.saveFgn())),
      make('div', { class: 'controls' },
        button(say('share.png'), null, () => attempt(async () => download('position.png', await pngOf(this.drawing, LARGE), 'image/png'))),
        button(say('share.svg'), null, () => download('position.svg', svgText(this.drawing, LARGE), 'image/svg+xml')),
        this.film),
      this.told);
  }

  get drawing() {
    return this.page.desk.board.root;
  }

  async saveFilm() {
    this.film.disabled = true;
    this.told.hidden = false;
    await attempt(async () => download('game.gif', await this.gif(), 'image/gif'));
    this.film.disabled = false;
    this.told.hidden = true;
  }

  // The open line as a film, drawn on a board of its own that nobody sees.
  async gif() {
    const { frames, desk } = this.page;
    const { columns, rows, flipped } = desk.board;
    const drawing = svg('svg', { class: 'film', 'aria-hidden': 'true' });
    this.root.append(drawing);
    try {
      const board = new Board(drawing);
      board.flipped = flipped;
      board.draw(columns, rows);
      /** @type {Gif | null} */
      let film = null;
      for (const [index, { stones, steps, side }] of frames.entries()) {
        this.told.textContent = say('share.drawing', { n: index + 1, all: frames.length });
        board.put(stones);
        board.showMove(steps, side);
        const { canvas, context } = await canvasOf(drawing, MOVING);
        film ??= new Gif(canvas.width, canvas.height);
        film.add(context.getImageData(0, 0, canvas.width, canvas.height).data, index + 1 === frames.length ? LAST : DELAY);
      }
      return /** @type {Gif} */ (film).bytes();
    } finally {
      drawing.remove();
    }
  }
}
