// The answers of pages without a server: what a server is asked over HTTP, a module of WebAssembly
// answers here, from the same functions.

import { assetAddress } from './place.js';
import { say } from './words.js';

/** @type {Promise<any> | null} */
let loaded = null;

// Resolves to the exports of the module.
function answers() {
  loaded ??= compile().catch((error) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function compile() {
  const response = await fetch(assetAddress('fanorona_answers.wasm'));
  if (!response.ok) throw new Error(say('error.status', { status: response.status }));
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer());
  return instance.exports;
}

// Asks the module; the answer is like one of a server.
async function ask(path, body) {
  const module = await answers();
  const [question, text] = [path, body].map((words) => new TextEncoder().encode(words));
  const to = module.room(question.length + text.length) >>> 0;
  const memory = () => new Uint8Array(module.memory.buffer);
  memory().set(question, to);
  memory().set(text, to + question.length);
  const status = module.ask(question.length, text.length);
  const from = module.reply() >>> 0;
  const answer = new TextDecoder().decode(memory().slice(from, from + module.length()));
  return new Response(answer, { status: Math.abs(status) });
}

/** @type {Promise<void> | null} */
let collected = null;

// Gives the module the games of the site's tournaments.
async function collect() {
  const { tournaments } = await (await fetch('library.json')).json();
  for (const { id } of tournaments) {
    const response = await fetch(`games/${encodeURIComponent(id)}.fgn`);
    if (response.ok) await ask('/api/explorer/games', JSON.stringify({ id, text: await response.text() }));
  }
}

// The answer to what a page asks. What the site was built with is a file beside the page.
export async function answerHere(path, { body = '' } = {}) {
  if (path === '/api/engines') return fetch('engines.json');
  if (path === '/api/library') return fetch('library.json');
  // Without the games it knows what is proven.
  if (path === '/api/explorer') await (collected ??= collect().catch(() => {}));
  return ask(path, body);
}
