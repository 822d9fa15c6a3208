// An engine inside the page: a worker with the WebAssembly module of the engines. It has the interface
// of EnginePort and needs no server.

import { answerHere } from './answers.js';
import { ApiError, showError } from './api.js';
import { DeafEngine } from './deaf_engine.js';
import { openFile } from './page_files.js';
import { say } from './words.js';

// Where the module, the worker's script and the list of endgame tables come from: files of the page.
const files = {
  compile: () => compileFile('fanorona_engines.wasm'),
  worker: () => new Worker('engine_worker.js'),
  tables: async () => (await answerHere('/api/tables')).json(),
};

// The tables of which a person has heard that they are damaged.
const told = new Set();

// All engines of a page share the module.
/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

// For a page that carries them in itself.
/** @param {{ compile?: () => Promise<WebAssembly.Module>, worker: () => Worker, tables?: () => Promise<object[]> }} own */
export function useEngineFiles(own) {
  Object.assign(files, own);
  compiled = null;
}

// Loads and compiles the module, unless that has been done; the first engine then starts at once.
export function prepareEngines() {
  compiled ??= files.compile().catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

async function compileFile(address) {
  const response = await openFile(address);
  if (!response.ok) throw new Error(say('port.not-loaded.status', { status: String(response.status) }));
  // Compiling while loading is refused for files that are served with another type.
  const streams = response.headers.get('Content-Type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export class EngineInPage {
  // `load` resolves to the module.
  constructor(name, rules = '', load = prepareEngines) {
    this.name = name;
    this.load = load;
    this.rules = rules;
    this.closed = false;
    // Lines sent before the engine is open; `null` from then on.
    /** @type {string[] | null} */
    this.waiting = rules ? [`setoption name Rules value ${rules}`] : [];
    /** @type {WebAssembly.Module | null} */
    this.module = null;
    // The larger endgame tables that the site has.
    this.tables = [];
    /** @type {Worker | null} */
    this.worker = null;
    // Stands between this and an engine that hears nothing during a search.
    /** @type {DeafEngine | null} */
    this.deaf = null;
    /** @type {(line: string) => void} */
    this.onLine = () => {};
    // Called once when the engine has ended by itself, with a reason.
    /** @type {(reason: string) => void} */
    this.onGone = () => {};
    // Called when the engine has got larger endgame tables.
    this.onTables = () => {};
    // What only an engine of a server hears of.
    this.onLost = () => {};
    this.onBack = () => {};
  }

  // Starts the engine; resolves when it takes lines.
  async open() {
    [this.module, this.tables] = await Promise.all([this.load(), files.tables().catch(() => [])]);
    if (this.closed) return;
    const hears = await this.startWorker();
    if (this.closed) return;
    if (!hears) {
      this.deaf = new DeafEngine({
        say: (line) => this.worker?.postMessage(line),
        restart: () => {
          this.worker?.terminate();
          this.startWorker();
        },
        answer: (line) => this.onLine(line),
      });
    }
    const waiting = this.waiting ?? [];
    this.waiting = null;
    waiting.forEach((lines) => this.send(lines));
  }

  // Resolves to whether the engine hears lines during a search.
  startWorker() {
    const worker = files.worker();
    this.worker = worker;
    worker.postMessage({ module: this.module, engine: this.name, tables: this.tables });
    return new Promise((resolve) => {
      const fail = (reason) => {
        this.end(reason);
        resolve(true);
      };
      worker.onmessage = ({ data }) => {
        // What a worker has said that is no longer the engine's is not heard.
        if (worker !== this.worker) return;
        if (data.opened) resolve(data.opened.hears);
        else if (data.gone) fail(data.gone);
        else if (data.tables) this.takeTables(data.tables);
        else if (this.deaf) this.deaf.hear(data.line);
        else this.onLine(data.line);
      };
      worker.onerror = (event) => fail(event.message || say('port.not-loaded'));
    });
  }

  takeTables({ damaged }) {
    const names = damaged.map((text) => text.split(': ')[0]).filter((name) => !told.has(name));
    names.forEach((name) => told.add(name));
    if (names.length > 0) {
      const about = { n: names.length, files: names.join(', ') };
      showError(new ApiError(say('tables.damaged', about), say('tables.damaged.help'), 0));
    }
    this.onTables();
  }

  // Sends one or more lines. Lines sent before the engine is open follow in order.
  send(lines) {
    if (this.closed) return;
    if (this.waiting) this.waiting.push(lines);
    else if (this.deaf) lines.split('\n').forEach((line) => this.deaf?.send(line));
    else this.worker?.postMessage(lines);
  }

  end(reason) {
    if (this.closed) return;
    this.close();
    this.onGone(reason);
  }

  close() {
    this.closed = true;
    this.worker?.terminate();
    this.worker = null;
  }
}
