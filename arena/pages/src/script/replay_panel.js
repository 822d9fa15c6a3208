// The replay of a finished game on a tournament's page; its address is `#g=GAME&p=PLY`.

import { make } from './dom.js';
import { Viewer } from './viewer.js';
import { getJson, attempt } from './api.js';
import { pageAddress } from './place.js';
import { say } from './words.js';

export class ReplayPanel {
  constructor(root, { id, table, onShow }) {
    this.root = root;
    this.id = id;
    this.table = table;
    this.onShow = onShow;
    const close = make('button', { type: 'button', onclick: () => this.close() }, say('replay.close'));
    this.element = make('div', { class: 'viewer', id: 'viewer', tabindex: 0, role: 'group', 'aria-label': say('replay.title') });
    root.append(make('p', { class: 'panel-bar' }, close), this.element);
    root.hidden = true;
    this.viewer = new Viewer(this.element, {
      onNeighbour: (places) => this.beside(places),
      links: (game) => this.links(game),
    });
    window.addEventListener('hashchange', () => this.follow());
  }

  // Opens the game in the address; returns whether there is one.
  async follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!wanted.has('g')) {
      if (!this.root.hidden) this.close();
      return false;
    }
    await this.open(wanted.get('g'), Number(wanted.get('p') ?? 0));
    return true;
  }

  async open(game, ply) {
    const isShown = !this.root.hidden && String(this.viewer.game?.id) === String(game);
    if (isShown) {
      this.viewer.show(ply);
      return;
    }
    this.wanted = game;
    const record = await attempt(() => getJson(this.path(game)));
    // Another game may have been chosen while this one was loading.
    if (!record || this.wanted !== game) return;
    this.root.hidden = false;
    this.onShow(true);
    this.viewer.linked = true;
    this.viewer.open(record, ply);
    this.table.mark(String(game));
    this.root.scrollIntoView({ behavior: 'instant', block: 'start' });
    this.element.focus({ preventScroll: true });
  }

  beside(places) {
    const id = this.table.beside(String(this.viewer.game.id), places);
    if (id !== null) this.open(id, 0);
  }

  path(game) {
    return `/api/t/${encodeURIComponent(this.id)}/games/${encodeURIComponent(game)}`;
  }

  links(game) {
    const address = new URLSearchParams({ t: this.id, g: game.id });
    return [
      make('a', { href: `${pageAddress('analyse')}#${address}` }, say('replay.analyse')),
      make('a', { href: `${this.path(game.id)}/fgn`, download: `${this.id}-${game.id}.fgn` }, say('replay.fgn')),
    ];
  }

  close() {
    this.viewer.stop();
    this.root.hidden = true;
    this.wanted = null;
    this.table.mark(null);
    this.onShow(false);
    history.replaceState(null, '', location.pathname);
  }
}
