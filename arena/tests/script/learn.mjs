// The goals of the course: `node learn.mjs SERVE_SCRIPTS REPORT_SCRIPTS TEXTS`.

import assert from 'node:assert/strict';
import { load, runTests, test } from './modules.mjs';

const { answerTo, helpFor, reaches } = await load('learn_goal.js');

const step = (mark, ...captured) => ({ from: 'b3', to: 'c3', mark, captured });
const ONE = { text: 'b3c3W', steps: [step('W', 'a3')] };
const TWO = { text: 'b3c3A', steps: [step('A', 'd3', 'e3')] };

test('a goal counts the stones of a whole move and knows its way', () => {
  assert.ok(reaches({}, ONE, false));
  assert.deepEqual([ONE, TWO].map((move) => reaches({ takes: 2 }, move, false)), [false, true]);
  assert.ok(reaches({ takes: 2 }, { text: '', steps: [...ONE.steps, ...ONE.steps] }, false));
  assert.deepEqual([ONE, TWO].map((move) => reaches({ way: 'W' }, move, false)), [true, false]);
  assert.deepEqual([ONE, TWO].map((move) => reaches({ moves: ['b3c3A'] }, move, false)), [false, true]);
});

test('a game that has to go on may not end', () => {
  assert.deepEqual([false, true].map((isOver) => reaches({ stays: true }, ONE, isOver)), [true, false]);
});

test('a solution has its moves and replies', () => {
  const solution = [{ moves: ['b3c3A', 'b3b4'], reply: 'i5h5', then: [{ moves: ['c3d3'] }] }];
  assert.deepEqual([ONE, TWO].map((move) => reaches({ solution }, move, false)), [false, true]);
  assert.equal(answerTo(solution, 'b3b4').reply, 'i5h5');
  assert.equal(helpFor({ solution }, [ONE, TWO]), TWO);
  assert.equal(helpFor({}, [ONE, TWO]), undefined);
});

await runTests();
