// An engine of the WebAssembly module as a program for Node: UGI on standard input and output, like
// the programs of the bots.
//
//     node ugi.mjs fanorona_engines.wasm bot-alphabeta

import { readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

const [path, program] = process.argv.slice(2);
if (!program) {
  console.error('usage: node ugi.mjs FILE.wasm ENGINE');
  process.exit(2);
}

// The path of a bot's program names its engine, too.
const engine = basename(program);

// Standard input is read in a thread of its own, because a search lets no event happen in this one.
const READER = `
const { constants, openSync, readSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const chunk = new Uint8Array(65536);
// A thread that waits for input within the system would keep the program from ending.
let stdin = 0;
try {
  stdin = openSync('/dev/stdin', constants.O_RDONLY | constants.O_NONBLOCK);
} catch {}
for (;;) {
  let count = 0;
  try {
    count = readSync(stdin, chunk);
  } catch (error) {
    if (error.code === 'EAGAIN') {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      continue;
    }
    if (error.code !== 'EOF') throw error;
  }
  workerData.postMessage(chunk.slice(0, count));
  if (count === 0) break;
}`;

const { port1: port, port2 } = new MessageChannel();
new Worker(READER, { eval: true, workerData: port2, transferList: [port2] });

// Pieces of input that wait; the end of input is an empty one.
const input = [new TextEncoder().encode(engine)];

const host = {
  read(to, most) {
    for (let said; (said = receiveMessageOnPort(port)); ) input.push(said.message);
    if (input.length === 0) return -1;
    const piece = input[0].subarray(0, most);
    new Uint8Array(memory.buffer, to >>> 0, piece.length).set(piece);
    input[0] = input[0].subarray(piece.length);
    if (input[0].length === 0) input.shift();
    return piece.length;
  },
  write(from, count) {
    let text = new Uint8Array(memory.buffer, from >>> 0, count);
    while (text.length > 0) text = text.subarray(writeSync(1, text));
  },
  now: () => performance.now(),
  pause() {},
};

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), { host });
const { memory, start, run } = exports;
if (!start()) {
  console.error(`there is no engine ${engine}`);
  process.exit(2);
}

function work() {
  if (!run()) process.exit(0);
}

port.on('message', (piece) => {
  input.push(piece);
  work();
});
// What has been read before is no event any more.
work();
