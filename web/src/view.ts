// What a view is, and what all views share.
import { h, refill } from './dom';
import { Refusal } from './api';
import type { Route } from './route';
import type { Ruleset } from './types';

export interface View {
  el: HTMLElement;
  /** The address changed, but neither view nor ruleset did. */
  update(route: Route): void;
  /** The database has grown: what was estimated may be known now. */
  grown?(ruleset: Ruleset): void;
  /** Another view comes. */
  leave?(): void;
}

export interface Context {
  ruleset: Ruleset;
  rulesets: Ruleset[];
  route: Route;
  /** A game by link says which ruleset is played only after a while. */
  played(ruleset: string): void;
}

const live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });

/** The place from which things are said to a screen reader. */
export const announcer = (): HTMLElement => live;

/** Says something to a screen reader. */
export function announce(text: string): void {
  // The same sentence twice would not be read again.
  live.textContent = live.textContent === text ? `${text} ` : text;
}

let toastTimer = 0;
const toast = h('div', { class: 'toast', hidden: true });
export const toastBox = (): HTMLElement => toast;

/** Shows a short sentence for a while. */
export function say(text: string): void {
  toast.textContent = text;
  toast.hidden = false;
  announce(text);
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => (toast.hidden = true), 4000);
}

/** What went wrong, in words for a reader. */
export function reason(error: unknown): string {
  if (error instanceof Refusal) return capital(error.message);
  return error instanceof Error ? error.message : String(error);
}

/** Shows what went wrong in a place of its own. */
export function complain(box: Element, error: unknown): void {
  refill(box, h('p', { class: 'trouble', role: 'alert' }, reason(error)));
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Copies a text and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    window.prompt(`Copy the ${what.toLowerCase()}:`, text);
  }
}

/** The board on one side, what is said about it on the other. */
export function table(
  board: Element,
  above: Element | null,
  below: Element | null,
  ...panel: (Element | null)[]
): HTMLElement {
  const el = h(
    'div',
    { class: 'table' },
    h('div', { class: 'stage' }, above, h('div', { class: 'holder' }, board), below),
    h('div', { class: 'panel' }, ...panel),
  );
  return el;
}
