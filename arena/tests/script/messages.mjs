// The texts of the pages: none is missing in a language, none is unused, and no script has texts of
// its own: `node messages.mjs PAGE_SCRIPTS REPORT_SCRIPTS TEXTS`.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, runTests, test } from './modules.mjs';

const [scripts, shared, folder] = process.argv.slice(2);
const textsOf = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const [english, french, malagasy] = ['en', 'fr', 'mg'].map(textsOf);
const review = readFileSync(join(folder, 'REVIEW.md'), 'utf8');
const modulesOf = (folder) => readdirSync(folder).filter((name) => name.endsWith('.js')).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
const modules = new Map(modulesOf(scripts));
const ofReport = new Map(modulesOf(shared));
// What pages import of the report's modules belongs to them. A report is in English, also one with the workspace.
const importsOf = (text) => [...text.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => name);
for (const [from, text] of modules) {
  if (from === 'report_workspace.js') continue;
  for (const name of importsOf(text)) if (ofReport.has(name)) modules.set(name, ofReport.get(name));
}
const shell = readFileSync(join(scripts, '../shell.rs'), 'utf8');

const formsOf = (text) => (typeof text === 'string' ? [text] : Object.values(text));
const namesIn = (form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('French has every text, and Malagasy every one that does not wait for a speaker', () => {
  assert.deepEqual(Object.keys(french).sort(), Object.keys(english).sort());
  const [, listed] = /## In French until then\n([^#]*)/.exec(review);
  const waiting = [...listed.matchAll(/^- `([^`]+)`/gm)].map(([, key]) => key);
  const lacking = Object.keys(english).filter((key) => !(key in malagasy));
  assert.deepEqual(lacking.sort(), waiting.sort(), 'what Malagasy lacks is listed in REVIEW.md');
  assert.deepEqual(Object.keys(malagasy).filter((key) => !(key in english)), []);
});

test('a text has the same parameters in every language and form', () => {
  for (const [key, text] of Object.entries(english)) {
    const wanted = namesIn(formsOf(text).at(-1));
    for (const texts of [english, french, malagasy]) {
      if (!(key in texts)) continue;
      assert.equal(typeof texts[key], typeof text, key);
      // `1` may be a word.
      for (const [form, words] of Object.entries(typeof text === 'string' ? { other: texts[key] } : texts[key])) {
        assert.deepEqual(namesIn(words), form === 'other' ? wanted : namesIn(words).filter((name) => wanted.includes(name)), key);
      }
    }
  }
});

test('the texts of a report are those of the pages', () => {
  const own = JSON.parse(readFileSync(join(shared, 'en.json'), 'utf8'));
  for (const [key, text] of Object.entries(own)) assert.deepEqual(text, english[key], key);
  for (const [name, text] of ofReport) for (const key of keysSaid(text)) assert.ok(Object.keys(own).some((one) => patternOf(key).test(one)), `${name}: ${key}`);
  const patterns = [...ofReport.values()].flatMap(keysIn).map(patternOf);
  assert.deepEqual(Object.keys(own).filter((key) => !patterns.some((pattern) => pattern.test(key))), [], 'unused');
});

test('a text with forms has those of its language', () => {
  // French has a form for millions, which its nouns share unless `de` comes first.
  const needed = { en: ['one', 'other'], fr: ['one', 'other'], mg: ['other'] };
  for (const [name, texts] of Object.entries({ en: english, fr: french, mg: malagasy })) {
    const known = new Intl.PluralRules(name).resolvedOptions().pluralCategories;
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text === 'string') continue;
      for (const form of needed[name]) assert.ok(form in text, `${name}, ${key}: ${form}`);
      for (const form of Object.keys(text)) assert.ok(known.includes(form), `${name}, ${key}: ${form}`);
    }
  }
});

test('French has its spaces before signs, and no straight apostrophe', () => {
  for (const [key, text] of Object.entries(french)) {
    for (const form of formsOf(text)) {
      assert.doesNotMatch(form, /'|[^\u00a0\u202f][;!?»]|«[^\u00a0\u202f]|[^\u00a0\u202f\d]:(?!\/)/, key);
    }
  }
});

// A key in a script may have parts that are values.
function keysIn(text) {
  const plain = [...text.matchAll(/'([\w-]+(?:\.[\w-]+)+)'/g)].map(([, key]) => key);
  const composed = [...text.matchAll(/`([\w-]+\.(?:[^`\s$]|\$\{[^}`]*\})*)`/g)].map(([, key]) => key);
  return [...plain, ...composed];
}
const used = [...modules.values()].flatMap(keysIn);

// The keys with which a script says something.
function keysSaid(text) {
  const plain = text.matchAll(/(?<!\.)\bsay(?:Parts)?\('([^']+)'/g);
  const composed = text.matchAll(/(?<!\.)\bsay(?:Parts)?\(`([^`]+)`/g);
  return [...plain, ...composed].map(([, key]) => key);
}
// Keys in the HTML that the program writes; of those made from values the beginning is there.
const html = [shell, ...readdirSync(join(shared, '..')).filter((name) => name.endsWith('.rs')).map((name) => readFileSync(join(shared, '..', name), 'utf8'))];
const inShell = html.flatMap((text) => [...text.matchAll(/data-say(?:-label)?="([^"]+)"|\("[^"]+", "(table\.[\w-]+)"\)/g)].map(([, key, title]) => key ?? title));
const begun = html.flatMap((text) => [...text.matchAll(/data-say=\{ "([\w-]+\.)"/g)].map(([, start]) => start));
const pageNames = [...shell.matchAll(/^ {4}\("(\w+)", "/gm)].map(([, name]) => `page.${name}`);
const patternOf = (key) => new RegExp(`^${key.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.')).join('[\\w-]+')}$`);

test('every text is used', () => {
  const known = new Set([...used, ...inShell, ...pageNames]);
  const patterns = [...used.filter((key) => key.includes('${')), ...begun.map((start) => `${start}\${}`)].map(patternOf);
  const unused = Object.keys(english).filter((key) => !known.has(key) && !patterns.some((pattern) => pattern.test(key)));
  assert.deepEqual(unused, []);
});

test('every key that is said has a text', () => {
  for (const [name, text] of modules) {
    for (const key of keysSaid(text)) assert.ok(Object.keys(english).some((one) => patternOf(key).test(one)), `${name}: ${key}`);
  }
  for (const key of [...inShell, ...pageNames]) assert.ok(key in english, key);
});

// Names of keys, of languages in themselves, and of options.
const SIGNS = ['Backspace', 'Escape', 'Esc', 'Space', 'Enter', 'Tab', 'Home', 'End', 'English', 'Malagasy', 'Skill', 'MultiPV'];

// Literals that a user would read: a word with a capital, or several words.
function textsIn(module) {
  const code = module.split('\n').filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line)).join('\n').replace(/class: '[^']*'/g, '');
  const literals = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, plain, template]) => plain ?? template);
  const isText = (text) => /^[^a-z{$]*[A-Z][a-z]+(?:[ ,.:…’?!]|$)/.test(text) || /[a-z’]{2,} [a-z’]{2,} [a-z’]{2,}/.test(text);
  return literals.filter((text) => isText(text) && !/^[.#]\w/.test(text) && !text.split(' ').every((word) => SIGNS.includes(word)));
}

test('no script has texts of its own', () => {
  for (const [name, text] of modules) assert.deepEqual(textsIn(text), [], name);
});

test('words choose the form and write numbers as the language does', async () => {
  const { say, sayParts, speak } = await load('words.js');
  assert.equal(say('time.days', { n: 1 }), '1 day');
  assert.equal(say('time.days', { n: 12345 }), '12,345 days');
  assert.deepEqual(sayParts('time.ago', { time: 7 }), ['7', ' ago']);
  speak('fr', french);
  assert.equal(say('time.days', { n: 0 }), '0 jour');
  assert.equal(say('time.days', { n: 12345 }), '12\u202f345 jours');
  speak('mg', { ...french, ...malagasy });
  assert.equal(say('time.days', { n: 1 }), '1 andro');
  assert.equal(say('no.such'), 'no.such');
});

await runTests();
