// Creating elements. Styles are set by classes, attributes and CSSOM only, so that the page runs under a strict
// content security policy.

export type Child = Node | string | number | null | undefined | false;
type Listener = (event: any) => void;
export type Props = Record<string, string | number | boolean | null | undefined | Listener>;

const SVG = 'http://www.w3.org/2000/svg';

function fill(el: Element, props: Props | null, children: Child[]): void {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') el.addEventListener(key.slice(2), value);
    else el.setAttribute(key, value === true ? '' : String(value));
  }
  put(el, ...children);
}

/** An HTML element; a property that is a function is a listener: `onclick`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const el = document.createElement(tag);
  fill(el, props ?? null, children);
  return el;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props?: Props | null,
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const el = document.createElementNS(SVG, tag);
  fill(el, props ?? null, children);
  return el;
}

/** Appends the children that are not empty. */
export function put(el: Element, ...children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      el.append(typeof child === 'number' ? String(child) : child);
    }
  }
}

/** Replaces the contents of an element. */
export function setChildren(el: Element, ...children: Child[]): void {
  el.textContent = '';
  put(el, ...children);
}

/** Redraws an element; a focus on a button or link in it moves to the new one of the same name. */
export function keepFocus(el: Element, draw: () => void): void {
  const name = (el: Element) => el.getAttribute('aria-label') ?? el.textContent;
  const active = document.activeElement;
  const was = active && active !== el && el.contains(active) ? active : null;
  const called = was && name(was);
  const scrolled = was ? scrollY : 0;
  draw();
  if (!was || el.contains(document.activeElement)) return;
  const there = [...el.querySelectorAll<HTMLElement>('button:not(:disabled), a[href]')];
  (there.find((el) => name(el) === called) ?? there[0])?.focus({ preventScroll: true });
  scrollTo({ top: scrolled });
}

/** A button with a text. */
export function button(text: Child, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', onclick, ...props }, text);
}

/** Runs the action of a button, which shows a text and is disabled meanwhile. */
export async function whileBusy(el: HTMLButtonElement, text: string, work: () => Promise<void>): Promise<void> {
  if (el.disabled) return;
  const before = el.textContent;
  const focused = document.activeElement === el;
  el.disabled = true;
  el.textContent = text;
  try {
    await work();
  } finally {
    el.disabled = false;
    el.textContent = before;
    if (focused && document.activeElement === document.body) el.focus();
  }
}

/** A button for an action that cannot be undone: the first press asks, the second confirms. */
export function confirmButton(text: string, question: string, onclick: () => void): HTMLButtonElement {
  let timer = 0;
  const rest = () => {
    clearTimeout(timer);
    timer = 0;
    el.textContent = text;
    el.classList.remove('sure');
  };
  const press = () => {
    if (timer) {
      rest();
      onclick();
      return;
    }
    el.textContent = question;
    el.classList.add('sure');
    timer = window.setTimeout(rest, 5000);
  };
  const el = button(text, press);
  return el;
}

/** Whether the user prefers reduced motion. */
export const reducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
