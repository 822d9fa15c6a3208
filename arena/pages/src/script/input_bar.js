// The buttons of the move input below the board: the two ways to take, the end of a chain, and undo.

import { button, focusedIn, make } from './dom.js';
import { chosenText } from './input_words.js';
import { say } from './words.js';

const KINDS = { A: 'approach', W: 'withdrawal' };

export class InputBar {
  constructor(input, root) {
    this.input = input;
    this.root = root;
    root.classList.add('input-bar');
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', say('input.bar'));
  }

  draw() {
    const { input, root } = this;
    const buttons = [];
    if (input.choice) {
      for (const node of input.choice) {
        const { mark } = node.step;
        const chosen = button('', null, () => this.act(() => input.take(node)), `way ${KINDS[mark]}`);
        chosen.append(make('b', {}, mark), chosenText(node.step));
        buttons.push(chosen);
      }
    } else if (input.mayEnd) {
      buttons.push(button(say('input.end'), null, () => this.act(() => input.end()), 'primary'));
    }
    if (input.choice || input.inChain) buttons.push(button(say('input.undo'), null, () => this.act(() => input.back())));
    root.replaceChildren(...buttons);
  }

  // Acts, and gives the focus of a button that goes away to the stone that goes on.
  act(action) {
    const focused = focusedIn(this.root)?.matches(':focus-visible');
    const { from } = this.input;
    action();
    if (focused) this.input.points.focus(this.input.from ?? from);
  }

  focusFirst() {
    this.root.querySelector('button')?.focus();
  }
}
