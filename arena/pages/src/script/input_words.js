// What the move input says to screen readers and writes on its buttons.

const SIDES = { w: 'white', b: 'black' };

function counted(number) {
  return number === 1 ? '1 stone' : `${number} stones`;
}

// The way of taking of a step.
function wayOf(step) {
  return { A: 'Approach', W: 'Withdrawal' }[step.mark] ?? 'Step';
}

// The text of a button that chooses a step.
export function chosenText(step) {
  return `${wayOf(step)}: takes ${step.captured.join(' ')}`;
}

// A step that was taken.
export function saidStep(step) {
  if (step.captured.length === 0) return `${step.from} to ${step.to}.`;
  const way = wayOf(step).toLowerCase();
  return `${step.from} to ${step.to}, ${way}, takes ${counted(step.captured.length)}: ${step.captured.join(', ')}.`;
}

export function saidChoice(nodes) {
  const ways = nodes.map((node) => {
    const { step } = node;
    return `${wayOf(step).toLowerCase()} takes ${step.captured.join(', ')}: press ${step.mark}`;
  });
  return `Two ways to take. ${ways.join('; ')}.`;
}

// A whole move in a sentence, for the live region.
export function saidMove(side, move) {
  const words = move.steps.map((step) => saidStep(step));
  return `${side === 'w' ? 'White' : 'Black'}: ${words.join(' Then ')}`;
}

// A point and what it holds, as the keyboard's cursor reaches it.
export function saidPoint(input, name) {
  const stone = input.shown.get(name);
  const words = [`${name}, ${stone ? `${SIDES[stone]} stone` : 'empty'}`];
  const nodes = input.targets.get(name);
  if (input.choice) {
    const node = input.choice.find((option) => option.step.captured.includes(name));
    if (node) words.push(`Enter chooses the ${wayOf(node.step).toLowerCase()}`);
  } else if (nodes) {
    const taken = nodes.map((node) => node.step.captured.length).filter(Boolean);
    words.push(taken.length > 0 ? `Enter steps here and takes ${taken.join(' or ')}` : 'Enter steps here');
  } else if (name === input.from) {
    words.push(input.mayEnd ? 'Enter ends the move' : 'chosen');
  } else if (!input.inChain && input.starts.has(name)) {
    words.push('can move');
  }
  return words.join(', ');
}
