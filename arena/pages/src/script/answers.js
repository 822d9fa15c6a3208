// The answers of pages without a server: what a server is asked over HTTP, a module of WebAssembly
// answers here, from the same functions.

import { EngineInPage } from './engine_in_page.js';
import { assetAddress } from './place.js';
import { say } from './words.js';

// The engines of the page, the strongest first.
const ENGINES = ['bot-alphabeta', 'bot-mcts', 'bot-greedy', 'bot-random'];
const KEPT = 'engines';

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

// What the engines say of themselves. It is kept for the next page: starting four takes a moment.
async function engines() {
  const kept = sessionStorage.getItem(KEPT);
  if (kept) return new Response(kept);
  const views = await Promise.all(ENGINES.map(async (name) => {
    const lines = await introduction(name);
    return (await ask('/api/engine-view', JSON.stringify({ name, lines }))).json();
  }));
  const text = JSON.stringify(views);
  sessionStorage.setItem(KEPT, text);
  return new Response(text);
}

// The lines by which an engine introduces itself.
function introduction(name) {
  return /** @type {Promise<string[]>} */ (new Promise((resolve, reject) => {
    const engine = new EngineInPage(name);
    const lines = [];
    engine.onGone = (reason) => reject(new Error(reason));
    engine.onLine = (line) => {
      lines.push(line);
      if (line !== 'ugiok') return;
      engine.close();
      resolve(lines);
    };
    engine.open().then(() => engine.send('ugi'), reject);
  }));
}

// The answer to what a page asks. What the site was built with is a file beside the page.
export async function answerHere(path, { body = '' } = {}) {
  if (path === '/api/engines') return engines();
  if (path === '/api/library') return fetch('library.json');
  return ask(path, body);
}
