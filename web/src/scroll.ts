// A scrolling box, faded at the edges with hidden content.
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

/** A scrolling table of figures; a heading that is an element is used directly. */
export function figures(label: string, head: (string | HTMLElement)[], rows: HTMLElement[]): HTMLElement {
  const heading = (title: string | HTMLElement) =>
    typeof title === 'string' ? h('th', { scope: 'col' }, title) : title;
  return scroller(
    label,
    h('table', { class: 'figures' }, h('thead', null, h('tr', null, ...head.map(heading))), h('tbody', null, ...rows)),
  );
}
