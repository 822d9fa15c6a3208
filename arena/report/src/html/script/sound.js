// The sounds of a board, made by the browser: wood on wood, and a chord at the end of a game. They are
// off until the user wants them.

import { hasSounds } from './kept.js';

// The tones of a sound: when they begin, their pitch in hertz, and how long they ring, in seconds.
const SOUNDS = {
  move: [[0, 180, 0.09]],
  capture: [[0, 300, 0.06], [0.05, 190, 0.12]],
  end: [[0, 262, 0.6], [0.12, 330, 0.6], [0.24, 392, 0.9]],
};

const LOUDNESS = 0.25;

// Made with the first sound, because it takes a thread of its own.
let context = null;

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
  // What happens in a window that nobody sees is not to be heard.
  if (!hasSounds() || document.hidden || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // A browser lets a page sound once its user has pressed something on it.
  if (context.state === 'suspended') context.resume();
  for (const [after, pitch, length] of SOUNDS[name]) tone(context.currentTime + after, pitch, length);
}

// A struck bar: it begins at once, falls a little, and fades.
function tone(begin, pitch, length) {
  const [source, volume] = [context.createOscillator(), context.createGain()];
  source.type = 'triangle';
  source.frequency.setValueAtTime(pitch * 1.5, begin);
  source.frequency.exponentialRampToValueAtTime(pitch, begin + 0.02);
  volume.gain.setValueAtTime(LOUDNESS, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  source.connect(volume).connect(context.destination);
  source.start(begin);
  source.stop(begin + length);
}
