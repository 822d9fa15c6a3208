// The form that starts a tournament: engines, games, kinds and time. The config that it makes is shown,
// and becomes a file beside the others.

import { attempt, postJson } from './api.js';
import { make, node } from './dom.js';
import { choiceList, field, numberField } from './fields.js';
import { tournamentAddress } from './place.js';
import { say } from './words.js';

const LIMITS = ['10ms', '100ms', '1s', '10s+0.1s', '60s+0.6s'];
const FORMATS = ['round-robin', 'gauntlet'];
const KINDS = ['riatra', 'vela', 'session'];

// The form as a part of the page that opens by a click.
export function newTournament(engines) {
  const wish = { engines: engines.slice(0, 2), format: 'round-robin', kinds: ['riatra', 'vela'], games: 20, limit: '100ms' };
  const text = make('pre', { class: 'config-text' });
  const begin = /** @type {HTMLButtonElement} */ (make('button', { type: 'submit', class: 'primary large' }, say('home.start')));
  let asked = 0;
  // The text of the config, or why there is none.
  const show = async () => {
    asked += 1;
    const mine = asked;
    let said;
    try {
      said = await postJson('/api/config', wish);
    } catch (error) {
      said = { error };
    }
    if (mine !== asked) return;
    text.textContent = said.error ? said.error.message : said.text;
    text.classList.toggle('refused', Boolean(said.error));
    begin.disabled = Boolean(said.error);
  };
  const ticks = (key, values, nameOf) => values.map((value) => {
    const box = make('input', { type: 'checkbox', checked: wish[key].includes(value) });
    box.addEventListener('change', () => {
      wish[key] = values.filter((one) => (one === value ? box.checked : wish[key].includes(one)));
      show();
    });
    return make('label', { class: 'tick' }, box, nameOf(value));
  });
  const set = (key) => (value) => {
    wish[key] = value;
    show();
  };
  const form = make('form', { class: 'new-tournament', 'aria-label': say('home.new') },
    make('fieldset', {}, node('legend', say('home.engines')), ...ticks('engines', engines, (name) => node('bdi', name))),
    make('fieldset', {}, node('legend', say('home.kinds')), ...ticks('kinds', KINDS, (kind) => say(`kind.${kind}`))),
    field(say('home.format'), choiceList(FORMATS.map((word) => [word, say(`format.${word}`)]), wish.format, set('format'))),
    field(say('home.games'), numberField(wish.games, 2, 10000, set('games'), 2)),
    field(say('home.limit'), choiceList(LIMITS.map((limit) => [limit, limit]), wish.limit, set('limit'))),
    begin,
    make('details', {}, node('summary', say('home.config')), text));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    begin.disabled = true;
    const begun = await attempt(() => postJson('/api/run', { form: wish }));
    begin.disabled = false;
    if (begun) location.href = tournamentAddress(begun.id);
  });
  const box = make('details', { class: 'card start-one' }, node('summary', say('home.new')), form);
  box.addEventListener('toggle', show, { once: true });
  return box;
}
