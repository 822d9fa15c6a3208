// The material of a board: wood with its veins, and the gradients of stones and their shadows. Colours
// come from the style sheet; small boards have none of this and stay flat.

import { svg } from './dom.js';

// Every board has gradients of its own, because those of a hidden drawing are not painted.
let painted = 0;

// The gradients by the name of the property that the style sheet paints with: their kind, the place
// where the light falls, and where each colour stands.
/** @type {Record<string, [string, Record<string, number>, Record<string, number>]>} */
const GRADIENTS = {
  wood: ['linearGradient', { x1: 0, y1: 0, x2: 0.25, y2: 1 }, { 'wood-high': 0, 'wood-low': 1 }],
  white: ['radialGradient', { cx: 0.38, cy: 0.3, r: 0.78 }, { 'white-high': 0.35, 'white-low': 1 }],
  black: ['radialGradient', { cx: 0.36, cy: 0.28, r: 0.7 }, { 'black-high': 0, 'black-low': 0.8 }],
  shadow: ['radialGradient', { cx: 0.5, cy: 0.5, r: 0.5 }, { 'shadow-high': 0.72, 'shadow-low': 1 }],
};

// Paints the wood of a size, in units of the drawing, around the points.
export function paintWood(root, { left, top, width, height, isFlat }) {
  if (!isFlat) gradients(root);
  svg('rect', { x: left, y: top, width, height, rx: 16, class: 'wood' }, root);
  if (isFlat) return;
  svg('path', { d: veins(left, top, width, height), class: 'veins' }, root);
}

function gradients(root) {
  painted += 1;
  const defs = svg('defs', {}, root);
  for (const [name, [kind, light, stops]] of Object.entries(GRADIENTS)) {
    const id = `${name}-paint-${painted}`;
    const gradient = svg(kind, { id, ...light }, defs);
    for (const [colour, offset] of Object.entries(stops)) svg('stop', { offset, class: colour }, gradient);
    root.style.setProperty(`--${name}-paint`, `url(#${id})`);
  }
}

// Long lines that swing a little, closer to each other where the tree grew slowly.
function veins(left, top, width, height) {
  const lines = [];
  for (let down = 14, number = 0; down < height - 8; number += 1) {
    const swing = 5 + 4 * Math.sin(2.4 * number);
    const [quarter, y] = [width / 4, top + down];
    lines.push(`M${left + 6} ${y.toFixed(1)}q${quarter} ${swing.toFixed(1)} ${2 * quarter - 6} 0t${2 * quarter - 6} ${(swing / 3).toFixed(1)}`);
    down += 17 + 11 * Math.sin(1.7 * number);
  }
  return lines.join('');
}
