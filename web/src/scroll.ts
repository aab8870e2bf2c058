// A box that scrolls fades at the edge beyond which there is more.
import { h, type Child } from './dom';

export function scroller(label: string, ...children: Child[]): HTMLElement {
  const el = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${label}, scrolls` }, ...children);
  const hint = () => {
    el.classList.toggle('more-right', el.scrollLeft + el.clientWidth < el.scrollWidth - 4);
    el.classList.toggle('more-below', el.scrollTop + el.clientHeight < el.scrollHeight - 4);
  };
  el.addEventListener('scroll', hint, { passive: true });
  new ResizeObserver(hint).observe(el);
  return el;
}
