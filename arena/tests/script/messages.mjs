// The texts of the pages: none is missing in a language, none is unused, and no script has texts of
// its own: `node messages.mjs PAGE_SCRIPTS REPORT_SCRIPTS PAGE_TEXTS REPORT_TEXTS`.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, runTests, test, textsOf } from './modules.mjs';

const [scripts, shared, folder, ofResults] = process.argv.slice(2);
const fileOf = (folder, name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const [english, french, malagasy] = ['en', 'fr', 'mg'].map(textsOf);
const review = readFileSync(join(folder, 'REVIEW.md'), 'utf8');
const modulesOf = (folder) => readdirSync(folder).filter((name) => name.endsWith('.js')).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
const modules = new Map(modulesOf(scripts));
const ofReport = new Map(modulesOf(shared));
for (const [name, text] of ofReport) modules.set(name, text);
const shell = readFileSync(join(scripts, '../body.rs'), 'utf8');

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

test('a text is the report’s or the pages’, and those that a report says are its own', () => {
  for (const name of ['en', 'fr', 'mg']) {
    const own = fileOf(ofResults, name);
    assert.deepEqual(Object.keys(fileOf(folder, name)).filter((key) => key in own), [], name);
  }
  const own = Object.keys(fileOf(ofResults, 'en'));
  const said = [...[...ofReport].flatMap(([name, text]) => keysSaid(text).map((key) => [name, key])), ...inResults.map((key) => ['HTML', key])];
  for (const [name, key] of said) assert.ok(own.some((one) => patternOf(key).test(one)), `${name}: ${key}`);
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
// Keys in the programs that write HTML; of those made from values a part is there.
const programs = (folder) => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.rs')).map((name) => readFileSync(join(folder, name), 'utf8'));
const inHtml = (text) => [...text.matchAll(/data-say(?:-label)?="([^"]+)"/g)].map(([, key]) => key);
// The titles of errors are in a table.
const titles = [...shell.matchAll(/"(error\.title\.\w+)"/g)].map(([, key]) => key);
const inShell = [...inHtml(shell), ...titles];
const ofProgram = programs(join(shared, '../..'));
const inResults = ofProgram.flatMap((text) => [
  ...inHtml(text),
  ...[...text.matchAll(/Phrase::new\(\s*"([^"]+)"/g)].map(([, key]) => key),
  ...[...text.matchAll(/Phrase::new\(\s*format!\(\s*"([^"]+)"/g)].map(([, key]) => key.replace(/\{\w*\}/g, '${}')),
]);
// Some are chosen before they are said.
const literals = new Set(ofProgram.flatMap((text) => [...text.matchAll(/"([a-z][\w-]*(?:\.[\w-]+)+)"/g)].map(([, key]) => key)));
const pageNames = [...shell.matchAll(/^ {4}\("(\w+)", "/gm)].map(([, name]) => `page.${name}`);
const patternOf = (key) => new RegExp(`^${key.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.')).join('[\\w-]+')}$`);

test('every text is used', () => {
  const known = new Set([...used, ...inShell, ...pageNames, ...inResults, ...literals]);
  const patterns = [...used, ...inResults].filter((key) => key.includes('${')).map(patternOf);
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
  speak('en', english);
});

test('what the program says of results has names, numbers and further texts in it', async () => {
  const { speak } = await load('words.js');
  const { asSentence, partsOf } = await load('said.js');
  const percent = { say: 'outcome.percent', values: { number: ['97.5'] } };
  const where = { say: 'outcome.in.all', values: {} };
  const words = [{ say: 'outcome.undecided', values: { ahead: [{ name: '1.5' }], behind: [{ name: 'b' }], where: [where] } }, { say: 'outcome.more-pairs', values: { n: ['1'], sure: ['1200'], percent: [percent] } }];
  const said = () => asSentence(partsOf(words, (name) => `<${name}>`)).join('');
  assert.equal(said(), 'Undecided between <1.5> and <b> over all: 97.5 % for the former; about 1 more pair for an even chance to decide it, 1,200 to be nearly sure');
  speak('fr', french);
  const text = said();
  assert.ok(text.includes('<1.5>') && text.includes('97,5') && text.includes('1\u202f200'), text);
  assert.deepEqual(partsOf(['+12.0', '−3', '2026-11-22'], String), ['+12,0', '−3', '2026-11-22']);
  speak('en', english);
});

await runTests();
