// Animated GIFs: frames of pixels with one palette for all, compressed by LZW (GIF89a).

const MOST = 256;
// Codes have at most this many bits.
const WIDEST = 12;

export class Gif {
  // `pixels` of frames are RGBA as a canvas has them; the palette is that of the first frames added.
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.frames = [];
    this.counts = new Map();
  }

  // Adds a frame that is shown for some hundredths of a second.
  add(pixels, delay) {
    const keys = new Uint16Array(this.width * this.height);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keyOf(pixels[4 * at], pixels[4 * at + 1], pixels[4 * at + 2]);
      keys[at] = key;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
    this.frames.push({ keys, delay });
  }

  // The bytes of the file.
  bytes() {
    const out = new Bytes();
    out.text('GIF89a');
    out.word(this.width);
    out.word(this.height);
    // A palette of 256 colours; the first one is that of the background.
    out.push(0xf7, 0, 0);
    const { colours, places } = this.palette();
    for (let at = 0; at < MOST; at += 1) out.push(...(colours[at] ?? [0, 0, 0]));
    // Again and again.
    out.push(0x21, 0xff, 11);
    out.text('NETSCAPE2.0');
    out.push(3, 1, 0, 0, 0);
    for (const { keys, delay } of this.frames) {
      out.push(0x21, 0xf9, 4, 4);
      out.word(delay);
      out.push(0, 0, 0x2c);
      for (const number of [0, 0, this.width, this.height]) out.word(number);
      out.push(0, 8);
      compress(keys.map((key) => /** @type {number} */ (places.get(key))), out);
    }
    out.push(0x3b);
    return out.done();
  }

  // The most frequent colours; every other one is drawn in the nearest of them.
  palette() {
    const sorted = [...this.counts].sort(([, one], [, two]) => two - one).map(([key]) => key);
    const colours = sorted.slice(0, MOST).map(colourOf);
    const places = new Map();
    sorted.forEach((key, index) => places.set(key, index < MOST ? index : nearest(colours, colourOf(key))));
    return { colours, places };
  }
}

// A colour in 15 bits.
function keyOf(red, green, blue) {
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}

function colourOf(key) {
  return [key >> 10, (key >> 5) & 31, key & 31].map((part) => (part << 3) | (part >> 2));
}

function nearest(colours, colour) {
  const [red, green, blue] = colour;
  let best = 0;
  let least = Infinity;
  colours.forEach(([r, g, b], index) => {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [least, best] = [distance, index];
  });
  return best;
}

// Writes places in the palette as LZW codes, the first of 9 bits, in blocks of at most 255 bytes.
export function compress(places, out) {
  const [clear, end] = [MOST, MOST + 1];
  let [bits, held, buffer] = [9, 0, 0];
  let block = [];
  let codes = new Map();
  const flush = () => {
    if (block.length > 0) out.push(block.length, ...block);
    block = [];
  };
  const write = (code) => {
    buffer |= code << held;
    held += bits;
    for (; held >= 8; held -= 8) {
      block.push(buffer & 255);
      buffer >>>= 8;
      if (block.length === 255) flush();
    }
  };
  write(clear);
  let prefix = places[0];
  for (let at = 1; at < places.length; at += 1) {
    const key = (prefix << 8) | places[at];
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    write(prefix);
    prefix = places[at];
    const next = end + 1 + codes.size;
    if (next === 1 << WIDEST) {
      write(clear);
      codes = new Map();
      bits = 9;
      continue;
    }
    codes.set(key, next);
    if (next === 1 << bits) bits += 1;
  }
  write(prefix);
  // A reader has one code more by now than was written down here.
  if (end + 1 + codes.size === 1 << bits && bits < WIDEST) bits += 1;
  write(end);
  if (held > 0) block.push(buffer & 255);
  flush();
  out.push(0);
}

// Bytes that grow.
export class Bytes {
  constructor() {
    this.all = new Uint8Array(1 << 16);
    this.length = 0;
  }

  push(...bytes) {
    if (this.length + bytes.length > this.all.length) {
      const more = new Uint8Array(2 * this.all.length);
      more.set(this.all);
      this.all = more;
    }
    this.all.set(bytes, this.length);
    this.length += bytes.length;
  }

  word(number) {
    this.push(number & 255, number >> 8);
  }

  text(text) {
    this.push(...[...text].map((letter) => letter.charCodeAt(0)));
  }

  done() {
    return this.all.slice(0, this.length);
  }
}
