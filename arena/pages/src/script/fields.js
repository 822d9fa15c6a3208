// Form parts of the pages: a labelled field, a list to choose from, and a row of choices.

import { make, node } from './dom.js';

// A field with its label above it.
export function field(label, control, note = null) {
  return make('label', { class: 'field' }, node('span', label), control, note);
}

// A drop-down list of `[value, text]` pairs; engine names are text here, never markup.
/** @param {(value: string) => void} [onChange] */
export function choiceList(pairs, value, onChange = () => {}) {
  const list = make('select', { onchange: () => onChange(list.value) });
  for (const [key, text] of pairs) list.append(new Option(text, key, key === value, key === value));
  return list;
}

// A number field within bounds.
export function numberField(value, min, max, onChange, step = 1) {
  const input = make('input', { type: 'number', min, max, step, value, inputmode: 'decimal' });
  input.addEventListener('change', () => {
    const number = Number(input.value);
    const kept = Number.isFinite(number) && input.value !== '' ? Math.min(max, Math.max(min, number)) : value;
    input.value = String(kept);
    onChange(kept);
  });
  return input;
}

let groups = 0;

// A row of radio buttons that look like one control. `pairs` are `[value, text]`.
export function choiceRow(legend, pairs, value, onChange) {
  groups += 1;
  const name = `row-${groups}`;
  const options = pairs.map(([key, text]) => {
    const radio = make('input', { type: 'radio', name, value: key, checked: key === value });
    radio.addEventListener('change', () => onChange(key));
    return make('label', {}, radio, node('span', text));
  });
  return make('fieldset', { class: 'row' }, node('legend', legend), make('div', { class: 'options' }, ...options));
}
