// The files of pages without a server: beside the page, or within one that carries them.

import { assetAddress } from './place.js';

/** @type {(name: string) => Promise<Response>} */
const beside = (name) => fetch(assetAddress(name));

const from = { open: beside };

// Resolves to the response to a request for a file.
export function openFile(name) {
  return from.open(name);
}

// For a page that carries its files: `open(name)` answers instead.
/** @param {(name: string) => Promise<Response>} open */
export function carryFiles(open) {
  from.open = open;
}
