// Where a page's engines think.

import { prepareAnswers } from './answers.js';
import { EngineInPage, prepareEngines } from './engine_in_page.js';
import { isFiles } from './place.js';
import { EnginePort } from './port.js';

// Loads the engines of a page that has no server behind it, after the rules: a slow network would
// otherwise bring both late, and without the rules nobody can move.
export async function prepareEngine() {
  await prepareAnswers().catch(() => {});
  return prepareEngines();
}

// A port of an engine, not open yet: on a server, or inside a page that has none behind it.
export function engineOf(name, rules = '') {
  return isFiles() ? new EngineInPage(name, rules, prepareEngine) : new EnginePort(name, rules);
}
