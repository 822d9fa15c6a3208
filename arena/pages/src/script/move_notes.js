// The note on the move that led to the position shown: a glyph and a comment, both the user's.

import { button, make, node } from './dom.js';
import { GLYPHS, glyphText } from './move_words.js';
import { say } from './words.js';

export class MoveNotes {
  // `onChange(node)` hears of a changed note.
  constructor({ onChange }) {
    this.onChange = onChange;
    this.at = null;
    this.head = node('p', '', 'note-head');
    this.glyphs = GLYPHS.map((glyph) => {
      const control = button(glyph, glyphText(glyph), () => this.choose(glyph), 'small');
      control.dataset.glyph = glyph;
      return control;
    });
    this.comment = make('textarea', { rows: 2, 'aria-label': say('note.comment'), placeholder: say('note.comment') });
    this.comment.addEventListener('input', () => {
      this.at.comment = this.comment.value.replace(/\s+/g, ' ').trim();
      this.onChange(this.at);
    });
    this.root = make('section', { class: 'note', 'aria-label': say('note.title'), hidden: true },
      this.head, make('div', { class: 'controls glyphs', role: 'group', 'aria-label': say('glyph.title') }, ...this.glyphs), this.comment);
  }

  // Shows the note on a move; the start has none.
  show(at, { reason, title }) {
    this.root.hidden = at.parent === null;
    if (at.parent === null) return;
    const words = make('span', {}, node('b', at.text, 'pv-text'), title ? ` ${title}` : '');
    this.head.replaceChildren(words);
    if (reason) this.head.append(node('span', `${reason[0].toUpperCase()}${reason.slice(1)}.`, 'reason'));
    if (this.at !== at || document.activeElement !== this.comment) this.comment.value = at.comment;
    this.at = at;
    this.press();
  }

  press() {
    for (const control of this.glyphs) control.setAttribute('aria-pressed', String(control.dataset.glyph === this.at.glyph));
  }

  // A glyph that is chosen again is taken away.
  choose(glyph) {
    this.at.glyph = this.at.glyph === glyph ? '' : glyph;
    this.press();
    this.onChange(this.at);
  }
}
