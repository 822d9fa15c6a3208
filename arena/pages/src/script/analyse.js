// The analysis page: first its board, then what it does.

import { getJson } from './api.js';
import { Desk } from './desk.js';
import { Gauge } from './gauge.js';
import { say } from './words.js';

export async function start(app) {
  await analysisOn(app);
}

// Resolves to the page, which then shows what the address names, now and whenever it changes.
export async function analysisOn(app) {
  const desk = new Desk(app, say('page.analyse'));
  const paths = ['/api/boards', '/api/engines', '/api/chance', '/api/rule-switches'];
  const [boards, engines, { scale }, switches] = await Promise.all(paths.map((path) => getJson(path)));
  const gauge = new Gauge(desk.gauge, scale);
  // A move that is made before the page is there is made again on it.
  let early = null;
  desk.onMove = (move) => { early = move; };
  if (!location.hash) desk.start(boards[0]);
  const { AnalysePage } = await import('./analyse_page.js');
  const page = new AnalysePage(desk, gauge, { boards, engines, scale, switches });
  page.openAddress().then(() => early && page.moved(early));
  window.addEventListener('hashchange', () => page.openAddress());
  return page;
}
