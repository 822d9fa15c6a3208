// What the move input says to screen readers and writes on its buttons.

import { say } from './words.js';

// The text of a button that chooses a step.
export function chosenText({ mark, captured }) {
  return say(`input.way.${mark}`, { stones: captured.join(' ') });
}

// A step that was taken.
export function saidStep({ from, to, mark, captured }) {
  if (captured.length === 0) return say('input.step', { from, to });
  return say(`input.step.${mark}`, { from, to, n: captured.length, stones: captured.join(', ') });
}

export function saidChoice(nodes) {
  const ways = nodes.map(({ step: { mark, captured } }) => say(`input.choose.${mark}`, { stones: captured.join(', ') }));
  return say('input.choose', { ways: ways.join('; ') });
}

// A whole move in a sentence, for the live region.
export function saidMove(side, move) {
  const steps = move.steps.map((step) => saidStep(step)).join(` ${say('input.then')} `);
  return say('input.move', { side: say(`side.${side}`), steps });
}

// A point and what it holds, as the keyboard's cursor reaches it.
export function saidPoint(input, name) {
  const stone = input.shown.get(name);
  const words = [say(`input.point.${stone ?? 'empty'}`, { point: name })];
  const nodes = input.targets.get(name);
  if (input.choice) {
    const node = input.choice.find((option) => option.step.captured.includes(name));
    if (node) words.push(say(`input.enter.${node.step.mark}`));
  } else if (nodes) {
    const taken = nodes.map((node) => node.step.captured.length).filter(Boolean);
    words.push(taken.length > 0 ? say('input.enter.takes', { count: taken.join('/') }) : say('input.enter.step'));
  } else if (name === input.from) {
    words.push(say(input.mayEnd ? 'input.enter.end' : 'input.is-chosen'));
  } else if (!input.inChain && input.starts.has(name)) {
    words.push(say('input.can-move'));
  }
  return words.join(', ');
}
