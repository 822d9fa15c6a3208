// Why the server did not do what it was asked.

import { say } from './words.js';

// What is wrong, and what to do, in the page's language; in the server's words where there is no code for it.
export function refusalText({ error, help, said }) {
  if (!said) return { text: error, help };
  const { code, ...values } = said;
  if (values.why) values.why = say(`refused.illegal.${values.why}`, values);
  // A text that says what is wrong says what to do, too.
  return { text: say(`refused.${code}`, values), help: null };
}
