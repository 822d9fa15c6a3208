// Shows new content from its top, and gives it the focus that the old one had.
export function begun(app) {
  window.scrollTo(0, 0);
  app.focus({ preventScroll: true });
}
