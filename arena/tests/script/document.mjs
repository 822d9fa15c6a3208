// Just enough of a document to draw a board and to press its points, without a browser.

class Element {
  constructor(name) {
    Object.assign(this, { name, parent: null, children: [], attributes: new Map(), listeners: [], dataset: {}, own: '' });
    this.style = { setProperty: (key, value) => this.attributes.set(key, value) };
    const words = () => new Set((this.getAttribute('class') ?? '').split(' ').filter(Boolean));
    const keep = (set) => this.setAttribute('class', [...set].join(' '));
    this.classList = {
      contains: (word) => ` ${this.getAttribute('class') ?? ''} `.includes(` ${word} `),
      add: (...more) => keep(new Set([...words(), ...more])),
      remove: (...less) => keep([...words()].filter((word) => !less.includes(word))),
      toggle: (word, on) => (on ? this.classList.add(word) : this.classList.remove(word)),
    };
  }

  get className() {
    return this.getAttribute('class');
  }

  set className(text) {
    this.setAttribute('class', text);
  }

  get textContent() {
    return this.own + this.children.map((child) => child.textContent ?? String(child)).join('');
  }

  set textContent(text) {
    this.children = [];
    this.own = String(text);
  }

  hasAttribute(key) {
    return this.attributes.has(key);
  }

  getAttribute(key) {
    return this.attributes.get(key) ?? null;
  }

  setAttribute(key, value) {
    this.attributes.set(key, String(value));
    if (key.startsWith('data-')) this.dataset[key.slice(5)] = String(value);
  }

  append(...children) {
    for (const child of children) {
      if (child instanceof Element) {
        child.remove();
        child.parent = this;
      }
      this.children.push(child);
    }
  }

  after(sibling) {
    sibling.remove();
    sibling.parent = this.parent;
    this.parent.children.splice(this.parent.children.indexOf(this) + 1, 0, sibling);
  }

  remove() {
    if (!this.parent) return;
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = null;
  }

  replaceChildren(...children) {
    for (const child of [...this.children]) if (child instanceof Element) child.parent = null;
    this.children = [];
    this.append(...children);
  }

  // Everything in it, in the order of the document.
  all(found = []) {
    for (const child of this.children) {
      if (!(child instanceof Element)) continue;
      found.push(child);
      child.all(found);
    }
    return found;
  }

  // Selectors: `.class`, `name`, and `[attribute="value"]`.
  querySelectorAll(selector) {
    const attribute = /^\[([\w-]+)="(.*)"\]$/.exec(selector);
    const fits = (element) => {
      if (attribute) return element.getAttribute(attribute[1]) === attribute[2];
      return selector[0] === '.' ? element.classList.contains(selector.slice(1)) : element.name === selector;
    };
    return this.all().filter(fits);
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  contains(element) {
    return this.all().includes(element);
  }

  matches() {
    return true;
  }

  setPointerCapture() {}

  focus() {
    const before = document.activeElement;
    if (before === this) return;
    document.activeElement = this;
    before?.fire('blur');
    this.fire('focus');
  }

  addEventListener(type, run, capture = false) {
    this.listeners.push({ type, run, capture });
  }

  // Sends an event down to this element and up again.
  fire(type, fields = {}) {
    let stopped = false;
    const event = { type, target: this, button: 0, pointerId: 1, preventDefault: () => {}, stopPropagation: () => { stopped = true; }, ...fields };
    const path = [];
    for (let element = this; element; element = element.parent) path.push(element);
    const bubbles = !['focus', 'blur'].includes(type);
    const visit = (elements, capture) => {
      for (const element of elements) {
        for (const listener of element.listeners) {
          if (listener.type === type && listener.capture === capture) listener.run({ ...event, currentTarget: element });
        }
        if (stopped) return;
      }
    };
    visit([...path].reverse(), true);
    if (!stopped) visit(bubbles ? path : [this], false);
  }

  click() {
    this.fire('click');
  }
}

globalThis.document = {
  activeElement: null,
  createElement: (name) => new Element(name),
  createElementNS: (space, name) => new Element(name),
};
// No motion: a step is over at once.
globalThis.window = { matchMedia: () => ({ matches: true }) };
globalThis.Element = Element;

export { Element };
