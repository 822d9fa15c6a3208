// Where a page's engines think.

import { EngineInPage } from './engine_in_page.js';
import { isFiles } from './place.js';
import { EnginePort } from './port.js';

// A port of an engine, not open yet: on a server, or inside a page that has none behind it.
export function engineOf(name, rules = '') {
  return isFiles() ? new EngineInPage(name, rules) : new EnginePort(name, rules);
}
