// The moves of a game as text: numbered, with glyphs, comments and what is wrong with bad moves;
// variations stand between them, indented, and those within them in brackets.
//
//   const text = new MoveText(element, { onPick: (node) => {}, onBeside: (places) => {} });
//   text.draw(tree, { side, number, about: (node) => ({ mark, reason, title, book }) });
//   text.annotate(node);   // what `about` says of a move has changed
//   text.current(node);    // marks the move that led to the position shown

import { make, node as element } from './dom.js';
import { glyphText, moveButton } from './move_words.js';
import { markMove } from './moves.js';

const KINDS = { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder', '!': 'good', '!!': 'good', '!?': 'good' };

export class MoveText {
  constructor(root, { onPick, onBeside }) {
    this.root = root;
    this.onPick = onPick;
    this.about = (_) => ({ main: false, mark: '', reason: '', title: '', book: false });
    this.buttons = new Map();
    /** @type {HTMLElement | null} */
    this.now = null;
    root.classList.add('moves', 'text');
    // One move is in the order of Tab; the arrows go on from it.
    root.addEventListener('keydown', (event) => {
      const places = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!places || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      onBeside(places);
    });
  }

  draw(tree, { side, number, about }) {
    this.about = about;
    this.buttons = new Map();
    this.now = null;
    const first = { number, black: side === 'b' };
    this.root.replaceChildren(...this.line(tree, tree.root, first, true));
  }

  // The moves after a node, and the variations beside them.
  line(tree, from, first, outer) {
    const parts = [];
    const nodes = tree.onwards(from);
    let begins = true;
    for (const move of nodes) {
      parts.push(...this.move(move, first, begins));
      begins = false;
      const others = move.parent.next.filter((other) => other !== move);
      // What goes on after the end of a recorded game.
      if (tree.isMain(move) && move === nodes[nodes.length - 1]) others.push(...move.next);
      for (const other of others) {
        parts.push(this.variation(tree, other, first, outer));
        begins = true;
      }
    }
    if (nodes.length === 0 && from === tree.root) for (const other of from.next) parts.push(this.variation(tree, other, first, outer));
    return parts;
  }

  variation(tree, begin, first, outer) {
    const parts = [...this.move(begin, first, true), ...this.line(tree, begin, first, false)];
    if (outer) return make('span', { class: 'aside' }, ...parts);
    return make('span', { class: 'aside inner' }, '(', ...parts, ')');
  }

  // A move with its number and what is said about it.
  move(move, { number, black }, begins) {
    const place = move.ply - 1 + (black ? 1 : 0);
    const parts = [];
    if (place % 2 === 0) parts.push(element('span', `${number + Math.floor(place / 2)}.`, 'count'));
    else if (begins) parts.push(element('span', `${number + Math.floor(place / 2)}…`, 'count'));
    const button = moveButton(move.text, () => this.onPick(move), { class: 'move', tabindex: -1 });
    const note = element('span', '', 'said');
    this.buttons.set(move, { button, note });
    this.annotate(move);
    return [...parts, button, note];
  }

  annotate(move) {
    const found = this.buttons.get(move);
    if (!found) return;
    const { button, note } = found;
    const { mark, reason, title, book, main } = this.about(move);
    const glyph = move.glyph || mark;
    button.className = `move${book ? ' book' : ''}${KINDS[glyph] ? ` ${KINDS[glyph]}` : ''}`;
    if (main) button.dataset.ply = String(move.ply);
    else delete button.dataset.ply;
    button.querySelectorAll('.glyph, .heard').forEach((part) => part.remove());
    if (glyph) {
      button.append(make('span', { class: 'glyph', 'aria-hidden': 'true' }, glyph));
      button.append(make('span', { class: 'heard visually-hidden' }, `, ${glyphText(glyph)}`));
    }
    const words = [move.text, glyphText(glyph), reason].filter(Boolean);
    button.title = [words.join(', '), title].filter(Boolean).join(' · ');
    note.replaceChildren();
    if (reason) note.append(element('span', reason, `reason ${KINDS[mark] ?? ''}`));
    if (move.comment) note.append(element('span', move.comment, 'comment'));
  }

  current(move) {
    const first = this.buttons.values().next().value?.button;
    this.now = markMove(this.root, this.now, this.buttons.get(move)?.button, first);
  }
}
