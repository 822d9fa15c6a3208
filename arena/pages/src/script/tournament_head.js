// The head of a tournament's page: title, state, progress, expected end and controls.

import { make, node } from './dom.js';
import { attempt, postJson } from './api.js';
import { headlineOf } from './headline.js';
import { durationText, momentText, plural } from './format.js';
import { tournamentAddress } from './place.js';

const STATES = { running: 'running', stopped: 'stopped', finished: 'finished' };

export class TournamentHead {
  constructor(root, { id, onChange }) {
    this.id = id;
    this.onChange = onChange;
    this.title = node('h1');
    this.state = node('span', '', 'state');
    this.line = node('p');
    this.facts = node('span', '', 'soft');
    this.progress = make('progress', { 'aria-label': 'Finished games' });
    this.count = node('span', '', 'count');
    this.end = node('span', '', 'soft');
    this.controls = make('div', { class: 'run-controls', role: 'toolbar', 'aria-label': 'Control the tournament' });
    this.report = make('a', { href: `${tournamentAddress(id)}/report` }, 'Report');
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
    this.state.textContent = STATES[state] || state;
    this.state.dataset.state = state;
    const limits = [...new Set(t.engines.map((engine) => engine.limit).filter(Boolean))];
    const facts = [t.format, t.kinds.join(', '), plural(t.engines.length, 'engine')];
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
    const games = t.expected ? `${t.finished.toLocaleString('en')} of ${plural(t.expected, 'game')}` : plural(t.finished, 'game');
    const parts = [games];
    if (t.void) parts.push(`${t.void} void`);
    if (t.skipped) parts.push(`${t.skipped.toLocaleString('en')} not played because of a withdrawal`);
    this.count.textContent = parts.join(', ');
    const left = t.state === 'running' && !t.paused ? t.seconds_left : null;
    this.end.textContent = left ? `about ${durationText(left)} left, until ${momentText(left)}` : '';
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
        ? ['Continue', 'Start new games again', () => this.act('continue')]
        : ['Pause', 'Start no new games; running games are finished', () => this.act('pause')]);
      actions.push(['Finish', 'Finish the running games, then stop', () => this.act('finish')]);
      actions.push(['Stop', 'Stop now; running games are played again after a resume', () => this.act('stop', 'Stop the tournament now? Running games are lost, and are played again when you resume.')]);
    } else if (t.resume && t.state === 'stopped') {
      actions.push(['Resume', 'Play the games that are left', () => this.resume(null)]);
    } else if (t.extend && t.state === 'finished') {
      actions.push(['Add rounds', 'Play further rounds of the same tournament', () => this.extend(t.rounds)]);
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
    const answer = prompt(`The tournament has ${plural(rounds, 'round')}. How many shall it have in all?`, String(2 * rounds));
    if (answer === null) return;
    await this.resume(Number(answer));
  }

  async resume(rounds) {
    await attempt(() => postJson(`/api/t/${encodeURIComponent(this.id)}/resume`, { rounds }));
    this.onChange();
  }
}
