// The words of the rules in the user's language: ends of games, and switches.

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
