// Pictures of a board: an SVG that needs no style sheet, and its pixels.

// The properties by which style sheets make a drawing look as it does.
const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity',
  'font-family', 'font-size', 'font-weight', 'text-anchor', 'display', 'visibility', 'filter', 'paint-order', 'stop-color', 'stop-opacity'];
// Layers for pointers and keyboards, which nobody sees.
const UNSEEN = '.hits, .marks';

// The drawing as the text of a file. It has to be in the document, where style sheets apply to it.
export function svgText(drawing, width) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const [, , across, down] = drawing.getAttribute('viewBox').split(' ').map(Number);
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  copies.forEach((element, index) => {
    const look = getComputedStyle(originals[index]);
    // As attributes of its own, which no policy of a page refuses.
    if (element !== copy) for (const name of LOOKS) element.setAttribute(name, look.getPropertyValue(name));
    for (const name of ['class', 'role', 'tabindex', 'aria-label', 'aria-hidden', 'aria-disabled', 'data-at', 'data-point']) element.removeAttribute(name);
  });
  originals.forEach((element, index) => {
    if (element.matches(UNSEEN)) copies[index].remove();
  });
  copy.removeAttribute('style');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(Math.round((width * down) / across)));
  return new XMLSerializer().serializeToString(copy);
}

// A drawing on a canvas, on the colour of the page.
export async function canvasOf(drawing, width) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(drawing, width))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return { canvas, context };
}

// The bytes of a PNG.
export async function pngOf(drawing, width) {
  const { canvas } = await canvasOf(drawing, width);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  return blob.arrayBuffer();
}
