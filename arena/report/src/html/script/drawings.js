// Boards that stand between the words of a page. The element has the position, two moves, the better
// one first, and the sign of each: `data-position`, `data-moves`, `data-signs`.

import { Board } from './board.js';
import { positionOf, stepsOf } from './position.js';

// Draws them in the whole page.
export function drawings() {
  for (const root of /** @type {NodeListOf<SVGSVGElement>} */ (document.querySelectorAll('svg[data-position]'))) {
    const { position, moves, signs } = /** @type {Record<string, string>} */ (root.dataset);
    const { columns, rows, stones } = positionOf(position);
    const [better, worse] = moves.split(' ').map(stepsOf);
    const [first, second] = signs.split(' ');
    const board = new Board(root);
    board.draw(columns, rows);
    board.put(stones);
    // The signs stand on different sides, as both moves may end at the same point.
    board.hints([
      { steps: better, weight: 0.6, kind: 'best', label: first },
      { steps: worse, weight: 0.6, kind: 'other', label: second, left: true },
    ]);
  }
}
