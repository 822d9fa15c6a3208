// A section of the report in a tournament's page, as the server writes it. It is fetched again when its
// key changes; what the user has opened in it stays open.

import { getText } from './api.js';

export class Section {
  // `address` is where its HTML comes from.
  constructor(root, address) {
    Object.assign(this, { root, address, key: null, text: '' });
    root.hidden = true;
  }

  // Shows it as it is at a key; null: there is no such section.
  async show(key) {
    if (key === null) this.root.hidden = true;
    if (key === this.key) return;
    this.key = key;
    if (key === null) return;
    let text = null;
    try {
      text = await getText(this.address);
    } catch {
      // The next change asks again. That the server is gone is said elsewhere.
      if (this.key === key) this.key = undefined;
      return;
    }
    if (this.key !== key) return;
    this.root.hidden = false;
    if (text !== this.text) this.put(text);
  }

  put(text) {
    const open = new Set([...this.root.querySelectorAll('details[open]')].map(nameOf));
    const focused = this.root.contains(document.activeElement) ? nameOf(document.activeElement.closest('details')) : null;
    const [box] = this.root.querySelectorAll('.scroll');
    const across = box?.scrollLeft ?? 0;
    this.text = text;
    // The server has escaped every name in it.
    this.root.innerHTML = text;
    for (const details of this.root.querySelectorAll('details')) {
      const name = nameOf(details);
      details.open = open.has(name) || details.open;
      if (name === focused) details.querySelector('summary').focus({ preventScroll: true });
    }
    const scroll = this.root.querySelector('.scroll');
    if (scroll) scroll.scrollLeft = across;
  }
}

// What a part that can be opened is about.
function nameOf(details) {
  return details && (details.className || details.querySelector('summary')?.textContent);
}
