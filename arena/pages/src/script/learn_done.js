// What the course says of a step that is done.

import { say } from './words.js';

export function doneText({ lesson, number }) {
  return say(`learn.${lesson}.${number}.done`);
}
