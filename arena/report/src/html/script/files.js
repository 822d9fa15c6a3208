// Text that leaves the page: downloads and the clipboard.

import { say } from './words.js';

// Offers a text, or the bytes of a picture, as a file.
/** @param {BlobPart} content */
export function download(name, content, type = 'text/plain') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Copies a text and says so on the button for a moment.
export async function copyFrom(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say('copy.done');
  } catch {
    // The older way needs no permission.
    button.textContent = say(copyOldWay(button, text) ? 'copy.done' : 'copy.refused');
  }
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}

function copyOldWay(button, text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  button.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus({ preventScroll: true });
  return isCopied;
}
