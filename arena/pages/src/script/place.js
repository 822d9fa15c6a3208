// The addresses of the pages: on a server, or as files that any web server hands out.

// Whether the pages are files, without an arena behind them.
export function isFiles() {
  return document.documentElement.dataset.files !== undefined;
}

// Whether the page is a report that carries what it needs, and is the only one.
export function isReport() {
  return document.documentElement.dataset.files === 'report';
}

// The address of a page by its name.
export function pageAddress(name) {
  if (isFiles()) return name === 'home' ? './' : `${name}.html`;
  return name === 'home' ? '/' : `/${name}`;
}

// The address of a file that belongs to the pages.
export function assetAddress(name) {
  return isFiles() ? name : `/assets/${name}`;
}

// The address of a tournament; `words` names a game in it.
export function tournamentAddress(id, words = '') {
  const hash = words ? `#${words}` : '';
  if (isReport()) return hash;
  return isFiles() ? `reports/${encodeURIComponent(id)}.html${hash}` : `/t/${encodeURIComponent(id)}${hash}`;
}

// The words of a game or position in the address of the analysis page. `book` is the number of its
// opening moves; with `review` the analysis of the whole game begins at once.
/** @param {{ start: string, moves?: string[], rules?: string, ply?: number | null, book?: number, review?: boolean }} game */
export function analysisWords({ start, moves = [], rules = '', ply = null, book = 0, review = false }) {
  const words = new URLSearchParams({ fen: start });
  if (moves.length > 0) words.set('moves', moves.join(' '));
  if (rules) words.set('rules', rules);
  if (book > 0) words.set('book', String(book));
  if (ply !== null) words.set('p', String(ply));
  if (review) words.set('review', 'yes');
  return `#${words}`;
}

// The address of the form of a new game that begins in a position.
export function playLink(fen, rules) {
  const words = new URLSearchParams({ fen });
  if (rules) words.set('rules', rules);
  return `${pageAddress('play')}#${words}`;
}

// The address of a position on the explorer's page.
export function explorerLink(fen, moves = []) {
  const words = new URLSearchParams({ fen });
  if (moves.length > 0) words.set('moves', moves.join(' '));
  return `${pageAddress('explorer')}#${words}`;
}

// The address of a game or position on the analysis page.
/** @param {Parameters<typeof analysisWords>[0]} game */
export function analysisLink(game) {
  return pageAddress('analyse') + analysisWords(game);
}
