// The first page: the ways in, and the tournaments.

import { make } from './dom.js';
import { front } from './home_front.js';
import { isFiles } from './place.js';

export async function start(app) {
  app.classList.add('home-page');
  const head = front(null);
  // Files may have no tournaments.
  head.watch.hidden = isFiles();
  const section = make('section', { id: 'tournaments', hidden: true });
  app.append(head.root, section);
  const { tournaments } = await import('./home_tournaments.js');
  await tournaments(section, head.watch);
  return [];
}
