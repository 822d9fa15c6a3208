// A section of the report in a tournament's page, as the server writes it. It is fetched again when its
// key changes; then only what differs is replaced.

import { focusedIn, make } from './dom.js';
import { getText } from './api.js';
import { sayTexts } from './said.js';
import { tabs, onTabs } from './tabs.js';
import { cells, onCells } from './cells.js';
import { wideTables } from './frame.js';

export class Section {
  // `address` is where its HTML comes from; `onGames({ engine, opponent, kind })` is called when the
  // user chooses whose games to see.
  /**
   * @param {HTMLElement} root
   * @param {string} address
   * @param {{ onGames: (wanted: any) => void }} on
   */
  constructor(root, address, { onGames }) {
    this.root = root;
    this.address = address;
    this.key = null;
    this.text = '';
    root.hidden = true;
    onTabs(root);
    onCells(root, onGames);
  }

  // Shows it as it is at a key; null: there is no such section.
  async show(key) {
    if (key === null) this.root.hidden = true;
    if (key === this.key) return;
    this.key = key;
    if (key === null) return;
    let text;
    let renew;
    try {
      // What it says and how it looks comes with the later script.
      [text, renew] = await Promise.all([getText(this.address), import('./renew.js')]);
    } catch {
      // The next change asks again. That the server is gone is said elsewhere.
      if (this.key === key) this.key = undefined;
      return;
    }
    if (this.key !== key) return;
    this.root.hidden = false;
    if (text !== this.text) this.put(text, renew.renewContent);
  }

  put(text, renewContent) {
    this.text = text;
    const wanted = make('div');
    // The server has escaped every name in it.
    wanted.innerHTML = text;
    sayTexts(wanted);
    scripted(wanted);
    const focused = focusedIn(this.root);
    renewContent(this.root, wanted);
    scripted(this.root);
    // A row that has moved has lost the focus.
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }
}

function scripted(root) {
  tabs(root);
  cells(root);
  wideTables(root);
}
