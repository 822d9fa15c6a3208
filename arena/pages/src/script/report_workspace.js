// A report that carries the engines: its games open on the page of analysis, which takes the place of
// the results. Nothing comes from a network. The report comes first, as it knows the language.

import { games } from './main.js';
import { analysisOn } from './analyse.js';
import { attempt } from './api.js';
import { $ } from './dom.js';
import { useEngineFiles } from './engine_in_page.js';
import { fgnOf } from './fgn.js';
import { keyboardHelp } from './keys.js';
import { carryFiles } from './page_files.js';
import { PAGE_KEYS } from './page_keys.js';

// The name of the tournament in addresses.
const HERE = 'here';

// A file that the report carries, packed and as text.
function unpacked(name) {
  const packed = Uint8Array.from(atob($(name).textContent ?? ''), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
}

function jsonFile(value) {
  return new Response(JSON.stringify(value));
}

// The games as the server of a library has them.
function gameFile(name) {
  const game = games.find(({ id }) => name === `t/${HERE}/games/${id}.json`);
  if (!game) return new Response(null, { status: 404 });
  return jsonFile({ ...game, rules: $('workspace').dataset.rules, times: game.times.map(Number) });
}

carryFiles(async (name) => {
  if (name === 'library.json') return jsonFile({ tournaments: [{ id: HERE }] });
  if (name === `games/${HERE}.fgn`) return new Response(games.map(fgnOf).join(''));
  return $(name) ? unpacked(name) : gameFile(name);
});

// The worker's script is needed at once when an engine begins.
const script = unpacked('engine_worker.js').blob().then((text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));

keyboardHelp(PAGE_KEYS.analyse);
const all = (selector) => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector));
const [ofResults, ofWorkspace] = [all('#main, .bar nav'), all('#workspace, #back, .bar .help')];

/** @type {Awaited<ReturnType<typeof analysisOn>> | null} */
let page = null;

// The results, or the workspace if the address names a game for it or a position.
async function follow() {
  const words = new URLSearchParams(location.hash.slice(1));
  const isOpen = words.has('t') || words.has('fen');
  const was = !$('workspace').hidden;
  for (const element of ofResults) element.hidden = isOpen;
  for (const element of ofWorkspace) element.hidden = !isOpen;
  if (!isOpen) {
    page?.rest();
    if (was) $(words.has('g') ? 'viewer' : location.hash.slice(1))?.scrollIntoView({ behavior: 'instant' });
    return;
  }
  if (!was) window.scrollTo({ top: 0, behavior: 'instant' });
  if (page) return;
  const worker = await script;
  useEngineFiles({ worker: () => new Worker(worker) });
  page = await attempt(() => analysisOn($('app')));
}

// The way back leads to the game, at the ply that is shown.
$('back').addEventListener('click', () => {
  const words = new URLSearchParams(location.hash.slice(1));
  words.delete('t');
  if (words.has('g')) $('back').setAttribute('href', `#${words}`);
});

window.addEventListener('hashchange', follow);
follow();
