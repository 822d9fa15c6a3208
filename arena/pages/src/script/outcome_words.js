// Who won a tournament, or what is missing, in words. The server gives the facts as a code with values.

import { node } from './dom.js';
import { signed } from './position.js';
import { numberText, pageLanguage, say, sayParts } from './words.js';

// The most that is said of a probability.
const NEARLY_SURE = 0.9995;

/**
 * The facts of an outcome (`answer_facts.rs`); which of the values there are depends on the code.
 * @typedef {{
 *   code: string, ahead: string, behind: string, kind: string | null, certainty: number, by_others: boolean,
 *   elo: number | null, elo_low: number | null, elo_high: number | null, points: any, games: number, pairs: number,
 *   winner: string, second: string, by: string, seeds: number, opponents: number[], engine: string, engines: string[],
 *   drawn: number, of: number, leader: string | null,
 * }} Answer
 */

// The sentence in parts: texts, and what `nameOf` makes of names. `isOver` says that nothing is left to play.
/**
 * @template T
 * @param {Answer} answer
 * @param {boolean} isOver
 * @param {(name: string) => T} nameOf
 * @returns {(string | T)[]}
 */
export function outcomeParts(answer, isOver, nameOf) {
  const { code, kind, certainty, points, opponents, games } = answer;
  const names = Object.fromEntries(['ahead', 'behind', 'winner', 'second', 'engine', 'leader'].flatMap((key) => (answer[key] ? [[key, nameOf(answer[key])]] : [])));
  const both = (values) => ({ one: numberText(values[0]), other: numberText(values[1]) });
  const two = { ...names, where: say(`outcome.in.${kind ?? 'all'}`), percent: percentText(certainty) };
  const open = isOver ? [] : [say('outcome.so-far')];
  switch (code) {
    case 'stronger': {
      const words = answer.by_others ? 'outcome.stronger.others' : 'outcome.stronger';
      const begin = sayParts(isOver ? 'outcome.won' : 'outcome.leads', two);
      return [...begin, ...sayParts(words, two), lead(answer)];
    }
    case 'not-met': case 'repeating': case 'level':
      return [...open, ...sayParts('outcome.undecided', two), say(`outcome.${code}`, two)];
    case 'contrary': {
      const favoured = 2 * points > games ? 'behind' : 'ahead';
      return [...open, ...sayParts('outcome.undecided', two), say(`outcome.contrary.${favoured}`, { points: numberText(points), games })];
    }
    case 'more-pairs': {
      const { pairs } = answer;
      return [...open, ...sayParts('outcome.undecided', two), say('outcome.more-pairs', { ...two, n: pairs, sure: 4 * pairs })];
    }
    case 'final': {
      const { by, seeds } = answer;
      const before = seeds > 0 ? [say('outcome.seeds', { n: seeds })] : [];
      return [...sayParts(`outcome.final.${by}`, { ...names, ...both(points) }), ...before];
    }
    case 'points':
      return sayParts('outcome.points', { ...names, ...both(points) });
    case 'opponents':
      return sayParts('outcome.opponents', { ...names, points: numberText(points), ...both(opponents) });
    case 'void':
      return sayParts('outcome.void', { n: games });
    case 'test':
      return sayParts(isOver ? 'outcome.test.ended' : 'outcome.test', { ...names, n: answer.pairs });
    case 'stages': {
      const { drawn, of, leader } = answer;
      return sayParts(leader ? 'outcome.stages.leader' : 'outcome.stages', { ...names, drawn, of, points: leader ? numberText(points) : '' });
    }
    case 'tie': {
      const engines = answer.engines.flatMap((name, index) => (index > 0 ? [', ', nameOf(name)] : [nameOf(name)]));
      return [...engines, say('outcome.tie', { points: numberText(points) })];
    }
    default:
      return sayParts(`outcome.${code}`, names);
  }
}

// The parts with a capital letter at the beginning, unless that is a name.
/**
 * @template T
 * @param {(string | T)[]} parts
 */
export function asSentence([first, ...rest]) {
  return [typeof first === 'string' ? first[0].toUpperCase() + first.slice(1) : first, ...rest];
}

// By how much, as the end of a sentence; empty if the games do not bound the lead below.
function lead({ elo, elo_low: low, elo_high: high }) {
  const rounded = (value) => signed(Math.round(value));
  if (low === null) return '';
  if (elo === null || high === null) return high === null ? say('outcome.by-least', { low: rounded(low) }) : '';
  return say('outcome.by', { elo: rounded(elo), low: rounded(low), high: rounded(high) });
}

// A probability in per cent, never rounded up to 100 %.
function percentText(share) {
  if (share === undefined) return '';
  if (share > NEARLY_SURE) return say('outcome.nearly-sure');
  return say('outcome.percent', { number: numberText(100 * share, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) });
}

// Says in the section of the result what its facts give. Its other sentences are in English.
/**
 * @param {HTMLElement} html
 * @param {import('../../views').Tournament} tournament
 */
export function sayResult(html, { outcome, headline: { answer } }) {
  const answered = /** @type {HTMLElement | null} */ (html.querySelector('#result .answer p'));
  if (!answered || !answer) return;
  const nameOf = (name) => node('bdi', name);
  answered.replaceChildren(...asSentence(outcomeParts(answer, outcome.over, nameOf)), '.');
  const basis = /** @type {HTMLElement} */ (html.querySelector('#result .basis span:last-child'));
  const state = answer.code === 'test' ? 'test' : outcome.state;
  basis.textContent = say(`outcome.basis.${state}.${outcome.over ? 'over' : 'open'}`, { by: outcome.by ? say(`outcome.by.${outcome.by}`) : '' });
  const title = /** @type {HTMLElement} */ (html.querySelector('#result-title'));
  title.replaceChildren(...titleParts(answer, outcome.over, nameOf));
  for (const element of [answered, basis, title]) element.lang = pageLanguage();
}

// The same in a few words.
/** @param {Answer} answer */
function titleParts(answer, isOver, nameOf) {
  const { code, ahead, behind, winner, leader, engines, by } = answer;
  if (code === 'stronger') return sayParts(isOver ? 'outcome.title.won' : 'outcome.title.leads', { engine: nameOf(ahead) });
  if (winner) return sayParts(by === 'seed' ? 'outcome.title.seed' : 'outcome.title.won', { engine: nameOf(winner) });
  if (behind) return sayParts('outcome.title.two', { ahead: nameOf(ahead), behind: nameOf(behind) });
  if (leader) return sayParts('outcome.title.leads', { engine: nameOf(leader) });
  if (code === 'test') return [say(isOver ? 'outcome.title.test.ended' : 'outcome.title.test')];
  if (code === 'tie') return [say('outcome.title.tie', { n: engines.length })];
  return [say(`outcome.title.${code}`)];
}
