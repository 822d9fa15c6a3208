// The files of pages without a server, beside the page.

import { assetAddress } from './place.js';

// Resolves to the response to a request for a file.
export function openFile(name) {
  return fetch(assetAddress(name));
}
