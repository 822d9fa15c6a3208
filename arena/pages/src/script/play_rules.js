// The rules of a game as fields of the form that begins it.

import { choiceList, field, numberField } from './fields.js';
import { node } from './dom.js';
import { ruleText, ruleTitle, ruleValue } from './rule_words.js';

// A field for every switch. `chosen` has the values that are not usual, and gets the new ones; `onChange`
// hears which switch has another one.
export function switchFields(switches, chosen, onChange) {
  return switches.map(({ word, values, default: usual }) => {
    const control = switchControl(values, chosen[word] ?? usual, (value) => {
      chosen[word] = String(value);
      onChange(word);
    });
    return field(ruleTitle(word), control, node('small', ruleText(word)));
  });
}

// Numbers may have any value; other switches have a list.
function switchControl(values, value, onChange) {
  if (values.every((one) => /^\d+$/.test(one))) return numberField(Number(value), 0, 10000, onChange);
  return choiceList(values.map((one) => [one, ruleValue(one)]), value, onChange);
}
