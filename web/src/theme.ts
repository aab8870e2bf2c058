// Light, dark, or the setting of the system.
import { setChildren } from './dom';
import { icon, tool } from './icons';
import { store, storedOneOf } from './store';

type Theme = 'auto' | 'light' | 'dark';
const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };
const NAME: Record<Theme, string> = { auto: 'Colours: system', light: 'Colours: light', dark: 'Colours: dark' };

function apply(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The button that switches between them. */
export function themeButton(): HTMLButtonElement {
  let theme = storedOneOf<Theme>('theme', ['auto', 'light', 'dark'], 'auto');
  apply(theme);
  const el = tool(theme, NAME[theme], () => {
    theme = NEXT[theme];
    store('theme', theme);
    apply(theme);
    setChildren(el, icon(theme));
    el.title = NAME[theme];
    el.setAttribute('aria-label', NAME[theme]);
  });
  return el;
}
