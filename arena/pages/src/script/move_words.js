// Moves in few characters: a chain of captures by its first and last point.

import { node } from './dom.js';
import { say } from './words.js';

// The glyphs that are put after moves, the best first, with their names.
const NAMES = { '!!': 'very-good', '!': 'good', '!?': 'interesting', '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' };

export const GLYPHS = Object.keys(NAMES);

// A glyph in words; empty for none.
export function glyphText(glyph) {
  return glyph ? say(`glyph.${NAMES[glyph]}`) : '';
}

// `e2…b4` for `e2e3Ad4Wb4A`; moves of one step as they are.
export function shortMove(text) {
  const points = text.match(/[a-i][1-9]/g) ?? [];
  return points.length > 2 ? `${points[0]}…${points[points.length - 1]}` : text;
}

// A button for a move. A chain is shown short; its title, and `heard`, its name for those who hear it,
// have all of it.
/** @param {Record<string, any>} [attributes] */
export function moveButton(text, onClick, attributes = {}) {
  const { heard = text, ...others } = attributes;
  const button = document.createElement('button');
  button.type = 'button';
  button.dataset.move = text;
  for (const [name, value] of Object.entries(others)) if (value !== null) button.setAttribute(name, value);
  const short = shortMove(text);
  const shown = node('span', short, 'text');
  button.append(shown);
  if (short !== text) button.title = text;
  // Screen readers read `heard`, and the screen shows `short`.
  if (heard !== short) {
    shown.setAttribute('aria-hidden', 'true');
    button.append(node('span', heard, 'visually-hidden'));
  }
  button.addEventListener('click', onClick);
  return button;
}
