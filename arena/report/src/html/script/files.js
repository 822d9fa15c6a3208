// Text that leaves the page: downloads and the clipboard; and links to analysis.

// Offers a text as a file.
export function download(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
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
    button.textContent = 'Copied';
  } catch {
    // The older way needs no permission.
    button.textContent = copyOldWay(button, text) ? 'Copied' : 'Copying is not allowed';
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

// The address of a game or position on the analysis page.
// `book` is the number of its opening moves.
/** @param {{ start: string, moves?: string[], rules?: string, ply?: number | null, book?: number }} game */
export function analysisLink({ start, moves = [], rules = '', ply = null, book = 0 }) {
  const words = new URLSearchParams({ fen: start });
  if (moves.length > 0) words.set('moves', moves.join(' '));
  if (rules) words.set('rules', rules);
  if (book > 0) words.set('book', String(book));
  if (ply !== null) words.set('p', String(ply));
  return `/analyse#${words}`;
}
