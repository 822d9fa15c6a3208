// The words of the rules in the user's language: ends of games, boards, switches.

import { say } from './words.js';

// The end of a game as a sentence: its `result` and `reason`, and the side `of` which the reason
// speaks, if of one.
/** @param {{ result: string, reason: string, of: string | null }} over */
export function sayOver({ result, reason, of }) {
  const why = say(of ? `over.${reason}.${of}` : `over.${reason}`);
  const winner = { '1-0': 'w', '0-1': 'b' }[result];
  return winner ? say(`over.wins.${winner}`, { why }) : say('over.draw', { why });
}

// What ended a game, in a few words; a file of another program may have words of its own.
export function reasonText(word) {
  const key = `reason.${word}`;
  const said = word ? say(key) : '';
  return said === key ? word : said;
}

// The name of a board among those of `/api/boards`.
export function boardTitle({ named, left_right: isLeftRight, columns, rows }) {
  const size = `${columns}×${rows}`;
  if (isLeftRight) return say('board.left-right', { size });
  return named ? `${named} ${size}` : size;
}

// The switches that a text like `repetition=2 vela-must-offer` sets, by their words.
export function switchesOf(text) {
  const words = text.split(/\s+/).filter(Boolean);
  return Object.fromEntries(words.map((word) => (word.includes('=') ? word.split('=') : [word, 'on'])));
}

// The name of a rule switch, of what it does, and of its values. Numbers say themselves.
export function ruleTitle(word) {
  return say(`rule.${word}.title`);
}

export function ruleText(word) {
  return say(`rule.${word}.text`);
}

export function ruleValue(value) {
  return /^\d+$/.test(value) ? value : say(`rule-value.${value}`);
}
