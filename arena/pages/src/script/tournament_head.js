// The head of a tournament's page: title, state, progress, expected end and controls.

import { make, node } from './dom.js';
import { ApiError, attempt, postJson, showError } from './api.js';
import { headlineOf } from './headline.js';
import { durationText, momentText } from './format.js';
import { tournamentAddress } from './place.js';
import { say } from './words.js';

// The most rounds that a tournament may have, as its config says.
const MOST_ROUNDS = 1000000;

// The number of rounds that a text names, or null if it names none.
function roundsOf(text) {
  const rounds = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return rounds >= 1 && rounds <= MOST_ROUNDS ? rounds : null;
}

export class TournamentHead {
  constructor(root, { id, onChange }) {
    this.id = id;
    this.onChange = onChange;
    this.title = node('h1');
    this.state = node('span', '', 'state');
    this.line = node('p');
    this.facts = node('span', '', 'soft');
    this.progress = make('progress', { 'aria-label': say('home.finished') });
    this.count = node('span', '', 'count');
    this.end = node('span', '', 'soft');
    this.controls = make('div', { class: 'run-controls', role: 'toolbar', 'aria-label': say('tournament.control') });
    this.report = make('a', { href: `${tournamentAddress(id)}/report` }, say('tournament.report'));
    root.append(
      make('div', { class: 'title-line' }, this.title, this.state, this.controls),
      this.line,
      make('p', { class: 'progress-line' }, this.progress, this.count, this.end, this.facts, this.report));
  }

  /** @param {import('../../views').Tournament} t */
  show(t) {
    this.title.textContent = t.title;
    document.title = `${t.title} – Fanorona Arena`;
    const state = t.state === 'running' && t.paused ? 'paused' : t.state;
    this.state.textContent = say(`run.${state}`);
    this.state.dataset.state = state;
    const limits = [...new Set(t.engines.map((engine) => engine.limit).filter(Boolean))];
    const facts = [say(`format.${t.format}`), t.kinds.map((kind) => say(`kind.${kind}`)).join(', '), say('tournament.engines', { n: t.engines.length })];
    if (limits.length === 1) facts.push(limits[0]);
    this.facts.textContent = facts.join(' · ');
    const line = headlineOf(t);
    // At the end the first section says it, with what it rests on.
    line.hidden = t.state === 'finished';
    this.line.replaceWith(line);
    this.line = line;
    this.progress.hidden = !t.expected;
    this.progress.max = t.expected || 1;
    this.progress.value = t.finished;
    const games = t.expected ? say('count.games-of', { done: t.finished, n: t.expected }) : say('count.games', { n: t.finished });
    const parts = [games];
    if (t.void) parts.push(say('tournament.void', { n: t.void }));
    if (t.skipped) parts.push(say('tournament.skipped', { n: t.skipped }));
    this.count.textContent = parts.join(', ');
    const left = t.state === 'running' && !t.paused ? t.seconds_left : null;
    this.end.textContent = left ? say('tournament.left', { time: durationText(left), moment: momentText(left) }) : '';
    this.report.hidden = t.finished === 0;
    this.buttons(t);
  }

  // The buttons are renewed only when others apply, so that the focus stays.
  /** @param {import('../../views').Tournament} t */
  buttons(t) {
    const key = `${t.control} ${t.resume} ${t.extend} ${t.state} ${t.paused} ${t.rounds}`;
    if (key === this.key) return;
    this.key = key;
    const actions = [];
    if (t.control && t.state === 'running') {
      actions.push(t.paused
        ? [say('tournament.continue'), say('tournament.continue.help'), () => this.act('continue')]
        : [say('tournament.pause'), say('tournament.pause.help'), () => this.act('pause')]);
      actions.push([say('tournament.finish'), say('tournament.finish.help'), () => this.act('finish')]);
      actions.push([say('review.stop'), say('tournament.stop.help'), () => this.act('stop', say('tournament.stop.sure'))]);
    } else if (t.resume && t.state === 'stopped') {
      actions.push([say('tournament.resume'), say('tournament.resume.help'), () => this.resume(null)]);
    } else if (t.extend && t.state === 'finished') {
      actions.push([say('tournament.extend'), say('tournament.extend.help'), () => this.extend(t.rounds)]);
    }
    this.controls.hidden = actions.length === 0;
    this.controls.replaceChildren(...actions.map(([text, title, onclick]) => make('button', { type: 'button', title, onclick }, text)));
  }

  async act(action, question) {
    if (question && !confirm(question)) return;
    await attempt(() => postJson(`/api/t/${encodeURIComponent(this.id)}/control`, { action }));
    this.onChange();
  }

  // Asks to how many rounds the tournament is extended.
  async extend(rounds) {
    const answer = prompt(say('tournament.rounds', { n: rounds }), String(2 * rounds));
    if (answer === null) return;
    const wanted = roundsOf(answer);
    if (wanted === null) showError(new ApiError(say('tournament.rounds.wrong', { n: MOST_ROUNDS }), null, 0));
    else await this.resume(wanted);
  }

  async resume(rounds) {
    await attempt(() => postJson(`/api/t/${encodeURIComponent(this.id)}/resume`, { rounds }));
    this.onChange();
  }
}
