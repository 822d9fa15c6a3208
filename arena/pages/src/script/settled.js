// What follows once a page can be used.

import { prepareAnswers } from './answers.js';
import { keyboardHelp } from './keys.js';
import { PAGE_KEYS } from './page_keys.js';
import { isFiles } from './place.js';

// Adds the list of a page's keys. Without a server it then loads the rules, what the page needs next, and
// at last everything for use without a network: all at once would keep a slow network from the page itself.
export async function settled(page) {
  keyboardHelp(PAGE_KEYS[document.body.dataset.page ?? ''] ?? []);
  if (!isFiles()) return;
  await prepareAnswers().catch(() => {});
  await page.prepare?.().catch(() => {});
  await navigator.serviceWorker?.register('sw.js').catch(() => {});
}
