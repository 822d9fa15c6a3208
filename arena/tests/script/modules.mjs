// The pages' modules for node: they are served flat, so they are copied into one folder. The folders
// to copy are the arguments of the test: those of the pages' and of the report's scripts, and of the
// texts.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'pages-'));
for (const scripts of process.argv.slice(2)) cpSync(scripts, folder, { recursive: true });
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
