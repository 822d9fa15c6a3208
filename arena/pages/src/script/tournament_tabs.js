// The tabs of a tournament's page: its games, and the sections of the report.

import { make } from './dom.js';
import { onTabs, openTab, tabs } from './tabs.js';
import { say } from './words.js';

export class TournamentTabs {
  // `names` are pairs of a tab's name and its title.
  constructor(root, names) {
    this.items = new Map();
    const list = make('ul', { class: 'tab-list', 'aria-label': say('tabs.about') });
    const box = make('div', { class: 'tabs' }, list);
    for (const [name, title] of names) {
      const link = make('a', { href: `#about-${name}` }, title);
      const item = make('li', {}, link);
      const panel = make('div', { class: 'part', id: `about-${name}` });
      list.append(item);
      box.append(panel);
      this.items.set(name, { item, link, panel });
    }
    root.append(box);
    tabs(root);
    onTabs(root);
  }

  panel(name) {
    return this.items.get(name).panel;
  }

  open(name) {
    openTab(this.panel(name));
  }

  // Which of the tabs have something to show.
  show(there) {
    for (const [name, { item }] of this.items) item.hidden = !there.includes(name);
    const chosen = [...this.items.keys()].find((name) => !this.items.get(name).panel.hidden);
    if (!there.includes(chosen)) this.open(there[0]);
  }

  title(name, text) {
    this.items.get(name).link.textContent = text;
  }
}
