// The form that starts a tournament: engines, games, kinds and time. The config that it makes is shown,
// and becomes a file beside the others.

import { attempt, postJson } from './api.js';
import { make, node } from './dom.js';
import { choiceList, field, numberField } from './fields.js';
import { tournamentAddress } from './place.js';
import { say } from './words.js';

const LIMITS = ['10ms', '100ms', '1s', '10s+0.1s', '60s+0.6s'];
// What each format asks for beside engines, kinds and time.
const FIELDS = {
  'round-robin': ['games'],
  gauntlet: ['games'],
  swiss: ['encounter', 'stages'],
  knockout: ['encounter', 'tiebreaks'],
  sprt: ['most', 'elo0', 'elo1'],
};
const FORMATS = Object.keys(FIELDS);
const KINDS = ['riatra', 'vela', 'session'];

// The form as a part of the page that opens by a click.
export function newTournament(engines) {
  const wish = {
    engines: engines.slice(0, 2), format: 'round-robin', kinds: ['riatra', 'vela'], games: 20, limit: '100ms',
    stages: null, tiebreaks: 2, elo0: 0, elo1: 20,
  };
  // A test plays until it knows, up to its own number of games.
  const most = { games: 4000 };
  const asked = () => (wish.format === 'sprt' ? { ...wish, ...most } : wish);
  const text = make('pre', { class: 'config-text' });
  const begin = /** @type {HTMLButtonElement} */ (make('button', { type: 'submit', class: 'primary large' }, say('home.start')));
  let run = 0;
  // The text of the config, or why there is none.
  const show = async () => {
    run += 1;
    const mine = run;
    let said;
    try {
      said = await postJson('/api/config', asked());
    } catch (error) {
      said = { error };
    }
    if (mine !== run) return;
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
  const set = (key, /** @type {Object<string, any>} */ of = wish) => (value) => {
    of[key] = value;
    show();
  };
  const games = () => numberField(wish.games, 2, 10000, set('games'), 2);
  const controls = {
    games,
    encounter: games,
    most: () => numberField(most.games, 2, 1000000, set('games', most), 2),
    // Empty: the usual number for so many engines.
    stages: () => numberField('', 1, 64, (value) => set('stages')(value === '' ? null : value)),
    tiebreaks: () => numberField(wish.tiebreaks, 0, 16, set('tiebreaks')),
    elo0: () => numberField(wish.elo0, -400, 400, set('elo0')),
    elo1: () => numberField(wish.elo1, -400, 400, set('elo1')),
  };
  const own = make('div', { class: 'of-format' });
  const choose = (format) => {
    wish.format = format;
    wish.stages = null;
    own.replaceChildren(...FIELDS[format].map((key) => field(say(`home.${key}`), controls[key](), node('small', say(`home.${key}.help`), 'soft'))));
  };
  choose(wish.format);
  const form = make('form', { class: 'new-tournament', 'aria-label': say('home.new') },
    make('fieldset', {}, node('legend', say('home.engines')), ...ticks('engines', engines, (name) => node('bdi', name))),
    make('fieldset', {}, node('legend', say('home.kinds')), ...ticks('kinds', KINDS, (kind) => say(`kind.${kind}`))),
    field(say('home.format'), choiceList(FORMATS.map((word) => [word, say(`format.${word}`)]), wish.format, (format) => {
      choose(format);
      show();
    })),
    own,
    field(say('home.limit'), choiceList(LIMITS.map((limit) => [limit, limit]), wish.limit, set('limit'))),
    begin,
    make('details', {}, node('summary', say('home.config')), text));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    begin.disabled = true;
    const begun = await attempt(() => postJson('/api/run', { form: asked() }));
    begin.disabled = false;
    if (begun) location.href = tournamentAddress(begun.id);
  });
  const box = make('details', { class: 'card start-one' }, node('summary', say('home.new')), form);
  box.addEventListener('toggle', show, { once: true });
  return box;
}
