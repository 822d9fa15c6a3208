// The first line about a tournament. The card on the first page and the tournament's own page both show
// it, so that they cannot disagree.

import { make, node } from './dom.js';
import { pointsText } from './format.js';
import { asSentence, partsOf } from './said.js';
import { say, sayParts } from './words.js';

/** @import { Overview } from '../../views' */

// As many leaders are named; of more there is a number.
const NAMES = 3;

/**
 * What both a card and a page know of a tournament.
 * @typedef {Pick<Overview, 'state' | 'finished' | 'expected' | 'outcome' | 'headline'> & { paused?: boolean }} Known
 */

// The parts of the line: texts, and what `nameOf` makes of names, which may be written from right to left.
/**
 * @template T
 * @param {Known} known
 * @param {(name: string) => T} nameOf
 * @returns {(string | T)[]}
 */
export function headline(known, nameOf) {
  const { state, outcome, headline: facts } = known;
  if (state === 'finished' && outcome) return asSentence(outcomeOf(known, nameOf));
  const clauses = [lead(known, nameOf), [progress(known)], ...(facts?.withdrawn ?? []).map((it) => withdrawn(it, nameOf))];
  const parts = clauses.flatMap((clause, index) => (index > 0 ? ['; ', ...clause] : clause));
  return asSentence(parts);
}

// Who won, or what is missing.
/**
 * @template T
 * @param {Pick<Known, 'headline'>} known
 * @param {(name: string) => T} nameOf
 * @returns {(string | T)[]}
 */
export function outcomeOf({ headline: facts }, nameOf) {
  return facts ? partsOf(facts.answer, nameOf) : [say('headline.none')];
}

// The line as an element.
/** @param {Known} known */
export function headlineOf(known) {
  return make('p', { class: 'headline' }, ...headline(known, (name) => node('bdi', name)), '.');
}

/**
 * @param {Known} known
 * @param {(name: string) => any} nameOf
 */
function lead(known, nameOf) {
  const { finished, headline: facts } = known;
  if (finished === 0) return [say('headline.none')];
  const leaders = facts?.leaders ?? [];
  if (leaders.length === 0) return outcomeOf(known, nameOf);
  if (leaders.length > NAMES) return [say('headline.many', { n: leaders.length })];
  if (leaders.length > 1) {
    const last = nameOf(leaders[leaders.length - 1]);
    const others = leaders.slice(0, -1).flatMap((name, index) => (index > 0 ? [', ', nameOf(name)] : [nameOf(name)]));
    return [...others, ...sayParts('headline.shared', { engine: last })];
  }
  const [engine] = leaders.map(nameOf);
  if (!facts?.ahead) return sayParts('headline.leads', { engine });
  return sayParts('headline.leads-by', { engine, points: pointsText(facts.ahead) });
}

// How far it is.
/** @param {Known} known */
function progress({ state, paused, finished, expected }) {
  if (state === 'running' && !paused) {
    return expected ? say('headline.game-of', { number: Math.min(finished + 1, expected), all: expected }) : say('headline.game', { number: finished + 1 });
  }
  const games = expected ? say('headline.games-of', { number: finished, n: expected }) : say('headline.games', { n: finished });
  return say({ running: 'headline.paused', stopped: 'headline.stopped' }[state] ?? 'headline.finished', { games });
}

// Three faults in a row are too many.
function withdrawn({ engine, faults, fault }, nameOf) {
  if (faults === 0) return sayParts('headline.broken', { engine: nameOf(engine) });
  const count = faults === 3 ? say('headline.three') : faults;
  const word = fault ?? 'any';
  return sayParts('headline.withdrawn', { engine: nameOf(engine), faults: say(`headline.faults.${word}`, { count }) });
}
