// Light and dark: as the system says, or as chosen here; the choice is kept where that is allowed.

function theme() {
  const choose = (name) => {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
  };
  const kept = () => {
    try {
      return localStorage.getItem('theme') || '';
    } catch {
      return '';
    }
  };
  const select = $('theme');
  select.value = ['light', 'dark'].includes(kept()) ? kept() : '';
  choose(select.value);
  select.addEventListener('change', () => {
    choose(select.value);
    try {
      localStorage.setItem('theme', select.value);
    } catch {
      // The page then forgets it when it is closed.
    }
  });
  $('theme-choice').hidden = false;
}
