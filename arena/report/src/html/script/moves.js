// The list of a game's moves: two columns, numbered; every move leads to its position.
//
//   const list = new MoveList(olElement, {
//     href: (ply) => '#…',          // optional: the address of a position
//     onPick: (ply) => {},          // a click or a key chose a move; without it the links do
//   });
//   list.set(moves, firstSide);     // moves: [{ ply, side, text, score, ms, book, mark, note }], where
//                                   // mark is '', '?!', '?' or '??' and note its explanation
//   list.add(moves);                // appends further moves
//   list.annotate(ply, mark, note); // sets or removes a mark
//   list.current(ply);              // marks the move that led to the position shown; 0: none
//
// Arrow keys up and down in the list go to the same side's move before and after.

import { node, make } from './dom.js';
import { whiteScore } from './position.js';
import { say } from './words.js';

const MARKS = { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' };

export class MoveList {
  // The elements of the moves by their ply.
  /** @type {Map<number, HTMLElement>} */
  links;

  /**
   * @param {HTMLElement} root
   * @param {{ href?: (ply: number) => string, onPick?: (ply: number) => void }} [on]
   */
  constructor(root, { href, onPick } = {}) {
    this.root = root;
    this.href = href;
    this.onPick = onPick;
    root.classList.add('moves');
    root.addEventListener('click', (event) => this.click(event));
    root.addEventListener('keydown', (event) => this.key(event));
    this.set([], 'w');
  }

  set(moves, firstSide) {
    this.root.replaceChildren();
    this.firstSide = firstSide;
    this.links = new Map();
    this.now = null;
    this.row = null;
    this.root.scrollTop = 0;
    this.add(moves);
  }

  add(moves) {
    for (const move of moves) {
      if (move.side === 'w' || this.row === null) {
        this.row = node('li');
        this.root.append(this.row);
        if (move.side === 'b') this.row.append(node('span', '…', 'move none'));
      }
      const link = this.link(move);
      this.links.set(move.ply, link);
      this.row.append(link);
    }
  }

  link(move) {
    const attributes = { class: `move${move.book ? ' book' : ''}`, 'data-ply': move.ply, tabindex: -1 };
    const link = this.href
      ? make('a', { ...attributes, href: this.href(move.ply) })
      : make('button', { ...attributes, type: 'button' });
    const about = [move.book ? say('moves.opening') : whiteScore(move.score, move.side), timeText(move.ms)];
    link.append(make('span', { class: 'text' }, move.text), node('small', about.filter(Boolean).join(' · ')));
    this.glyph(link, move.mark, move.note);
    return link;
  }

  annotate(ply, mark, note) {
    const link = this.links.get(ply);
    if (link) this.glyph(link, mark, note);
  }

  glyph(link, mark, note) {
    link.querySelector('.glyph')?.remove();
    link.title = note || '';
    for (const kind of Object.values(MARKS)) link.classList.toggle(kind, kind === MARKS[mark]);
    if (!MARKS[mark]) return;
    link.querySelector('.text').append(make('span', { class: 'glyph', 'aria-label': say(`glyph.${MARKS[mark]}`) }, ` ${mark}`));
  }

  click(event) {
    const link = event.target.closest('[data-ply]');
    if (!link || !this.onPick || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.onPick(Number(link.dataset.ply));
  }

  key(event) {
    const places = { ArrowUp: -2, ArrowDown: 2 }[event.key];
    const from = event.target.closest('[data-ply]');
    if (!places || !from) return;
    const link = this.links.get(Number(from.dataset.ply) + places);
    if (!link) return;
    event.preventDefault();
    link.focus();
    link.click();
  }

  current(ply) {
    this.now = markMove(this.root, this.now, this.links.get(ply), this.links.values().next().value);
  }
}

// Marks a move of a list instead of the one that was marked before, and scrolls the list, not the page,
// to it. Without a move the list is at its start, and its first move stays in the order of Tab.
/**
 * @template {Element} T
 * @param {Element} root
 * @param {T | null} before
 * @param {T | undefined} now
 * @param {T | undefined} first
 */
export function markMove(root, before, now, first) {
  before?.removeAttribute('aria-current');
  before?.setAttribute('tabindex', '-1');
  if (!now) {
    root.scrollTop = 0;
    first?.setAttribute('tabindex', '0');
    return null;
  }
  now.setAttribute('aria-current', 'step');
  now.setAttribute('tabindex', '0');
  const [outer, inner] = [root.getBoundingClientRect(), now.getBoundingClientRect()];
  if (inner.top < outer.top) root.scrollTop -= outer.top - inner.top + 8;
  if (inner.bottom > outer.bottom) root.scrollTop += inner.bottom - outer.bottom + 8;
  return now;
}

// A time in readable form; nothing if there is none.
export function timeText(ms) {
  if (ms === null || ms === undefined) return '';
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
