// The pages' modules for node: they are served flat, so they are copied into one folder. The folders
// to copy are the arguments of the test: those of the pages' and of the report's scripts, and of their
// texts, which pages have together.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const folder = mkdtempSync(join(tmpdir(), 'pages-'));
const [pages, report, ...messages] = process.argv.slice(2);
for (const scripts of [pages, report]) cpSync(scripts, folder, { recursive: true });
// The texts of a language.
export const textsOf = (name) => Object.assign({}, ...messages.map((texts) => JSON.parse(readFileSync(join(texts, `${name}.json`), 'utf8'))));
for (const name of ['en', 'fr', 'mg']) writeFileSync(join(folder, `${name}.json`), JSON.stringify(textsOf(name)));
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
process.on('exit', () => rmSync(folder, { recursive: true }));

export const load = (name) => import(pathToFileURL(join(folder, name)).href);

const tests = [];
export const test = (name, run) => tests.push([name, run]);

// Runs all tests one after the other and ends the program.
export async function runTests() {
  let failed = 0;
  for (const [name, run] of tests) {
    try {
      await run();
      console.log(`ok: ${name}`);
    } catch (error) {
      failed += 1;
      console.error(`failed: ${name}\n${error.stack}`);
    }
  }
  process.exit(failed > 0 || tests.length === 0 ? 1 : 0);
}
